"""The charts' JavaScript: Vega, Vega-Lite and vegaEmbed in one file, built when Assay is set up."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from assay.core.errors import InvalidInput

BUNDLE = Path(__file__).parent / "static" / "vega.js"


@cache
def vega_bundle() -> str:
    """Return the bundle's text. Raises InvalidInput, with the command that builds it, if it is missing."""
    if not BUNDLE.is_file():
        raise InvalidInput(
            "the charts' JavaScript was not built: run `make setup`, or, if vl-convert-python is installed, "
            "`python -m assay.report.bundle`"
        )
    return BUNDLE.read_text(encoding="utf-8").replace("</script", "<\\/script")


def build() -> None:
    """Build the bundle and write it to its file; this needs vl-convert-python."""
    import vl_convert

    BUNDLE.parent.mkdir(exist_ok=True)
    text = vl_convert.javascript_bundle()  # type: ignore[call-arg]  # the stub lacks the default value
    BUNDLE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    build()
