"""Transfer: a label that may wait on a status; valid sets, back-door paths, what the status calls for."""

from __future__ import annotations

import random

from assay.causal.draft import Draft
from assay.causal.options.graph_choice import (
    Formal,
    count_kind,
    count_options,
    drawn,
    fact_kind,
    fact_options,
    letters,
    ordered,
    set_kind,
    set_options,
    written,
)
from assay.causal.proof.proof import Claim
from assay.causal.queries import PathCount, Paths, ValidAdjustment
from assay.causal.scm import Dag

Names = list[str]


def transfer(rng: random.Random, scene: object) -> Draft:
    """Draw one of three formal questions about a label and a status; the scene is not used."""
    number = rng.randrange(3)
    question = (_adequate, _back_doors, _status)[number](rng, letters(rng, 6))
    return drawn(rng, question, f"immortal-time/transfer/{number}")


def _adequate(rng: random.Random, names: Names) -> Formal:
    """Ask which set gives the effect of a label on a final state."""
    g, y, a, b, c, d = names
    sets: list[set[str]] = rng.choice(
        ([{a}, {b}, {a, b}, {c}], [{a}, {b}, {a, c}, {b, c}], [{a}, {b}, {c}, {d}])
    )

    def stem(dag: Dag) -> str:
        return (
            f"In a follow-up study {g} is the label under which a unit is filed and {y} its final state. "
            f"{a}, {b}, {c} and {d} are states in between or before. What causes what is complete in this "
            f"list: {written(dag, rng, 2)}.\n\nA set is called adequate if the total effect of {g} on {y} "
            "can be computed from the law of the set, label and final state by adjustment, for all "
            "mechanisms. Which of these is adequate?"
        )

    options = set_options(
        sets,
        lambda z: (Claim(ValidAdjustment((g,), y, z), True),),
        f"{{set}} satisfies the adjustment criterion for {g} and {y}",
    )
    return Formal(options, lambda: ordered(rng, names, 0.42, first=g, then=y), stem, set_kind(sets, g))


def _back_doors(rng: random.Random, names: Names) -> Formal:
    """Ask how many back-door paths stay open when the status is held fixed."""
    g, y, e, *_ = names
    start = rng.randint(0, 1)

    def stem(dag: Dag) -> str:
        return (
            f"{e} says whether a unit got through its waiting time, {g} how it was classed, {y} what became "
            f"of it. Causal structure, each entry listing all parents: {written(dag, rng, 1)}.\n\nAn analyst "
            f"keeps only units with {e} = 1. How many paths between {g} and {y} that begin with an arrow "
            f"into {g} are open then?"
        )

    options = count_options(
        start,
        PathCount(g, y, Paths.OPEN_BACKDOOR, (e,)),
        f"{{count}} back-door paths from {g} to {y} are open given {e}",
    )
    return Formal(options, lambda: ordered(rng, names, 0.52, first=g, then=y), stem, count_kind)


def _status(rng: random.Random, names: Names) -> Formal:
    """Ask whether the effect is had without the status, and with it."""
    g, y, e, *_ = names
    way = rng.randrange(2)

    def stem(dag: Dag) -> str:
        graph = written(dag, rng, 0)
        if way:
            return (
                f"Time-zero analysis: compare {y} by {g}, nothing held fixed. Landmark analysis: the same at "
                f"fixed {e}. The graph is {graph}; nothing is left out of it. Which of the two is valid for "
                f"the total effect of {g} on {y}?"
            )
        return (
            f'Suppose that {graph} are all the arrows there are. Let I be the claim "∅ is a valid adjustment '
            f'set for ({g}, {y})" and II the claim "{{{e}}} is a valid adjustment set for ({g}, {y})". What '
            "holds?"
        )

    texts = (
        (
            "Both: nothing is open without it, and holding it fixed does no harm",
            "The first: nothing is open without it, and holding it fixed does harm",
            "The second: something is open without it, and holding it fixed cures this",
            "Neither: something is open without it, and holding it fixed is no cure",
        )
        if way
        else (
            "I and II both hold",
            "I holds, II fails",
            "I fails, II holds",
            "I and II both fail",
        )
    )
    whys = (
        f"the comparison of {y} by {g} is valid with and without holding {e} fixed",
        f"the comparison of {y} by {g} is valid as it is, and no longer when {e} is held fixed",
        f"the comparison of {y} by {g} is not valid as it is, but when {e} is held fixed",
        f"the comparison of {y} by {g} is valid neither as it is nor when {e} is held fixed",
    )
    options = fact_options(texts, ValidAdjustment((g,), y, ()), ValidAdjustment((g,), y, (e,)), whys)
    return Formal(options, lambda: ordered(rng, names, 0.42, first=g, then=y), stem, fact_kind)
