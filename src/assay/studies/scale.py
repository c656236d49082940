"""The scale of judges' marks: numbers, true and false, or names, with their categories in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assay.core.errors import InvalidInput
from assay.files.mark_table import NUMBER
from assay.results.agreement import MarkKind
from assay.stats.agreement import name_of

MOST = 21
"""The most categories of a scale. More different numbers are measurements, for which there is no kappa."""

STRAY = 0.05
"""The largest share of other marks in a scale of numbers. These marks are then invalid."""


@dataclass(frozen=True, slots=True)
class MarkScale:
    """The scale of marks. `codes` has the numeric value of each category, by name and in order.

    `codes` is empty for measurements, whose values are the numbers themselves. `ordered` categories have a
    distance. `declared` categories were given by the user, not found in the marks.
    """

    kind: MarkKind
    codes: Mapping[str, float]
    ordered: bool
    declared: bool = False

    @property
    def categories(self) -> tuple[str, ...]:
        """The names of the categories, in order; empty for measurements."""
        return tuple(self.codes)

    def value(self, label: str) -> float | None:
        """Return the numeric value of a mark, None if it is not on the scale."""
        name = plain(label, self.kind)
        if self.codes:
            return self.codes.get(name)
        return float(label) if NUMBER.fullmatch(label) else None


def plain(label: str, kind: MarkKind) -> str:
    """Return the normal name of a category: '4' for the number '4.0', 'true' for the boolean 'True'."""
    if kind == "booleans":
        return label.lower()
    if kind == "numbers" and NUMBER.fullmatch(label):
        return name_of(float(label)) or label
    return label


def find_scale(counts: Mapping[str, int], declared: Sequence[str] = ()) -> MarkScale:
    """Return the scale of labels, which `counts` counts, or of the `declared` categories, in their order.

    Raises InvalidInput if fewer than two categories are declared, or one of them twice.
    """
    if declared:
        return _declared(declared)
    numbers = sum(count for label, count in counts.items() if NUMBER.fullmatch(label))
    if numbers and numbers >= (1.0 - STRAY) * sum(counts.values()):
        values = np.unique([float(label) for label in counts if NUMBER.fullmatch(label)])
        return MarkScale("numbers", {_name(value): value for value in _grid(values)}, ordered=True)
    if {label.lower() for label in counts} <= {"true", "false"}:
        return MarkScale("booleans", {"false": 0.0, "true": 1.0}, ordered=True)
    names = sorted(counts)
    return MarkScale("names", {name: float(code) for code, name in enumerate(names)}, ordered=False)


def between(low: float, high: float) -> MarkScale:
    """Return the scale of whole numbers from a grader's lowest mark to its highest."""
    values = np.arange(low, high + 1.0).tolist()
    return MarkScale("numbers", {_name(value): value for value in values}, ordered=True, declared=True)


def _declared(categories: Sequence[str]) -> MarkScale:
    kind: MarkKind = "numbers" if all(NUMBER.fullmatch(label) for label in categories) else "names"
    names = [plain(label, kind) for label in categories]
    if len(names) < 2 or len(set(names)) < len(names):
        raise InvalidInput(f"invalid categories {', '.join(categories)!r}: give two or more different ones")
    values = [float(name) if kind == "numbers" else float(code) for code, name in enumerate(names)]
    return MarkScale(kind, dict(zip(names, values, strict=True)), ordered=True, declared=True)


def _grid(marks: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> list[float]:
    """Return the categories of a scale with equal steps that has these marks, and also the unused categories.

    The weights of kappa need equal steps. Marks without equal steps are the categories themselves; too many
    are measurements, and the list is empty.
    """
    if len(marks) < 2:
        return [float(value) for value in marks]
    step = float(np.diff(marks).min())
    steps = (marks - marks[0]) / step
    if steps[-1] < MOST and np.allclose(steps, np.rint(steps), atol=1e-6):
        grid = [float(marks[0]) + step * number for number in range(round(float(steps[-1])) + 1)]
        return [float(round(value, 9)) for value in grid]
    return [float(value) for value in marks] if len(marks) <= MOST else []


def _name(value: float) -> str:
    return name_of(value) or repr(value)
