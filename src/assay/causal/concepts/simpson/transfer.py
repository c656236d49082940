"""Transfer: which strata show the effect, and along how many paths a stratified comparison still carries."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

from assay.causal.concepts.simpson.scenes import Scene
from assay.causal.draft import Draft, Kind, right, wrong
from assay.causal.draws import graph, until
from assay.causal.options.graded import graded
from assay.causal.options.path_counts import numbered
from assay.causal.proof.proof import Claim
from assay.causal.queries import PathCount, Paths, ValidAdjustment
from assay.causal.scm import Dag
from assay.causal.search.sketch import Sketch
from assay.causal.wording.graphs import arrows, braces

SETS = (
    "The sign of the association between {x} and {y} depends on what one stratifies by. True structure: "
    "{arrows}. By which of these sets should one stratify, averaging over its marginal distribution, to "
    "obtain the total effect of {x} on {y}?",
    "{arrows}\n\nSome stratified tables of {y} against {x} contradict the aggregated one, and each other. "
    "One of the sets below yields strata in which the comparison is causal, given this graph and no matter "
    "what the probabilities are. Which?",
    "Given the graph with arrows {arrows}, determine the set over which standardising P({y} | {x}, ·) "
    "produces P({y} | do({x})).",
)
COUNTS = (
    "In {arrows} the data are split by {given}. Within the strata so formed, how many paths (directed ones "
    "included) connect {x} and {y} openly?",
    "A table of {y} by {x} is to be broken down by {given}. The structure behind it:\n\n{arrows}\n\nThe "
    "association seen in the pieces is the sum of what comes along open paths between {x} and {y}. How many "
    "such paths are there?",
)


def transfer(rng: random.Random, scene: Scene) -> Draft:
    """Draw the form, the options and the target's place; then graphs, until that one is right."""
    names = rng.sample("ABCDEFGHJKLMNQRSTUVW", 6)
    x, y, rest = names[0], names[1], names[2:]
    place = rng.randrange(4)
    if rng.random() < 0.5:
        low, number = rng.randrange(1, 3), rng.randrange(len(COUNTS))
        return graded(rng, lambda: _count(rng, (x, y), rest, low, place, number), 0.6)
    pairs = rng.sample(list(itertools.combinations(sorted(rest), 2)), 4)
    number = rng.randrange(len(SETS))
    return until(lambda: _set(rng, (x, y), rest, pairs, place, number))


def _drawn(rng: random.Random, x: str, y: str, rest: list[str]) -> Dag | None:
    world = graph(rng, [x, y, *rest], 0.55)
    linked = set(itertools.chain(*world.edges))
    return world if linked == set(world.names) and Sketch(world).causes(x, y) else None


def _set(
    rng: random.Random,
    ends: tuple[str, str],
    rest: list[str],
    pairs: Sequence[tuple[str, str]],
    place: int,
    number: int,
) -> Draft | None:
    x, y = ends
    world = _drawn(rng, x, y, rest)
    if world is None:
        return None
    sketch = Sketch(world)
    if any(sketch.valid(x, y, pair) != (at == place) for at, pair in enumerate(pairs)):
        return None
    answers = []
    for at, pair in enumerate(pairs):
        text, claim = braces(pair), Claim(ValidAdjustment((x,), y, pair), True)
        if at == place:
            why = f"{text} holds no consequence on a causal path and blocks every back-door path."
            answers.append(right(text, claim, why=why))
            continue
        after = [name for name in pair if sketch.causes(x, name)]
        left = sum(
            sketch.open(path, pair)
            for path in sketch.paths(x, y, backdoor=True)
            if path[1] in world.parents[x]
        )
        if not after:
            kind = Kind.PARTIAL if left == 1 else Kind.REFLEX
        else:
            kind = Kind.REVERSED if len(after) == 2 else Kind.MISAPPLIED
        why = f"Back-door paths left open: {left}; affected by {x}: {', '.join(after) or 'none'}."
        answers.append(wrong(kind, text, claim, why=why))
    stem = SETS[number].format(arrows=arrows(world, rng), x=x, y=y)
    template = f"simpson/transfer/{number}"
    return Draft(world, stem, tuple(answers), template, "formal", f"set place={place}")


def _count(
    rng: random.Random, ends: tuple[str, str], rest: list[str], low: int, place: int, number: int
) -> Draft | None:
    x, y = ends
    world = _drawn(rng, x, y, rest)
    if world is None:
        return None
    given = tuple(sorted(rng.sample(rest, rng.choice((1, 2)))))
    answers = numbered(world, ends, given, low, place)
    if answers is None:
        return None
    stem = COUNTS[number].format(arrows=arrows(world, rng), x=x, y=y, given=braces(given))
    template = f"simpson/transfer/{len(SETS) + number}"
    shown = (("paths in all", PathCount(x, y, Paths.ALL)),)
    return Draft(world, stem, answers, template, "formal", f"count place={place}", shown)
