"""Transfer: a graph with a selection variable; which sets, how many paths, among the units kept."""

from __future__ import annotations

import random

from assay.causal.draft import Draft
from assay.causal.options.graph_choice import (
    Formal,
    count_kind,
    count_options,
    drawn,
    letters,
    ordered,
    set_kind,
    set_options,
    written,
)
from assay.causal.proof.proof import Claim
from assay.causal.queries import PathCount, Paths, Separated, ValidAdjustment
from assay.causal.scm import Dag
from assay.causal.wording.graphs import braces, listed

Names = list[str]


def transfer(rng: random.Random, scene: object) -> Draft:
    """Draw one of three formal questions about a sample selected by a variable; the scene is not used."""
    number = rng.randrange(3)
    names = letters(rng, 6 if number else 7)
    question = (_same_law, _effect, _open)[number](rng, names)
    return drawn(rng, question, f"selection-attrition/transfer/{number}")


def _sets(rng: random.Random, others: Names) -> list[set[str]]:
    """Draw four sets, none inside another: a set within a larger one could hardly serve alone."""
    a, b, c, d = rng.sample(others, 4)
    return rng.choice(([{a}, {b}, {c}, {d}], [{a}, {b, c}, {b, d}, {c, d}], [{a, b}, {a, c}, {b, d}, {c, d}]))


def _same_law(rng: random.Random, names: Names) -> Formal:
    """Ask within which set the outcome's law is the same in kept units as in all."""
    x, y, s, *others = names
    sets = _sets(rng, others)
    way = rng.randrange(2)

    def stem(dag: Dag) -> str:
        told = (
            f"In a causal graph over {listed(sorted(dag.names))} the parents are\n{written(dag, rng, 1)}.\n\n"
            if way
            else f"Consider the causal graph on {braces(dag.names)} with exactly these arrows:\n"
            f"{written(dag, rng, 0)}.\n\n"
        )
        return told + (
            f"A registry holds only units with {s} = 1. For exactly one of the sets W below, P({y} | {x}, W) "
            f"among the registered units equals P({y} | {x}, W) among all units under every choice of "
            "mechanisms. Which one?"
        )

    options = set_options(
        sets,
        lambda w: (Claim(Separated(y, s, tuple(sorted((x, *w)))), True),),
        f"{y} and {s} are d-separated by {x} together with {{set}}",
    )
    return Formal(
        options, lambda: ordered(rng, names, 0.45, first=x, then=y, leaf=s), stem, set_kind(sets, x)
    )


def _effect(rng: random.Random, names: Names) -> Formal:
    """Ask which adjustment within kept units gives the effect."""
    x, y, s, *others = names
    a, b, c = others
    sets: list[set[str]] = rng.choice(([{a}, {b}, {c}, {a, b}], [{a}, {b}, {a, c}, {b, c}]))

    def stem(dag: Dag) -> str:
        return (
            f"A structural model has these direct effects and no others: {written(dag, rng, 2)}. Its "
            "disturbances are independent.\n\nYou hold the full law of all variables and want the total "
            f"effect of {x} on {y}. A rule of the house requires that {s} be one of the variables adjusted "
            f"for. Suppose that W is adjusted for along with {s}. Which W is valid, whatever the functions?"
        )

    options = set_options(
        sets,
        lambda w: (Claim(ValidAdjustment((x,), y, tuple(sorted((s, *w)))), True),),
        f"{s} together with {{set}} satisfies the adjustment criterion for {x} and {y}",
    )
    return Formal(
        options, lambda: ordered(rng, names, 0.45, first=x, then=y, leaf=s), stem, set_kind(sets, x)
    )


def _open(rng: random.Random, names: Names) -> Formal:
    """Ask how many paths between two variables are open once selection is given."""
    x, y, s, *others = names[:6]
    held = rng.choice(others)
    start = rng.randint(0, 1)

    def stem(dag: Dag) -> str:
        return (
            f"Arrows: {written(dag, rng, 0)}. Nothing else is connected.\n\nSelection keeps {s} = 1, and in "
            f"addition {held} is stratified on. Count the paths between {x} and {y} (in any direction, each "
            f"vertex at most once, directed paths from {x} to {y} included) that are open given both {held} "
            f"and {s}. The count is:"
        )

    options = count_options(
        start,
        PathCount(x, y, Paths.OPEN, tuple(sorted((held, s)))),
        f"{{count}} paths between {x} and {y} are open given {held} and {s}",
    )
    return Formal(options, lambda: ordered(rng, names, 0.48, first=x, then=y, leaf=s), stem, count_kind)
