"""From predicted quality and expected cost to a model: by a trade-off, or as a cascade from cheap to dear."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.frontier.sweep.decisions import Scale

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
CAUTION = 1.0
"""A simpler candidate is left only for one that is better by more standard errors than this, in training."""
ROUNDING = 1e-9
DIGITS = 9
"""Predictions that agree to so many decimals are tied."""


@dataclass(frozen=True, slots=True)
class Choice:
    """How a prediction becomes a choice, at each of A settings (the last one cares for quality alone).

    With `thresholds` (A,) it is a cascade, else the greatest phi(alpha) of `alphas` (A,) on `scale`.
    """

    scale: Scale
    alphas: FloatArray
    thresholds: FloatArray | None = None

    def choices(self, predicted: FloatArray, cost: FloatArray, there: BoolArray) -> IntArray:
        """Return the model chosen at each setting for each prompt: shape (A, n)."""
        if self.thresholds is not None:
            return np.stack([cascade(predicted, cost, there, each) for each in self.thresholds])
        value, price = self.scale.quality_of(predicted), self.scale.cost_of(cost)
        return np.stack([choose(alpha * value - (1.0 - alpha) * price, cost, there) for alpha in self.alphas])


def choose(worth: FloatArray, cost: FloatArray, there: BoolArray) -> IntArray:
    """Return the model (n,) of the greatest worth (n, L) among those observed; ties: the cheaper, the first.

    `cost` (L,) is expected. NaN in worth (a model never seen) is chosen only where nothing else is there.
    """
    order = np.argsort(np.where(np.isnan(cost), np.inf, cost), kind="stable")
    known = np.where(np.isnan(worth), np.finfo(np.float64).min, np.round(worth, DIGITS))
    known = np.where(there, known, -np.inf)
    return np.asarray(order[known[:, order].argmax(axis=1)], dtype=np.int64)


def cascade(predicted: FloatArray, cost: FloatArray, there: BoolArray, threshold: float) -> IntArray:
    """Return, going from the cheapest expected cost up, the first model predicted to reach the threshold.

    Where none is, the one predicted best. Nothing is asked in between: the prediction needs no answer, so
    only the chosen model's answer is paid.
    """
    best = choose(predicted, cost, there)
    order = np.argsort(np.where(np.isnan(cost), np.inf, cost), kind="stable")
    enough = (np.round(predicted, DIGITS) >= threshold) & there
    first = order[enough[:, order].argmax(axis=1)]
    return np.asarray(np.where(enough.any(axis=1), first, best), dtype=np.int64)


def cautious(worth: FloatArray, errors: float = CAUTION) -> IntArray:
    """Return which of K candidates, the simplest first, to take by their worth (K, n, ...) on n prompts.

    The first one that falls short of the best by at most so many standard errors of the difference, prompt by
    prompt: what training shows must be more than its luck to leave a simpler candidate for. Source: the rule
    of one standard error, L. Breiman et al., Classification and Regression Trees (1984), section 3.4.3.
    """
    means = worth.mean(axis=1)
    best = means.argmax(axis=0)
    short = np.take_along_axis(worth, best[None, None], axis=0) - worth
    spread = errors * short.std(axis=1) / np.sqrt(max(worth.shape[1] - 1, 1))
    return np.asarray((short.mean(axis=1) <= spread + ROUNDING).argmax(axis=0), dtype=np.int64)


def reached(table: FloatArray, taken: IntArray) -> FloatArray:
    """Return what the chosen models have in `table` (n, L): the shape of `taken`, (n,) or (A, n)."""
    return np.asarray(table[np.arange(len(table)), taken], dtype=np.float64)
