"""Claims: what they name, and that the fast search answers their queries as the proofs do."""

from __future__ import annotations

import random

import pytest
from every_row import every_row

from assay.causal.proof.proof import Proof
from assay.causal.queries import Fact
from assay.causal.scm import Dag
from assay.causal.stories.claims import QUERIES, Slot, Template, bind, quickly
from assay.causal.stories.sketch import Sketch

GRAPHS = 500
SEVERAL_AT_LEAST = {"front_door": 1, "effect": 1}
"""Queries in which the first list of names must not be empty."""


def random_world(seed: int) -> Dag:
    """Return a graph with X and Y, which are measured, and 2 to 5 factors, some of them hidden."""
    rng = random.Random(f"claims {seed}")
    factors = [f"F{number}" for number in range(2 + seed % 4)]
    order = rng.sample(["X", "Y", *factors], len(factors) + 2)
    density = rng.choice([0.3, 0.45, 0.6, 0.8])
    parents = {
        name: tuple(cause for cause in order[:place] if rng.random() < density)
        for place, name in enumerate(order)
    }
    return Dag(parents, frozenset(rng.sample(factors, rng.randint(0, len(factors) - 1))))


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
    """On 500 random graphs each query has the answer that both routes prove, and both answers occur."""
    answers = []
    for seed in range(GRAPHS):
        world = random_world(seed)
        query = random_query(kind, world, random.Random(f"{kind} {seed}"))
        proved = Proof(world).holds(query)
        assert quickly(query, Sketch(world), world.observed) is proved, (query, world)
        answers.append(proved)

    assert set(answers) == {True, False}


def template(slot: Slot) -> Template:
    """Return a claim about one slot."""
    return Template(
        "claim", "identified", (("X",), ("Y",), ("a",)), {"a": slot}, "", "", ("", ""), "intervention"
    )


@pytest.mark.parametrize(
    ("slot", "named"),
    [
        (Slot(1, 1, recorded=True), {"F0", "F1"}),
        (Slot(1, 1, recorded=False), {"F0", "F1", "F2", "F3"}),
        (Slot(1, 1, recorded=False, missing=True), {"F2", "F3"}),
    ],
    ids=["recorded", "any", "missing"],
)
def test_a_slot_names_the_factors_of_its_sort(slot: Slot, named: set[str]) -> None:
    """A slot takes recorded factors, all factors, or only those that nobody recorded."""
    rng = random.Random(1)
    drawn = [bind(template(slot), ("F0", "F1", "F2", "F3"), ("F0", "F1"), rng) for _ in range(40)]

    assert {name for each in drawn if each is not None for name in each.bound["a"]} == named


def test_a_claim_without_factors_of_its_sort_is_not_made() -> None:
    """Where everything is recorded, no claim about a missing record can be bound."""
    missing = Slot(1, 1, recorded=False, missing=True)

    assert bind(template(missing), ("F0", "F1"), ("F0", "F1"), random.Random(1)) is None
