"""Transfer: a graph of which only survivors are seen; what survival joins, parts, and opens."""

from __future__ import annotations

import itertools
import random

from assay.causal.draft import Draft, Kind
from assay.causal.draws import until
from assay.causal.options.graph_choice import (
    Formal,
    Option,
    count_kind,
    count_options,
    drawn,
    fact_kind,
    fact_options,
    letters,
    ordered,
    written,
)
from assay.causal.proof.proof import Claim
from assay.causal.queries import PathCount, Paths, Separated
from assay.causal.scm import Dag

Names = list[str]


def transfer(rng: random.Random, scene: object) -> Draft:
    """Draw one of three formal questions about survivors; the scene is not used."""
    number = rng.randrange(3)
    question = (_two, _pair, _opened)[number](rng, letters(rng, 6))
    return drawn(rng, question, f"survivorship/transfer/{number}")


def _two(rng: random.Random, names: Names) -> Formal:
    """Ask whether two variables are independent in all units, and among survivors, with the reason."""
    a, b, s = names[:3]
    ways = rng.randrange(2)

    def stem(dag: Dag) -> str:
        if ways:
            return (
                f"{s} = 1 marks the units that survive. The causal graph of the whole population is given by "
                f"the parents of each variable: {written(dag, rng, 1)}.\n\nAre {a} and {b} independent among "
                f"survivors, as far as the graph alone can tell (conditioning on {s} and nothing else)?"
            )
        return (
            f"Graph, in full: {written(dag, rng, 0)}. An archive retains a unit if and only if {s} = 1. A "
            f"reader of the archive asks if {a} and {b} are bound to be independent there. What is the right "
            "reply?"
        )

    texts = (
        f"Yes: {a} and {b} are d-separated at the start, and by {s} too",
        f"No: {a} and {b} are d-separated at the start, but {s} joins them",
        f"Yes: {a} and {b} are d-connected at the start, but {s} parts them",
        f"No: {a} and {b} are d-connected at the start, and given {s} too",
    )
    whys = (
        f"no path between {a} and {b} is open before or after conditioning on {s}",
        f"conditioning on {s} opens a path between {a} and {b} where none was open",
        f"conditioning on {s} blocks every path between {a} and {b} that was open",
        f"some path between {a} and {b} is open before, and some is open after, conditioning on {s}",
    )
    options = fact_options(texts, Separated(a, b), Separated(a, b, (s,)), whys)

    def draw() -> Dag:
        return until(lambda: _linked(ordered(rng, names, 0.38, first=a, then=b), (a, b, s)))

    return Formal(options, draw, stem, fact_kind)


def _pair(rng: random.Random, names: Names) -> Formal:
    """Ask which pair of variables is independent among survivors."""
    s, *others = names
    a, b, c, d, e = others
    pairs = rng.choice(([(a, b), (b, c), (c, d), (d, e)], [(a, b), (a, c), (c, d), (d, e)]))

    def stem(dag: Dag) -> str:
        return (
            f"Direct causes: {written(dag, rng, 2)}. There are no others.\n\nUnits with {s} = 0 have "
            "perished, and the data hold the others only. For one of the four pairs below the graph "
            "guarantees independence in these data. Name it."
        )

    options = tuple(
        Option(
            f"{min(pair)} and {max(pair)}",
            (Claim(Separated(min(pair), max(pair), (s,)), True),),
            f"{s} d-separates {min(pair)} from {max(pair)}",
        )
        for pair in pairs
    )

    def kind(dag: Dag, place: int, target: int) -> Kind:
        one, other = pairs[place]
        if one in dag.parents[other] or other in dag.parents[one]:
            return Kind.REVERSED
        return Kind.PARTIAL if one in dag.parents[s] or other in dag.parents[s] else Kind.MISAPPLIED

    return Formal(options, lambda: ordered(rng, names, 0.34, first=a, then=b, leaf=s), stem, kind)


def _opened(rng: random.Random, names: Names) -> Formal:
    """Ask how many paths survival opens."""
    a, b, s, *_ = names
    start = rng.randint(0, 1)

    def stem(dag: Dag) -> str:
        return (
            f"Take the graph {written(dag, rng, 0)}.\n\nNo conditioning at all leaves some paths between {a} "
            f"and {b} blocked (a path visits no vertex twice and may run against arrows). How many of these "
            f"blocked paths become open when only the units with {s} = 1, the survivors, are kept?"
        )

    term = PathCount(a, b, Paths.OPEN, (s,)) - PathCount(a, b, Paths.OPEN)
    options = count_options(start, term, f"{{count}} blocked paths between {a} and {b} are opened by {s}")

    def draw() -> Dag:
        return until(lambda: _linked(ordered(rng, names, 0.5, first=a, then=b, leaf=s), (a, b, s)))

    return Formal(options, draw, stem, count_kind)


def _linked(world: Dag, asked: tuple[str, ...]) -> Dag | None:
    """Return the graph if every variable asked about has an arrow: a list of arrows names no others."""
    return world if set(asked) <= set(itertools.chain(*world.edges)) else None
