"""Transfer: what a selection on one reading of a hidden quantity leaves joined, and what separates two
readings."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass

from assay.causal.concepts.regression_to_the_mean.scenes import Scene
from assay.causal.draft import Answer, Draft, Kind, right, wrong
from assay.causal.draws import until
from assay.causal.proof.proof import Claim
from assay.causal.queries import Separated
from assay.causal.scm import Dag
from assay.causal.search.sketch import Sketch
from assay.causal.wording.graphs import arrows, braces

LETTERS = "BCDEFGHJKLMNPQRSTVWZ"
Asked = tuple[str, str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Words:
    """One wording; `pairs` tells questions about pairs under one selection from questions about sets."""

    stem: str
    option: str
    pairs: bool


WORDINGS = (
    Words(
        "Units enter a data set by their value of {s}. The process that made all values, including {u}, "
        "which was never read, "
        "is {arrows}. Among units with one and the same value of {s}, one of the pairs below is "
        "independent in every "
        "distribution with this structure. Which pair?",
        "{a} with {b}",
        True,
    ),
    Words(
        "First reading: {a}. Second reading: {b}. They agree more than chance would have it, and so "
        "whoever is extreme in {a} "
        "is somewhat extreme in {b}. In the system {arrows}, with what held constant would {a} say nothing "
        "more about {b}? "
        "One set does it.",
        "{s}",
        False,
    ),
    Words(
        "Only cases with an extreme {s} are kept. For the diagram\n{arrows}\nsay which two variables are "
        "d-separated by {s} alone "
        "({u} has not been recorded, which makes no difference to the question).",
        "{a} and {b}",
        True,
    ),
    Words(
        "Regression from {a} to {b} would be complete, that is, the best forecast of {b} would not use {a} "
        "at all, after "
        "conditioning on a suitable set. Structure: {arrows}. Of the following sets exactly one is "
        "suitable whatever the "
        "coefficients. Find it.",
        "Condition on {s}",
        False,
    ),
)


def transfer(rng: random.Random, scene: Scene) -> Draft:
    """Lay out four pairs or four sets, then seek a graph in which the intended one alone is separated."""
    number, place = rng.randrange(len(WORDINGS)), rng.randrange(4)
    words = WORDINGS[number]
    names = rng.sample(LETTERS, 7)
    u, s, *rest = names
    if words.pairs:
        pairs = rng.sample(list(itertools.combinations(rest, 2)), 4)
        options: list[Asked] = [(*rng.sample(pair, 2), (s,)) for pair in pairs]  # type: ignore[misc]
    else:
        options = _sets(rng, names)
    a, b, _ = options[0]
    world = until(lambda: _graph(rng, names, u, options, place))
    stem = words.stem.format(arrows=arrows(world, rng), u=u, s=s, a=a, b=b)
    answers = tuple(_answer(words, world, each, each == options[place]) for each in options)
    return Draft(
        world, stem, answers, f"regression-to-the-mean/transfer/{number}", "formal", f"place {place}"
    )


def _sets(rng: random.Random, names: list[str]) -> list[Asked]:
    a, b, *others = rng.sample(names, len(names))
    sets = list(itertools.combinations(sorted(others), rng.choice((1, 2))))
    return [(a, b, over) for over in rng.sample(sets, 4)]


def _graph(rng: random.Random, names: list[str], u: str, options: list[Asked], place: int) -> Dag | None:
    order = [u, *rng.sample(names[1:], len(names) - 1)]
    parents = {n: tuple(c for c in order[:at] if rng.random() < 0.36) for at, n in enumerate(order)}
    drawn = Dag(parents, frozenset({u}))
    if {n for edge in drawn.edges for n in edge} != set(names):
        return None
    sketch = Sketch(drawn)
    if sketch.separated(options[place][0], options[place][1], ()) and rng.random() < 0.8:
        return None
    return (
        drawn if [sketch.separated(*each) for each in options] == [at == place for at in range(4)] else None
    )


def _answer(words: Words, world: Dag, asked: Asked, key: bool) -> Answer:
    a, b, over = asked
    text = words.option.format(a=a, b=b, s=braces(over))
    claim, held = Claim(Separated(a, b, over), True), braces(over)
    if key:
        return right(text, claim, why=f"Given {held}, no path between {a} and {b} is open.")
    sketch = Sketch(world)
    if sketch.separated(a, b, ()):
        return wrong(
            Kind.REFLEX,
            text,
            claim,
            why=f"Independent at first, but {held} opens a path between {a} and {b}.",
        )
    if sketch.causes(a, b) or sketch.causes(b, a):
        kind = Kind.REVERSED if words.pairs else Kind.PARTIAL
        return wrong(kind, text, claim, why=f"A path between {a} and {b} stays open given {held}.")
    return wrong(
        Kind.MISAPPLIED, text, claim, why=f"A path by a shared cause of {a} and {b} stays open given {held}."
    )
