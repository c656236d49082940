"""Paths into a JSON document."""

from typing import Any

import pytest
from every_row import every_row

from assay.grading.fields.path import Absent, ElementWith, look_up, parse_path

DOCUMENT = {
    "vendor": {"name": "Müller", "a.b": 1},
    "items": [{"sku": "A-1", "qty": 1}, {"sku": "B", "qty": 2}, {"sku": 7, "qty": 3}],
}


@every_row(
    "path, steps",
    [
        ("$", ()),
        ("vendor.name", ("vendor", "name")),
        ("$.vendor.name", ("vendor", "name")),
        ("items[0].qty", ("items", 0, "qty")),
        ("items[-1]", ("items", -1)),
        ("items[sku=A-1].qty", ("items", ElementWith("sku", "A-1"), "qty")),
        ("items[sku = 'A-1']", ("items", ElementWith("sku", "A-1"))),
        ('vendor."a.b"', ("vendor", "a.b")),
        (r"vendor.a\.b", ("vendor", "a.b")),
        ("[0][1]", (0, 1)),
        ("unit price", ("unit price",)),
    ],
)
def test_paths_are_read(path: str, steps: tuple[Any, ...]) -> None:
    """Keys, quoted keys, places and key matches are told apart."""
    assert parse_path(path) == steps


@pytest.mark.parametrize("path", ["", "a..b", "a[", "a[]", ".a", "a[0]b", "a."])
def test_unreadable_paths_are_refused(path: str) -> None:
    """A slip in a path is an error, not a key that is never there."""
    with pytest.raises(ValueError, match="path"):
        parse_path(path)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("vendor.name", "Müller"),
        ("items[1].qty", 2),
        ("items[-1].qty", 3),
        ("items[sku=b].qty", 2),
        ("items[sku=7].qty", 3),
    ],
)
def test_values_are_looked_up(path: str, value: Any) -> None:
    """Elements are found by place or by key, numbers among the keys included."""
    assert look_up(DOCUMENT, parse_path(path)) == value


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("vendor.city", "no key 'city'"),
        ("items.name", "a list where an object"),
        ("vendor[0]", "an object where a list"),
        ("items[9]", "no element [9] in a list of 3"),
        ("items[sku=Z]", "no element with sku"),
    ],
)
def test_an_absent_value_says_where_the_way_ended(path: str, why: str) -> None:
    """What is missing is told apart from what is null."""
    found = look_up(DOCUMENT, parse_path(path))
    assert isinstance(found, Absent)
    assert why in found.why


def test_two_elements_with_the_same_key_are_no_match() -> None:
    """A key match must be unique."""
    found = look_up([{"a": 1}, {"a": 1}], parse_path("[a=1]"))
    assert isinstance(found, Absent)
    assert "2 elements" in found.why
