"""What kind of marks judges gave: numbers, true and false, or names; and their categories in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assay.core.errors import InvalidInput
from assay.files.mark_table import NUMBER
from assay.results.agreement import MarkKind
from assay.stats.agreement import name_of

MOST = 21
"""More categories than these are a measurement: kappa is not for them."""

STRAY = 0.05
"""Marks are numbers when at most this share of them are not; those are then wrong."""


@dataclass(frozen=True, slots=True)
class MarkScale:
    """The scale of marks. `codes` gives each category, by name and in order, the value it is counted as.

    Without `codes` marks are measurements, each its own number. `ordered` categories have a distance;
    `declared` ones were given and not found.
    """

    kind: MarkKind
    codes: Mapping[str, float]
    ordered: bool
    declared: bool = False

    @property
    def categories(self) -> tuple[str, ...]:
        """The categories by name, in order; none of a measurement."""
        return tuple(self.codes)

    def value(self, label: str) -> float | None:
        """Return what a mark is counted as, None for one that is not on the scale."""
        name = plain(label, self.kind)
        if self.codes:
            return self.codes.get(name)
        return float(label) if NUMBER.fullmatch(label) else None


def plain(label: str, kind: MarkKind) -> str:
    """Return the name of a category: '4' for '4.0' among numbers, 'true' for 'True' among booleans."""
    if kind == "booleans":
        return label.lower()
    if kind == "numbers" and NUMBER.fullmatch(label):
        return name_of(float(label)) or label
    return label


def find_scale(counts: Mapping[str, int], declared: Sequence[str] = ()) -> MarkScale:
    """Return the scale of labels that were counted, or the declared one, whose categories are in order.

    InvalidInput where fewer than two categories, or one twice, are declared.
    """
    if declared:
        return _declared(declared)
    numbers = sum(count for label, count in counts.items() if NUMBER.fullmatch(label))
    if numbers and numbers >= (1.0 - STRAY) * sum(counts.values()):
        found = np.unique([float(label) for label in counts if NUMBER.fullmatch(label)])
        return MarkScale("numbers", {_name(value): value for value in _grid(found)}, ordered=True)
    if {label.lower() for label in counts} <= {"true", "false"}:
        return MarkScale("booleans", {"false": 0.0, "true": 1.0}, ordered=True)
    names = sorted(counts)
    return MarkScale("names", {name: float(place) for place, name in enumerate(names)}, ordered=False)


def between(low: float, high: float) -> MarkScale:
    """Return the scale of whole numbers from the lowest to the highest mark of a grader."""
    values = np.arange(low, high + 1.0).tolist()
    return MarkScale("numbers", {_name(value): value for value in values}, ordered=True, declared=True)


def _declared(given: Sequence[str]) -> MarkScale:
    kind: MarkKind = "numbers" if all(NUMBER.fullmatch(label) for label in given) else "names"
    names = [plain(label, kind) for label in given]
    if len(names) < 2 or len(set(names)) < len(names):
        raise InvalidInput(
            f"the categories {', '.join(given)!r} are too few, or one stands twice: give two or more"
        )
    values = [float(name) for name in names] if kind == "numbers" else [float(at) for at in range(len(names))]
    return MarkScale(kind, dict(zip(names, values, strict=True)), ordered=True, declared=True)


def _grid(found: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> list[float]:
    """Return the steps of a scale on which these marks stand, those that nobody gave included.

    Empty for a measurement. Weights of kappa need equal steps.
    """
    if len(found) < 2:
        return [float(value) for value in found]
    step = float(np.diff(found).min())
    places = (found - found[0]) / step
    if places[-1] < MOST and np.allclose(places, np.rint(places), atol=1e-6):
        steps = [float(found[0]) + step * place for place in range(round(float(places[-1])) + 1)]
        return [float(round(value, 9)) for value in steps]
    return [float(value) for value in found] if len(found) <= MOST else []


def _name(value: float) -> str:
    return name_of(value) or repr(value)
