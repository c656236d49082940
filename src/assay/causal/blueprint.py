"""Blueprints: which questions a form is to hold, before anything is drawn."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from assay.causal.draws import cycle
from assay.causal.item import Variant
from assay.causal.numbers.recipe import Recipe
from assay.causal.stories.concept import Concept
from assay.core.case import LEVELS, RUNGS, TwinKind
from assay.core.errors import InvalidInput

BUNDLED = (
    "adjustment_sets",
    "collider_selection",
    "confounding",
    "ecological_fallacy",
    "external_validity",
    "front_door",
    "immortal_time",
    "instruments",
    "interference",
    "m_bias",
    "measurement_error",
    "mediation",
    "mediators",
    "missing_data",
    "regression_to_the_mean",
    "selection_attrition",
    "simpson",
    "survivorship",
    "time_varying_confounding",
    "transportability",
)
"""The twenty concepts of seed 002."""
BUNDLES_LEVEL = 2
"""The level of all questions of a form of bundles."""
SHARES = {Variant.BASE: 20, Variant.TRAP: 16, Variant.ANALYST: 16, Variant.TRANSFER: 16, Variant.NUMERIC: 32}
"""Questions of each variant among 100 of a ladder."""
COUNTERFACTUAL = Fraction(26, 32)
"""Share of a ladder's numeric questions that are counterfactual, so that at least a quarter of it is."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A place in a form: what is to be drawn there. `rungs` are those that the question may stand on."""

    id: str
    concept: str
    variant: Variant
    level: int
    rungs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TwinCell:
    """A place for a twin of a question; an undeterminable twin shares only its concept and level."""

    id: str
    kind: TwinKind
    of: Cell


def shown(concept: str) -> str:
    """Return a concept's name as forms write it, such as `front-door`."""
    return concept.replace("_", "-")


def bundles(concepts: Iterable[str]) -> tuple[Cell, ...]:
    """Return the places of a form of bundles: each concept in all five variants, at one level (seed 002)."""
    listed = sorted(concepts)
    return tuple(
        Cell(f"{shown(name)}-{variant.value}", name, variant, BUNDLES_LEVEL, RUNGS)
        for variant in Variant
        for name in listed
    )


def ladder(
    seed: str,
    concepts: Mapping[str, Concept],
    recipes: Mapping[str, Recipe],
    *,
    size: int = 100,
    levels: Sequence[int] = LEVELS,
    rungs: Sequence[str] = RUNGS,
) -> tuple[Cell, ...]:
    """Return the places of a ladder: variants in their shares, levels and concepts as evenly as they go.

    Variants without questions on the rungs asked for are left out. InvalidInput where all are.
    """
    rng = random.Random(f"{seed}/blueprint")
    named = [name for name, each in concepts.items() if _on_rungs(each, rungs)]
    counted = {
        place: names for place in itertools.product(rungs, levels) if (names := _recipes_on(recipes, *place))
    }
    told, order = cycle(rng, named), rng.sample(list(recipes), len(recipes))
    numbers: Counter[str] = Counter()
    numeric = all(any((rung, level) in counted for rung in rungs) for level in levels)
    shares = {
        variant: share
        for variant, share in SHARES.items()
        if (numeric if variant is Variant.NUMERIC else named)
    }
    if not shares:
        raise InvalidInput(f"no concept has questions on the rungs {', '.join(rungs)}: ask for others")
    cells: list[Cell] = []
    seen: Counter[str] = Counter()
    for variant, count in _counts(size, shares).items():
        for number in range(count):
            level = levels[number % len(levels)]
            wanted = tuple(rungs)
            if variant is Variant.NUMERIC:
                rung = _rung(number, [each for each in rungs if (each, level) in counted])
                name = min(counted[rung, level], key=lambda each: (numbers[each], order.index(each)))
                numbers[name] += 1
                wanted = (rung,)
            else:
                name = next(told)
            place = f"{shown(name)}-{variant.value}-{level}"
            seen[place] += 1
            suffix = f"-{seen[place]}" if seen[place] > 1 else ""
            cells.append(Cell(place + suffix, name, variant, level, wanted))
    return tuple(cells)


def _counts(size: int, shares: Mapping[Variant, int]) -> dict[Variant, int]:
    """Return how many questions of each variant a form has: whole shares, then by the largest remainder."""
    whole = sum(shares.values())
    counts = {variant: size * share // whole for variant, share in shares.items()}
    by_rest = sorted(shares, key=lambda variant: -(size * shares[variant] % whole))
    for variant in by_rest[: size - sum(counts.values())]:
        counts[variant] += 1
    return counts


def _on_rungs(concept: Concept, rungs: Sequence[str]) -> bool:
    return any(claim.rung in rungs for claim in concept.claims)


def _recipes_on(recipes: Mapping[str, Recipe], rung: str, level: int) -> list[str]:
    """Return the recipes that ask for something on a rung at a level."""
    found = []
    for name, recipe in recipes.items():
        asks = {ask for task in recipe.tasks if level in task.levels for ask in task.asks}
        if any(recipe.rung_of(ask) == rung for ask in asks):
            found.append(name)
    return found


def _rung(number: int, possible: Sequence[str]) -> str:
    """Return the rung of a numeric question, mostly counterfactual."""
    others = [rung for rung in possible if rung != "counterfactual"]
    counted = int((number + 1) * COUNTERFACTUAL) > int(number * COUNTERFACTUAL)
    if len(others) < len(possible) and (not others or counted):
        return "counterfactual"
    return others[number % len(others)]
