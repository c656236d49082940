"""Transfer: a participation node. What frees the outcome from it, and what restricting to it opens."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

from assay.causal.concepts.external_validity.scenes import Scene
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
    "Arrows: {arrows}. The node P says who of a population takes part in an experiment on {x}, and {y} is "
    "its endpoint. To speak about those who did not take part, one looks for variables such that, given {x} "
    "and them, participation tells nothing more about {y}, whatever the numbers. Which of these sets will "
    "do?",
    "Everything known about a volunteer experiment is in this graph:\n\n{arrows}\n\n{x} is assigned, P is "
    "volunteering. Results for {y} are to be generalised from volunteers to everybody within levels of {x} "
    "and of some covariates. For which choice of covariates does {y} not depend on P given these and {x}?",
    "Find the set W with P ⊥ {y} | {x}, W, where P is the indicator of being in the sample:\n{arrows}.",
)
COUNTS = (
    "Consider {arrows}. Data exist for P = 1 alone, P being participation; nothing but P is conditioned on. "
    "How many paths between {x} and {y} are open among the participants, causal ones included?",
    "A study analyses its participants as they are. In the graph {arrows}, P marks participation, {x} the "
    "treatment, {y} the outcome. Counting paths that pass no variable twice, along how many does "
    "association flow from {x} to {y} once P is fixed and nothing else?",
)


def transfer(rng: random.Random, scene: Scene) -> Draft:
    """Draw the form, the options and the target's place; then graphs, until that one is right."""
    names = rng.sample("ABCDEFGHJKLMNQRTUVW", 6)
    x, y, rest = names[0], names[1], names[2:]
    place = rng.randrange(4)
    if rng.random() < 0.5:
        low, number = rng.randrange(2), rng.randrange(len(COUNTS))
        return graded(rng, lambda: _count(rng, (x, y), rest, low, place, number), 0.2)
    pairs = rng.sample(list(itertools.combinations(sorted(rest), 2)), 4)
    number = rng.randrange(len(SETS))
    return until(lambda: _set(rng, (x, y), rest, pairs, place, number))


def _set(
    rng: random.Random,
    ends: tuple[str, str],
    rest: list[str],
    pairs: Sequence[tuple[str, str]],
    place: int,
    number: int,
) -> Draft | None:
    x, y = ends
    inner = graph(rng, rest, 0.5)
    early = set(inner.names[:3])
    parents: dict[str, tuple[str, ...]] = {x: ()}
    for name in inner.names:
        parents[name] = (*((x,) if name not in early else ()), *inner.parents[name])
    parents["P"] = tuple(sorted(rng.sample(sorted(early), 2)))
    parents[y] = (x, *sorted(rng.sample(rest, 2)))
    world = Dag(parents)
    sketch = Sketch(world)
    if any(sketch.separated("P", y, (x, *pair)) != (at == place) for at, pair in enumerate(pairs)):
        return None
    if any(not causes and name not in itertools.chain(*parents.values()) for name, causes in parents.items()):
        return None
    answers = []
    for at, pair in enumerate(pairs):
        text, claim = braces(pair), Claim(Separated("P", y, (x, *pair)), True)
        if at == place:
            answers.append(
                right(text, claim, why=f"Given {x} and {text}, all paths from P to {y} are blocked.")
            )
            continue
        count = sum(sketch.open(path, (x, *pair)) for path in sketch.paths("P", y))
        causes = sum(name in parents["P"] for name in pair)
        kind = (Kind.REVERSED, Kind.PARTIAL, Kind.REFLEX)[causes]
        if any(sketch.causes(x, name) for name in pair):
            kind = Kind.MISAPPLIED
        answers.append(wrong(kind, text, claim, why=f"Given {x} and {text}, open paths remain: {count}."))
    stem = SETS[number].format(arrows=arrows(world, rng), x=x, y=y)
    template = f"external-validity/transfer/{number}"
    return Draft(world, stem, tuple(answers), template, "formal", f"set place={place}")


def _count(
    rng: random.Random, ends: tuple[str, str], rest: list[str], low: int, place: int, number: int
) -> Draft | None:
    x, y = ends
    world = graph(rng, [x, y, "P", *rest], 0.5)
    linked = set(itertools.chain(*world.edges))
    sketch = Sketch(world)
    if linked != set(world.names) or not world.parents["P"] or not sketch.causes(x, y):
        return None
    answers = numbered(world, ends, ("P",), low, place)
    if answers is None:
        return None
    stem = COUNTS[number].format(arrows=arrows(world, rng), x=x, y=y)
    template = f"external-validity/transfer/{len(SETS) + number}"
    shown = (("paths in all", PathCount(x, y, Paths.ALL)),)
    return Draft(world, stem, answers, template, "formal", f"count place={place}", shown)
