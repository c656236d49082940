"""Transfer: how many back-door paths does a set leave open, or which of four sets closes them all?"""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction

from assay.causal.draft import Answer, Draft, Kind, right, wrong
from assay.causal.draws import graph, until
from assay.causal.proof.proof import Claim
from assay.causal.queries import PathCount, Paths, Term, ValidAdjustment
from assay.causal.scm import Dag
from assay.causal.search.sketch import Sketch
from assay.causal.wording.graphs import arrows, braces

LETTERS = "ABCDEFGHJKLMNPQRSTVW"
COUNTING = (
    "Let a causal diagram consist of the arrows {arrows}. A back-door path from {x} to {y} is a path that "
    "starts with an arrow into {x} and visits no variable twice. Conditioning is on {over}. Exactly how many "
    "back-door paths from {x} to {y} are open?",
    "Graph: {arrows}.\nExposure: {x}. Outcome: {y}. Held fixed: {over}.\nWhat is the number of routes that "
    "enter {x} through an arrowhead, end in {y} without repeating a variable, and are not blocked by what is "
    "held fixed?",
    "A student has drawn {arrows} and has decided to condition on {over}. To see what confounding of {x} and "
    "{y} is left she lists, one by one, the simple paths between the two whose first arrow points at {x}, "
    "and crosses out each that is d-blocked. How long is the list in the end?",
)
CHOOSING = (
    "All variables of the diagram {arrows} are measured. Exactly one of four sets, taken by itself, "
    "identifies the total effect of {x} on {y} through covariate adjustment. Which one?",
    "Given {arrows}, a regression of {y} on {x} and one of the four sets below has a coefficient that is "
    "free of bias for the total effect of {x} (say that all relations are linear, with arbitrary "
    "coefficients). Find the set.",
    "For the system {arrows}, {x} is to be intervened on and {y} observed afterwards. Three of the four sets "
    "leave non-causal association in place, add some, or remove a part of the effect; one does none of this. "
    "Select the latter.",
)


def transfer(rng: random.Random, scene: object) -> Draft:
    """Draw a question on counts or on sets."""
    return _count(rng) if rng.random() < 0.5 else _choose(rng)


def _count(rng: random.Random) -> Draft:
    number, low, target = rng.randrange(len(COUNTING)), rng.choice((0, 0, 1)), rng.randrange(4)
    names = rng.sample(LETTERS, 7)
    size = rng.choice((1, 2, 2))

    def attempt() -> Draft | None:
        world = graph(rng, names, 0.42)
        x, y = rng.sample(names, 2)
        over = tuple(sorted(rng.sample([name for name in names if name not in (x, y)], size)))
        sketch = Sketch(world)
        if not sketch.causes(x, y):
            return None
        paths = list(sketch.paths(x, y, backdoor=True))
        opened = sum(sketch.open(path, over) for path in paths)
        if opened != low + target or not opened < len(paths) < 10:
            return None
        asked = PathCount(x, y, Paths.OPEN_BACKDOOR, over)
        every = PathCount(x, y, Paths.BACKDOOR)
        stem = COUNTING[number].format(arrows=arrows(world, rng), x=x, y=y, over=braces(over))
        bare = PathCount(x, y, Paths.OPEN_BACKDOOR)
        known = {"every": len(paths), "bare": sum(sketch.open(path, ()) for path in paths)}
        answers = tuple(_counted(asked, low + place, low + target, known) for place in range(4))
        shown: tuple[tuple[str, Term], ...] = (
            ("back-door paths", every),
            ("open without conditioning", bare),
        )
        return Draft(
            world, stem, answers, f"confounding/transfer/{number}", "formal", f"count={low + target}", shown
        )

    return until(attempt)


def _counted(asked: Term, count: int, key: int, known: dict[str, int]) -> Answer:
    claim = Claim(asked, Fraction(count))
    if count == key:
        return right(str(count), claim, why=f"Back-door paths in all: {known['every']}; open: {count}.")
    if count == known["every"]:
        kind, fault = Kind.PARTIAL, "These are all back-door paths, blocked ones included."
    elif count == known["bare"]:
        kind, fault = Kind.REFLEX, "That many are open if nothing is conditioned on."
    elif count < key:
        kind, fault = Kind.MISAPPLIED, "This misses paths that are open."
    else:
        kind, fault = Kind.REVERSED, "This counts paths that are blocked."
    return wrong(kind, str(count), claim, why=f"{fault} The number of open ones is {key}.")


def _choose(rng: random.Random) -> Draft:
    number, target = rng.randrange(len(CHOOSING)), rng.randrange(4)
    names = rng.sample(LETTERS, 6)
    x, y, *rest = names
    size = rng.choice((1, 2, 2, 3))
    sets = [tuple(sorted(rng.sample(rest, size))) for _ in range(4)]
    while len(set(sets)) < 4:
        sets = [tuple(sorted(rng.sample(rest, size))) for _ in range(4)]

    def attempt() -> Draft | None:
        world = graph(rng, names, 0.5)
        sketch = Sketch(world)
        if not sketch.causes(x, y) or sketch.separated(x, y, (), backdoor=True):
            return None
        if [sketch.valid(x, y, over) for over in sets] != [place == target for place in range(4)]:
            return None
        stem = CHOOSING[number].format(arrows=arrows(world, rng), x=x, y=y)
        answers = tuple(
            _chosen(sketch, world, x, y, over, key=place == target) for place, over in enumerate(sets)
        )
        name = f"confounding/transfer/{len(COUNTING) + number}"
        return Draft(world, stem, answers, name, "formal", f"set={target}")

    return until(attempt)


def _chosen(sketch: Sketch, world: Dag, x: str, y: str, over: Sequence[str], *, key: bool) -> Answer:
    text = braces(over)
    claim = Claim(ValidAdjustment((x,), y, tuple(over)), True)
    if key:
        return right(text, claim, why=f"{text} blocks all back-door paths and leaves the causal ones alone.")
    below = [name for name in world.parents if sketch.causes(x, name)]
    way = [name for name in below if name == y or sketch.causes(name, y)]
    if spoilt := [name for name in over if any(name == node or sketch.causes(node, name) for node in way)]:
        why = f"{spoilt[0]} lies on a causal path from {x} to {y} or is affected by one that does."
        return wrong(Kind.REVERSED, text, claim, why=why)
    paths = list(sketch.paths(x, y, backdoor=True))
    open_bare, left = (sum(sketch.open(path, held) for path in paths) for held in ((), over))
    if not left:
        after = next(name for name in over if sketch.causes(x, name))
        why = f"{after} is affected by {x}; conditioning on it opens a path on which two arrows meet."
        return wrong(Kind.REVERSED, text, claim, why=why)
    why = f"Back-door paths left open: {left} (without conditioning: {open_bare})."
    if left < open_bare:
        return wrong(Kind.PARTIAL, text, claim, why=why)
    parents = set(world.parents[x]) & set(over)
    return wrong(Kind.REFLEX if parents else Kind.MISAPPLIED, text, claim, why=why)
