"""`assay study trend`: growth of scores with the release date, its ceiling, open against closed."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import typer

from assay.cli.out import write_study
from assay.cli.output import OutputFormat, print_listed, print_rows, prints
from assay.cli.rank.source import OUT
from assay.cli.studies.correlate import print_study_source
from assay.files.outcome_table_columns import parse_columns
from assay.report.rank.trend import trend_page
from assay.results.study_trend import DATED, TrendStudy
from assay.studies.rank.releases import study_trend

SHOWN = 20
"""Most records that the terminal lists; --csv and --json have all models."""


@prints("one row per model")
def trend(
    ctx: typer.Context,
    output: OutputFormat,
    table: Path = typer.Argument(
        ...,
        metavar="TABLE",
        help="Table with the columns model, date and score, and optionally open (true or false) and series.",
    ),
    column: list[str] = typer.Option(
        [], "--column", metavar="NAME=COLUMN", help="Column mapping, such as score=elo; repeatable."
    ),
    most: float | None = typer.Option(
        None, "--most", metavar="SCORE", help="End of the scale, above which no ceiling lies (default: none)."
    ),
    records: bool = typer.Option(
        False, "--records", help="Fit only the models that scored more than all before them."
    ),
    seed: int = typer.Option(0, metavar="SEED", help="Seed of the bootstrap."),
    out: Path | None = OUT,
) -> None:
    """Show how scores grow with the release date.

    It also shows whether they level off, and how far open models are behind closed ones.
    """
    study = study_trend(table, parse_columns(column), most=most, records_only=records, seed=seed)
    print_listed(DATED, study.models, output, result=study, text=partial(_print, study))
    print_study_source(study.source)
    write_study(out, study, DATED.records(study.models), trend_page(study))


def _print(study: TrendStudy) -> None:
    records = [model for model in study.models if model.record]
    print_rows(DATED, records[-SHOWN:], "Records")
    typer.echo("")
    if study.curve is not None:
        typer.echo(study.curve.sentence)
    if study.gap is not None:
        typer.echo(study.gap.sentence)
    for remark in study.remarks:
        typer.echo(remark)
