"""Options that several commands share, each declared once."""

from __future__ import annotations

from typing import Any, Final

import typer

TABLE: Final[dict[str, tuple[Any, Any]]] = {
    "column": (
        list[str],
        typer.Option(
            [],
            "--column",
            metavar="NAME=COLUMN",
            help="Column mapping, such as quality=is_resolved; repeatable.",
        ),
    ),
    "where": (
        list[str],
        typer.Option(
            [],
            "--where",
            metavar="COLUMN=VALUE",
            help="Condition on rows, as COLUMN=VALUE or COLUMN!=VALUE; repeatable.",
        ),
    ),
}
"""The options for reading a table, as types and options by name."""
MAX_COST: Final = typer.Option(None, "--max-cost", metavar="USD", help="Spending limit, in US dollars.")
MAX_COST_OF_RUN: Final = typer.Option(
    None, "--max-cost", metavar="USD", help="Spending limit for the whole run, in US dollars."
)
CONCURRENCY: Final = typer.Option(
    None, "--concurrency", min=1, metavar="N", help="Number of requests in flight to one provider."
)
LEVEL: Final = typer.Option(
    0.95, "--level", min=0.5, max=0.999, metavar="SHARE", help="Level of the intervals."
)
RESAMPLES: Final = typer.Option(
    500, "--resamples", min=0, metavar="N", help="Number of bootstrap replicates."
)
