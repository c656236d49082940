"""Drafts of which a declared share is within reach of a reasoner who adjusts for everything."""

from __future__ import annotations

import random
from collections.abc import Callable

from assay.causal.draft import Draft
from assay.causal.draws import until
from assay.causal.solvers.solver import Solver, chances


def graded(rng: random.Random, make: Callable[[], Draft | None], adjusting: float) -> Draft:
    """Return a draft that the adjust-for-everything reasoner gets right with chance `adjusting`, else wrong.

    Nor is it one that the marginal-association reasoner is sure of.
    """
    wanted = rng.random() < adjusting

    def fitting() -> Draft | None:
        draft = make()
        if draft is None:
            return None
        key = next(at for at, each in enumerate(draft.answers) if each.kind is None)
        reached = chances(draft, Solver.ADJUSTING)[key]
        fits = reached == 1 if wanted else reached < 0.3
        return draft if fits and chances(draft, Solver.MARGINAL)[key] < 0.5 else None

    return until(fitting)
