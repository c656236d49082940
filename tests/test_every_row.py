"""A table of examples tried as one test: no row is left out, and each that fails is named."""

from __future__ import annotations

import inspect

import pytest
from every_row import every_row


def test_each_row_that_fails_is_named_and_no_other() -> None:
    """All rows are tried, also those after a failure; errors count as failures."""
    tried = []

    @every_row("number, least", [(3, 1), (0, 1), (4, 1), ("five", 1)])
    def at_least(number: int, least: int) -> None:
        tried.append(number)
        assert number >= least, "too small"

    with pytest.raises(pytest.fail.Exception) as failed:
        at_least()
    said = str(failed.value)
    assert tried == [3, 0, 4, "five"]
    assert said.startswith("2 of 4 rows of 'number, least' fail:")
    assert "[(0, 1)] AssertionError: too small" in said and "[('five', 1)] TypeError" in said
    assert "(3, 1)" not in said and "(4, 1)" not in said


def test_tables_on_tables_try_every_pair() -> None:
    """Stacked tables are tried in all combinations, and the other arguments stay fixtures."""
    tried = []

    @every_row("first", "ab", ids=str.upper)
    @every_row("second", ["x", "y"], ids=["ex", "why"])
    def pair(fixture: int, first: str, second: str) -> None:
        tried.append((fixture, first, second))
        assert (first, second) != ("b", "y")

    assert list(inspect.signature(pair).parameters) == ["fixture"]
    with pytest.raises(pytest.fail.Exception, match=r"(?s)\[B\].*\[why\]"):
        pair(fixture=7)
    assert tried == [(7, "a", "x"), (7, "a", "y"), (7, "b", "x"), (7, "b", "y")]


def test_an_empty_table_is_refused() -> None:
    """A test that would try nothing cannot be defined."""
    with pytest.raises(AssertionError, match="is empty"):
        every_row("row", [])
