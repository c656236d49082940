"""Judges' scales on 0-1."""

from __future__ import annotations

import pytest

from assay.stats.scales import from_marks, from_stars


@pytest.mark.parametrize(("marks", "score"), [(1, 0.0), (3, 0.5), (4.5, 0.875), (5, 1.0)])
def test_marks(marks: float, score: float) -> None:
    """Marks 1-5 map by (s - 1)/4."""
    assert from_marks(marks) == score


@pytest.mark.parametrize(("stars", "score"), [(0, 0.0), (1, 1 / 3), (3, 1.0)])
def test_stars(stars: float, score: float) -> None:
    """Stars map by s/3."""
    assert from_stars(stars) == score


@pytest.mark.parametrize(
    ("scale", "value"), [(from_marks, 0.9), (from_marks, 5.1), (from_stars, -1), (from_stars, 4)]
)
def test_off_the_scale(scale: object, value: float) -> None:
    """A value off the scale is refused."""
    with pytest.raises(ValueError, match="are not from"):
        scale(value)  # type: ignore[operator]
