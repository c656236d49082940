"""The two routes agree on every kind of query, over random graphs and models."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

from causal_queries import adjusted_difference, counterfactual, crude, effect, mean, p
from causal_worlds import random_scm
from every_row import every_row

from assay.causal.proof.proof import Proof
from assay.causal.queries import (
    AdjustmentExists,
    Causes,
    MinimalAdjustment,
    Query,
    Separated,
    ValidAdjustment,
    ValidFrontDoor,
    ValidInstrument,
)
from assay.causal.scm import Scm
from assay.core.errors import InvalidInput

SEEDS = range(24)


def subsets(names: list[str]) -> Iterator[tuple[str, ...]]:
    return itertools.chain.from_iterable(
        itertools.combinations(names, size) for size in range(len(names) + 1)
    )


def world(seed: int) -> tuple[Scm, str, str, list[str]]:
    names = "ABCDEF"[: 3 + seed % 4]
    scm = random_scm(seed, names, 0.3 + 0.1 * (seed % 5), hidden=names[0] if seed % 3 == 0 else "")
    x, y, *rest = random.Random(seed).sample(names, len(names))
    return scm, x, y, sorted(rest)


@every_row("seed", SEEDS)
def test_facts_of_the_graph(seed: int) -> None:
    """Separation, adjustment, instruments and front doors are the same by search and by random numbers."""
    scm, x, y, rest = world(seed)
    proof = Proof(scm.dag)
    asked: list[Query] = [Causes(x, y), AdjustmentExists((x,), y)]
    for over in subsets(rest):
        asked += [Separated(x, y, over), ValidAdjustment((x,), y, over), MinimalAdjustment((x,), y, over)]
        asked += [ValidInstrument(other, x, y, over) for other in rest if other not in over]
        asked += [ValidFrontDoor(x, y, over)] if over else []
        asked += [ValidAdjustment((x, other), y, over) for other in rest if other not in over]

    answers = {proof.answer(query) for query in asked}

    assert answers <= {True, False}


@every_row("seed", SEEDS)
def test_numbers(seed: int) -> None:
    """Factorisation and a counted population give the same fractions, to the last digit."""
    scm, x, y, rest = world(seed)
    proof = Proof(scm)

    proof.number(effect(x, y))
    proof.number(crude(x, y))
    proof.number(mean(y, {rest[0]: 1}, do={x: 1}))
    proof.number(p({y: 1, rest[0]: 0}, {x: 1}))
    proof.number(p({y: 1}, {rest[0]: 0}, do={x: 0}) / p({rest[0]: 1}))
    for over in subsets(rest):
        proof.number(adjusted_difference(x, y, over))


def test_counterfactuals() -> None:
    """Nested counterfactuals agree wherever the tables determine them, which is often enough to mean it."""
    agreed = 0
    for seed in range(60):
        scm = random_scm(seed, "ABCDE")
        x, y, m, c, _ = random.Random(seed).sample("ABCDE", 5)
        for fixed, given in (({m: {x: 0}}, {}), ({}, {x: 0}), ({m: {x: 0}}, {c: 1}), ({m: {x: 1}}, {x: 0})):
            term = counterfactual({y: 1}, {x: 1}, mediators=fixed, given=given)
            try:
                Proof(scm).number(term)
                agreed += 1
            except InvalidInput as error:
                assert "two worlds" in str(error) or "affected by what is set" in str(error)

    assert agreed > 100
