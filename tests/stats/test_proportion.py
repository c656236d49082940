"""The exact interval of a share."""

import pytest
from scipy import stats

from assay.stats.proportion import clopper_pearson


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
