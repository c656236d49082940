"""Fixed attacks carried out on questions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assay.causal.lint.attack import ABSTAINS, Attack, IntArray
from assay.causal.lint.attacked import Outcome
from assay.causal.lint.reading import Reading


def carry_out(attack: Attack, questions: Sequence[Reading], rng: np.random.Generator) -> Outcome:
    """Return the attack's credits; where it abstains it guesses evenly among the options."""
    picks = attack.guess(questions, rng)
    sizes = np.array([question.size for question in questions], dtype=np.int64)
    guesses = rng.integers(0, sizes) if len(sizes) else picks
    spoke = picks != ABSTAINS
    final = np.where(spoke, picks, guesses)
    return Outcome(
        attack.name, attack.description, (final == keys(questions)).astype(np.float64), spoke, trained=False
    )


def keys(questions: Sequence[Reading]) -> IntArray:
    """Return the positions of the right options."""
    return np.array([question.item.key for question in questions], dtype=np.int64)
