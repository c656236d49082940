"""Rank fragility: how few items would have to be left out for another model to take first place."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from assay.ranking.score_table import ScoreSource, ScoreTable
from assay.results.rank_items import Fragility, Rival

FloatArray = npt.NDArray[np.float64]
TIE = 1e-9
"""Sums of differences below this count as 0."""


def rank_fragility(source: ScoreSource) -> Fragility:
    """Return how few items of a source decide which model is first; see `rivals_of_first`."""
    first, rivals = rivals_of_first(source.table)
    return Fragility(source.about, first, rivals[0].removals, rivals)


def rivals_of_first(table: ScoreTable) -> tuple[str, tuple[Rival, ...]]:
    """Return the first model, and for each other one the fewest items whose removal puts it above the first.

    Two models are compared by their mean on the items that both have. Leaving out the items with the largest
    differences is optimal: the mean of what remains has the sign of its sum, and no other choice of as many
    items lowers the sum more. Rivals come in the order of that number; those with no common item come last.
    Source: docs/methodology/rank-fragility.md.
    """
    means = np.array([float(scores[~np.isnan(scores)].mean()) for scores in table.scores])
    first = int(np.argmax(means))
    rivals = [_rival(table, first, other) for other in range(len(table.models)) if other != first]
    rivals.sort(key=lambda rival: (rival.removals is None, rival.removals or 0, rival.model))
    return table.models[first], tuple(rivals)


def _rival(table: ScoreTable, first: int, other: int) -> Rival:
    lead = table.scores[first] - table.scores[other]
    common = np.flatnonzero(~np.isnan(lead))
    if not len(common):
        return Rival(table.models[other], 0, None, None, ())
    order = common[np.argsort(-lead[common], kind="stable")]
    remaining = lead[order].sum() - np.concatenate([[0.0], np.cumsum(lead[order])])
    below = np.flatnonzero(remaining[:-1] < -TIE)
    removals = int(below[0]) if len(below) else None
    return Rival(
        model=table.models[other],
        n=len(common),
        lead=100.0 * float(lead[common].mean()),
        removals=removals,
        items=tuple(table.items[item] for item in order[: removals or 0]),
    )
