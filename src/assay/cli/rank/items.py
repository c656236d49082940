"""`assay rank items` and `assay rank fragility`: what single items do to a ranking."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

import typer

from assay.cli.out import write_study
from assay.cli.output import OutputFormat, print_listed, print_rows, prints
from assay.cli.rank.source import OUT, print_source, with_scores
from assay.core.wording import counted
from assay.ranking.fragility import rank_fragility
from assay.ranking.items import LEADERS, report_items
from assay.ranking.score_table import ScoreSource
from assay.report.rank.items import fragility_page, items_page
from assay.results.rank_items import ITEMS, RIVALS, Fragility, ItemReport

SHOWN: Final = 40
"""Most items that the terminal lists; --csv and --json have all."""


@prints("one row per item")
@with_scores
def items(
    ctx: typer.Context,
    output: OutputFormat,
    read: ScoreSource,
    leaders: int = typer.Option(
        LEADERS, "--leaders", min=2, metavar="N", help="Number of best models whose ceiling is looked at."
    ),
    out: Path | None = OUT,
) -> None:
    """Show how hard items are and how well they separate models.

    The terminal lists items with a remark, such as those that separate none of the leading models.
    """
    report = report_items(read, leaders)
    statistics = report.statistics
    print_listed(ITEMS, statistics, output, result=report, text=partial(_print_items, report))
    print_source(read.about)
    write_study(out, report, ITEMS.records(statistics), items_page(report))


def _print_items(report: ItemReport) -> None:
    remarkable = [item for item in report.statistics if item.remarks]
    typer.echo(
        f"{counted(len(report.statistics), 'item')}: {report.ceiling} at the ceiling of all "
        f"{report.leaders} leaders, {report.constant} with one score for all models, "
        f"{report.misfit} that fit badly"
    )
    if remarkable:
        print_rows(ITEMS, remarkable[:SHOWN])
    if len(remarkable) > SHOWN:
        typer.echo(f"and {len(remarkable) - SHOWN} more; --csv lists all items")


@prints("one row per rival of the first model")
@with_scores
def fragility(ctx: typer.Context, output: OutputFormat, read: ScoreSource, out: Path | None = OUT) -> None:
    """Show how few items decide which model is first.

    For each other model it lists the fewest items without which that model would be above the first.
    """
    result = rank_fragility(read)
    rivals = result.rivals
    print_listed(RIVALS, rivals, output, result=result, text=partial(_print_rivals, result))
    print_source(read.about)
    write_study(out, result, RIVALS.records(rivals), fragility_page(result))


def _print_rivals(result: Fragility) -> None:
    if result.removals is not None:
        items = counted(result.removals, "item")
        typer.echo(f"{result.first} is first; without {items}, {result.rivals[0].model} would be")
    print_rows(RIVALS, result.rivals)
