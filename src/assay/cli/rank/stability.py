"""`assay rank stability`: how much a ranking changes when other items are drawn."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import typer

from assay.cli.out import write_study
from assay.cli.output import OutputFormat, print_listed, print_rows, prints
from assay.cli.rank.source import OUT, print_source, with_scores
from assay.ranking.score_table import ScoreSource
from assay.ranking.stability import measure_stability
from assay.report.rank.stability import stability_page
from assay.results.rank_stability import ORDERS, RankingMethod, StabilityResult, ratings_of, relative_table


@prints("one row per method and number of items")
@with_scores
def stability(
    ctx: typer.Context,
    output: OutputFormat,
    read: ScoreSource,
    n: list[int] = typer.Option(
        [],
        "--n",
        min=1,
        metavar="N",
        help="Number of items to draw; repeatable (default: a quarter, half, all and twice all).",
    ),
    resamples: int = typer.Option(100, min=2, metavar="N", help="Number of draws for each number of items."),
    reference: str | None = typer.Option(
        None, "--reference", metavar="MODEL", help="Reference model of R (default: the best)."
    ),
    seed: int = typer.Option(0, metavar="SEED", help="Seed of the draws."),
    out: Path | None = OUT,
) -> None:
    """Show how much the order changes when other items are drawn.

    Four methods of ranking are compared, and the number of items that the order needs is estimated.
    """
    result = measure_stability(read, tuple(n), resamples, reference, seed)
    print_listed(ORDERS, result.orders, output, result=result, text=partial(_print_stability, result))
    print_source(read.about)
    write_study(out, result, ORDERS.records(result.orders), stability_page(result))


def _print_stability(result: StabilityResult) -> None:
    print_rows(ORDERS, result.orders)
    sizes = tuple(sorted({row.n for row in result.orders}))
    typer.echo(f"\nR by number of items, {result.reference} = 100")
    print_rows(relative_table(sizes), ratings_of(result, RankingMethod.RELATIVE))
    typer.echo(f"\n{result.required.sentence}")
