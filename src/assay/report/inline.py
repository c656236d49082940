"""Pages that contain their data, and whose policy forbids requests to other hosts.

A page is a file of its own, which also contains its scripts and styles, or it is part of a site.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

import orjson
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from assay.report.assets import charts_asset, joined, site_asset
from assay.report.bundle import vega_bundle
from assay.report.frame import SITE_POLICY, SITE_STYLES, SiteFrame

ESCAPES = (("&", "\\u0026"), ("<", "\\u003c"), (">", "\\u003e"), ("\u2028", "\\u2028"), ("\u2029", "\\u2029"))


def render_page(
    template: str,
    view: object,
    data: object,
    *,
    styles: Sequence[str],
    scripts: Sequence[str],
    filters: tuple[Callable[..., Any], ...],
    site: SiteFrame | None = None,
    charts: bool = True,
    **values: object,
) -> str:
    """Return a page as HTML: one file that needs no other and no network, or a page of a site.

    The template can use `page` (the view), `site`, `values` and, by their functions' names, `filters`; the
    scripts read `data`. A page of a `site` has the site's own styles too; it refers to the site's files for
    styles, scripts and, with `charts`, the charts' JavaScript. Raises InvalidInput if that was not built.
    """
    parts: dict[str, Any]
    if site is None:
        css, script, bundle = joined(styles), joined(scripts), vega_bundle()
        parts = {
            "policy": content_policy([bundle, script], [css]),
            "css": Markup(css),
            "script": Markup(script),
            "bundle": Markup(bundle),
        }
    else:
        parts = {
            "policy": SITE_POLICY,
            "style_file": site.asset(site_asset((*styles, *SITE_STYLES))),
            "script_file": site.asset(site_asset(tuple(scripts))),
            "charts_file": site.asset(charts_asset()) if charts else None,
        }
    return (
        _environment(filters)
        .get_template(template)
        .render(page=view, site=site, data=Markup(json_block(data)), **parts, **values)
    )


@cache
def _environment(filters: tuple[Callable[..., Any], ...]) -> Environment:
    environment = Environment(
        loader=PackageLoader("assay.report"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    environment.filters.update({function.__name__: function for function in filters})
    return environment


def simulation_notice(simulated: Sequence[str], models: Sequence[str]) -> str:
    """Return the notice of a page with simulated data; the `simulated` ones of its `models` are not real."""
    if len(simulated) == len(models):
        return "Everything here is simulated: no real model was measured."
    if simulated:
        return f"These models are not real: {', '.join(dict.fromkeys(simulated))}."
    return "At least one run behind this page did not measure real models."


def code_spans(text: str) -> Markup:
    """Return text as HTML, with words in backticks as code."""
    return Markup(re.sub(r"`([^`]*)`", r"<code>\1</code>", str(escape(text))))


def json_block(document: Any) -> str:
    """Return JSON for a script element; no character in it can end the element."""
    text = orjson.dumps(document, option=orjson.OPT_SERIALIZE_NUMPY).decode()
    for character, escaped in ESCAPES:
        text = text.replace(character, escaped)
    return text


def content_policy(scripts: Iterable[str], styles: Iterable[str] | None) -> str:
    """Return a Content-Security-Policy that allows only these inline texts and forbids all requests.

    Each text must be the whole content of its element, byte for byte, with line feeds only. With None for
    `styles`, every inline style is allowed, as Vega's own tooltips require.
    """
    return "; ".join(
        (
            "default-src 'none'",
            "script-src " + " ".join(map(_hash, scripts)),
            "style-src " + ("'unsafe-inline'" if styles is None else " ".join(map(_hash, styles))),
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
