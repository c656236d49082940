"""Simulated solvers of graded skill, whose scores state how hard a form is and what naive reasoning earns."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from enum import StrEnum

from assay.causal.draft import Answer, Draft
from assay.causal.proof.counted.route import Counted
from assay.causal.proof.derived.route import Derived
from assay.causal.proof.proof import Claim, Route, answer
from assay.causal.queries import Query
from assay.causal.solvers import naive
from assay.core.errors import InvalidInput


class Solver(StrEnum):
    """The simulated solvers, from least to most skilled."""

    GUESSER = "guesser"
    MARGINAL = "marginal-association"
    ADJUSTING = "adjust-for-everything"
    CORRECT = "correct"


def chances(draft: Draft, solver: Solver) -> tuple[float, ...]:
    """Return with which chance a solver picks each answer.

    A solver picks the answer with the largest share of claims that it believes, and guesses among ties; one
    that believes nothing at all guesses among all four.
    """
    if solver is Solver.GUESSER:
        beliefs: Sequence[float] = [0.0] * len(draft.answers)
    elif solver is Solver.CORRECT:
        route: Route = Counted(draft.world)
        beliefs = [float(all(answer(route, c.query) == c.answer for c in a.claims)) for a in draft.answers]
    else:
        read = naive.marginal if solver is Solver.MARGINAL else naive.adjusting
        route = Derived(draft.world)

        def heard(query: Query) -> Query:
            return read(query, draft.world)

        beliefs = [_belief(each, route, heard) for each in draft.answers]
    return picks(beliefs)


def picks(beliefs: Sequence[float]) -> tuple[float, ...]:
    """Return with which chance each answer is picked, by the share of its claims that is believed."""
    best = max(beliefs)
    return tuple((belief == best) / beliefs.count(best) for belief in beliefs)


def pick(chances: Sequence[float], rng: random.Random) -> int:
    """Draw an answer's place."""
    return rng.choices(range(len(chances)), weights=chances)[0]


def _belief(each: Answer, route: Route, heard: Callable[[Query], Query]) -> float:
    return sum(_believes(claim, route, heard) for claim in each.claims) / len(each.claims)


def _believes(claim: Claim, route: Route, heard: Callable[[Query], Query]) -> bool:
    """Return whether a naive solver holds a claim true; what it cannot work out it does not believe."""
    try:
        return answer(route, heard(claim.query)) == claim.answer
    except InvalidInput:
        return False
