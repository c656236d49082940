"""Colours in CSS and the contrast between them."""

from __future__ import annotations

import pytest

from assay.grading.pages.colours import Colour, colour, contrast, faint, rules


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ("#FFF", (255, 255, 255)),
        ("#102030", (16, 32, 48)),
        ("Navy", (0, 0, 128)),
        ("rgb(1, 2, 300)", (1, 2, 255)),
        ("transparent", None),
        ("linear-gradient(red, blue)", None),
        ("abc", None),
        ("", None),
    ],
)
def test_plain_colours_are_read(value: str, wanted: Colour | None) -> None:
    """Hexadecimal, named and rgb() colours are read; anything else is unknown."""
    assert colour(value) == wanted


def test_contrast_of_black_and_white() -> None:
    """Black on white is 21 to 1, the highest there is."""
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)


def test_contrast_of_the_standards_grey() -> None:
    """#767676 on white is the well-known lightest grey that passes 4.5."""
    assert contrast((0x76,) * 3, (255,) * 3) == pytest.approx(4.54, abs=0.005)


def test_variables_are_looked_up() -> None:
    """A colour given as a variable is the variable's value."""
    css = ":root { --ink: #777 } @media print { p { color: var(--ink); background: #888 } }"
    assert len(faint(rules(css))) == 1


def test_a_colour_without_ground_is_not_judged() -> None:
    """Text colour alone says nothing about contrast."""
    assert faint(rules("p { color: #eee } body { background: #fff }")) == []
