"""`assay rank absolute` and `assay rank relative`: models ranked by their scores."""

from __future__ import annotations

from pathlib import Path

import typer

from assay.cli.out import write_study
from assay.cli.output import OutputFormat, print_listed, prints
from assay.cli.rank.source import OUT, print_source, with_scores
from assay.ranking.relative_scores import rank_scores
from assay.ranking.score_table import ScoreSource
from assay.report.rank.scores import scores_page
from assay.results.rank import EquatingModel, ranking_table

EQUATING = typer.Option(
    EquatingModel.RASCH, "--equating", help="Model that equates scores of models with different items."
)


@prints("one row per model")
@with_scores
def absolute(
    ctx: typer.Context,
    output: OutputFormat,
    read: ScoreSource,
    equating: EquatingModel = EQUATING,
    out: Path | None = OUT,
) -> None:
    """Rank models by their mean score S over all items.

    S has an interval, and ranks are ranges: only significant differences count.
    """
    _rank(read, None, equating, output, out)


@prints("one row per model")
@with_scores
def relative(
    ctx: typer.Context,
    output: OutputFormat,
    read: ScoreSource,
    reference: str | None = typer.Option(
        None, "--reference", metavar="MODEL", help="Reference model, which has R = 100 (default: the best)."
    ),
    equating: EquatingModel = EQUATING,
    out: Path | None = OUT,
) -> None:
    """Rank models by R, relative to a reference model.

    R is S in per cent of the reference's S. Two models are compared on the items that both answered.
    """
    _rank(read, reference, equating, output, out, relative=True)


def _rank(
    read: ScoreSource,
    reference: str | None,
    equating: EquatingModel,
    output: OutputFormat,
    out: Path | None,
    *,
    relative: bool = False,
) -> None:
    ranking = rank_scores(read, reference, equating)
    models, table = ranking.models, ranking_table(ranking.models, relative=relative)
    print_listed(table, models, output, result=ranking)
    print_source(read.about)
    write_study(out, ranking, table.records(models), scores_page(ranking, relative=relative))
