"""Single comparisons with covariates: against a general model, by hand, and the coverage of intervals."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit

from assay.stats.comparison_model import (
    ComparedRows,
    davidson_exists,
    fit_comparisons,
    inseparable,
    only,
)
from assay.stats.paired_comparisons import fit_bradley_terry


def simulated(
    models: int, items: int, per_item: int, seed: int, spread: float = 1.0, effect: float = 0.5
) -> ComparedRows:
    """Return comparisons on items on which models deviate from their strengths, with one covariate."""
    rng = np.random.default_rng(seed)
    strengths = np.linspace(-1.0, 1.0, models)
    deviation = rng.normal(0.0, spread, (items, models))
    item = np.repeat(np.arange(items), per_item)
    first = rng.integers(0, models, item.size)
    second = (first + rng.integers(1, models, item.size)) % models
    covariate = rng.normal(0.0, 1.0, item.size)
    odds = strengths[first] - strengths[second] + deviation[item, first] - deviation[item, second]
    points = (rng.random(item.size) < expit(odds + effect * covariate)).astype(np.float64)
    return ComparedRows(first, second, points, covariate[:, None], item, models)


def rows_of(points: list[float], pairs: list[tuple[int, int]], models: int) -> ComparedRows:
    """Return comparisons without covariates, each an item of its own."""
    first, second = (np.array(side) for side in zip(*pairs, strict=True))
    n = len(points)
    return ComparedRows(first, second, np.array(points), np.zeros((n, 0)), np.arange(n), models)


def test_statsmodels_agrees() -> None:
    """Estimates and clustered errors of a logistic regression on the differences of indicators."""
    api = pytest.importorskip("statsmodels.api")
    rows = simulated(4, 60, 8, 1)
    indicators = np.zeros((len(rows.points), 4))
    every = np.arange(len(rows.points))
    indicators[every, rows.first] += 1.0
    indicators[every, rows.second] -= 1.0
    design = np.column_stack([indicators[:, 1:], rows.covariates])
    oracle = api.Logit(rows.points, design).fit(
        disp=0, method="newton", cov_type="cluster", cov_kwds={"groups": rows.clusters}
    )
    fit = fit_comparisons(rows)
    assert fit.strengths[1:] - fit.strengths[0] == pytest.approx(oracle.params[:3], abs=1e-6)
    assert fit.effects[0] == pytest.approx(oracle.params[3], abs=1e-6)
    assert fit.errors()[0, 1:] == pytest.approx(oracle.bse[:3], rel=1e-3)


def test_davidson_by_hand() -> None:
    """6 wins, 2 losses, 4 ties: pi ratio 3, and nu = 4/sqrt(6 x 2)."""
    fit = fit_comparisons(rows_of([1.0] * 6 + [0.0] * 2 + [0.5] * 4, [(0, 1)] * 12, 2), davidson=True)
    assert fit.strengths[0] - fit.strengths[1] == pytest.approx(np.log(3.0))
    assert fit.log_tie == pytest.approx(np.log(4.0 / np.sqrt(12.0)))
    assert fit.errors()[0, 1] > 0.0


def test_davidson_recovers_its_own_parameters() -> None:
    """20,000 comparisons of three models with nu = 0.8."""
    rng = np.random.default_rng(4)
    first = rng.integers(0, 3, 20_000)
    second = (first + rng.integers(1, 3, first.size)) % 3
    strengths = np.array([0.7, 0.0, -0.7])
    odds = strengths[first] - strengths[second]
    weights = np.stack([np.exp(-odds / 2), np.full(odds.shape, 0.8), np.exp(odds / 2)])
    points = 0.5 * (rng.random(first.size) > np.cumsum(weights / weights.sum(axis=0), axis=0)[:2]).sum(axis=0)
    rows = ComparedRows(first, second, points, np.zeros((first.size, 0)), np.arange(first.size), 3)
    fit = fit_comparisons(rows, davidson=True)
    assert fit.strengths == pytest.approx(strengths, abs=0.05)
    assert fit.log_tie is not None
    assert np.exp(fit.log_tie) == pytest.approx(0.8, abs=0.03)


@pytest.mark.parametrize(
    ("pairs", "exists"),
    [
        ([(0, 1, 1.0), (1, 0, 1.0), (0, 1, 0.5)], True),
        ([(0, 1, 1.0), (1, 0, 1.0)], False),
        ([(0, 1, 1.0), (0, 1, 0.5)], False),
        ([(0, 1, 0.5), (1, 2, 0.5), (0, 2, 1.0)], False),
        ([(0, 1, 1.0), (1, 2, 1.0), (0, 2, 0.5)], True),
    ],
)
def test_when_davidson_has_a_finite_estimate(pairs: list[tuple[int, int, float]], exists: bool) -> None:
    """With a cycle of more wins than ties; the fit of Newton then stays finite, and otherwise runs away."""
    rows = rows_of([point for *_, point in pairs], [(one, other) for one, other, _ in pairs], 3)
    counts = rows.count()
    assert davidson_exists(counts.wins, counts.ties) is exists
    if exists:
        kept = only(rows, counts.halved.any(axis=0) | counts.halved.any(axis=1))
        assert fit_comparisons(kept, davidson=True).finite


def test_no_covariates_are_the_fit_of_counts() -> None:
    """The same strengths as from the win matrix."""
    rows = simulated(5, 50, 10, 2)
    plain = ComparedRows(
        rows.first, rows.second, rows.points, rows.covariates[:, :0], rows.clusters, rows.models
    )
    assert fit_comparisons(plain).strengths == pytest.approx(fit_bradley_terry(plain.count().halved))


def test_a_covariate_that_models_determine_is_named() -> None:
    """One model is always shown first; lengths are always equal; and an independent one is fine."""
    rows = simulated(2, 30, 4, 3)
    side = np.where(rows.first == 0, 1.0, -1.0)
    shown = ComparedRows(rows.first, rows.second, rows.points, side[:, None], rows.clusters, 2)
    assert inseparable(shown) == 0
    both = np.column_stack([rows.covariates[:, 0], np.zeros(len(side))])
    assert inseparable(ComparedRows(rows.first, rows.second, rows.points, both, rows.clusters, 2)) == 1
    assert inseparable(rows) is None


def test_an_effect_without_end_is_not_finite() -> None:
    """The covariate alone decides every comparison."""
    rows = simulated(3, 40, 5, 5)
    sure = (rows.covariates[:, 0] > 0).astype(np.float64)
    fit = fit_comparisons(
        ComparedRows(rows.first, rows.second, sure, rows.covariates, rows.clusters, rows.models)
    )
    assert not fit.finite


@pytest.mark.slow
@pytest.mark.parametrize(
    ("models", "items", "per_item", "spread"),
    [(5, 60, 10, 1.0), (10, 100, 20, 0.5), (6, 200, 5, 0.0), (8, 50, 28, 1.5)],
)
def test_intervals_cover_within_clusters(models: int, items: int, per_item: int, spread: float) -> None:
    """93-97 % of the 95 % intervals of strengths and effects hold the truth; the last world is new.

    The truth is the fit of 20,000 items, as the deviations of items shrink the marginal odds.
    """
    truth = fit_comparisons(simulated(models, 20_000, per_item, 99_999, spread))
    assert truth.covariance is not None
    reach = stats.t.ppf(0.975, items - 1)
    wanted = np.concatenate([truth.strengths, truth.effects])
    hits = []
    for seed in range(400):
        fit = fit_comparisons(simulated(models, items, per_item, seed, spread))
        assert fit.covariance is not None
        error = np.sqrt(np.diag(fit.covariance))
        hits.append(np.abs(np.concatenate([fit.strengths, fit.effects]) - wanted) <= reach * error)
    assert 0.93 <= np.mean(hits) <= 0.97
