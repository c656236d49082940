"""Transfer: which pair does conditioning join, and which variable joins or parts two others?"""

from __future__ import annotations

import itertools
import random

from assay.causal.draft import Answer, Draft, Kind, right, wrong
from assay.causal.draws import graph, until
from assay.causal.proof.proof import Claim
from assay.causal.queries import Separated
from assay.causal.search.sketch import Sketch
from assay.causal.wording.graphs import arrows, braces

LETTERS = "ABCDEFGHJKLMNPQRSTVW"
PAIRS = (
    "Consider the graph {arrows}. A data set is restricted to a single level of each variable in {over}. "
    "Which of these pairs is d-separated in the unrestricted graph and d-connected after the restriction?",
    "In {arrows}, somebody conditions on {over}. For three of the four pairs below this either changes "
    "nothing about whether the graph implies independence, or makes the pair independent. For one pair it "
    "destroys an independence. Which?",
)
JOINING = (
    "The diagram {arrows} implies that {x} and {y} are independent. Among the following variables there is a "
    "single one with the property that, once it alone is held fixed, the diagram no longer implies this. "
    "Name it.",
    "{x} and {y} are d-separated by the empty set in the graph with arrows {arrows}. Which choice of v makes "
    "the set that consists of v alone d-connect them?",
)
PARTING = (
    "Arrows: {arrows}. Without conditioning, {x} and {y} are d-connected. Conditioning on exactly one of the "
    "variables offered (and on no second one) makes them d-separated. Which one is it?",
    "According to a model with the edges {arrows}, an association between {x} and {y} is to be expected. "
    "Four people each suggest one variable to stratify by; within the strata of only one of the suggestions "
    "is the association bound to vanish. What is that suggestion?",
)


def transfer(rng: random.Random, scene: object) -> Draft:
    """Draw a question on pairs, or on what joins or parts two variables."""
    number = rng.randrange(6)
    return _pairs(rng, number) if number < 2 else _single(rng, number)


def _pairs(rng: random.Random, number: int) -> Draft:
    target, names = rng.randrange(4), rng.sample(LETTERS, 7)
    over = tuple(sorted(rng.sample(names, rng.choice((1, 1, 2)))))
    rest = sorted(set(names) - set(over))
    pairs = rng.sample(list(itertools.combinations(rest, 2)), 4)

    def attempt() -> Draft | None:
        world = graph(rng, names, 0.3)
        sketch = Sketch(world)
        if sketch.lonely:
            return None
        before = [sketch.separated(*pair, ()) for pair in pairs]
        after = [sketch.separated(*pair, over) for pair in pairs]
        joined = [apart and not still for apart, still in zip(before, after, strict=True)]
        if joined != [place == target for place in range(4)] or sum(before) < 2:
            return None
        answers = tuple(
            _pair(pair, over, key=place == target, before=before[place], after=after[place])
            for place, pair in enumerate(pairs)
        )
        stem = PAIRS[number].format(arrows=arrows(world, rng), over=braces(over))
        return Draft(
            world, stem, answers, f"collider-selection/transfer/{number}", "formal", f"pair={target}"
        )

    return until(attempt)


def _pair(pair: tuple[str, str], over: tuple[str, ...], *, key: bool, before: bool, after: bool) -> Answer:
    text = f"{pair[0]} and {pair[1]}"
    claims = Claim(Separated(*pair), True), Claim(Separated(*pair, over), False)
    if key:
        return right(text, *claims, why=f"{braces(over)} opens a collider between them.")
    if before:
        return wrong(Kind.PARTIAL, text, *claims, why="They are separated before and stay separated.")
    if after:
        return wrong(
            Kind.REVERSED, text, *claims, why="They are connected before, and conditioning parts them."
        )
    return wrong(Kind.REFLEX, text, *claims, why="They are connected before and after.")


def _single(rng: random.Random, number: int) -> Draft:
    target, names, joining = rng.randrange(4), rng.sample(LETTERS, 7), number < 4
    x, y, *rest = names
    offered = sorted(rng.sample(rest, 4))

    def attempt() -> Draft | None:
        world = graph(rng, names, 0.33)
        sketch = Sketch(world)
        if sketch.lonely or sketch.separated(x, y, ()) is not joining:
            return None
        found = [sketch.separated(x, y, (name,)) is not joining for name in offered]
        if found != [place == target for place in range(4)]:
            return None
        answers = tuple(
            _offered(sketch, x, y, name, joining=joining, key=place == target)
            for place, name in enumerate(offered)
        )
        wording = (*JOINING, *PARTING)[number - 2]
        stem = wording.format(arrows=arrows(world, rng), x=x, y=y)
        name = f"collider-selection/transfer/{number}"
        return Draft(world, stem, answers, name, "formal", f"joining={joining} {target}")

    return until(attempt)


def _offered(sketch: Sketch, x: str, y: str, name: str, *, joining: bool, key: bool) -> Answer:
    claim = Claim(Separated(x, y, (name,)), not joining)
    if key:
        why = "a collider between the two is opened by it" if joining else "every open path passes through it"
        return right(name, claim, why=f"{name}: {why}.")
    below = [end for end in (x, y) if sketch.causes(end, name)]
    above = [end for end in (x, y) if sketch.causes(name, end)]
    if len(below) == 2:
        return wrong(Kind.REFLEX, name, claim, why=f"{name} is affected by both, but the answer differs.")
    if joining:
        kind, why = (Kind.PARTIAL, f"{name} is below {below[0]} alone") if below else (Kind.MISAPPLIED, "")
        kind, why = (Kind.REVERSED, f"{name} acts on {above[0]}") if above else (kind, why)
        return wrong(kind, name, claim, why=f"{why or f'{name} is below neither'}: no collider opens.")
    kind = Kind.PARTIAL if above else Kind.MISAPPLIED
    return wrong(kind, name, claim, why=f"Given {name}, a path between {x} and {y} is open.")
