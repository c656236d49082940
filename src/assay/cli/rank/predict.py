"""`assay rank predict`: complete a table of scores, without ranking on predictions alone."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
import typer

from assay.cli.out import write_study
from assay.cli.output import OutputFormat, print_listed, print_rows, prints
from assay.cli.rank.source import OUT, print_source, with_scores
from assay.core.wording import counted
from assay.ranking.prediction import predict_scores
from assay.ranking.score_table import ScoreSource
from assay.report.rank.prediction import prediction_page
from assay.results.rank_prediction import COMPLETED, PREDICTED, Prediction

SHOWN: Final = 20


@prints("one row per predicted score")
@with_scores
def predict(
    ctx: typer.Context,
    output: OutputFormat,
    read: ScoreSource,
    seed: int = typer.Option(0, metavar="SEED", help="Seed of the cross-validation and the draws."),
    out: Path | None = OUT,
) -> None:
    """Predict scores that were not measured, with intervals.

    Models with less than half of their scores measured get no rank.
    """
    result = predict_scores(read.table, read.about, np.random.default_rng(seed))
    text = partial(_print_prediction, result)
    print_listed(PREDICTED, result.predictions, output, result=result, text=text)
    print_source(read.about)
    write_study(out, result, PREDICTED.records(result.predictions), prediction_page(result))


def _print_prediction(result: Prediction) -> None:
    print_rows(COMPLETED, result.models)
    typer.echo(f"\n{result.summary}\n")
    print_rows(PREDICTED, result.predictions[:SHOWN])
    if len(result.predictions) > SHOWN:
        typer.echo(f"and {counted(len(result.predictions) - SHOWN, 'more prediction')}; --csv has all")
