"""Naive Bayes on words."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.sparse import csr_array

from assay.causal.lint.bayes import KeywordBayes
from assay.causal.lint.design import Design


def test_a_word_worked_by_hand() -> None:
    """A word in 2 of 2 right and 1 of 2 wrong options weighs log(3/4) - log(2/4)."""
    design = Design(
        csr_array(np.array([[1.0], [1.0], [1.0], [0.0], [1.0], [0.0]])), np.ones((3, 2), dtype=bool)
    )
    fitter = KeywordBayes().on(design)
    scores = fitter.scores(np.array([0, 1]), np.array([2]), np.zeros((2, 1), dtype=np.int64))
    assert scores[0, 0, 0] == pytest.approx(math.log(3 / 4) - math.log(2 / 4))
    assert scores[0, 1, 0] == 0
