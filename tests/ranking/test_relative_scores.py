"""Absolute and relative scores: by hand, on common items only, and their coverage."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from score_tables import NAN, table

from assay.core.errors import InvalidInput
from assay.ranking.relative_scores import score_models
from assay.results.exam_sitting import ReferenceBasis
from assay.results.rank import EquatingModel


def test_equations_1_and_2_by_hand() -> None:
    """S = 100 x 3/4 and 100 x 2/4; R = 2/3 of the reference's."""
    best, other = score_models(table([[1.0, 1.0, 1.0, 0.0], [1.0, 1.0, 0.0, 0.0]]))
    assert (best.model, best.score, other.score) == ("a", 75.0, 50.0)
    assert best.relative is not None
    assert other.relative is not None
    assert (best.relative.value, other.relative.value) == pytest.approx((100.0, 200 / 3))
    assert other.relative.basis is ReferenceBasis.SAME_QUESTIONS


def test_strata_weigh_by_their_items() -> None:
    """Two items of one stratum and one of the other: S = (2 x 1/2 + 1)/3, also where an item is missing."""
    scored = {row.model: row.score for row in score_models(table([[1.0, 0.0, 1.0], [NAN, 0.5, 1.0]], "llm"))}
    assert scored == pytest.approx({"a": 200 / 3, "b": 200 / 3})


def test_models_on_different_items_are_compared_on_common_ones() -> None:
    """40 common items, on which the model has half of the reference's score; its other items do not count."""
    rng = np.random.default_rng(3)
    scores = np.full((2, 80), NAN)
    scores[0, :60] = 1.0
    scores[1, :40] = np.tile([1.0, 0.0], 20)
    scores[1, 60:] = rng.integers(0, 2, 20)
    (other,) = [row for row in score_models(table(scores.tolist()), "a") if row.model == "b"]
    assert other.relative is not None
    assert (other.relative.value, other.relative.n) == (pytest.approx(50.0), 40)
    assert other.relative.basis is ReferenceBasis.COMMON_QUESTIONS


@pytest.mark.parametrize("equating", EquatingModel)
def test_scores_are_equated_only_where_items_differ(equating: EquatingModel) -> None:
    """Complete tables need none; otherwise the equated score lies in its interval."""
    complete = score_models(table([[1.0, 1.0, 0.0], [1.0, 0.0, 0.0]]))
    assert [row.equated for row in complete] == [None, None]
    for row in score_models(table([[1.0, 1.0, 0.0], [1.0, 0.0, NAN]]), equating=equating):
        assert row.equated is not None
        interval = row.equated.equated_interval
        assert interval.low < row.equated.equated < interval.high
        assert row.equated.equating is equating


def test_an_unknown_reference_is_named() -> None:
    """The message lists the models."""
    with pytest.raises(InvalidInput, match="unknown reference 'z': give one of a, b"):
        score_models(table([[1.0, 0.0], [0.0, 1.0]]), "z")


@settings(max_examples=50, deadline=None)
@given(arrays(np.float64, (3, 6), elements=st.floats(0.0, 1.0)))
def test_no_figure_is_nan_and_order_does_not_matter(scores: np.ndarray) -> None:
    """Turning the models and items round changes no score."""
    first = {row.model: row for row in score_models(table(scores.tolist()))}
    turned = table(scores[::-1, ::-1].tolist())
    for row in score_models(turned):
        same = first["abc"["cba".index(row.model)]]
        assert row.score == pytest.approx(same.score)
        assert not np.isnan([row.score, row.score_interval.low, row.score_interval.high]).any()
        assert row.rank == same.rank


@pytest.mark.slow
@pytest.mark.parametrize(("common", "spread"), [(200, 1.5), (60, 0.5), (200, 0.0)])
def test_r_covers_its_true_value(common: int, spread: float) -> None:
    """93-97 % of the 95 % intervals hold the true R; the third world was not looked at before."""
    rng = np.random.default_rng(11)
    hits, trials = 0, 1500
    bank = rng.normal(0.0, spread, 20_000)
    chance = 1.0 / (1.0 + np.exp(-np.array([[1.2], [0.4]]) + bank))
    true = 100.0 * chance[1].mean() / chance[0].mean()
    for _ in range(trials):
        drawn = rng.integers(0, bank.size, common)
        scores = (rng.random((2, common)) < chance[:, drawn]).astype(np.float64)
        (other,) = [row for row in score_models(table(scores.tolist()), "a") if row.model == "b"]
        assert other.relative is not None
        interval = other.relative.interval
        hits += interval is not None and interval.low <= true <= interval.high
    assert 0.93 <= hits / trials <= 0.97
