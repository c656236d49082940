"""The interval of a share whose yes-or-no answers come in clusters that may be alike within."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri, stdtrit

from assay.stats.intervals import Interval
from assay.stats.proportion import clopper_pearson


def clustered_share(right: npt.ArrayLike, n: npt.ArrayLike, *, level: float = 0.95) -> Interval:
    """Return Korn and Graubard's interval of sum(right)/sum(n), clusters being independent draws.

    `right` of `n` answers of each cluster are right, shape (clusters,); clusters without an answer are left
    out, and no answer at all gives (0, 1). It is the Clopper-Pearson interval of the effective number of
    answers: p(1 - p)/v, with v the ratio estimator's variance between clusters, times (z/t)^2 with
    clusters - 1 degrees of freedom, and never more than there are answers. Where all answers are alike v says
    nothing, and a cluster counts as one answer. With one answer a cluster it is the plain Clopper-Pearson
    interval. Source: E. Korn and B. Graubard, Survey Methodology 24 (1998) 193-201; the rule for answers that
    are all alike is ours: docs/methodology/keyed-board.md has the coverage.
    """
    answers = np.asarray(n, dtype=np.float64)
    there = answers > 0
    answers, hits = answers[there], np.asarray(right, dtype=np.float64)[there]
    total = float(answers.sum())
    if total == 0.0:
        return Interval(0.0, 1.0, level)
    share = float(hits.sum()) / total
    effective = _effective(hits, answers, share, level)
    return clopper_pearson(share * effective, effective, level=level)


def _effective(
    right: npt.NDArray[np.float64], n: npt.NDArray[np.float64], share: float, level: float
) -> float:
    """Return how many independent answers these are worth."""
    clusters, total = len(n), float(n.sum())
    if n.max() <= 1.0:
        return total
    if clusters < 2 or share in (0.0, 1.0):
        return float(clusters)
    residual = right - share * n
    variance = clusters / (clusters - 1) * float(residual @ residual) / total**2
    if variance <= share * (1.0 - share) / (1e6 * total):
        return total
    tail = 0.5 + level / 2.0
    narrower = float(ndtri(tail) / stdtrit(clusters - 1, tail)) ** 2
    return min(total, max(1.0, narrower * share * (1.0 - share) / variance))
