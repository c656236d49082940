"""Writing a chart to a file: a page that needs no network, or a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson

from assay.core.errors import InvalidInput
from assay.report.bundle import vega_bundle

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>body {{ font-family: system-ui, sans-serif; margin: 2rem; }}</style>
</head>
<body>
<div id="chart"></div>
<script type="module">{bundle}
vegaEmbed("#chart", {spec}, {{ast: true, actions: false}});
</script>
</body>
</html>
"""


def save_chart(chart: Any, path: Path) -> None:
    """Write an altair chart as `.html`, `.svg` or `.png`; pictures need the extra `images`."""
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
            f"drawing {path.name!r} needs a package that is not installed: pip install 'assay[images]', "
            "or give a file that ends in .html"
        ) from None
    spec = chart.to_dict()
    if suffix == ".svg":
        path.write_text(vl_convert.vegalite_to_svg(spec), encoding="utf-8")
    else:
        path.write_bytes(vl_convert.vegalite_to_png(spec, scale=2))


def chart_page(chart: Any, *, title: str) -> str:
    """Return a page that shows a chart without fetching anything."""
    spec = orjson.dumps(chart.to_dict()).decode().replace("</", "<\\/")
    return PAGE.format(title=title, bundle=vega_bundle(), spec=spec)
