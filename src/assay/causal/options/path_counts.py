"""Answers that count open paths: four consecutive numbers, whatever the graph."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from assay.causal.draft import Answer, Kind, right, wrong
from assay.causal.proof.proof import Claim
from assay.causal.queries import PathCount, Paths
from assay.causal.scm import Dag
from assay.causal.search.sketch import Sketch


def numbered(
    world: Dag, ends: tuple[str, str], given: Sequence[str], low: int, place: int
) -> tuple[Answer, ...] | None:
    """Return the answers `low` to `low + 3` if `low + place` paths between the ends are open; None if not."""
    sketch = Sketch(world)
    every = list(sketch.paths(*ends))
    key = sum(sketch.open(path, given) for path in every)
    if key != low + place:
        return None
    asked = PathCount(*ends, Paths.OPEN, tuple(given))
    answers = []
    for value in range(low, low + 4):
        claim = Claim(asked, Fraction(value))
        if value == key:
            why = f"Of {len(every)} paths, {key} have no blocked non-collider and no closed collider."
            answers.append(right(str(value), claim, why=why))
            continue
        kind, reason = _miscounted(value, key)
        answers.append(wrong(kind, str(value), claim, why=f"{key} of {len(every)} are open: {reason}"))
    return tuple(answers)


def _miscounted(value: int, key: int) -> tuple[Kind, str]:
    if value < key - 1:
        return Kind.REFLEX, "conditioning on a collider, or on what it leads to, opens paths as well."
    if value < key:
        return Kind.PARTIAL, "one open path is overlooked."
    if value == key + 1:
        return Kind.MISAPPLIED, "a path is counted that what is held fixed closes."
    return Kind.REVERSED, "paths are counted that what is held fixed closes, or a collider leaves closed."
