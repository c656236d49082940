"""The conditional logit, in both ways of fitting it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from causal_items import form, keyword_in_distractors
from scipy.optimize import brentq
from scipy.sparse import csr_array

from assay.causal.lint.design import Design, FloatArray, IntArray, option_only
from assay.causal.lint.logit import LargeLogit, SmallLogit, _inner_products, softmax
from assay.causal.lint.reading import read_all

PENALTY = 2.0
TWO = Design(csr_array(np.array([[1.0], [0.0]] * 4)), np.ones((4, 2), dtype=bool))
TRAIN, TEST = np.array([0, 1, 2]), np.array([3])


def small(design: Design, steps: int) -> SmallLogit:
    """Return the fit on inner products, with enough steps to converge."""
    return SmallLogit(_inner_products(design), design.there, PENALTY, steps)


def test_one_weight_worked_by_hand() -> None:
    """Three questions, one feature, always right: the weight solves 3(1 - s(w)) = 2w."""
    weight = brentq(lambda w: 3 / (1 + math.exp(w)) - PENALTY * w, 0, 5)
    keys = np.zeros((3, 1), dtype=np.int64)
    for fit in (LargeLogit(TWO, PENALTY), small(TWO, 200)):
        scores = fit.scores(TRAIN, TEST, keys)[0, :, 0]
        assert scores[0] - scores[1] == pytest.approx(weight, abs=1e-4)


def test_both_ways_find_the_same() -> None:
    """L-BFGS on features and the bounded steps on inner products minimise the same loss."""
    items = form(3, keyword_in_distractors("zebra", 0.5), concepts=8)
    design = option_only(read_all(items))
    train, test = np.arange(0, 40, 2), np.arange(1, 40, 2)
    keys = np.array([[one.key] for one in items], dtype=np.int64)[train]
    one = _levelled(LargeLogit(design, PENALTY).scores(train, test, keys))
    other = _levelled(small(design, 300).scores(train, test, keys))
    assert np.allclose(one, other, atol=0.02)


def test_sets_of_keys_do_not_touch_each_other() -> None:
    """Fitting two sets of keys at once gives what fitting each alone gives."""
    design = option_only(read_all(form(4, concepts=6)))
    train, test = np.arange(20), np.arange(20, 30)
    keys = np.random.default_rng(0).integers(0, 4, (20, 2))
    both = small(design, 3).scores(train, test, keys)
    alone = small(design, 3).scores(train, test, keys[:, 1:])
    assert np.allclose(both[..., 1], alone[..., 0], atol=1e-4)


def test_options_that_are_not_there_have_no_chance() -> None:
    """Chances are those of the options that exist, and add up to 1."""
    chances = softmax(np.zeros((1, 3, 1)), np.array([[True, True, False]]))
    assert chances[0, :, 0].tolist() == [0.5, 0.5, 0.0]


def _levelled(scores: FloatArray | IntArray) -> FloatArray:
    return np.asarray(scores - scores.mean(axis=1, keepdims=True), dtype=np.float64)
