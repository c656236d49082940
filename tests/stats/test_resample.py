"""The bootstrap over items."""

import numpy as np
import pytest

from assay.stats.resample import BootstrapDraws, by_cluster, draw_counts, mean_of, percentile


def test_each_replicate_draws_as_many_as_there_are() -> None:
    """Rows sum to the number of items, and every item is drawn once on average."""
    weights = draw_counts(np.random.default_rng(1), 7, 4000)
    assert set(weights.sum(axis=1)) == {7.0}
    assert weights.mean(axis=0).tolist() == pytest.approx([1.0] * 7, abs=0.06)


def test_percentile_by_hand() -> None:
    """Of 0 to 100 the middle 90 % are 5 to 95."""
    found = percentile(np.arange(101.0), 0.9)
    assert found is not None
    assert (found.low, found.high, found.level) == pytest.approx((5.0, 95.0, 0.9))


def test_undefined_replicates_are_left_out() -> None:
    """NaN takes no part, up to half of the replicates."""
    found = percentile([np.nan, 1.0, 1.0])
    assert found is not None
    assert (found.low, found.high) == (1.0, 1.0)


@pytest.mark.parametrize("values", [[], [np.nan, np.nan, 1.0]], ids=["none", "mostly undefined"])
def test_too_few_values_give_no_interval(values: list[float]) -> None:
    """With fewer than half defined there is no interval."""
    assert percentile(values) is None


def test_clusters_are_added_up() -> None:
    """Rows of one label become one row."""
    columns = np.array([[1.0, 1.0], [2.0, 1.0], [4.0, 1.0]])
    assert by_cluster(columns, ["x", "y", "x"]).tolist() == [[5.0, 2.0], [2.0, 1.0]]


def test_mean_leaves_nan_out() -> None:
    """With the number of values that are there."""
    found = mean_of([1.0, np.nan, 2.0])
    assert (found.value, found.n, found.interval) == (1.5, 2, None)


def test_nothing_has_no_mean() -> None:
    """None, and no interval."""
    found = mean_of([np.nan], BootstrapDraws(np.random.default_rng(1)))
    assert (found.value, found.n, found.interval) == (None, 0, None)


def test_clusters_widen_the_interval() -> None:
    """Ten equal values in each of ten clusters: as wide as ten values, not a hundred."""
    rng = np.random.default_rng(2)
    values = np.repeat(rng.normal(size=10), 10)
    alone = mean_of(values, BootstrapDraws(np.random.default_rng(3))).interval
    together = mean_of(
        values, BootstrapDraws(np.random.default_rng(3), clusters=np.repeat(np.arange(10), 10))
    ).interval
    assert alone is not None
    assert together is not None
    assert (together.high - together.low) / (alone.high - alone.low) == pytest.approx(10**0.5, rel=0.15)
