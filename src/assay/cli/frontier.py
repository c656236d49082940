"""`assay frontier`: what all models together could reach. Each command stands in a file of its own."""

from __future__ import annotations

from assay.cli.app import new_app

app = new_app(no_args_is_help=True)


@app.callback()
def frontier() -> None:
    """Measure what all models together could reach at each cost, corrected for luck."""
