"""The interval of a share of clustered answers: by hand, in its limits, and its coverage."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from assay.stats.clustered import clustered_share
from assay.stats.intervals import Interval
from assay.stats.proportion import clopper_pearson

CLUSTERS = st.lists(
    st.integers(1, 12).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), min_size=1, max_size=25
)


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
