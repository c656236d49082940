"""Transfer: graphs with a missingness indicator; which laws complete cases give, which paths spoil them."""

from __future__ import annotations

import random

from assay.causal.draft import Draft
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
    set_kind,
    written,
)
from assay.causal.proof.proof import Claim
from assay.causal.queries import PathCount, Paths, Separated
from assay.causal.scm import Dag

Names = list[str]


def transfer(rng: random.Random, scene: object) -> Draft:
    """Draw one of three formal questions about gaps; the scene is not used."""
    number = rng.randrange(3)
    question = (_law, _ignorable, _leaks)[number](rng, letters(rng, 6))
    return drawn(rng, question, f"missing-data/transfer/{number}")


def _law(rng: random.Random, names: Names) -> Formal:
    """Ask which conditional law complete cases give."""
    y, r, a, b, c, d = names
    sets = rng.choice(([{a}, {b}, {c}, {d}], [{a}, {b, c}, {b, d}, {c, d}], [{a, b}, {a, c}, {b, d}, {c, d}]))

    def stem(dag: Dag) -> str:
        return (
            f"Values of {y} are missing where {r} = 0; {', '.join(sorted((a, b, c, d)))} are complete. "
            f"The missingness graph has the parent sets {written(dag, rng, 1)}.\n\nFor which of the four is "
            f"the law among rows with {r} = 1 identical with the law in all rows, whatever the mechanisms?"
        )

    options = tuple(
        Option(
            f"P({y} | {', '.join(sorted(each))})",
            (Claim(Separated(y, r, tuple(sorted(each))), True),),
            f"{y} and {r} are d-separated by {', '.join(sorted(each))}",
        )
        for each in sets
    )
    return Formal(
        options, lambda: ordered(rng, names, 0.42, first=a, then=y, leaf=r), stem, set_kind(sets, y)
    )


def _ignorable(rng: random.Random, names: Names) -> Formal:
    """Ask whether gaps are harmless without a covariate, and with it."""
    y, r, z, *_ = names
    way = rng.randrange(2)

    def stem(dag: Dag) -> str:
        graph = written(dag, rng, 2)
        if way:
            return (
                f"A column {y} has gaps, marked by {r}. The arrows of the model are these: {graph}.\n\n"
                f"Method 1 takes the distribution of {y} from the rows without gap. Method 2 does so for "
                f"each {z} and averages over the {z} of all rows. Which method is right for the distribution "
                f"of {y} in all rows, on the strength of the graph?"
            )
        return (
            f"{r} indicates if {y} was observed. {z} was observed throughout. Causal links, all of them: "
            f"{graph}. Decide on (1) {y} ⊥ {r} and (2) {y} ⊥ {r} | {z}, as implied by d-separation."
        )

    texts = (
        ("Both methods", "Method 1, but not method 2", "Method 2, but not method 1", "Neither method")
        if way
        else (
            "(1) and (2) are implied",
            "(1) is implied, (2) is not",
            "(1) is not implied, (2) is",
            "(1) and (2) are not implied",
        )
    )
    whys = (
        f"{y} and {r} are d-separated, and stay so given {z}",
        f"{y} and {r} are d-separated, but {z} opens a path between them",
        f"a path between {y} and {r} is open, and {z} blocks all such paths",
        f"a path between {y} and {r} is open, given {z} as well",
    )
    options = fact_options(texts, Separated(y, r), Separated(y, r, (z,)), whys)
    return Formal(options, lambda: ordered(rng, names, 0.34, first=z, then=r), stem, fact_kind)


def _leaks(rng: random.Random, names: Names) -> Formal:
    """Ask by how many paths a gap still tells of a value."""
    y, r, z, a, *_ = names
    start = rng.randint(0, 1)

    def stem(dag: Dag) -> str:
        return (
            f"m-graph: {written(dag, rng, 0)}. Here {r} is the response indicator of {y}.\n\nImputation is "
            f"to be done from {z} and {a}. It is misled by each path between {y} and {r} that {z} and {a} "
            "leave open or make open (paths do not revisit a vertex; the direction of arrows along them "
            "is free). Count these paths."
        )

    options = count_options(
        start,
        PathCount(r, y, Paths.OPEN, tuple(sorted((a, z)))),
        f"{{count}} paths between {y} and {r} are open given {a} and {z}",
    )
    return Formal(options, lambda: ordered(rng, names, 0.55, first=z, then=y, leaf=r), stem, count_kind)
