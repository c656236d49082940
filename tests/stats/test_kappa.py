"""Kappa by hand, its properties, and the labels it refuses."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.errors import InvalidInput
from assay.stats.kappa import Label, Weights, cohen, name_of, scott

YES, NO = "yes", "no"
FIRST: list[Label] = [YES] * 20 + [YES] * 5 + [NO] * 10 + [NO] * 15
SECOND: list[Label] = [YES] * 20 + [NO] * 5 + [YES] * 10 + [NO] * 15


def test_by_hand() -> None:
    """20 and 15 agreements of 50: p_o 0.7, p_e 0.5 * 0.6 + 0.5 * 0.4 = 0.5, kappa 0.4."""
    found = cohen(FIRST, SECOND)
    assert (found.n, found.agreement, found.expected) == (50, pytest.approx(0.7), pytest.approx(0.5))
    assert found.value == pytest.approx(0.4)


def test_scott_by_hand() -> None:
    """With pooled shares 0.55 and 0.45, p_e = 0.505 and pi = 0.195/0.495."""
    assert scott(FIRST, SECOND).value == pytest.approx(0.195 / 0.495)


@pytest.mark.parametrize(("weights", "expected"), [("linear", 3 / 7), ("quadratic", 7 / 11)])
def test_weighted_by_hand(weights: Weights, expected: float) -> None:
    """Marks (1,1) (2,3) (3,3) (3,2), disagreement 0, 1/2 or 1, squared 0, 1/4 or 1.

    Linear: observed (1/2 + 1/2)/4 = 1/4, expected 7/16. Squared: observed 1/8, expected 11/32.
    """
    assert cohen([1, 2, 3, 3], [1, 3, 3, 2], weights=weights).value == pytest.approx(expected)


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=2, max_size=30))
def test_renaming_categories_changes_nothing(pairs: list[tuple[int, int]]) -> None:
    """Plain kappa knows names only."""
    letters = "vwxyz"
    plain = cohen([a for a, _ in pairs], [b for _, b in pairs], categories=range(1, 6))
    named = cohen([letters[a - 1] for a, _ in pairs], [letters[b - 1] for _, b in pairs], categories=letters)
    assert plain.value == (None if named.value is None else pytest.approx(named.value))


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=2, max_size=30))
def test_symmetric_and_at_most_1(pairs: list[tuple[int, int]]) -> None:
    """Swapping the raters changes nothing."""
    one = cohen([a for a, _ in pairs], [b for _, b in pairs], categories=range(1, 6), weights="quadratic")
    other = cohen([b for _, b in pairs], [a for a, _ in pairs], categories=range(1, 6), weights="quadratic")
    assert one.value == (None if other.value is None else pytest.approx(other.value))
    assert one.value is None or one.value <= 1.0 + 1e-12


@pytest.mark.parametrize(
    ("first", "second"),
    [([1, 2, 1], [0, 1, 1]), (["A", "B"], ["a", "b"]), ([True, False], [1, 0]), ([1, 2], [3, 4])],
    ids=["1-2 against 0-1", "case", "bool against int", "disjoint"],
)
def test_two_codings_are_refused(first: list[Label], second: list[Label]) -> None:
    """Where each rater uses labels that the other never does, there is an error that shows both."""
    with pytest.raises(InvalidInput, match="two codings") as refused:
        cohen(first, second)
    assert repr(name_of(first[0])) in str(refused.value)


def test_declared_categories_allow_raters_who_used_different_ones() -> None:
    """Both know a, b and c: one used a and b, the other b and c."""
    assert cohen(["a", "b"], ["b", "c"], categories="abc").n == 2


def test_undeclared_categories_are_refused() -> None:
    """A 0 among declared 1 and 2 is named."""
    with pytest.raises(InvalidInput, match=r"labels \{'0'\} are not among"):
        cohen([1, 2], [1, 0], categories=[1, 2])


def test_a_rater_who_never_uses_a_category_is_fine() -> None:
    """One who always says yes has kappa 0."""
    assert cohen([YES, NO, YES], [YES, YES, YES]).value == pytest.approx(0.0)


def test_numbers_are_named_alike() -> None:
    """4, 4.0 and '4' are one category."""
    assert cohen([4, 5], [4.0, "5"]).value == 1.0


def test_missing_labels_are_dropped_by_item() -> None:
    """None and NaN of either rater take the item out."""
    assert cohen([1, None, 2, 1], [1, 2, float("nan"), 1]).n == 2


@pytest.mark.parametrize(("first", "n"), [([], 0), ([YES, YES], 2)], ids=["no items", "no variation"])
def test_no_variation_has_no_kappa(first: list[Label], n: int) -> None:
    """None, and not 0 or 1."""
    found = cohen(first, first)
    assert (found.value, found.n) == (None, n)


def test_weights_need_an_order() -> None:
    """Words have none until it is declared."""
    with pytest.raises(InvalidInput, match="weights need an order"):
        cohen(["low", "high"], ["low", "high"], weights="linear")


def test_lists_must_be_equally_long() -> None:
    """A label without a partner is refused."""
    with pytest.raises(InvalidInput, match="1 labels against 2"):
        cohen([1], [1, 2])


@pytest.mark.slow
def test_the_interval_covers() -> None:
    """The 95 % interval of 100 items covers a known kappa of 0.6 in 92 to 98 % of 400 samples."""
    rng = np.random.default_rng(9)
    hits = 0
    for _ in range(400):
        truth = rng.random(100) < 0.5
        other = np.where(rng.random(100) < 0.8, truth, ~truth)
        interval = cohen(truth.tolist(), other.tolist(), rng=rng, replicates=400).interval
        hits += interval is not None and interval.low <= 0.6 <= interval.high
    assert 0.92 <= hits / 400 <= 0.98
