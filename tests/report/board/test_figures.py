"""Figures, axes and short names on the board's page."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.report.board.figures import (
    Axis,
    axis,
    fixed,
    labels,
    shade,
    signed_to,
    tally,
)
from assay.results.ranking import BoardSamples


def test_an_axis_ends_at_multiples_of_its_step() -> None:
    """It is the shortest one that includes all values."""
    shortest = axis([61.8, 97.0], 10.0)
    assert (shortest.low, shortest.high, shortest.ticks) == (60.0, 100.0, (60.0, 80.0, 100.0))


@pytest.mark.parametrize("values", [[], [50.0], [50.0, 50.0]])
def test_an_axis_is_never_empty(values: list[float]) -> None:
    """It has a length even without a value, or with one value at a multiple of the step."""
    shortest = axis(values, 10.0)
    assert shortest.high > shortest.low


@given(st.lists(st.floats(0, 100), min_size=1), st.sampled_from([1.0, 10.0]))
def test_every_value_is_on_its_axis(values: list[float], step: float) -> None:
    """Positions are between 0 and 100 per cent, in the order of the values."""
    shortest = axis(values, step)
    places = [shortest.at(value) for value in sorted(values)]
    assert places == sorted(places)
    assert 0.0 <= places[0] <= places[-1] <= 100.0
    assert shortest.low <= min(values) <= max(values) <= shortest.high


def test_a_value_outside_the_axis_is_drawn_at_its_end() -> None:
    """An interval that is longer than the axis stays in the chart."""
    assert Axis(0.0, 10.0, ()).at(12.0) == 100.0


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [(0.14, 1, "+0.1"), (-0.14, 1, "−0.1"), (0.04, 1, "0.0"), (-0.4, 0, "0"), (2.6, 0, "+3"), (None, 1, "–")],
)
def test_a_difference_has_its_sign(value: float | None, digits: int, text: str) -> None:
    """The minus is a true one; a value that is rounded to 0 has no sign."""
    assert signed_to(value, digits) == text


def test_a_missing_figure_is_a_dash() -> None:
    """It is not 0."""
    assert (fixed(None, 2), fixed(-1.005, 1)) == ("–", "−1.0")


def test_short_names_are_unique() -> None:
    """A label is the last part of a name, or the whole name if two names share the last part."""
    short = labels(["a/x/one", "b/one", "b/two", "three", "odd/"])
    assert short == {"a/x/one": "a/x/one", "b/one": "b/one", "b/two": "two", "three": "three", "odd/": "odd/"}


def test_a_tally_has_its_denominator() -> None:
    """Counts of 0 are left out."""
    assert tally(BoardSamples(1200, 1198, 2, 2, 0, 0)) == "n 1,200: 1,198 ok, 2 invalid"
    assert tally(BoardSamples(0, 0, 0, 0, 0, 0)) == "n 0"


@pytest.mark.parametrize(("value", "dark"), [(None, 0), (50.0, 0), (75.0, 4), (100.0, 8)])
def test_shades_go_from_the_lowest_to_the_highest(value: float | None, dark: int) -> None:
    """There are nine shades."""
    assert shade(value, 50.0, 100.0) == dark


def test_equal_cells_have_one_shade() -> None:
    """There is no division by zero."""
    assert shade(50.0, 50.0, 50.0) == 0
