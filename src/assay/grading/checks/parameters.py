"""What is wrong with the parameters that a suite gives to an auto-check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.core.case import GraderSpec
from assay.grading.constraint_kinds.kind import Parameter
from assay.grading.text import pattern


def faults(
    spec: GraderSpec,
    known: Sequence[Parameter],
    *,
    patterns: Sequence[str] = (),
    also: Sequence[str] = (),
) -> list[str]:
    """Return what is wrong with the parameters of one spec.

    `known` are checked by their shapes. `patterns` names those among them that are lists of regular
    expressions; one that could run for ever is refused. `also` names what the check looks at itself.
    """
    given = spec.parameters
    names = sorted({*(each.name for each in known), *also})
    found = [
        f"unknown parameter {name!r}: write one of {', '.join(names)}"
        for name in sorted(set(given) - {*names})
    ]
    found += [wrong for each in known if (wrong := each.problem(given)) is not None]
    for name in patterns:
        listed = given.get(name)
        if isinstance(listed, list | tuple):
            found += [
                f"{name}: {wrong}" for source in listed if (wrong := pattern.problem(source)) is not None
            ]
    return found


def one_of(given: Mapping[str, Any], *names: str) -> list[str]:
    """Return a fault when none of these parameters is given."""
    if any(name in given for name in names):
        return []
    return [f"nothing to check: give at least one of {', '.join(names)}"]


def in_order(given: Mapping[str, Any], least: str, most: str) -> list[str]:
    """Return a fault when the lower limit is above the upper one."""
    low, high = given.get(least), given.get(most)
    if isinstance(low, int) and isinstance(high, int) and low > high:
        return [f"{least} {low} is above {most} {high}"]
    return []


def amount(given: Mapping[str, Any], name: str, least: float, most: float) -> list[str]:
    """Return a fault when an optional number is no number or outside its limits."""
    value = given.get(name, least)
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        return [f"{name} is {value!r}: write a number from {least:g} to {most:g}"]
    return []
