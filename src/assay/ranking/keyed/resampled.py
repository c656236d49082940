"""The share of right answers of all models on the same resampled bundles."""

from __future__ import annotations

import numpy as np

from assay.ranking.cells import over
from assay.ranking.keyed.answers import Answers
from assay.ranking.measured import FloatArray
from assay.ranking.resampled import Resampled
from assay.stats.resample import drawn


def right_shares(answers: Answers) -> FloatArray:
    """Return how often each model was right on each question (M, Q), over its epochs; NaN without an answer.

    An invalid answer is not right; an error or an ungraded sample is nobody's answer and left out.
    """
    return over(np.where(answers.answered, answers.right.astype(np.float64), np.nan), 0)


def resample_bundles(answers: Answers, rng: np.random.Generator, replicates: int) -> Resampled:
    """Draw bundles with replacement, the same ones for all models, and score every model on each draw.

    A bundle keeps all its questions and epochs. What comes out has bundles in the place of prompts.
    """
    shares = right_shares(answers)
    there = ~np.isnan(shares)
    member = np.eye(len(answers.concepts))[answers.bundles]
    total, count = np.where(there, shares, 0.0) @ member, there.astype(np.float64) @ member
    weights = drawn(rng, len(answers.concepts), replicates)
    exact = over(shares, -1)
    pull = total - np.nan_to_num(exact)[:, None] * count
    return Resampled(
        composites=_divided(weights @ total.T, weights @ count.T),
        exact=exact,
        basis=np.asarray(there.any(axis=1), dtype=np.int64),
        contribution=_divided(total, count),
        influence=pull * len(answers.concepts) / np.maximum(count.sum(axis=1), 1.0)[:, None],
    )


def _divided(top: FloatArray, bottom: FloatArray) -> FloatArray:
    found: FloatArray = np.divide(top, bottom, out=np.full(top.shape, np.nan), where=bottom > 0)
    return found
