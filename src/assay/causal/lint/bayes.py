"""Naive Bayes on words: how much more often a word stands in right options than in wrong ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.causal.lint.design import Design, FloatArray, IntArray
from assay.causal.lint.logit import one_hot


@dataclass(frozen=True, slots=True)
class KeywordBayes:
    """score(option) = sum over its words of log P(word | right) - log P(word | wrong).

    P(word | right) = (right options with it + prior)/(right options + 2 prior): a multivariate Bernoulli
    model that looks at the words that are there. Source: A. McCallum and K. Nigam, AAAI workshop on learning
    for text categorization (1998).
    """

    prior: float = 1.0

    def on(self, design: Design) -> FittedBayes:
        """Return what fits this model on parts of a design."""
        return FittedBayes(design, self.prior)


@dataclass(frozen=True, slots=True)
class FittedBayes:
    """Counts words in the right and the wrong options."""

    design: Design
    prior: float

    def scores(self, train: IntArray, test: IntArray, keys: IntArray) -> FloatArray:
        """Return scores (test questions, width, sets) after training on keys (training questions, sets)."""
        taught, asked = self.design.take(train), self.design.take(test)
        right = one_hot(keys, taught.there).reshape(taught.matrix.shape[0], -1)
        among_right = taught.matrix.T @ right
        among_all = np.asarray(taught.matrix.sum(axis=0)).reshape(-1, 1)
        rights, wrongs = len(train), int(taught.there.sum()) - len(train)
        ratio = np.log((among_right + self.prior) / (rights + 2 * self.prior))
        ratio -= np.log((among_all - among_right + self.prior) / (wrongs + 2 * self.prior))
        return np.asarray((asked.matrix @ ratio).reshape(*asked.there.shape, -1), dtype=np.float64)
