"""Transfer: selection diagrams. Which set carries the effects over, and along how many paths S reaches Y."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

from assay.causal.concepts.transportability.scenes import Scene
from assay.causal.draft import Draft, Kind, right, wrong
from assay.causal.draws import graph, until
from assay.causal.options.graded import graded
from assay.causal.options.path_counts import numbered
from assay.causal.proof.proof import Claim
from assay.causal.queries import PathCount, Paths, Separated
from assay.causal.scm import Dag
from assay.causal.search.sketch import Sketch
from assay.causal.wording.graphs import arrows, braces

SETS = (
    "In the selection diagram {arrows}, the square node S marks where a randomised source population and a "
    "target population may differ; {x} is the treatment, {y} the outcome. For which of these sets W does "
    "the graph alone guarantee that S ⊥ {y} | {x}, W, so that what the source says about {y} given {x} and "
    "W can be taken over?",
    "Two populations share the graph {arrows}. S is no variable of theirs: its arrows point at the "
    "mechanisms that need not be the same in both. Given {x} (assigned by chance) and one of the sets "
    "below, the distribution of {y} must be guaranteed to be the same in both populations. Which set "
    "achieves this?",
)
COUNTS = (
    "Let S point at every variable whose mechanism may change from one population to the "
    "other:\n\n{arrows}\n\nSomebody compares the distribution of {y} across populations while conditioning "
    "on {given}. Along how many paths between S and {y} (no variable twice) does a difference still get "
    "through?",
    "Diagram (S is the selection node, {x} the randomised treatment): {arrows}. Held fixed: {given}. Count "
    "the paths from S to {y} that are open under d-separation, a path visiting each variable at most once.",
)


def transfer(rng: random.Random, scene: Scene) -> Draft:
    """Draw the form, the options and the target's place; then graphs, until that one is right."""
    names = rng.sample("ABCDEFGHKLMNPQRTUVWXYZ", 6)
    x, y, rest = names[0], names[1], names[2:]
    place, counting = rng.randrange(4), rng.random() < 0.5
    number = rng.randrange(2)
    if counting:
        start = rng.randrange(2)
        return graded(rng, lambda: _count(rng, (x, y), rest, start, place, number), 0.2)
    pairs = rng.sample(list(itertools.combinations(sorted(rest), 2)), 4)
    return until(lambda: _set(rng, (x, y), rest, pairs, place, number))


def diagram(rng: random.Random, x: str, y: str, rest: list[str]) -> Dag:
    """Draw a selection diagram: S and x have no causes, y no effects; S and x point at two variables each."""
    inner = graph(rng, rest, 0.5)
    parents: dict[str, tuple[str, ...]] = {"S": (), x: ()}
    marked = set(rng.sample(rest, 2))
    moved = set(rng.sample(rest, 2))
    for name in inner.names:
        extra = tuple(cause for cause, to in (("S", marked), (x, moved)) if name in to)
        parents[name] = (*extra, *inner.parents[name])
    parents[y] = (x, *rng.sample(rest, 2))
    linked = {name for name, causes in parents.items() if causes}.union(*parents.values())
    parents[y] += tuple(name for name in rest if name not in linked)
    return Dag(parents)


def _set(
    rng: random.Random,
    ends: tuple[str, str],
    rest: list[str],
    pairs: Sequence[tuple[str, str]],
    place: int,
    number: int,
) -> Draft | None:
    x, y = ends
    world = diagram(rng, x, y, rest)
    sketch = Sketch(world)
    if any(sketch.separated("S", y, (x, *pair)) != (at == place) for at, pair in enumerate(pairs)):
        return None
    facts = [Separated("S", y, (x, *pair)) for pair in pairs]
    answers = []
    for here, (pair, fact) in enumerate(zip(pairs, facts, strict=True)):
        text = braces(pair)
        if here == place:
            why = f"Given {x} and {text}, every path between S and {y} is blocked."
            answers.append(right(text, Claim(fact, True), why=why))
            continue
        through = [name for name in pair if sketch.causes("S", name)]
        kind = Kind.PARTIAL if len(through) == 1 else Kind.REFLEX if through else Kind.REVERSED
        if any(sketch.causes(x, name) for name in pair):
            kind = Kind.MISAPPLIED
        count = sum(sketch.open(path, (x, *pair)) for path in sketch.paths("S", y))
        why = f"Given {x} and {text}, open paths between S and {y} remain: {count}."
        answers.append(wrong(kind, text, Claim(fact, True), why=why))
    stem = SETS[number].format(arrows=arrows(world, rng), x=x, y=y)
    return Draft(
        world,
        stem,
        tuple(answers),
        f"transportability/transfer/{number}",
        "formal",
        f"set place={place}",
    )


def _count(
    rng: random.Random,
    ends: tuple[str, str],
    rest: list[str],
    start: int,
    place: int,
    number: int,
) -> Draft | None:
    x, y = ends
    world = diagram(rng, x, y, rest)
    given = (x, *sorted(rng.sample(rest, rng.choice((1, 2)))))
    answers = numbered(world, ("S", y), given, start, place)
    if answers is None:
        return None
    stem = COUNTS[number].format(arrows=arrows(world, rng), x=x, y=y, given=braces(given))
    return Draft(
        world,
        stem,
        answers,
        f"transportability/transfer/{2 + number}",
        "formal",
        f"count place={place}",
        (("paths in all", PathCount("S", y, Paths.ALL)),),
    )
