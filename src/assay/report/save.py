"""Writing pages and charts to files. The pages need no network."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import Any

from assay.core.errors import InvalidInput
from assay.files.atomic import write_whole
from assay.report.bundle import vega_bundle
from assay.report.inline import content_policy, json_block

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>body {{ font-family: system-ui, sans-serif; margin: 2rem; }}</style>
</head>
<body>
<div id="chart"></div>
<script type="module">{bundle}</script>
<script type="module">{script}</script>
</body>
</html>
"""


def write_page(path: Path, page: Callable[[datetime], str]) -> str:
    """Write `page(now)`, completely or not at all, and return its address; `now` is in UTC."""
    if path.is_dir() or not path.parent.is_dir():
        raise InvalidInput(f"cannot write a page to {str(path)!r}: give a file in an existing folder")
    write_whole(path, page(datetime.now(UTC)).encode())
    return path.resolve().as_uri()


def save_chart(chart: Any, path: Path) -> None:
    """Write an altair chart as `.html`, `.svg` or `.png`; the pictures need the extra `images`."""
    suffix = path.suffix.lower()
    if suffix == ".html":
        path.write_text(chart_page(chart, title=path.stem), encoding="utf-8")
        return
    if suffix not in (".svg", ".png"):
        raise InvalidInput(f"cannot draw {str(path)!r}: give a file that ends in .html, .svg or .png")
    try:
        import vl_convert
    except ModuleNotFoundError:
        raise InvalidInput(
            f"cannot draw {path.name!r}, because a package is missing: run `pip install 'assay[images]'`, "
            "or give a file that ends in .html"
        ) from None
    spec = chart.to_dict()
    if suffix == ".svg":
        path.write_text(vl_convert.vegalite_to_svg(spec), encoding="utf-8")
    else:
        path.write_bytes(vl_convert.vegalite_to_png(spec, scale=2))


def chart_page(chart: Any, *, title: str) -> str:
    """Return a page with a chart; it makes no network requests."""
    bundle = vega_bundle()
    script = f'vegaEmbed("#chart", {json_block(chart.to_dict())}, {{ast: true, actions: false}});'
    policy = content_policy([bundle, script], None)
    return PAGE.format(title=escape(title), policy=escape(policy), bundle=bundle, script=script)
