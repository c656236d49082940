"""Transfer: how many sets are valid, which one is minimal, which variable can no valid set do without?"""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from fractions import Fraction

from assay.causal.draft import Answer, Draft, Kind, right, wrong
from assay.causal.draws import graph, until
from assay.causal.proof.proof import Claim
from assay.causal.queries import MinimalAdjustment, ValidAdjustment, ValidSets
from assay.causal.search.sketch import Sketch
from assay.causal.wording.graphs import arrows, braces

LETTERS = "ABCDEFGHJKLMNPQRSTVW"
Sets = list[tuple[str, ...]]
COUNTING = (
    "In the graph {arrows}, treatment is {x} and outcome is {y}. Consider the sixteen subsets of the other "
    "four variables, ∅ included. How many of them are valid for estimating the total effect by covariate "
    "adjustment? (Valid is what makes the adjustment formula hold, be its members effects of {x} or not.)",
    "Write down every set S drawn from the covariates of {arrows} (that is, from all variables but {x} and "
    "{y}; S may be empty) such that the adjustment formula with S yields the total effect of {x} on {y}, no "
    "matter on which side of {x} the members of S lie. How long is the list?",
)
MINIMAL = (
    "Take {arrows}. A set is called minimal if it identifies the total effect of {x} on {y} by adjustment "
    "while none of its proper subsets does. Which of the following sets is minimal?",
    "For the effect of {x} on {y} in {arrows}, a colleague wants a valid adjustment set from which no "
    "element could be dropped without losing validity. Which of the four fits this description?",
)
NEEDED = (
    "All variables of {arrows} can be measured, at a price. To identify the total effect of {x} on {y} by "
    "adjustment, one may choose between several sets. One variable, however, belongs to each of the valid "
    "ones. Which?",
    "The sensor for one of the covariates in {arrows} is about to fail. If it is a certain one, no "
    "adjustment set for the total effect of {x} on {y} will be left; if it is any other, at least one will. "
    "What is the certain one?",
)


def transfer(rng: random.Random, scene: object) -> Draft:
    """Draw a question on counts, on minimal sets, or on what is needed."""
    number = rng.randrange(6)
    return (_count, _minimal, _needed)[number // 2](rng, number)


def _count(rng: random.Random, number: int) -> Draft:
    low, target, names = rng.randint(1, 5), rng.randrange(4), rng.sample(LETTERS, 6)
    x, y, *rest = names
    subsets = _subsets(rest)

    def attempt() -> Draft | None:
        world = graph(rng, names, 0.45)
        sketch = Sketch(world)
        if sketch.lonely or not sketch.causes(x, y) or sketch.separated(x, y, (), backdoor=True):
            return None
        valid = [over for over in subsets if sketch.valid(x, y, over)]
        if len(valid) != low + target:
            return None
        least = [over for over in valid if not any(set(other) < set(over) for other in valid)]
        before = 2 ** sum(not sketch.causes(x, name) for name in rest)
        answers = tuple(_counted(x, y, low + place, low + target, len(least), before) for place in range(4))
        stem = COUNTING[number].format(arrows=arrows(world, rng), x=x, y=y)
        name = f"adjustment-sets/transfer/{number}"
        terms = (("minimal sets", ValidSets(x, y, minimal=True)),)
        return Draft(world, stem, answers, name, "formal", f"count={low + target}", terms)

    return until(attempt)


def _counted(x: str, y: str, count: int, key: int, least: int, before: int) -> Answer:
    claim = Claim(ValidSets(x, y), Fraction(count))
    if count == key:
        return right(str(count), claim, why=f"{count} sets are valid, {least} of them minimal.")
    if count == least:
        return wrong(Kind.PARTIAL, str(count), claim, why=f"So many are minimal, but {key} are valid.")
    if count == before:
        why = f"So many avoid all effects of {x}, but {key} are valid."
        return wrong(Kind.REFLEX, str(count), claim, why=why)
    kind = Kind.MISAPPLIED if count < key else Kind.REVERSED
    fault = "This leaves out valid sets" if count < key else "This counts sets that are not valid"
    return wrong(kind, str(count), claim, why=f"{fault}: {key} are valid.")


def _minimal(rng: random.Random, number: int) -> Draft:
    target, names = rng.randrange(4), rng.sample(LETTERS, 6)
    x, y, *rest = names
    sets = rng.sample([over for over in _subsets(rest) if 1 <= len(over) <= 3], 4)

    def attempt() -> Draft | None:
        world = graph(rng, names, 0.5)
        sketch = Sketch(world)
        if sketch.lonely or not sketch.causes(x, y) or sketch.separated(x, y, (), backdoor=True):
            return None
        valid = [sketch.valid(x, y, over) for over in sets]
        least = [
            good and not any(sketch.valid(x, y, part) for part in _subsets(over)[:-1])
            for over, good in zip(sets, valid, strict=True)
        ]
        if least != [place == target for place in range(4)]:
            return None
        answers = tuple(
            _candidate(sketch, x, y, over, key=place == target, valid=valid[place])
            for place, over in enumerate(sets)
        )
        stem = MINIMAL[number - 2].format(arrows=arrows(world, rng), x=x, y=y)
        return Draft(world, stem, answers, f"adjustment-sets/transfer/{number}", "formal", f"set={target}")

    return until(attempt, 20_000)


def _candidate(sketch: Sketch, x: str, y: str, over: tuple[str, ...], *, key: bool, valid: bool) -> Answer:
    text, claim = braces(over), Claim(MinimalAdjustment((x,), y, over), True)
    if key:
        return right(text, claim, why=f"{text} is valid, and no part of it is.")
    if valid:
        return wrong(Kind.PARTIAL, text, claim, why=f"{text} is valid, but so is a part of it.")
    if any(sketch.causes(x, name) for name in over):
        return wrong(Kind.REVERSED, text, claim, why=f"{text} is not valid; it holds an effect of {x}.")
    if sketch.parents[x] & set(over):
        return wrong(Kind.REFLEX, text, claim, why=f"{text} is not valid, though it holds a cause of {x}.")
    return wrong(Kind.MISAPPLIED, text, claim, why=f"{text} is not valid: it leaves a path open.")


def _needed(rng: random.Random, number: int) -> Draft:
    target, names = rng.randrange(4), rng.sample(LETTERS, 6)
    x, y, *rest = names
    offered = sorted(rest)

    def attempt() -> Draft | None:
        world = graph(rng, names, 0.5)
        sketch = Sketch(world)
        if sketch.lonely or not sketch.causes(x, y) or sketch.separated(x, y, (), backdoor=True):
            return None
        valid = [set(over) for over in _subsets(rest) if sketch.valid(x, y, over)]
        needed = [all(name in over for over in valid) for name in offered]
        if len(valid) < 2 or needed != [place == target for place in range(4)]:
            return None
        answers = tuple(_variable(sketch, x, y, name, rest, valid) for name in offered)
        stem = NEEDED[number - 4].format(arrows=arrows(world, rng), x=x, y=y)
        return Draft(world, stem, answers, f"adjustment-sets/transfer/{number}", "formal", f"needed={target}")

    return until(attempt, 20_000)


def _variable(
    sketch: Sketch, x: str, y: str, name: str, rest: Sequence[str], valid: Sequence[set[str]]
) -> Answer:
    without = _subsets([other for other in rest if other != name])
    claims = tuple(Claim(ValidAdjustment((x,), y, over), False) for over in without)
    spare = [over for over in valid if name not in over]
    if not spare:
        return right(name, *claims, why=f"Each of the {len(valid)} valid sets holds {name}.")
    why = f"{braces(spare[0])} is valid without {name}."
    if sketch.causes(x, name):
        return wrong(Kind.REVERSED, name, *claims, why=why)
    if name in sketch.parents[x]:
        return wrong(Kind.REFLEX, name, *claims, why=why)
    return wrong(Kind.PARTIAL if name in sketch.parents[y] else Kind.MISAPPLIED, name, *claims, why=why)


def _subsets(names: Sequence[str]) -> Sets:
    """Return all subsets, small ones first, each sorted."""
    ordered = sorted(names)
    return [over for size in range(len(ordered) + 1) for over in itertools.combinations(ordered, size)]
