"""Trained attacks carried out."""

from __future__ import annotations

import numpy as np
import pytest
from causal_items import form, keyword_in_distractors

from assay.causal.lint.fixed import keys
from assay.causal.lint.learners import LEARNERS, Learner
from assay.causal.lint.reading import read_all
from assay.causal.lint.splits import by_bundle, by_cell
from assay.causal.lint.training import carry_out, credit

CLEAN = [one for seed in range(4) for one in form(seed)]
LEAKY = [one for seed in range(4) for one in form(seed, keyword_in_distractors("zebra", 0.6))]


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: learner.name)
def test_a_keyword_is_learned_across_concepts(learner: Learner) -> None:
    """A word that stands in 60 % of distractors and no key is found; without it the attack is at chance."""
    accuracy = []
    for items in (CLEAN, LEAKY):
        questions = read_all(items)
        way = by_bundle([one.concept for one in items], np.random.default_rng(0), 3)
        outcome = carry_out(learner, learner.sees(questions), keys(questions), way)
        accuracy.append(float(np.nanmean(outcome.credit)))
    assert accuracy[0] < 0.33
    assert accuracy[1] > 0.45


def test_only_what_was_tested_has_credit() -> None:
    """Questions of cells with a single form are never tested."""
    questions = read_all(CLEAN[:100] + CLEAN[100:105])
    cells = [(one.item.concept, one.item.variant) for one in questions]
    way = by_cell(cells, [0] * 100 + [1] * 5, np.random.default_rng(0), 6)
    outcome = carry_out(LEARNERS[0], LEARNERS[0].sees(questions), keys(questions), way)
    assert set(np.flatnonzero(outcome.spoke)) <= {0, 1, 2, 3, 4, 100, 101, 102, 103, 104}
    assert np.isnan(outcome.credit[5])


def test_ties_share_the_credit() -> None:
    """Two options tied for the best are right with one half; an option that is not there never ties."""
    scores = np.array([[[2.0], [2.0], [1.0]], [[0.0], [0.0], [0.0]]])
    there = np.array([[True, True, True], [True, True, False]])
    assert credit(scores, there, np.array([[0], [1]]))[:, 0].tolist() == [0.5, 0.5]
    assert credit(scores, there, np.array([[2], [0]]))[:, 0].tolist() == [0.0, 0.5]
