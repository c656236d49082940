"""Trained attacks carried out on questions: credits averaged over splits."""

from __future__ import annotations

import numpy as np

from assay.causal.lint.attacked import Outcome
from assay.causal.lint.design import BoolArray, Design, FloatArray, IntArray
from assay.causal.lint.learners import Learner, LearnerKind
from assay.causal.lint.splits import Splits

TIE = 1e-5
"""Scores this near to the best, relative to its size, count as tied."""


def carry_out(learner: Learner, design: Design, keys: IntArray, splits: Splits) -> Outcome:
    """Return the learner's credits: each question's share of right picks over the splits that test it.

    `keys` (questions,) are the positions of the right options.
    """
    credit = averaged(learner.model, design, keys[:, np.newaxis], splits)[:, 0]
    return Outcome(
        f"{learner.name}/{splits.name}",
        f"Trained on half, tested on {splits.description}: {learner.description}.",
        credit,
        ~np.isnan(credit),
        trained=True,
    )


def averaged(model: LearnerKind, design: Design, keys: IntArray, splits: Splits) -> FloatArray:
    """Return credits (questions, sets) after training and testing on each set of keys; NaN where untested."""
    total = np.zeros(keys.shape)
    tested = np.zeros((len(keys), 1))
    for block in splits.blocks:
        part = design.take(block.rows)
        fitter = model.on(part)
        right = keys[block.rows]
        for train, test in block.splits:
            scores = fitter.scores(train, test, right[train])
            total[block.rows[test]] += credit(scores, part.there[test], right[test])
            tested[block.rows[test]] += 1
    return np.asarray(np.divide(total, tested, out=np.full(keys.shape, np.nan), where=tested > 0))


def credit(scores: FloatArray, there: BoolArray, right: IntArray) -> FloatArray:
    """Return the chance of a right pick (questions, sets); options tied for the best are as likely each."""
    masked = np.where(there[..., np.newaxis], scores, -np.inf)
    best = masked.max(axis=1, keepdims=True)
    top = masked >= best - TIE * np.maximum(1.0, np.abs(best))
    hit = np.take_along_axis(top, right[:, np.newaxis, :], axis=1)[:, 0]
    return np.asarray(hit / top.sum(axis=1), dtype=np.float64)
