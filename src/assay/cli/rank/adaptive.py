"""`assay rank adaptive`: replay the rule of adaptive runs on recorded scores."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import typer

from assay.cli.adaptive import with_rule
from assay.cli.out import write_study
from assay.cli.output import OutputFormat, print_listed, print_rows, prints
from assay.cli.rank.source import OUT, print_source, with_scores
from assay.ranking.adaptive import AdaptiveRule
from assay.ranking.adaptive_replay import replay_orders
from assay.ranking.score_table import ScoreSource
from assay.report.rank.adaptive import adaptive_page, describe_replay
from assay.results.rank_adaptive import REPLAYED, AdaptiveReplay

SHOWN = 40
"""Most separations that the terminal lists; --csv and --json have all."""


@prints("one row per separation")
@with_scores
@with_rule
def adaptive(
    ctx: typer.Context,
    output: OutputFormat,
    read: ScoreSource,
    rule: AdaptiveRule,
    orders: int = typer.Option(100, min=1, metavar="N", help="Number of random orders of the prompts."),
    seed: int = typer.Option(0, min=0, metavar="SEED", help="Seed of the orders."),
    out: Path | None = OUT,
) -> None:
    """Replay adaptive runs on recorded scores.

    It shows the prompts needed, the scores saved, and separations that the full run does not confirm.
    """
    result = replay_orders(read.table, read.about, rule, orders, seed)
    print_listed(REPLAYED, result.separations, output, result=result, text=partial(_print, result))
    print_source(read.about)
    write_study(out, result, REPLAYED.records(result.separations), adaptive_page(result))


def _print(result: AdaptiveReplay) -> None:
    print_rows(REPLAYED, result.separations[:SHOWN])
    if len(result.separations) > SHOWN:
        typer.echo(f"and {len(result.separations) - SHOWN} more; --csv lists all")
    typer.echo("")
    for sentence in describe_replay(result):
        typer.echo(sentence)
