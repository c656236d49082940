"""`assay study`: studies of what bears on results."""

from __future__ import annotations

from assay.cli.app import lazy_app

COMMANDS = {
    "contamination": (
        "assay.cli.contamination:contamination",
        "Test whether models have seen the questions before.",
    ),
}
app = lazy_app(COMMANDS)


@app.callback()
def study() -> None:
    """Test for contamination and other threats to validity."""
