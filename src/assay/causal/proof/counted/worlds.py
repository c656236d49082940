"""A population of units, each with its own disturbances, and what becomes of it in one or several worlds.

Every variable has one disturbance, drawn once for a unit and kept in all of that unit's worlds: that is what
makes the worlds comparable. A disturbance is a whole number below the variable's denominator; the level is
found by walking up the row of the parents' levels until the disturbance is passed. All weights are whole
numbers, so counting is exact.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assay.causal.scm import Scm, Variable

World = dict[str, int]


@dataclass(frozen=True, slots=True)
class Setting:
    """What is set in a world: levels, and variables that copy the level they have in an earlier world."""

    levels: Mapping[str, int]
    copied: Mapping[str, int]


ACTUAL = Setting({}, {})


def population(scm: Scm, settings: Sequence[Setting]) -> list[tuple[int, tuple[World, ...]]]:
    """Return all kinds of units with their weights, each as its levels in every world, in order.

    Units that agree in all worlds so far are carried together, so that few kinds remain.
    """
    units: list[tuple[int, tuple[World, ...]]] = [(1, tuple({} for _ in settings))]
    for variable in scm.variables:
        common = math.lcm(*(chance.denominator for row in variable.table.values() for chance in row))
        grown: list[tuple[int, tuple[World, ...]]] = []
        for weight, worlds in units:
            rows = [_row(variable, common, world) for world in worlds]
            marks = sorted({0, common}.union(*(set(row) for row in rows)))
            alike: dict[tuple[int, ...], int] = {}
            for low, high in itertools.pairwise(marks):
                kind = _levels(variable.name, low, rows, settings)
                alike[kind] = alike.get(kind, 0) + high - low
            for kind, size in alike.items():
                after = tuple({**w, variable.name: lv} for w, lv in zip(worlds, kind, strict=True))
                grown.append((weight * size, after))
        units = grown
    return units


def _row(variable: Variable, common: int, world: World) -> list[int]:
    """Return the upper end of each level's stretch of disturbances, given the parents in this world."""
    row = variable.table[tuple(world[parent] for parent in variable.parents)]
    ends, end = [], 0
    for chance in row:
        end += chance.numerator * (common // chance.denominator)
        ends.append(end)
    return ends


def _levels(
    name: str, disturbance: int, rows: Sequence[list[int]], settings: Sequence[Setting]
) -> tuple[int, ...]:
    """Return the level in each world of a variable with this disturbance."""
    levels: list[int] = []
    for row, setting in zip(rows, settings, strict=True):
        if name in setting.copied:
            levels.append(levels[setting.copied[name]])
        elif name in setting.levels:
            levels.append(setting.levels[name])
        else:
            levels.append(next(place for place, end in enumerate(row) if disturbance < end))
    return tuple(levels)


def agrees(world: World, levels: Mapping[str, int]) -> bool:
    """Return whether a unit has these levels in a world."""
    return all(world[name] == level for name, level in levels.items())
