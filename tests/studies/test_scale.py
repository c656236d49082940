"""The scale of judges' marks."""

from __future__ import annotations

from collections import Counter

import pytest

from assay.core.errors import InvalidInput
from assay.studies.scale import between, find_scale


def scale_of(*labels: str) -> tuple[str, tuple[str, ...]]:
    """Return the kind and the categories of labels."""
    scale = find_scale(Counter(labels))
    return scale.kind, scale.categories


@pytest.mark.parametrize(
    ("labels", "kind", "categories"),
    [
        (("1", "5", "2"), "numbers", ("1", "2", "3", "4", "5")),
        (("4", "4.0"), "numbers", ("4",)),
        (("1", "1.5", "3"), "numbers", ("1", "1.5", "2", "2.5", "3")),
        (("0", "0.33", "0.67", "1"), "numbers", ("0", "0.33", "0.67", "1")),
        (("True", "false"), "booleans", ("false", "true")),
        (("yes", "no", "1"), "names", ("1", "no", "yes")),
        (tuple(f"0.{number}7" for number in range(10, 60)), "numbers", ()),
    ],
    ids=["steps", "one name", "halves", "uneven", "booleans", "names", "measured"],
)
def test_the_scale_is_found(labels: tuple[str, ...], kind: str, categories: tuple[str, ...]) -> None:
    """Unused steps are part of the scale, and many different numbers are measurements."""
    assert scale_of(*labels) == (kind, categories)


def test_a_few_words_among_numbers_are_invalid() -> None:
    """One word in twenty is invalid, one in ten makes a scale of names. nan and other digits are words."""
    few = find_scale(Counter({"4": 19, "four": 1}))
    assert (few.kind, few.value("four"), few.value("4.0"), few.value("nan")) == ("numbers", None, 4.0, None)
    assert find_scale(Counter({"4": 9, "four": 1})).kind == "names"
    assert find_scale(Counter({"٤": 1})).kind == "names"


def test_declared_categories_are_in_order() -> None:
    """Numbers keep their values, names have their positions as values, and other marks have none."""
    numbers, names = find_scale({}, ["1", "2", "4"]), find_scale({}, ["bad", "fair", "good"])
    assert (numbers.value("4.0"), numbers.value("3")) == (4.0, None)
    assert (names.value("good"), names.value("Good"), names.ordered) == (2.0, None, True)


@pytest.mark.parametrize("declared", [["a"], ["a", "a"], ["1", "1.0"]], ids=["one", "twice", "same number"])
def test_a_scale_needs_two_categories(declared: list[str]) -> None:
    """A single category, or one that is written twice, is refused."""
    with pytest.raises(InvalidInput, match="give two or more different ones"):
        find_scale({}, declared)


def test_a_graders_scale() -> None:
    """It has the whole marks from the lowest to the highest, and counts as declared."""
    assert (between(0.0, 3.0).categories, between(0.0, 3.0).declared) == (("0", "1", "2", "3"), True)
