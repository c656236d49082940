"""Pairwise verdicts in both orders."""

import pytest

from assay.core.errors import InvalidInput
from assay.stats.position import position_bias


def test_by_hand() -> None:
    """Ten pairs: three steady, four first both times, one second both times, one to a tie, one unread."""
    shown = ["first", "first", "second"] + ["first"] * 4 + ["second", "first", None]
    swapped = ["second", "second", "first"] + ["first"] * 4 + ["second", "tie", "first"]
    found = position_bias(shown, swapped)
    assert (found.items, found.unreadable, found.flips) == (9, 1, 6)
    assert (found.kept_first, found.kept_second, found.first_share) == (4, 1, 0.8)
    assert found.p == pytest.approx(2 * (5 + 1) / 32)


def test_a_steady_judge_has_no_flip() -> None:
    """The same answer wins in both orders, and ties stay ties."""
    found = position_bias(["first", "second", "tie"], ["second", "first", "tie"])
    assert (found.flips, found.first_share, found.p) == (0, None, 1.0)


def test_one_who_always_takes_the_first_flips_always() -> None:
    """Ten flips of ten, all to the first: p is 2/1024."""
    found = position_bias(["first"] * 10, ["first"] * 10)
    assert (found.flip_share, found.first_share, found.p) == (1.0, 1.0, 2 / 1024)


def test_nothing_read() -> None:
    """No share of nothing."""
    found = position_bias([None], ["first"])
    assert (found.items, found.flip_share, found.flip_interval) == (0, None, None)


def test_unknown_verdicts_are_refused() -> None:
    """'A' does not say which position won."""
    with pytest.raises(InvalidInput, match="verdict 'A'"):
        position_bias(["A"], ["first"])


def test_both_orders_are_needed() -> None:
    """A verdict without its partner is refused."""
    with pytest.raises(InvalidInput, match="1 verdicts against 0"):
        position_bias(["first"], [])
