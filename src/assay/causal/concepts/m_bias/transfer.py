"""Transfer: which of four nested sets is valid, and which addition spoils a set that was?"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from assay.causal.draft import Answer, Draft, Kind, right, wrong
from assay.causal.draws import graph, until
from assay.causal.proof.proof import Claim
from assay.causal.queries import ValidAdjustment
from assay.causal.scm import Dag
from assay.causal.search.sketch import Sketch
from assay.causal.wording.graphs import arrows, braces, listed

LETTERS = "ABCDEFGHJKLMNPQRSTVW"
NESTED = (
    "Causal graph: {arrows}. Apart from the treatment {x} and the outcome {y}, no variables are measured "
    "except {p} and {q}. Which is the one set of covariates that identifies the total effect of {x} on {y} "
    "by adjustment?",
    "{x} and {y} are connected as in {arrows}. Your file has columns for {x}, {y}, {p} and {q}; the rest is "
    "latent. You may stratify by what you like. By what must you stratify, no more and no less, for the "
    "strata's weighted mean difference to equal the effect of setting {x}?",
    "Someone doubts that more covariates are better and gives you {arrows} as an example, in which {hidden} "
    "are unobserved. The effect of {x} on {y} is to be found. Of the four subsets of the observed "
    "covariates, three fail. Which does not?",
)
SPOILING = (
    "In the graph {arrows}, the set {over} is valid for estimating the total effect of {x} on {y} by "
    "covariate adjustment. Somebody wishes to add a variable. Three of the additions offered leave the set "
    "valid. Which addition does not?",
    "Edges: {arrows}. Adjusting for {over} yields the causal effect of {x} on {y} without bias. Below are "
    "four variables, each of which might be put in as an extra; with three of them the result stays "
    "unbiased. Identify the fourth.",
)


def transfer(rng: random.Random, scene: object) -> Draft:
    """Draw a question on the subsets of two covariates, or on an addition."""
    number = rng.randrange(len(NESTED) + len(SPOILING))
    return _nested(rng, number) if number < len(NESTED) else _spoiling(rng, number)


def _nested(rng: random.Random, number: int) -> Draft:
    target, names = rng.randrange(4), rng.sample(LETTERS, 7)
    x, y, p, q, *latent = names
    sets = tuple(tuple(sorted(over)) for over in ((), (p,), (q,), (p, q)))

    def attempt() -> Draft | None:
        world = _planted(rng, x, y, {p: p in sets[target], q: q in sets[target]}, latent)
        sketch = Sketch(world)
        if sketch.lonely or not sketch.causes(x, y):
            return None
        if {p, q} & sketch.below(x) or [sketch.valid(x, y, over) for over in sets] != [
            place == target for place in range(4)
        ]:
            return None
        answers = tuple(_subset(sketch, x, y, over, sets[target]) for over in sets)
        hidden = listed(rng.sample(latent, len(latent)))
        stem = NESTED[number].format(arrows=arrows(world, rng), x=x, y=y, p=p, q=q, hidden=hidden)
        return Draft(world, stem, answers, f"m-bias/transfer/{number}", "formal", f"subset={target}")

    return until(attempt)


def _planted(rng: random.Random, x: str, y: str, needed: Mapping[str, bool], latent: Sequence[str]) -> Dag:
    """Draw a graph in which each covariate is likely to be needed, or likely to do harm."""
    order = [*latent, *rng.sample(sorted(needed), len(needed)), x, y]
    arrows = {(x, y)}
    for name, use in needed.items():
        one, other = rng.sample(list(latent), 2)
        if use:
            start = rng.choice((name, one))
            arrows |= {(name, x), (start, y)} | ({(one, name)} if start == one else set())
        else:
            arrows |= {(one, x), (one, name), (other, name), (other, y)}
    for place, name in enumerate(order):
        arrows |= {(cause, name) for cause in order[:place] if rng.random() < 0.08}
    parents = {name: tuple(cause for cause in order if (cause, name) in arrows) for name in order}
    return Dag(parents, frozenset(latent))


def _subset(sketch: Sketch, x: str, y: str, over: tuple[str, ...], key: tuple[str, ...]) -> Answer:
    text, claim = braces(over), Claim(ValidAdjustment((x,), y, over), True)
    if over == key:
        return right(text, claim, why=f"Given {text}, every back-door path from {x} to {y} is blocked.")
    opened = sum(sketch.open(path, over) for path in sketch.paths(x, y, backdoor=True))
    why = f"Given {text}, {opened} back-door path{'s are' if opened > 1 else ' is'} open."
    if len(over) == 2:
        return wrong(Kind.REFLEX, text, claim, why=why)
    if not over:
        return wrong(Kind.MISAPPLIED, text, claim, why=why)
    return wrong(Kind.PARTIAL if over[0] in key else Kind.REVERSED, text, claim, why=why)


def _spoiling(rng: random.Random, number: int) -> Draft:
    target, names = rng.randrange(4), rng.sample(LETTERS, 8)
    x, y, *rest = names
    over = tuple(sorted(rest[: rng.choice((0, 1, 1))]))
    offered = sorted(rest[len(over) : len(over) + 4])

    def attempt() -> Draft | None:
        world = graph(rng, names, 0.3)
        sketch = Sketch(world)
        if sketch.lonely or not sketch.causes(x, y) or not sketch.valid(x, y, over):
            return None
        if sketch.separated(x, y, (), backdoor=True) is bool(over):
            return None
        valid = [sketch.valid(x, y, (*over, name)) for name in offered]
        if valid != [place != target for place in range(4)]:
            return None
        answers = tuple(_addition(sketch, x, y, over, name, offered[target]) for name in offered)
        stem = SPOILING[number - len(NESTED)].format(arrows=arrows(world, rng), x=x, y=y, over=braces(over))
        return Draft(world, stem, answers, f"m-bias/transfer/{number}", "formal", f"addition={target}")

    return until(attempt, 20_000)


def _addition(sketch: Sketch, x: str, y: str, over: tuple[str, ...], name: str, key: str) -> Answer:
    claim = Claim(ValidAdjustment((x,), y, tuple(sorted((*over, name)))), False)
    if name == key:
        after = sketch.causes(x, name)
        what = (
            f"it is an effect of {x} below or on the way to {y}"
            if after
            else "it is a collider, or below one, that opens a path"
        )
        return right(name, claim, why=f"{name} spoils the set: {what}.")
    if sketch.causes(x, name):
        return wrong(Kind.REFLEX, name, claim, why=f"{name} comes after {x}, but lies on no way to {y}.")
    if sketch.causes(name, x):
        return wrong(Kind.REVERSED, name, claim, why=f"{name} comes before {x} and opens nothing.")
    if sketch.causes(name, y):
        return wrong(Kind.PARTIAL, name, claim, why=f"{name} acts on {y} and opens nothing.")
    return wrong(Kind.MISAPPLIED, name, claim, why=f"{name} opens nothing that is not blocked.")
