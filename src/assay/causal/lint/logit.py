"""The conditional logit: which option is right, from weights on the options' features."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize

from assay.causal.lint.design import BoolArray, Design, FloatArray, IntArray

Scores = npt.NDArray[np.floating]
PENALTY = 2.0
"""The weight of half the squared length of the weights."""
SMALL = 150
"""Up to so many questions are fitted on their inner products, many sets of keys at once."""
STEPS = 3
"""Steps of the fit on inner products: twelve gain a hundredth of the accuracy and take four times as long."""
_MOST_STEPS = 40


@dataclass(frozen=True, slots=True)
class ConditionalLogit:
    """P(option j is right) = exp(w.x_j) / sum over the question's options of exp(w.x_k).

    Fitted by maximum likelihood with a ridge penalty. Source: D. McFadden, "Conditional logit analysis of
    qualitative choice behavior" (1974).
    """

    penalty: float = PENALTY

    def on(self, design: Design) -> SmallLogit | LargeLogit:
        """Return what fits this model on parts of a design."""
        if design.questions > SMALL:
            return LargeLogit(design, self.penalty)
        return SmallLogit(_inner_products(design), design.there, self.penalty)


@dataclass(frozen=True, slots=True)
class LargeLogit:
    """Fits one set of keys after the other on the features, by L-BFGS."""

    design: Design
    penalty: float

    def scores(self, train: IntArray, test: IntArray, keys: IntArray) -> FloatArray:
        """Return scores (test questions, width, sets) after training on keys (training questions, sets)."""
        taught, asked = self.design.take(train), self.design.take(test)
        columns = [asked.matrix @ self.weights(taught, column) for column in keys.T]
        return np.stack(columns, axis=-1).reshape(len(test), asked.width, keys.shape[1])

    def weights(self, design: Design, keys: IntArray) -> FloatArray:
        """Return the weights (features,) that the keys (questions,) teach."""
        right = one_hot(keys[:, np.newaxis], design.there)[..., 0].reshape(-1)
        across = design.matrix.T.tocsr()

        def loss(weights: FloatArray) -> tuple[float, FloatArray]:
            given = (design.matrix @ weights).reshape(*design.there.shape, 1)
            chances = softmax(given, design.there).reshape(-1)
            likelihood = np.log(np.maximum(chances[right > 0], 1e-300)).sum()
            slope = across @ (chances - right) + self.penalty * weights
            return float(self.penalty / 2 * weights @ weights - likelihood), slope

        start = np.zeros(design.matrix.shape[1])
        found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": _MOST_STEPS})
        return np.asarray(found.x, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class SmallLogit:
    """Fits all sets of keys at once on the inner products of the options' centred features.

    Each step solves with the same upper bound of the curvature, half the inner products (D. Boehning,
    Annals of the Institute of Statistical Mathematics 44, 1992, 197-200).
    """

    inner: FloatArray
    there: BoolArray
    penalty: float
    steps: int = STEPS

    def scores(self, train: IntArray, test: IntArray, keys: IntArray) -> FloatArray:
        """Return scores (test questions, width, sets) after training on keys (training questions, sets)."""
        width = self.there.shape[1]
        taught, asked = _wide(train, width), _wide(test, width)
        exact = self.inner[np.ix_(taught, taught)]
        bound = cho_factor(exact / 2 + self.penalty * np.eye(len(taught)), lower=True)
        step = cho_solve(bound, np.eye(len(taught))).astype(np.float32)
        inner = exact.astype(np.float32)
        right = one_hot(keys, self.there[train]).reshape(len(taught), -1).astype(np.float32)
        alpha = np.zeros_like(right)
        for _ in range(self.steps):
            given = (inner @ alpha).reshape(len(train), width, -1)
            chances = softmax(given, self.there[train]).reshape(right.shape)
            alpha += step @ (right - chances - np.float32(self.penalty) * alpha)
        found = self.inner[np.ix_(asked, taught)].astype(np.float32) @ alpha
        return np.asarray(found.reshape(len(test), width, -1), dtype=np.float64)


def one_hot(keys: IntArray, there: BoolArray) -> FloatArray:
    """Return 1 at each set's keys (questions, sets), as (questions, width, sets)."""
    places = np.arange(there.shape[1])[np.newaxis, :, np.newaxis]
    return np.asarray(places == keys[:, np.newaxis, :], dtype=np.float64)


def softmax(scores: Scores, there: BoolArray) -> Scores:
    """Return the chances (questions, width, sets) of the options that exist."""
    masked = scores if there.all() else np.where(there[..., np.newaxis], scores, -np.inf)
    raised = np.exp(masked - masked.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


def _inner_products(design: Design) -> FloatArray:
    """Return the inner products of all options' features, each less its question's mean; 0 for no option."""
    there = design.there.reshape(-1).astype(np.float64)
    questions = np.arange(len(there)) // max(1, design.width)
    same = (questions[:, np.newaxis] == questions) * there[:, np.newaxis] * there
    centre = np.diag(there) - same / np.maximum(1.0, same.sum(axis=1, keepdims=True))
    return np.asarray(centre @ (design.matrix @ design.matrix.T).toarray() @ centre.T, dtype=np.float64)


def _wide(rows: IntArray, width: int) -> IntArray:
    return (rows[:, np.newaxis] * width + np.arange(width)).reshape(-1)
