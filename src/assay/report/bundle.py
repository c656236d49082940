"""The charts' JavaScript: Vega, Vega-Lite and vegaEmbed in one file, made when Assay is set up."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from assay.core.errors import InvalidInput

BUNDLE = Path(__file__).parent / "static" / "vega.js"


@cache
def vega_bundle() -> str:
    """Return the bundle's text; InvalidInput, with the command that makes it, when it is not there."""
    if not BUNDLE.is_file():
        raise InvalidInput(
            "the charts' JavaScript was not built: run `make setup`, or `python -m assay.report.bundle` "
            "where vl-convert-python is installed"
        )
    return BUNDLE.read_text(encoding="utf-8").replace("</script", "<\\/script")


def build() -> None:
    """Write the bundle; needs vl-convert-python."""
    import vl_convert

    BUNDLE.parent.mkdir(exist_ok=True)
    text = vl_convert.javascript_bundle()  # type: ignore[call-arg]  # the stub forgets the default
    BUNDLE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    build()
