"""Between which ranks each model can be placed, given which differences are significant."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.ranking.measured import FloatArray
from assay.ranking.pairs import Comparisons


@dataclass(frozen=True, slots=True)
class RankRange:
    """A model's best and worst tenable rank, 1 the best.

    Ranges that overlap do not say that two models are alike: of two models with ranges 1-3 and 2-4 one may
    be significantly better than the other. `Comparisons.significant` says which pairs are.
    """

    low: int
    high: int


def rank_ranges(
    composites: FloatArray, comparisons: Comparisons, *, alpha: float = 0.05
) -> tuple[RankRange | None, ...]:
    """Return each model's range: low = 1 + models significantly better, high = models - significantly worse.

    `composites` (M,) NaN for a model without one, which has no rank. Significant means a corrected p of at
    most `alpha`. Source: the same idea as in the rank intervals of M. Mogstad, J. Romano, A. Shaikh and
    D. Wilhelm, Review of Economic Studies 91 (2024) 476-518, with Holm's correction over all pairs.
    """
    ranked = ~np.isnan(composites)
    significant = comparisons.significant(alpha)
    better = (significant & (comparisons.difference < 0)).sum(axis=1)
    worse = (significant & (comparisons.difference > 0)).sum(axis=1)
    models = int(ranked.sum())
    return tuple(
        RankRange(1 + int(better[place]), models - int(worse[place])) if ranked[place] else None
        for place in range(len(composites))
    )
