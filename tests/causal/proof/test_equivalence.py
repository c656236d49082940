"""Arrows that data alone can show, in graphs of the literature, of four variables and at random."""

from __future__ import annotations

import itertools
import random

from causal_worlds import graph
from every_row import every_row

from assay.causal.proof.counted.equivalence import Orientations
from assay.causal.proof.derived.equivalence import compelled
from assay.causal.proof.derived.route import Derived
from assay.causal.proof.proof import Proof, answer
from assay.causal.queries import Adjacent, Compelled, Separated
from assay.causal.scm import Dag, dag
from assay.causal.solvers.naive import adjusting, marginal

Arrows = frozenset[tuple[str, str]]
FOUR = "ABCD"
HAND_WORKED: list[tuple[str, str, str]] = [
    ("a chain", "A>B B>C", ""),
    ("a fork", "B>A B>C", ""),
    ("a v-structure", "A>B C>B", "A>B C>B"),
    ("a triangle", "A>B A>C B>C", ""),
    ("rule 1", "A>B C>B B>D", "A>B C>B B>D"),
    ("rule 2", "C>D E>D A>C A>D B>C B>E", "A>C B>C A>D C>D E>D"),
    ("rule 3", "A>B A>C A>D B>D C>D", "B>D C>D A>D"),
    ("sprinkler (Pearl 2009, figure 1.2)", "S>R S>P R>W P>W W>L", "R>W P>W W>L"),
    ("no rule 3 where the first arrows are known", "A>C B>C A>D B>D C>D", "A>C B>C A>D B>D"),
]


def arrows(text: str) -> Arrows:
    return frozenset((word[0], word[2]) for word in text.split())


def all_graphs() -> dict[Arrows, Dag]:
    """Return the 543 graphs of four variables by their arrows."""
    found: dict[Arrows, Dag] = {}
    for order in itertools.permutations(FOUR):
        pairs = list(itertools.combinations(order, 2))
        for drawn in itertools.product((False, True), repeat=len(pairs)):
            edges = frozenset(itertools.compress(pairs, drawn))
            found.setdefault(edges, Dag({b: tuple(a for a, other in edges if other == b) for b in order}))
    return found


@every_row("what, given, shown", HAND_WORKED, ids=[row[0] for row in HAND_WORKED])
def test_graphs_of_the_literature(what: str, given: str, shown: str) -> None:
    """Both routes find the arrows of the completed partially directed graph."""
    world = dag(given)
    proof = Proof(world)

    found = {pair for pair in itertools.permutations(world.names, 2) if proof.holds(Compelled(*pair))}

    assert found == arrows(shown)


def test_all_graphs_of_four_variables() -> None:
    """The compelled arrows are those that all graphs with the same separations share."""
    classes: dict[tuple[bool, ...], list[Arrows]] = {}
    graphs = all_graphs()
    for edges, world in graphs.items():
        route = Derived(world)
        kept = tuple(
            route.holds(Separated(a, b, given))
            for a, b in itertools.combinations(FOUR, 2)
            for size in range(3)
            for given in itertools.combinations(sorted({*FOUR} - {a, b}), size)
        )
        classes.setdefault(kept, []).append(edges)

    assert (len(graphs), len(classes)) == (543, 185)
    for members in classes.values():
        common = frozenset.intersection(*members)
        for edges in members:
            tried = Orientations(graphs[edges])
            assert compelled(graphs[edges]) == common
            assert {pair for pair in itertools.permutations(FOUR, 2) if tried.always(*pair)} == common


def test_the_routes_agree_on_random_graphs() -> None:
    """Meek's rules and all orientations agree, as do arrows and associations, and both answers occur."""
    answers: dict[type, list[bool]] = {Compelled: [], Adjacent: []}
    for seed in range(300):
        rng = random.Random(f"equivalence {seed}")
        names = "ABCDEFGH"[: 3 + seed % 6]
        world = graph(rng, list(names), rng.choice([0.3, 0.5, 0.7, 0.85]))
        proof = Proof(world)
        for pair in world.edges:
            answers[Compelled].append(proof.holds(Compelled(*pair)))
            assert not proof.holds(Compelled(*reversed(pair)))
        answers[Adjacent].append(proof.holds(Adjacent(*rng.sample(names, 2))))

    assert all(0.2 < sum(given) / len(given) < 0.8 for given in answers.values())


def test_naive_readers_take_association_for_an_arrow() -> None:
    """In a chain the ends are associated; with the middle held fixed they are not."""
    chain = dag("A>B B>C")
    route = Derived(chain)

    for query in (Adjacent("A", "C"), Compelled("A", "C")):
        assert answer(route, marginal(query, chain)) is True
        assert answer(route, adjusting(query, chain)) is False
        assert route.holds(query) is False
