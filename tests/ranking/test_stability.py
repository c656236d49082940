"""How much rankings change when other items are drawn."""

from __future__ import annotations

import numpy as np
import pytest
from score_tables import NAN, table

from assay.core.errors import InvalidInput
from assay.ranking.score_table import ScoreTable
from assay.ranking.stability import StabilityPlan, required_items, resample_rankings
from assay.results.rank_stability import RankingMethod


def answers(rng: np.random.Generator, chances: list[float], items: int) -> ScoreTable:
    """Return right and wrong answers of models with these chances."""
    return table((rng.random((len(chances), items)) < np.array(chances)[:, None]).astype(float).tolist())


def rng() -> np.random.Generator:
    """Return a seeded generator."""
    return np.random.default_rng(7)


def test_a_model_that_is_better_everywhere_is_always_first() -> None:
    """Every method keeps the order in every draw; nothing varies in R of the reference."""
    scores = [[1.0] * 6, [0.5] * 6, [0.0] * 6]
    orders, models = resample_rankings(table(scores), StabilityPlan((50,), 20, "a"), rng())
    assert [(row.same_order, row.rho) for row in orders if row.method is not RankingMethod.BRADLEY_TERRY] == [
        (1.0, pytest.approx(1.0))
    ] * 3
    (reference,) = [row for row in models if (row.model, row.method) == ("a", RankingMethod.RELATIVE)]
    assert (reference.mean, reference.variance_population, reference.variance_sample) == (100.0, 0.0, 0.0)


def test_variances_are_those_of_the_mean() -> None:
    """S of n drawn items has the variance 10,000 p (1 - p)/n; the two denominators differ by n/(n - 1)."""
    plan = StabilityPlan((100,), 400, "a")
    _, models = resample_rankings(answers(rng(), [0.8, 0.5], 4000), plan, rng())
    (row,) = [row for row in models if (row.model, row.method) == ("b", RankingMethod.ABSOLUTE)]
    assert row.variance_population is not None
    assert row.variance_population == pytest.approx(10_000 * 0.25 / 100, rel=0.2)
    assert row.variance_sample == pytest.approx(row.variance_population * 400 / 399)


def test_more_items_keep_the_order_better() -> None:
    """Spearman's rho and the share of equal orders rise with the number of items."""
    plan = StabilityPlan((50, 500, 5000), 60, "a")
    orders, _ = resample_rankings(answers(rng(), [0.8, 0.7, 0.6, 0.5], 1500), plan, rng())
    for method in RankingMethod:
        rho = [row.rho for row in orders if row.method is method]
        assert rho[0] is not None
        assert rho[-1] is not None
        assert rho[0] < rho[-1]
    same = [row.same_order for row in orders if row.method is RankingMethod.ABSOLUTE]
    assert same[-1] == 1.0


def test_required_items_by_hand() -> None:
    """Two models that differ by 0.2 with an sd of 0.4 need (1.645 x 0.4/0.2)^2 = 10.8 items."""
    lead = np.tile([0.6, -0.2], 200)
    needed = required_items(table([(0.2 + lead).tolist(), [0.2] * 400]), rng())
    assert needed.items == pytest.approx(10.8, abs=1.5)
    assert (needed.closest_first, needed.closest_second) == ("a", "b")
    assert needed.closest_gap == pytest.approx(20.0)


@pytest.mark.slow
def test_the_required_number_keeps_the_order_in_95_of_100_draws() -> None:
    """Resampling that many items keeps the observed order in 91-98 % of draws."""
    source = answers(rng(), [0.85, 0.75, 0.6, 0.4], 800)
    needed = required_items(source, rng()).items
    assert needed is not None
    orders, _ = resample_rankings(source, StabilityPlan((needed,), 600, "a"), rng())
    (share,) = [row.same_order for row in orders if row.method is RankingMethod.ABSOLUTE]
    assert share is not None
    assert 0.91 <= share <= 0.98


def test_equal_models_have_no_stable_order() -> None:
    """No number of items is enough, and the pair is named."""
    needed = required_items(table([[1.0, 0.0], [0.0, 1.0]]), rng())
    assert needed.items is None
    assert "a and b have the same score" in needed.sentence


def test_nothing_is_nan_where_scores_are_missing() -> None:
    """Draws in which a model has no item are left out and counted."""
    scores = [[1.0, 1.0, NAN], [NAN, 0.0, 1.0], [0.0, NAN, 0.0]]
    orders, models = resample_rankings(table(scores), StabilityPlan((2,), 30, "a"), rng())
    figures = [
        value for row in (*orders, *models) for value in (getattr(row, "rho", 0.0), getattr(row, "mean", 0.0))
    ]
    assert not any(value is not None and np.isnan(value) for value in figures)
    assert any(row.resamples < 30 for row in orders)


@pytest.mark.parametrize(
    ("sizes", "resamples", "message"),
    [
        ((10,), 1, "1 resamples: give at least 2"),
        ((0,), 5, r"numbers of items \[0\]"),
        ((), 5, "numbers of items"),
    ],
)
def test_impossible_plans_are_refused(sizes: tuple[int, ...], resamples: int, message: str) -> None:
    """Each message says what to give."""
    with pytest.raises(InvalidInput, match=message):
        StabilityPlan(sizes, resamples, "a")
