"""Lists and objects, element by element."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from every_row import every_row

from assay.grading.fields.compound import comparison

ITEMS = {
    "type": "list",
    "by": "sku",
    "fields": {"sku": {"type": "text"}, "qty": {"type": "integer"}, "price": {"type": "number"}},
    "expect": [{"sku": "A", "qty": 1, "price": 9.99}, {"sku": "B", "qty": 2, "price": 5}],
}
A = {"sku": "A", "qty": 1, "price": Decimal("9.99")}
B = {"sku": "B", "qty": 2, "price": 5}


@every_row(
    "field, got, score",
    [
        ({"type": "list", "expect": ["a", "b"]}, ["a", "b"], 1),
        ({"type": "list", "expect": ["a", "b"]}, ["b", "a"], 0),
        ({"type": "list", "expect": ["a", "b"], "ordered": False}, ["b", "a"], 1),
        ({"type": "list", "expect": ["a", "b"], "ordered": False}, ["b"], 0.5),
        ({"type": "list", "expect": ["a", "b"], "ordered": False}, ["b", "b"], 0.5),
        ({"type": "list", "expect": ["a"], "ordered": False}, ["a", "x", "y", "z"], 0.25),
        ({"type": "list", "expect": ["a", "b"], "partial": False}, ["a", "x"], 0),
        ({"type": "list", "expect": []}, [], 1),
        ({"type": "list", "expect": []}, [1], 0),
        ({"type": "list", "expect": [1]}, {"0": 1}, 0),
        (
            {"type": "list", "expect": [1.5, 2], "of": {"type": "number", "tolerance": 0.1}},
            [Decimal("1.6"), 2],
            1,
        ),
        ({"type": "list", "of": {"type": "integer"}}, [1, 2, "x", 4], 0.75),
        ({"type": "list"}, [], 1),
        (ITEMS, [A, B], 1),
        (ITEMS, [B, A], 1),
        (ITEMS, [B], 0.5),
        (ITEMS, [{**A, "qty": 7}, B], 5 / 6),
        (ITEMS, [A, A, B], 1 / 3),
        (ITEMS, [A, B, {"sku": "C", "qty": 1, "price": 1}], 2 / 3),
        ({"type": "object", "expect": {"a": 1, "b": "x"}}, {"a": 1, "b": "x"}, 1),
        ({"type": "object", "expect": {"a": 1, "b": "x"}}, {"a": 1}, 0.5),
        ({"type": "object", "expect": {"a": 1, "b": "x"}, "partial": False}, {"a": 1}, 0),
        ({"type": "object", "fields": {"a": {"type": "null", "absent_is_null": True}}}, {}, 1),
        ({"type": "object", "fields": {"a": {"type": "null"}}}, {}, 0),
        ({"type": "object"}, [], 0),
    ],
)
def test_elements_are_matched_and_counted(field: dict[str, Any], got: Any, score: float) -> None:
    """Place, any order or key pairs the elements; what is missing or too much costs its share."""
    assert comparison(field)(got).score == pytest.approx(score)


def test_the_verdict_names_the_elements_that_are_wrong() -> None:
    """The evidence points at the element and at its wrong part."""
    assert comparison(ITEMS)([{**A, "qty": 7}]).verdict == "sku = A: qty: a different number; sku = B: absent"


def test_any_order_takes_the_best_pairs() -> None:
    """A tolerant first element does not take the partner that only the second could have."""
    field = {
        "type": "list",
        "ordered": False,
        "fields": {"a": {"type": "number"}, "b": {"type": "number"}},
        "expect": [{"a": 1, "b": 1}, {"a": 1, "b": 2}],
    }
    assert comparison(field)([{"a": 1, "b": 2}, {"a": 1, "b": 1}]).score == 1


@every_row(
    "field, part",
    [
        ({"type": "list", "expect": "ab"}, "must be a list"),
        ({"type": "list", "expect": [1], "by": "k"}, "lack the key"),
        ({"type": "list", "of": {}, "fields": {}}, "either"),
        ({"type": "list", "of": "text", "expect": [1]}, "of must declare"),
        ({"type": "list", "ordered": 1}, "ordered"),
        ({"type": "object", "expect": [1]}, "must be an object"),
        ({"type": "object", "expect": {"b": 1}, "fields": {"a": {"type": "text"}}}, "declare it in fields"),
        ({"type": "object", "fields": {"a": "text"}}, "declared as"),
        ({"type": "object", "fields": {"a": {"type": "x"}}}, "unknown"),
    ],
)
def test_unsound_declarations_are_refused(field: dict[str, Any], part: str) -> None:
    """A declaration that cannot work is an error that says what to write."""
    with pytest.raises(ValueError, match=part):
        comparison(field)
