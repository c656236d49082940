"""How likely a trained attack's success on one form is by luck."""

from __future__ import annotations

import numpy as np
from causal_items import form, keyword_in_distractors

from assay.causal.item import Item
from assay.causal.lint.fixed import keys
from assay.causal.lint.learners import LEARNERS
from assay.causal.lint.luck import luck
from assay.causal.lint.reading import read_all
from assay.causal.lint.splits import by_bundle


def p_of(items: list[Item], seed: int) -> float:
    """Return the keyword attack's p on a form, with two splits."""
    questions = read_all(items)
    rng = np.random.default_rng(seed)
    way = by_bundle([one.concept for one in items], rng, 2)
    return luck(LEARNERS[0], LEARNERS[0].sees(questions), keys(questions), way, rng).p


def test_clean_forms_have_even_p() -> None:
    """On 60 clean forms p is at most 20 % in about a fifth, never far more often."""
    low = sum(p_of(form(seed, concepts=6), seed) <= 0.2 for seed in range(60))
    assert low <= 22


def test_a_planted_keyword_has_the_smallest_p() -> None:
    """No set of keys drawn at random does as well as those of a form that leaks."""
    assert p_of(form(1, keyword_in_distractors("zebra", 0.6)), 1) == 1 / 1401
