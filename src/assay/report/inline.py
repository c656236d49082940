"""Pages that contain their scripts, styles and data, and whose policy forbids network requests."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import orjson
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from assay.report.bundle import vega_bundle

ESCAPES = (("&", "\\u0026"), ("<", "\\u003c"), (">", "\\u003e"), ("\u2028", "\\u2028"), ("\u2029", "\\u2029"))


def inline_page(
    template: str,
    view: object,
    data: object,
    *,
    styles: Iterable[str],
    scripts: Iterable[str],
    filters: tuple[Callable[..., Any], ...],
    **values: object,
) -> str:
    """Return a page as HTML that needs no other file and no network.

    The template can use `page` (the view), `values` and, by their functions' names, `filters`; the scripts
    read `data`. Raises InvalidInput if the charts' JavaScript was not built.
    """
    css, script = "".join(map(_source, styles)), "".join(map(_source, scripts))
    bundle = vega_bundle()
    return (
        _environment(filters)
        .get_template(template)
        .render(
            page=view,
            policy=content_policy([bundle, script], [css]),
            css=Markup(css),
            script=Markup(script),
            bundle=Markup(bundle),
            data=Markup(json_block(data)),
            **values,
        )
    )


@cache
def _environment(filters: tuple[Callable[..., Any], ...]) -> Environment:
    environment = Environment(
        loader=PackageLoader("assay.report"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    environment.filters.update({function.__name__: function for function in filters})
    return environment


def _source(name: str) -> str:
    """Return a script or style sheet with line feeds only, because its hash is over these bytes."""
    return files("assay.report").joinpath("templates", name).read_text(encoding="utf-8").replace("\r\n", "\n")


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
