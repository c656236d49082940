"""The choice of a model from predicted quality and expected cost: by a trade-off or as a cascade."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.frontier.sweep.decisions import Scale

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
CAUTION = 1.0
"""A simpler candidate is given up only for one that is better by more standard errors than this."""
ROUNDING = 1e-9
DIGITS = 9
"""Predictions that agree to this many decimals are tied."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The rule that turns a prediction into a choice, at A settings; the last considers quality alone.

    With `thresholds` (A,) it is a cascade, else the greatest phi(alpha) for `alphas` (A,) on `scale`.
    """

    scale: Scale
    alphas: FloatArray
    thresholds: FloatArray | None = None

    def choices(self, predicted: FloatArray, cost: FloatArray, observed: BoolArray) -> IntArray:
        """Return the model chosen at each setting for each prompt: shape (A, n)."""
        if self.thresholds is not None:
            return np.stack([cascade(predicted, cost, observed, threshold) for threshold in self.thresholds])
        value, price = self.scale.quality_of(predicted), self.scale.cost_of(cost)
        return np.stack(
            [choose(alpha * value - (1.0 - alpha) * price, cost, observed) for alpha in self.alphas]
        )


def choose(worth: FloatArray, cost: FloatArray, observed: BoolArray) -> IntArray:
    """Return the observed model (n,) with the greatest worth (n, L); ties go to the cheaper, then the first.

    `cost` (L,) is the expected cost. A model with worth NaN (never seen) is chosen only if there is no other.
    """
    order = np.argsort(np.where(np.isnan(cost), np.inf, cost), kind="stable")
    known = np.where(np.isnan(worth), np.finfo(np.float64).min, np.round(worth, DIGITS))
    known = np.where(observed, known, -np.inf)
    return np.asarray(order[known[:, order].argmax(axis=1)], dtype=np.int64)


def cascade(predicted: FloatArray, cost: FloatArray, observed: BoolArray, threshold: float) -> IntArray:
    """Return the model with the lowest expected cost that is predicted to reach the threshold.

    If there is none, the model with the best prediction is chosen. The prediction needs no answer, so only
    the chosen model's answer is paid for.
    """
    best = choose(predicted, cost, observed)
    order = np.argsort(np.where(np.isnan(cost), np.inf, cost), kind="stable")
    enough = (np.round(predicted, DIGITS) >= threshold) & observed
    first = order[enough[:, order].argmax(axis=1)]
    return np.asarray(np.where(enough.any(axis=1), first, best), dtype=np.int64)


def cautious(worth: FloatArray, errors: float = CAUTION) -> IntArray:
    """Return the position of the candidate to take, of K with worth (K, n, ...) on n prompts, simplest first.

    It is the first one that falls short of the best by at most `errors` standard errors of the difference by
    prompt, so that luck in training is no reason to give up a simpler candidate. Source: the rule of one
    standard error, L. Breiman et al., Classification and Regression Trees (1984), section 3.4.3.
    """
    means = worth.mean(axis=1)
    best = means.argmax(axis=0)
    shortfall = np.take_along_axis(worth, best[None, None], axis=0) - worth
    spread = errors * shortfall.std(axis=1) / np.sqrt(max(worth.shape[1] - 1, 1))
    return np.asarray((shortfall.mean(axis=1) <= spread + ROUNDING).argmax(axis=0), dtype=np.int64)


def reached(table: FloatArray, taken: IntArray) -> FloatArray:
    """Return the chosen models' values in `table` (n, L), in the shape of `taken`: (n,) or (A, n)."""
    return np.asarray(table[np.arange(len(table)), taken], dtype=np.float64)
