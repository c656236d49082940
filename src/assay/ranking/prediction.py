"""Means of models with missing scores predicted; only models with enough measured scores are ranked."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput
from assay.ranking.score_table import ScoreTable
from assay.results.rank import RankSource
from assay.results.rank_prediction import CompletedModel, PredictedScore, Prediction
from assay.results.ranking import RankRange
from assay.stats.intervals import Interval
from assay.stats.matrix_completion import LEAST_RESIDUALS, Completion, complete, resampled_means

FloatArray = npt.NDArray[np.float64]
LEAST_MEASURED = 0.5
"""The least share of measured scores with which a model is ranked."""
LEAST_PER_MODEL = 2


def predict_scores(
    table: ScoreTable, about: RankSource, rng: np.random.Generator, *, level: float = 0.95
) -> Prediction:
    """Predict the scores that a table lacks, and complete the models' means.

    A model is ranked if at least half of its scores were measured. Ranks are ranges: one model is above
    another if its completed mean is higher in at least 97.5 % of the replicates. Raises InvalidInput for a
    table without missing scores, with fewer than 20 scores, or with a model that has fewer than two. Source:
    docs/methodology/predicted-scores.md.
    """
    _check(table)
    completion = complete(table.scores, rng, level=level)
    replicates = resampled_means(completion, table.scores, rng)
    filled = np.where(table.scored, table.scores, completion.values).mean(axis=1)
    ranked = table.scored.mean(axis=1) >= LEAST_MEASURED
    ranges = _ranges(replicates, ranked, level)
    tail = (1.0 - level) / 2.0
    ends = 100.0 * np.quantile(replicates, [tail, 1.0 - tail], axis=0)
    models = [
        CompletedModel(
            model,
            int(table.scored[row].sum()),
            100.0 * float(np.nanmean(table.scores[row])),
            100.0 * float(filled[row]),
            Interval(float(ends[0, row]), float(ends[1, row]), level),
            ranges[row],
            "" if ranked[row] else f"{(~table.scored[row]).mean():.0%} of its scores are predictions",
        )
        for row, model in enumerate(table.models)
    ]
    models.sort(key=lambda model: (model.ranks is None, -model.completed, model.model))
    return Prediction(
        about,
        completion.model.rank,
        100.0 * completion.error,
        completion.coverage,
        tuple(models),
        tuple(_predictions(table, completion, level)),
    )


def _check(table: ScoreTable) -> None:
    if table.complete:
        raise InvalidInput("every model has a score on every item: there is nothing to predict")
    measured = int(table.scored.sum())
    if measured < LEAST_RESIDUALS:
        raise InvalidInput(f"{measured} measured scores: predictions need at least {LEAST_RESIDUALS}")
    for model, n in zip(table.models, table.scored.sum(axis=1), strict=True):
        if n < LEAST_PER_MODEL:
            raise InvalidInput(
                f"model {model!r} has {n} measured score: measure at least {LEAST_PER_MODEL}, or leave it out"
            )


def _ranges(replicates: FloatArray, ranked: npt.NDArray[np.bool_], level: float) -> list[RankRange | None]:
    """Return the range of ranks of each ranked model, from pairs that differ in enough replicates."""
    sure = 0.5 + level / 2.0
    among = np.flatnonzero(ranked)
    above = (replicates[:, among, None] > replicates[:, None, among]).mean(axis=0) >= sure
    ranges: list[RankRange | None] = [None] * len(ranked)
    for place, row in enumerate(among):
        better, worse = int(above[:, place].sum()), int(above[place].sum())
        ranges[row] = RankRange(1 + better, len(among) - worse)
    return ranges


def _predictions(table: ScoreTable, completion: Completion, level: float) -> list[PredictedScore]:
    return [
        PredictedScore(
            table.models[row],
            table.items[column],
            100.0 * float(completion.values[row, column]),
            Interval(
                100.0 * float(completion.low[row, column]), 100.0 * float(completion.high[row, column]), level
            ),
        )
        for row, column in np.argwhere(~table.scored)
    ]
