"""Placement of names beside points without overlaps; a name without room is left out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

SIZE = 10.5
"""The font size of labels in pixels."""
LETTER = 0.58
"""The average width of a letter is at most this part of the font size."""
NEARER = 3.0
"""A name is nearer to its own point than to any other by so many pixels."""
GAP = 6.0
MARK = 4.5
FAR = (18.0, 28.0, 40.0, 54.0, 72.0, 92.0)
TURNS = (20, -20, 160, -160, 45, -45, 135, -135, 70, -70, 110, -110, 5, -5, 175, -175)
"""Distances in pixels and angles in degrees that are tried if there is no room beside the point."""
Side = Literal["left", "right", "center"]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in pixels, y downwards."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        """Return whether two boxes overlap."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def away(self, point: tuple[float, float]) -> float:
        """Return the distance of a point from the box, 0 inside it."""
        aside = max(self.left - point[0], 0.0, point[0] - self.right)
        return math.hypot(aside, max(self.top - point[1], 0.0, point[1] - self.bottom))

    def inside(self, width: float, height: float) -> bool:
        """Return whether the box lies within a plot of this size."""
        return self.left >= 0 and self.top >= 0 and self.right <= width and self.bottom <= height


@dataclass(frozen=True, slots=True)
class Label:
    """The place of one name: its anchor in pixels and its alignment; vertically it is centred.

    `tail` is the end of a line from the point to the name, None for a name beside its point.
    """

    name: str
    x: float
    y: float
    side: Side
    tail: tuple[float, float] | None = None


def around(point: tuple[float, float], radius: float = MARK) -> Box:
    """Return the box of a mark."""
    return Box(point[0] - radius, point[1] - radius, point[0] + radius, point[1] + radius)


def place(
    names: Sequence[str],
    points: Sequence[tuple[float, float]],
    *,
    width: float,
    height: float,
    taken: Sequence[Box] = (),
) -> list[Label | None]:
    """Return the label of each name, None if there is no room for it; earlier names have priority.

    `points` are in pixels from the upper left corner. No label covers a point or a box of `taken`, and a
    name is nearer to its own point than to any other.
    """
    used = [*taken, *(around(point) for point in points)]
    labels: list[Label | None] = []
    for at, (name, point) in enumerate(zip(names, points, strict=True)):
        others = [other for place, other in enumerate(points) if place != at and other != point]
        chosen = None
        for label, box in (*_places(name, point), *_far_places(name, point)):
            if not box.inside(width, height) or any(box.meets(other) for other in used):
                continue
            line = [] if label.tail is None else _line(point, label.tail)
            near = label.tail is not None or all(
                box.away(other) > box.away(point) + NEARER for other in others
            )
            if near and not any(dot.meets(other) for dot in line for other in used):
                chosen = label
                used += [box, *line]
                break
        labels.append(chosen)
    return labels


def _far_places(name: str, point: tuple[float, float]) -> Iterator[tuple[Label, Box]]:
    """Yield places farther away, which a line connects with the point."""
    long, tall = len(name) * SIZE * LETTER, SIZE + 1.0
    for far in FAR:
        for turn in TURNS:
            angle = math.radians(turn)
            x, y = point[0] + far * math.cos(angle), point[1] - far * math.sin(angle)
            left = x if math.cos(angle) > 0 else x - long
            side: Side = "left" if math.cos(angle) > 0 else "right"
            box = Box(left, y - tall / 2, left + long, y + tall / 2)
            yield Label(name, x, y, side, (x - math.copysign(2.0, math.cos(angle)), y)), box


def _line(point: tuple[float, float], tail: tuple[float, float]) -> list[Box]:
    """Return boxes along a line, without those on the point itself."""
    long = math.hypot(tail[0] - point[0], tail[1] - point[1])
    steps = [MARK + 3.0 + 4.0 * step for step in range(int(max(long - MARK - 3.0, 0.0) / 4.0) + 1)]
    return [
        around(
            (
                point[0] + (tail[0] - point[0]) * step / long,
                point[1] + (tail[1] - point[1]) * step / long,
            ),
            1.0,
        )
        for step in steps
    ]


def _places(name: str, point: tuple[float, float]) -> Iterator[tuple[Label, Box]]:
    """Yield the places to try in order: right, left, above, below, then farther diagonals."""
    long, tall = len(name) * SIZE * LETTER, SIZE + 1.0
    x, y = point
    for lift in (0.0, -0.75, 0.75, -1.5, 1.5):
        aside = GAP if abs(lift) < 1.0 else GAP - 2.0
        middle = y + lift * tall
        for side, left in (("right", x + aside), ("left", x - aside - long)):
            anchor = x + aside if side == "right" else x - aside
            yield (
                Label(name, anchor, middle, "left" if side == "right" else "right"),
                Box(left, middle - tall / 2, left + long, middle + tall / 2),
            )
        if abs(lift) == 0.75:
            middle = y + (GAP + tall / 2) * (1 if lift > 0 else -1)
            yield (
                Label(name, x, middle, "center"),
                Box(x - long / 2, middle - tall / 2, x + long / 2, middle + tall / 2),
            )
