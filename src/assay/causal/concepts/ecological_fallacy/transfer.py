"""Transfer: graphs with a group node. Which pair does the group free, and how many paths are open?"""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

from assay.causal.concepts.ecological_fallacy.scenes import Scene
from assay.causal.draft import Draft, Kind, right, wrong
from assay.causal.draws import graph, until
from assay.causal.options.graded import graded
from assay.causal.options.path_counts import numbered
from assay.causal.proof.proof import Claim
from assay.causal.queries import PathCount, Paths, Separated
from assay.causal.scm import Dag
from assay.causal.search.sketch import Sketch
from assay.causal.wording.graphs import arrows

PAIRS = (
    "G is the group to which a unit belongs; the others are traits of units: {arrows}. Between groups, "
    "averages of many traits go together. Within groups, that is given G and nothing else, exactly one of "
    "these pairs must be uncorrelated. Which?",
    "Averages per group suggest that everything is related to everything. In truth: {arrows} (G, the group, "
    "is among the nodes). Name the pair of traits that the graph makes independent inside every single "
    "group.",
    "Which of the pairs is d-separated by {{G}}, where G stands for group membership in\n\n{arrows}?",
)
COUNTS = (
    "Units are nested in groups G; structure: {arrows}. Somebody pools the units of all groups, ignoring G. "
    "Count the open paths between {x} and {y}, directed or not.",
    "{arrows}\n\nG is the unit's group. A comparison of {x} and {y} is made inside groups, G being the only "
    "thing held constant. How many open paths join {x} and {y}?",
)


def transfer(rng: random.Random, scene: Scene) -> Draft:
    """Draw the form, the options and the target's place; then graphs, until that one is right."""
    names = rng.sample("ABCDEFHJKLMNPQRSTUVW", 5)
    place = rng.randrange(4)
    if rng.random() < 0.5:
        low = rng.randrange(2)
        return graded(rng, lambda: _count(rng, names, low, place), 0.35)
    pairs = rng.sample(list(itertools.combinations(sorted(names), 2)), 4)
    number = rng.randrange(len(PAIRS))
    return until(lambda: _pair(rng, names, pairs, place, number))


def _drawn(rng: random.Random, names: list[str]) -> Dag | None:
    """Draw a graph in which the group has effects and every variable an arrow."""
    world = graph(rng, ["G", *names], 0.45)
    linked = set(itertools.chain(*world.edges))
    fits = linked == set(world.names) and any("G" in causes for causes in world.parents.values())
    return world if fits else None


def _pair(
    rng: random.Random, names: list[str], pairs: Sequence[tuple[str, str]], place: int, number: int
) -> Draft | None:
    world = _drawn(rng, names)
    if world is None:
        return None
    sketch = Sketch(world)
    if any(sketch.separated(*pair, ("G",)) != (at == place) for at, pair in enumerate(pairs)):
        return None
    if sketch.separated(*pairs[place], ()):
        return None
    answers = []
    for at, (one, other) in enumerate(pairs):
        text, claim = f"{one} and {other}", Claim(Separated(one, other, ("G",)), True)
        if at == place:
            answers.append(right(text, claim, why=f"Given G, no path between {one} and {other} is open."))
            continue
        if sketch.separated(one, other, ()):
            kind, why = (
                Kind.REVERSED,
                "they are independent until G, a collider's consequence or collider, is given.",
            )
        elif (one, other) in world.edges or (other, one) in world.edges:
            kind, why = Kind.REFLEX, "one causes the other directly."
        elif any(name == "G" for path in sketch.paths(one, other) for name in path):
            kind, why = Kind.PARTIAL, "the group accounts for some of the paths, not for all."
        else:
            kind, why = Kind.MISAPPLIED, "the group is on none of the paths that join them."
        answers.append(wrong(kind, text, claim, why=f"{one} and {other} stay dependent given G: {why}"))
    stem = PAIRS[number].format(arrows=arrows(world, rng))
    template = f"ecological-fallacy/transfer/{number}"
    return Draft(world, stem, tuple(answers), template, "formal", f"pair place={place}")


def _count(rng: random.Random, names: list[str], low: int, place: int) -> Draft | None:
    number = rng.randrange(len(COUNTS))
    world = _drawn(rng, names)
    if world is None:
        return None
    x, y = names[:2]
    given = ("G",) if number else ()
    answers = numbered(world, (x, y), given, low, place)
    if answers is None:
        return None
    stem = COUNTS[number].format(arrows=arrows(world, rng), x=x, y=y)
    template = f"ecological-fallacy/transfer/{len(PAIRS) + number}"
    shown = (("paths in all", PathCount(x, y, Paths.ALL)),)
    return Draft(world, stem, answers, template, "formal", f"count place={place}", shown)
