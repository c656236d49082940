"""`assay judge choose`: which judge agrees best with people, at which cost."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

import numpy as np
import typer

from assay.cli.judge.reference import with_reference_columns
from assay.cli.out import write_study
from assay.cli.output import OutputFormat, notes, print_listed, print_rows, prints
from assay.cli.rank.source import OUT, print_source
from assay.core.errors import InvalidInput
from assay.ranking.judge_choice import MARGIN, choose_judge
from assay.ranking.reference_marks import ReferenceSource
from assay.report.rank.judges import choice_page
from assay.results.judge_choice import DIFFERENCES, JudgeRecommendation, agreement_table
from assay.studies.judges import SEED

LISTED = 40
"""The most rows of a table that are printed; --json has all of them."""


class ChoiceMeasure(StrEnum):
    """The figures by which judges can be compared."""

    AGREEMENT = "agreement"
    KAPPA = "kappa"
    LINEAR = "linear"
    QUADRATIC = "quadratic"
    CORRELATION = "correlation"


@prints("one row per judge, then per judge and round, and per judge and model")
@with_reference_columns
def choose(
    ctx: typer.Context,
    output: OutputFormat,
    read: ReferenceSource,
    by: ChoiceMeasure | None = typer.Option(
        None, "--by", help="Measure to compare judges by (default: quadratic kappa, or what the marks allow)."
    ),
    margin: float = typer.Option(
        MARGIN, "--margin", metavar="LOSS", help="Largest loss of the measure that does not matter."
    ),
    out: Path | None = OUT,
) -> None:
    """Compare judges with people's marks, and recommend one.

    The cheapest judge is recommended that is not significantly worse than the best and loses less than the
    margin; none where the marks cannot tell.
    """
    if not 0.0 < margin < 1.0:
        raise InvalidInput(f"invalid margin {margin:g}: give a number between 0 and 1")
    choice = choose_judge(
        read,
        str(ctx.params["reference"]),
        np.random.default_rng(SEED),
        measure=None if by is None else by.value,
        margin=margin,
    )
    rows = (*choice.judges, *choice.rounds, *choice.models)
    table = agreement_table(rows)
    print_listed(table, rows, output, result=choice, text=lambda: _print(choice))
    print_source(read.about)
    for remark in choice.remarks:
        notes().print(f"  {remark}")
    write_study(out, choice, table.records(rows), choice_page(choice))


def _print(choice: JudgeRecommendation) -> None:
    print_rows(agreement_table(choice.judges), choice.judges)
    for heading, rows, group in (("By round", choice.rounds, "round"), ("By model", choice.models, "model")):
        if rows:
            typer.echo()
            print_rows(agreement_table(rows, group), rows[:LISTED], heading)
            _print_left_out(len(rows))
    if choice.differences:
        typer.echo()
        print_rows(DIFFERENCES, choice.differences[:LISTED], f"Differences of {choice.measure}")
        _print_left_out(len(choice.differences))
    typer.echo()
    name = choice.recommended or "none"
    typer.echo(f"Recommended: {name}: {choice.reason}")


def _print_left_out(rows: int) -> None:
    if rows > LISTED:
        notes().print(f"{rows - LISTED} more rows (--json has all of them)")
