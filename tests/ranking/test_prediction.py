"""Completed means: measured scores stay, and nobody is ranked on predictions alone."""

from __future__ import annotations

import numpy as np
import pytest
from score_tables import NAN, table

from assay.core.errors import InvalidInput
from assay.ranking.prediction import predict_scores
from assay.results.rank import RankSource

ABOUT = RankSource("a.csv", False, 4, 12, ())


def scores() -> np.ndarray:
    """Return the scores of four models on twelve items, one score missing."""
    rng = np.random.default_rng(2)
    values = np.clip(np.array([[0.9], [0.7], [0.5], [0.3]]) + rng.normal(0.0, 0.05, (4, 12)), 0.0, 1.0)
    values[1, 3] = NAN
    return values


def test_measured_scores_stay() -> None:
    """A model with every score keeps its mean, and its interval has no width."""
    values = scores()
    first = predict_scores(table(values.tolist()), ABOUT, np.random.default_rng(0)).models[0]
    assert first.completed == pytest.approx(100 * values[0].mean())
    assert first.completed_interval.low == pytest.approx(first.completed_interval.high)


def test_a_model_with_mostly_predicted_scores_has_no_rank() -> None:
    """It stands last, with the share of predictions; the others are ranked among themselves."""
    values = scores()
    values[0, 4:] = NAN
    models = predict_scores(table(values.tolist()), ABOUT, np.random.default_rng(0)).models
    assert [model.model for model in models] == ["b", "c", "d", "a"]
    assert models[-1].ranks is None
    assert models[-1].reason == "67% of its scores are predictions"
    assert [str(model.ranks) for model in models[:-1]] == ["1", "2", "3"]


def test_only_missing_scores_are_predicted() -> None:
    """One missing score is one prediction, with an interval on 0-100."""
    (prediction,) = predict_scores(table(scores().tolist()), ABOUT, np.random.default_rng(0)).predictions
    assert (prediction.model, prediction.item) == ("b", "3")
    interval = prediction.score_interval
    assert 0.0 <= interval.low < prediction.score < interval.high <= 100.0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda values: np.nan_to_num(values, nan=0.5), "every model has a score on every item"),
        (lambda values: values[:2, :9], "17 measured scores: predictions need at least 20"),
        (lambda values: np.vstack([values, [0.5, *[NAN] * 11]]), "model 'e' has 1 measured score"),
    ],
)
def test_what_cannot_be_predicted_is_refused(change: object, message: str) -> None:
    """Each message says what is needed."""
    with pytest.raises(InvalidInput, match=message):
        predict_scores(table(change(scores()).tolist()), ABOUT, np.random.default_rng(0))  # type: ignore[operator]
