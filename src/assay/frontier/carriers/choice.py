"""Choosing the cheapest of the smallest sets of models that keep a share of the oracle's gain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.optimize import Bounds, LinearConstraint, milp

from assay.frontier.carriers.best_sets import (
    EXACT,
    TINY,
    BestSet,
    QualityTable,
    best_sets,
    cheapest_of_size,
    table,
)
from assay.frontier.per_prompt import best_single, model_means, thinned
from assay.frontier.posterior import Posterior

TRIES = 3
FloatArray = npt.NDArray[np.float64]
MOST_STEPS = 20_000
"""Steps of quality, over all rows, up to which the proof is tried: cell means of 400 prompts have 2,000."""

NODES = 2_000


@dataclass(frozen=True, slots=True)
class PickedSet:
    """The set picked, the best set of its size, the best sets by size, and the least size that could do.

    `single` and `gain` are what they were chosen on: the best single's value and the oracle's gain over it.
    """

    chosen: tuple[int, ...]
    best: BestSet
    sets: tuple[BestSet, ...]
    least: int
    single: float
    gain: float

    def kept_at_most(self, best: BestSet) -> float | None:
        """Return the share of the gain that no set of this size exceeds."""
        return min(1.0, (best.bound - self.single) / self.gain) if self.gain > TINY else None


def choose(
    cells: Posterior,
    models: tuple[str, ...],
    share: float,
    *,
    listed: int = 0,
    draws: int = 10,
    proof: bool = False,
) -> PickedSet:
    """Pick the cheapest of the smallest sets that keep the share; best sets are found up to `listed` models.

    Above `EXACT` models sets are searched on at most `draws` draws, and checked on all. With `proof` integer
    programming closes the gap between the set found and the fewest models that could do, for cell means.
    """
    full = table(cells.quality, cells.cost, cells.may_choose)
    few = cells if len(models) <= EXACT else thinned(cells, draws)
    rows = full if few is cells else table(few.quality, few.cost, few.may_choose)
    single, every = best_single(*model_means(cells), models), range(len(models))
    alone, gain = full.value([single]), full.value(every) - full.value([single])
    target = alone + share * gain - TINY
    searched = rows.value([single]) + share * (rows.value(every) - rows.value([single])) - TINY
    sets: list[BestSet] = []
    enough: BestSet | None = None
    least = 0
    for best in best_sets(rows):
        sets.append(best)
        least = least or (len(sets) if best.bound >= searched else 0)
        enough = enough or (best if full.value(best.chosen) >= target else None)
        if enough is not None and len(sets) >= listed:
            break
    assert enough is not None
    if proof and rows is full and least < len(enough.chosen):
        enough, least = _proved(full, enough, target, least)
    chosen = _cheapest(rows, full, enough, searched, target)
    start = rows.value([single])
    return PickedSet(chosen, enough, tuple(sets), least, start, rows.value(every) - start)


def _proved(rows: QualityTable, enough: BestSet, target: float, least: int) -> tuple[BestSet, int]:
    """Return a smallest set and its size where integer programming proves it; else what is known."""
    found = fewest(rows, target)
    if found is None:
        return enough, least
    if len(found) == len(enough.chosen):
        return enough, len(found)
    return BestSet(found, rows.value(found), enough.bound, False), len(found)


def _cheapest(
    rows: QualityTable, full: QualityTable, enough: BestSet, searched: float, target: float
) -> tuple[int, ...]:
    """Return the cheapest set of that size which still keeps the share on all draws."""
    asked = searched
    for _ in range(TRIES):
        chosen = cheapest_of_size(rows, enough, min(asked, enough.value))
        short = target - full.value(chosen)
        if short <= TINY:
            return chosen
        asked += 1.5 * short
    return enough.chosen


def fewest(rows: QualityTable, target: float) -> tuple[int, ...] | None:
    """Return a smallest set of models that is worth `target`; None where that is not proved within limits.

    Each row's quality rises in steps from one value that occurs to the next; a step is had when a model
    that reaches it is in the set. The number of models is least such that the steps had are worth the target.
    The search is limited in nodes, not in seconds, so that the answer does not depend on the machine.
    """
    models = rows.quality.shape[1]
    reach, rise = _steps(rows)
    if len(rise) > MOST_STEPS:
        return None
    number = len(rise)
    needs = sparse.hstack([-sparse.csr_matrix(reach), sparse.identity(number, format="csr")], format="csr")
    worth = np.concatenate([np.zeros(models), rise])[np.newaxis]
    found = milp(
        np.concatenate([np.ones(models), np.zeros(number)]),
        constraints=[
            LinearConstraint(needs, -np.inf, 0.0),
            LinearConstraint(worth, target - rows.nobody - TINY, np.inf),
        ],
        integrality=np.concatenate([np.ones(models), np.zeros(number)]),
        bounds=Bounds(0.0, 1.0),
        options={"node_limit": NODES},
    )
    if found.status != 0 or found.x is None:
        return None
    chosen = tuple(int(place) for place in np.flatnonzero(found.x[:models] > 0.5))
    return chosen if rows.value(chosen) >= target - 1e-9 else None


def _steps(rows: QualityTable) -> tuple[FloatArray, FloatArray]:
    """Return which models reach each step (steps, L), and its height over the number of rows (steps,)."""
    lifted = np.maximum(rows.quality, rows.nobody)
    order = np.sort(lifted, axis=1)
    below = np.concatenate([np.full((len(order), 1), rows.nobody), order[:, :-1]], axis=1)
    row, place = np.nonzero(order > below)
    reach = (lifted[row] >= order[row, place][:, np.newaxis]).astype(np.float64)
    same, group = np.unique(reach, axis=0, return_inverse=True)
    height = np.bincount(group.reshape(-1), order[row, place] - below[row, place], minlength=len(same))
    return same, np.asarray(height / len(lifted), dtype=np.float64)
