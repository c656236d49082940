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
    """The shortest one around all values."""
    found = axis([61.8, 97.0], 10.0)
    assert (found.low, found.high, found.ticks) == (60.0, 100.0, (60.0, 80.0, 100.0))


@pytest.mark.parametrize("values", [[], [50.0], [50.0, 50.0]])
def test_an_axis_is_never_empty(values: list[float]) -> None:
    """No value, or one on a step, still gives it a length."""
    found = axis(values, 10.0)
    assert found.high > found.low


@given(st.lists(st.floats(0, 100), min_size=1), st.sampled_from([1.0, 10.0]))
def test_every_value_stands_on_its_axis(values: list[float], step: float) -> None:
    """Between 0 and 100 per cent, in order."""
    found = axis(values, step)
    places = [found.at(value) for value in sorted(values)]
    assert places == sorted(places)
    assert 0.0 <= places[0] <= places[-1] <= 100.0
    assert found.low <= min(values) <= max(values) <= found.high


def test_what_lies_outside_is_drawn_at_the_end() -> None:
    """An interval that passes the axis does not leave the picture."""
    assert Axis(0.0, 10.0, ()).at(12.0) == 100.0


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [(0.14, 1, "+0.1"), (-0.14, 1, "−0.1"), (0.04, 1, "0.0"), (-0.4, 0, "0"), (2.6, 0, "+3"), (None, 1, "–")],
)
def test_a_difference_has_its_sign(value: float | None, digits: int, text: str) -> None:
    """A true minus; what rounds to zero has none."""
    assert signed_to(value, digits) == text


def test_a_figure_that_is_not_there_is_a_dash() -> None:
    """Not 0."""
    assert (fixed(None, 2), fixed(-1.005, 1)) == ("–", "−1.0")


def test_short_names_are_unique() -> None:
    """The last part of a name, or all of it where two share the last part."""
    found = labels(["a/x/one", "b/one", "b/two", "three", "odd/"])
    assert found == {"a/x/one": "a/x/one", "b/one": "b/one", "b/two": "two", "three": "three", "odd/": "odd/"}


def test_a_tally_has_its_denominator() -> None:
    """Kinds of which there are none are left out."""
    assert tally(BoardSamples(1200, 1198, 2, 2, 0, 0)) == "n 1,200: 1,198 ok, 2 invalid"
    assert tally(BoardSamples(0, 0, 0, 0, 0, 0)) == "n 0"


@pytest.mark.parametrize(("value", "dark"), [(None, 0), (50.0, 0), (75.0, 4), (100.0, 8)])
def test_shades_go_from_the_lowest_to_the_highest(value: float | None, dark: int) -> None:
    """Nine of them."""
    assert shade(value, 50.0, 100.0) == dark


def test_equal_cells_have_one_shade() -> None:
    """Nothing is divided by no distance."""
    assert shade(50.0, 50.0, 50.0) == 0
