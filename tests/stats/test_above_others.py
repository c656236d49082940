"""Each judge against the others on the same items."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.stats.above_others import above_others
from assay.stats.ratio import Draws
from assay.stats.two_way import rater_effects

NAN = np.nan


def test_by_hand() -> None:
    """5, 4, 3 on one item: +1.5, 0, -1.5 against the mean of the two others."""
    assert [each.value for each in above_others([[5.0], [4.0], [3.0]])] == [1.5, 0.0, -1.5]


def test_an_item_marked_by_one_judge_tells_nothing() -> None:
    """It is not counted."""
    found = above_others([[5.0, 5.0], [NAN, 4.0]])
    assert [(each.value, each.n) for each in found] == [(1.0, 1), (-1.0, 1)]


def test_alone_has_no_leniency() -> None:
    """A single judge has nobody to be compared with."""
    assert above_others([[5.0, 4.0]])[0].value is None


@given(st.integers(0, 10_000))
def test_a_full_table_is_the_effect_times_judges_over_others(seed: int) -> None:
    """With three judges and no gap it is 3/2 of the least-squares effect."""
    table = np.random.default_rng(seed).integers(1, 6, (3, 9)).astype(float)
    found = [each.value for each in above_others(table)]
    assert found == pytest.approx((1.5 * rater_effects(table.T)).tolist(), abs=1e-9)


def test_the_interval_covers_a_known_leniency() -> None:
    """A judge 0.5 above two others, 60 items, 200 times: covered in 91 to 99 %."""
    rng = np.random.default_rng(3)
    hits = 0
    for _ in range(200):
        table = rng.normal(3, 1, (1, 60)) + np.array([[0.5], [0.0], [0.0]]) + rng.normal(0, 0.5, (3, 60))
        interval = above_others(table, Draws(rng, 300))[0].interval
        hits += interval is not None and interval.low <= 0.5 <= interval.high
    assert 0.91 <= hits / 200 <= 0.99
