"""Accuracy of verdicts in both orders against labels."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.errors import InvalidInput
from assay.stats.agreement import cohen_kappa
from assay.stats.judge_bias import order_accuracy

sides = st.sampled_from(["A", "B", "tie"])


def test_by_hand() -> None:
    """Five pairs: four right, three right swapped, two in both, two equal; an unread verdict is wrong."""
    result = order_accuracy(["A", "B", "A", "B", "A"], ["A", "B", "A", "B", None], ["A", "B", "B", "A", "A"])
    assert (result.n, result.right, result.swapped, result.both, result.equal) == (5, 4, 3, 2, 2)
    assert result.kappa == pytest.approx(1.0)
    assert result.kappa_swapped == pytest.approx(0.0)


@given(st.lists(st.tuples(sides, st.none() | sides, st.none() | sides), max_size=30))
def test_both_is_at_most_each(rows: list[tuple[str, str | None, str | None]]) -> None:
    """And at most the equal ones; what is right in both orders is right in one."""
    labels, shown, swapped = (list(column) for column in zip(*rows, strict=True)) if rows else ([], [], [])
    result = order_accuracy(labels, shown, swapped)  # type: ignore[arg-type]
    assert result.both <= min(result.right, result.swapped, result.equal)
    assert result.right + result.swapped - result.both <= result.n
    for interval, count in ((result.right_interval, result.right), (result.both_interval, result.both)):
        assert not result.n or interval.low <= count / result.n <= interval.high


@given(st.lists(st.tuples(sides, sides, sides), min_size=1, max_size=30))
def test_kappas_are_those_of_the_verdicts(rows: list[tuple[str, str, str]]) -> None:
    """With every verdict read."""
    labels, shown, swapped = (list(column) for column in zip(*rows, strict=True))
    result = order_accuracy(labels, shown, swapped)
    names = ["A", "B", "tie"]
    assert result.kappa == pytest.approx(cohen_kappa(labels, shown, categories=names).value)
    assert result.kappa_swapped == pytest.approx(cohen_kappa(shown, swapped, categories=names).value)


def test_lists_of_different_lengths_are_refused() -> None:
    """Each pair has a label and two verdicts."""
    with pytest.raises(InvalidInput, match="2 labels, 1 verdicts and 2 swapped"):
        order_accuracy(["A", "B"], ["A"], ["A", "B"])
