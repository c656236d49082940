"""Facts of many graphs at once agree with the proofs, which take one graph at a time."""

from __future__ import annotations

import random

import pytest
from every_row import every_row

from assay.causal.proof.proof import Proof
from assay.causal.queries import Fact
from assay.causal.scm import Dag
from assay.causal.stories.claims import QUERIES
from assay.causal.stories.sketch import Sketch, bits

PLANS, GRAPHS = 100, 6
SEVERAL_AT_LEAST = {"front_door": 1, "effect": 1}
"""Queries in which the first list of names must not be empty."""


def random_worlds(seed: int) -> list[Dag]:
    """Return graphs with X and Y, which are measured, and the same 2 to 5 factors, some of them hidden."""
    rng = random.Random(f"claims {seed}")
    factors = [f"F{number}" for number in range(2 + seed % 4)]
    hidden = frozenset(rng.sample(factors, rng.randint(0, len(factors) - 1)))
    worlds = []
    for _ in range(GRAPHS):
        order = rng.sample(["X", "Y", *factors], len(factors) + 2)
        density = rng.choice([0.3, 0.45, 0.6, 0.8])
        parents = {
            name: tuple(cause for cause in order[:place] if rng.random() < density)
            for place, name in enumerate(order)
        }
        worlds.append(Dag(parents, hidden))
    return worlds


def random_query(kind: str, world: Dag, rng: random.Random) -> Fact:
    """Return a query of a kind about different variables; what is identified is measured."""
    measured_only = kind in ("identified", "unidentified")
    asked = QUERIES[kind]
    named = 1 in asked.sizes or kind == "effect"
    free = [name for name in world.names if named or name not in ("X", "Y")]
    if kind == "instrument":
        free = [name for name in free if name not in ("X", "Y")]
    rng.shuffle(free)
    if measured_only:
        free.sort(key=lambda name: name in world.hidden)
    arguments, least = [], SEVERAL_AT_LEAST.get(kind, 0)
    for place, size in enumerate(asked.sizes):
        if size is None and kind == "separated_after" and place == 0:
            arguments.append(tuple(rng.sample(world.names, rng.randint(0, 2))))
            continue
        singles_after = sum(later == 1 for later in asked.sizes[place + 1 :])
        most = min(2, len(free) - singles_after)
        count = size or rng.randint(min(least, most), most)
        least = 0
        arguments.append(tuple(sorted(free.pop(0) for _ in range(count))))
    return asked.query(*arguments)


@pytest.mark.slow
@every_row("kind", list(QUERIES))
def test_the_fast_search_agrees_with_the_proofs(kind: str) -> None:
    """On 600 random graphs each query has the answer that both routes prove, and both answers occur."""
    answers = []
    for seed in range(PLANS):
        worlds = random_worlds(seed)
        query = random_query(kind, worlds[0], random.Random(f"{kind} {seed}"))
        sketch = Sketch(worlds[0].names, [world.parents for world in worlds])
        found = set(bits(sketch.holds(query, worlds[0].observed)))
        proved = [Proof(world).holds(query) for world in worlds]
        assert found == {number for number, holds in enumerate(proved) if holds}, (query, worlds)
        answers += proved

    assert set(answers) == {True, False}
