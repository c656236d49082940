"""The bootstrap over items."""

import numpy as np
import pytest

from assay.stats.resample import by_cluster, drawn, percentile


def test_each_replicate_draws_as_many_as_there_are() -> None:
    """Rows sum to the number of items, and every item is drawn once on average."""
    weights = drawn(np.random.default_rng(1), 7, 4000)
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
