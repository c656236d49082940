"""The interval for the mean of a few bounded values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from assay.stats.intervals import (
    Interval,
    bounded_mean,
    clopper_pearson,
    clustered_difference,
    clustered_share,
    share_difference,
)

unit = st.lists(st.floats(0, 1), min_size=1, max_size=12)
CLUSTERS = st.lists(
    st.integers(1, 12).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), min_size=1, max_size=25
)


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


@pytest.mark.parametrize(("successes", "trials"), [(0, 5), (5, 5), (3, 10), (37, 200)])
def test_equals_scipy(successes: int, trials: int) -> None:
    """The same as scipy's exact interval."""
    expected = stats.binomtest(successes, trials).proportion_ci(method="exact")
    found = clopper_pearson(successes, trials)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def test_no_trials() -> None:
    """Nothing is known."""
    found = clopper_pearson(0, 0)
    assert (found.low, found.high) == (0.0, 1.0)


def test_one_answer_a_cluster_is_clopper_and_pearsons() -> None:
    """Independent answers are worth what they are."""
    assert clustered_share([1, 0, 1, 1, 0], [1] * 5) == clopper_pearson(3, 5)


def test_by_hand() -> None:
    """Four clusters of 5 with 5, 3, 4, 0 right: p 0.6, v 4/3 x 14/400, 3 degrees of freedom."""
    worth = 0.24 / (4 / 3 * 14 / 400) * (stats.norm.ppf(0.975) / stats.t.ppf(0.975, 3)) ** 2
    expected = stats.beta.ppf(0.025, 0.6 * worth, 0.4 * worth + 1)
    assert clustered_share([5, 3, 4, 0], [5] * 4).low == pytest.approx(expected, abs=1e-9)


def test_all_right_counts_clusters() -> None:
    """20 bundles of 5, all right: nothing tells how alike they are, so 20 answers."""
    assert clustered_share([5] * 20, [5] * 20) == clopper_pearson(20, 20)


def test_even_clusters_are_worth_no_more_than_their_answers() -> None:
    """4 of 5 right in each of 20 bundles varies less than chance would: 100 answers."""
    found = clustered_share([4] * 20, [5] * 20)
    assert (found.low, found.high) == pytest.approx(
        (clopper_pearson(80, 100).low, clopper_pearson(80, 100).high)
    )


def test_nothing_answered_says_nothing() -> None:
    """Clusters without an answer are left out, even when they are all there are."""
    assert clustered_share([0, 0], [0, 0]) == Interval(0.0, 1.0)
    assert clustered_share([3, 0, 1], [5, 0, 5]) == clustered_share([3, 1], [5, 5])


@given(CLUSTERS)
def test_it_holds_the_share_and_mirrors_it(given: list[tuple[int, int]]) -> None:
    """The share lies inside, and counting wrong answers turns the interval round."""
    right, n = np.array(given).T
    found, turned = clustered_share(right, n), clustered_share(n - right, n)
    assert 0.0 <= found.low <= right.sum() / n.sum() <= found.high <= 1.0
    assert (turned.low, turned.high) == pytest.approx((1.0 - found.high, 1.0 - found.low), abs=1e-9)


@pytest.mark.parametrize(("share", "alike"), [(0.25, 0.0), (0.5, 0.3), (0.75, 0.1), (0.9, 0.3)])
def test_coverage(share: float, alike: float) -> None:
    """20 bundles of 5 questions alike within: at least 93 % of 95 % intervals hold the truth (800 boards)."""
    rng = np.random.default_rng(3)
    size = (1.0 - alike) / alike if alike else 0.0
    held = 0
    for _ in range(800):
        rate = rng.beta(share * size, (1 - share) * size, 20) if alike else np.full(20, share)
        found = clustered_share(rng.binomial(5, rate), np.full(20, 5))
        held += found.low <= share <= found.high
    assert held / 800 >= 0.93


def test_ignoring_the_bundles_would_not_cover() -> None:
    """What the clustering is for: the plain interval of 100 answers misses far too often."""
    rng = np.random.default_rng(3)
    held = 0
    for _ in range(400):
        found = clopper_pearson(int(rng.binomial(5, rng.beta(0.75 * 1.5, 0.25 * 1.5, 20)).sum()), 100)
        held += found.low <= 0.75 <= found.high
    assert held / 400 < 0.85


def test_the_difference_of_two_shares_by_hand() -> None:
    """For 30 of 100 against 0 of 50 the upper distance is the first share's alone."""
    value, interval = share_difference((30, 0), (100, 50))
    exact, other = clopper_pearson(30, 100), clopper_pearson(0, 50)
    assert value == pytest.approx(0.3)
    assert interval.low == pytest.approx(0.3 - ((0.3 - exact.low) ** 2 + other.high**2) ** 0.5)
    assert interval.high == pytest.approx(exact.high)


@given(st.integers(1, 60), st.integers(1, 60), st.data())
def test_the_difference_lies_in_its_interval_and_swaps_sign(n: int, m: int, data: st.DataObject) -> None:
    """The second share minus the first has the mirrored interval."""
    x, y = data.draw(st.integers(0, n)), data.draw(st.integers(0, m))
    value, interval = share_difference((x, y), (n, m))
    assert -1.0 - 1e-9 <= interval.low <= value <= interval.high <= 1.0 + 1e-9
    mirrored, other = share_difference((y, x), (m, n))
    assert (mirrored, other.low, other.high) == pytest.approx((-value, -interval.high, -interval.low))


def test_a_share_without_trials_is_refused() -> None:
    """The message has the trials."""
    with pytest.raises(ValueError, match=r"trials \(5, 0\)"):
        share_difference((1, 0), (5, 0))


@pytest.mark.parametrize(("p", "q"), [(0.1, 0.1), (0.02, 0.0), (0.3, 0.05), (0.9, 0.5)])
def test_the_interval_of_a_difference_covers(p: float, q: float) -> None:
    """Its exact coverage with 60 and 30 trials is at least 95 %, and not 100 % unless a share is 0."""
    first, second = stats.binom.pmf(np.arange(61), 60, p), stats.binom.pmf(np.arange(31), 30, q)
    covered = 0.0
    for x in range(61):
        for y in range(31):
            if first[x] * second[y] > 1e-9:
                _, interval = share_difference((x, y), (60, 30))
                covered += first[x] * second[y] * (interval.low <= p - q <= interval.high)
    assert covered >= 0.95


def test_a_clustered_difference_by_hand() -> None:
    """One of four pairs differs: mean 1/5, variance 4/3 (0.76 + 1)/25, t 3.1824 with 3 degrees of freedom."""
    found = clustered_difference([0, 1, 0, 0], [1, 1, 1, 1])
    assert found.low == pytest.approx(0.2 - 3.182446 * (4 / 3 * 1.76 / 25) ** 0.5, abs=1e-6)
    assert found.high == 1.0


def test_without_a_difference_a_cluster_counts_once() -> None:
    """Five pairs in each of 20 clusters say as little as one pair in each."""
    assert clustered_difference([0] * 20, [5] * 20) == clustered_difference([0] * 20, [1] * 20)
    assert clustered_difference([0] * 20, [1] * 20).high == pytest.approx(2.093024 * (20 / 19 / 441) ** 0.5)


def test_one_cluster_says_nothing_of_a_difference() -> None:
    """Clusters without a pair are left out."""
    assert clustered_difference([2, 0], [5, 0]) == Interval(-1.0, 1.0)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(-4, 4)), min_size=2, max_size=30))
def test_a_clustered_difference_holds_its_mean_and_swaps_sign(rows: list[tuple[int, int]]) -> None:
    """Twins minus originals has the mirrored interval."""
    n = [count for count, _ in rows]
    sums = [max(-count, min(count, total)) for count, total in rows]
    found, mirrored = clustered_difference(sums, n), clustered_difference([-total for total in sums], n)
    assert (found.low, found.high) == pytest.approx((-mirrored.high, -mirrored.low))
    if sum(n):
        assert found.low <= sum(sums) / sum(n) <= found.high
