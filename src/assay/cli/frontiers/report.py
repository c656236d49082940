"""`assay frontier report`: one source's capability frontier, as tables, JSON, charts and a page."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from assay.cli.frontiers.source import source_document, tell_source, with_source
from assay.cli.output import notes, print_json
from assay.core.errors import InvalidInput, Problem

if TYPE_CHECKING:
    from assay.studies.frontier.read import Read

QUIET_SECONDS = 2.0
"""Progress is told from here on: what is over sooner needs none."""


@with_source
def report(
    ctx: typer.Context,
    read: Read,
    out: Path | None = typer.Option(
        None, "--out", metavar="DIR", help="Write JSON, tables, charts and a page here."
    ),
    method: str = typer.Option(
        "shrink", "--method", metavar="METHOD", help="naive, power, smooth, shrink, pgm or bracket."
    ),
    beside: list[str] = typer.Option(
        ["naive", "bracket", "power", "smooth"],
        "--beside",
        metavar="METHOD",
        help="Methods beside it; several.",
    ),
    ks: str | None = typer.Option(None, "--k", metavar="K,...", help="Shots to show; 1 to G unless given."),
    prices: Path | None = typer.Option(
        None, "--prices", metavar="FILE", help="New prices by model: decide and count at them."
    ),
    prices_date: str | None = typer.Option(
        None, "--prices-date", metavar="DATE", help="Of which day the recorded prices are."
    ),
    level: float = typer.Option(0.9, min=0.5, max=0.999, metavar="SHARE", help="Level of the intervals."),
    resamples: int = typer.Option(500, min=0, metavar="N", help="Bootstrap replicates of the prompts."),
    seed: int = typer.Option(0, min=0, metavar="SEED", help="Seed of replicates and draws."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Report what all models together reach, at each cost.

    The quality-cost frontier beside every single model, what it gains and saves over the best one, k-shot
    selection, reliability, the bias of naive figures, who carries the frontier, and what must be known of
    all this. With --out also as a page that needs no network, charts and tables.
    """
    from assay.files.prices_table import read_prices
    from assay.frontier.sweep.prices import Price
    from assay.report.frontier.document import report_document
    from assay.studies.frontier.report import frontier_report

    given = None
    if prices is not None:
        given = {
            model: Price(factor=price.factor, cost=price.cost) for model, price in read_prices(prices).items()
        }
    shots = None if ks is None else _shots(ks)
    tell_source(read)
    found = frontier_report(
        read,
        method=method,  # type: ignore[arg-type]  # checked there, with a message
        methods_beside=beside,  # type: ignore[arg-type]
        ks=shots,
        prices=given,
        prices_date=prices_date,
        level=level,
        resamples=resamples,
        seed=seed,
        progress=_progress(),
    )
    document = report_document(found, source_document(read))
    if as_json:
        print_json(document)
    else:
        from assay.cli.frontiers.shown_report import print_report

        print_report(found)
    if out is not None:
        from assay.report.frontier.files import write_report

        for told in write_report(found, document, out, tell=_progress()):
            notes().print(told)


def _shots(text: str) -> tuple[int, ...]:
    try:
        found = tuple(sorted({int(part) for part in text.split(",")}))
    except ValueError:
        found = (0,)
    if found[0] < 1:
        raise InvalidInput(Problem(f"--k {text!r}: give whole numbers from 1 between commas"))
    return found


def _progress() -> Callable[[str], None]:
    """Return what tells a step on stderr, from two seconds after now on."""
    begun = time.monotonic()

    def tell(text: str) -> None:
        if time.monotonic() - begun >= QUIET_SECONDS:
            notes().print(f"  {text}")

    return tell
