"""The interval for the mean of a few bounded values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from assay.stats.intervals import bounded_mean

unit = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@pytest.mark.parametrize(("hits", "n"), [(0, 5), (1, 5), (4, 5), (5, 5), (3, 10), (49, 50), (160, 164)])
def test_zeros_and_ones_give_clopper_pearson(hits: int, n: int) -> None:
    """For 0/1 values the interval is Clopper-Pearson's."""
    found = bounded_mean([1.0] * hits + [0.0] * (n - hits))
    exact = stats.binomtest(hits, n).proportion_ci(0.95, method="exact")
    assert (found.low, found.high) == pytest.approx((exact.low, exact.high), abs=1e-9)


def test_five_passes_by_hand() -> None:
    """Five passes out of five leave everything above 0.025 ** (1/5)."""
    assert bounded_mean([1.0] * 5).low == pytest.approx(0.025**0.2, abs=1e-9)


def test_against_random_weights() -> None:
    """The bounds are the quantiles of a mean with weights drawn from the simplex."""
    values = [0.2, 0.5, 0.5, 0.9, 1.0]
    weights = np.random.default_rng(7).dirichlet(np.ones(6), 400_000)
    found = bounded_mean(values)
    assert found.low == pytest.approx(np.quantile(weights @ np.array([0.0, *values]), 0.025), abs=2e-3)
    assert found.high == pytest.approx(np.quantile(weights @ np.array([*values, 1.0]), 0.975), abs=2e-3)


@given(unit)
def test_mirrors(values: list[float]) -> None:
    """Turning the scale round turns the interval round."""
    found, mirrored = bounded_mean(values), bounded_mean([1.0 - value for value in values])
    assert (1.0 - mirrored.high, 1.0 - mirrored.low) == pytest.approx((found.low, found.high), abs=1e-9)


@given(unit)
def test_holds_the_mean(values: list[float]) -> None:
    """The interval holds the observed mean and stays within 0-1."""
    found = bounded_mean(values)
    assert -1e-9 <= found.low <= np.mean(values) + 1e-9
    assert np.mean(values) - 1e-9 <= found.high <= 1.0 + 1e-9


def test_nothing_known() -> None:
    """Without a value the interval is everything."""
    assert (bounded_mean([]).low, bounded_mean([]).high) == (0.0, 1.0)


def test_outside_is_refused() -> None:
    """A score on another scale is refused."""
    with pytest.raises(ValueError, match="from 0 to 1"):
        bounded_mean([0.5, 80.0])


@pytest.mark.parametrize("chance", [0.5, 0.8, 0.9, 0.95, 0.99])
def test_covers_passes_and_fails_exactly(chance: float) -> None:
    """Over all outcomes of five cases the true pass rate is covered at least 95 % of the time."""
    hits = np.arange(6)
    found = [bounded_mean([1.0] * k + [0.0] * (5 - k)) for k in hits]
    covered = np.array([each.low <= chance <= each.high for each in found])
    assert stats.binom.pmf(hits, 5, chance)[covered].sum() >= 0.95


@pytest.mark.parametrize(
    ("support", "chances"),
    [
        ([0.0, 0.25, 0.5, 0.75, 1.0], [0.02, 0.03, 0.1, 0.35, 0.5]),
        ([0.0, 1 / 3, 2 / 3, 1.0], [0.05, 0.05, 0.1, 0.8]),
        ([0.0, 0.9, 1.0], [0.03, 0.07, 0.9]),
        ([0.4, 1.0], [0.1, 0.9]),
    ],
)
def test_covers_partial_credit(support: list[float], chances: list[float]) -> None:
    """Over all outcomes of five partly credited cases the true mean is covered in at least 95 %."""
    truth = float(np.dot(support, chances))
    covered = 0.0
    for counts in np.ndindex(*([6] * len(support))):
        if sum(counts) == 5:
            values = [value for value, count in zip(support, counts, strict=True) for _ in range(count)]
            found = bounded_mean(values)
            if found.low <= truth <= found.high:
                covered += stats.multinomial.pmf(counts, 5, chances)
    assert covered >= 0.95


@pytest.mark.slow
def test_covers_every_coarse_world() -> None:
    """For five cases on thirds, every distribution in steps of 1/20 is covered at least 97 % of the time."""
    outcomes = [counts for counts in np.ndindex(6, 6, 6, 6) if sum(counts) == 5]
    found = [bounded_mean(np.repeat([0.0, 1 / 3, 2 / 3, 1.0], counts).tolist()) for counts in outcomes]
    ways = stats.multinomial(5, [0.25] * 4).pmf(np.array(outcomes)) * 4.0**5
    low, high = (np.array([getattr(each, end) for each in found]) for end in ("low", "high"))
    worst = 1.0
    for parts in np.ndindex(21, 21, 21, 21):
        if sum(parts) == 20:
            chances = np.array(parts) / 20.0
            truth = chances @ np.array([0.0, 1 / 3, 2 / 3, 1.0])
            covered = (low - 1e-9 <= truth) & (truth <= high + 1e-9)
            worst = min(worst, float((ways * np.prod(chances ** np.array(outcomes), axis=1))[covered].sum()))
    assert worst >= 0.97
