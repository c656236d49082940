"""How likely a trained attack's success on one form is by luck alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.causal.lint.design import Design, FloatArray, IntArray
from assay.causal.lint.learners import Learner
from assay.causal.lint.splits import Splits
from assay.causal.lint.training import averaged

ENOUGH = 10
"""After so many sets of keys that do as well, no more are drawn."""
BATCHES = (200, 1_200)
"""Sets of keys at a time; p can get small enough for Holm over 58 tests at 5 %: 58/1,401 = 0.041."""


@dataclass(frozen=True, slots=True)
class Luck:
    """A trained attack's credits on the form's own keys, and the one-sided p of doing so well."""

    credit: FloatArray
    p: float


def luck(learner: Learner, design: Design, keys: IntArray, splits: Splits, rng: np.random.Generator) -> Luck:
    """Train and test on the form's keys, and on keys drawn evenly anew for every question.

    Under the hypothesis that no option tells that it is right, all sets of keys are equally likely, so the
    rank of the form's own among them gives an exact p. Sets are drawn until 10 did as well (p = 10/drawn),
    at most 1,400 (p = (1 + as well)/(1 + drawn)). Source: J. Besag and P. Clifford, "Sequential Monte Carlo
    p-values", Biometrika 78 (1991) 301-304.
    """
    sizes = design.there.sum(axis=1)[:, np.newaxis]
    own = averaged(learner.model, design, keys[:, np.newaxis], splits)[:, 0]
    reached = np.nansum(own) - 1e-6
    drawn, as_well = 0, 0
    for batch in BATCHES:
        sets = rng.integers(0, sizes, (len(keys), batch))
        found = np.nansum(averaged(learner.model, design, sets, splits), axis=0) >= reached
        if as_well + found.sum() >= ENOUGH:
            last = int(np.flatnonzero(found)[ENOUGH - as_well - 1])
            return Luck(own, ENOUGH / (drawn + last + 1))
        drawn += batch
        as_well += int(found.sum())
    return Luck(own, (1 + as_well) / (1 + drawn))
