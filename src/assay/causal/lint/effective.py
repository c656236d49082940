"""A share of right picks as a binomial count of as many independent questions as it is worth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import betainc, betaincinv, stdtrit

from assay.stats.intervals import Interval
from assay.stats.resample import by_cluster

FloatArray = npt.NDArray[np.float64]
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Effective:
    """`right` of `n` questions, neither of them whole where questions hang together."""

    right: float
    n: float

    def interval(self, level: float = LEVEL) -> Interval:
        """Return the two-sided Clopper-Pearson interval, its formula read for numbers that are not whole."""
        tail = (1.0 - level) / 2.0
        wrong = max(0.0, self.n - self.right)
        low = float(betaincinv(self.right, wrong + 1.0, tail)) if self.right > 0 else 0.0
        high = float(betaincinv(self.right + 1.0, wrong, 1.0 - tail)) if wrong > 0 else 1.0
        return Interval(low, high, level)

    def above(self, chance: float) -> float:
        """Return the one-sided p of so many right or more, each with this chance."""
        if self.right <= 0:
            return 1.0
        return float(betainc(self.right, max(0.0, self.n - self.right) + 1.0, chance))


def independent(credit: FloatArray) -> Effective:
    """Take every question for one of its own."""
    return Effective(float(credit.sum()), float(len(credit)))


def clustered(credit: FloatArray, clusters: npt.ArrayLike) -> Effective:
    """Return what credits (0 to 1, one a question) are worth when clusters of them are drawn together.

    n* = p(1 - p)/v * (t(n - 1)/t(G - 1))^2, at most n, and p n* right ones: v is the variance of the mean
    between G clusters, t(k) the 97.5 % quantile of Student's t with k degrees. With one cluster only, every
    question stands for itself. Source: E. Korn and B. Graubard, Survey Methodology 24 (1998) 193-201.
    """
    n = len(credit)
    count = len(np.unique(np.asarray(clusters)))
    if n < 2 or count < 2:
        return independent(credit)
    mean = float(credit.mean())
    totals = by_cluster((credit - mean)[:, np.newaxis], clusters)
    variance = count / (count - 1) * float((totals**2).sum()) / n**2
    tail = 0.5 + LEVEL / 2.0
    caution = float((stdtrit(n - 1, tail) / stdtrit(count - 1, tail)) ** 2)
    worth = mean * (1.0 - mean) / variance if variance > 0 else float(n)
    effective = min(float(n), worth * caution)
    return Effective(mean * effective, effective)
