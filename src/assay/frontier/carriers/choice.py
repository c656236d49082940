"""The choice of the cheapest of the smallest sets of models that keep a share of the oracle's gain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

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
"""The number of searches for a cheap set, with rising targets, until one keeps the share on all draws."""
FloatArray = npt.NDArray[np.float64]
MOST_STEPS = 20_000
"""The largest number of quality steps over all rows for a proof; cell means of 400 prompts have 2,000."""
NODES = 2_000
"""The largest number of nodes of the integer program."""


@dataclass(frozen=True, slots=True)
class PickedSet:
    """The picked set, the best set of its size, the best sets by size, and the least size that could suffice.

    `single` is the best single model's value and `gain` the oracle's gain over it, on the rows that sets were
    searched on.
    """

    chosen: tuple[int, ...]
    best: BestSet
    sets: tuple[BestSet, ...]
    least: int
    single: float
    gain: float

    def kept_at_most(self, best: BestSet) -> float | None:
        """Return the share of the gain that no set of this size can exceed."""
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
    """Pick the cheapest of the smallest sets that keep the share; best sets are listed up to `listed` models.

    Above `EXACT` models sets are searched on at most `draws` draws and checked on all. With `proof`, integer
    programming closes the gap between the size found and the least size that could suffice, for cell means.
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
    """Return a smallest set and its size if integer programming proves it, else the set and bound given."""
    smallest = fewest(rows, target)
    if smallest is None:
        return enough, least
    if len(smallest) == len(enough.chosen):
        return enough, len(smallest)
    return BestSet(smallest, rows.value(smallest), enough.bound, False), len(smallest)


def _cheapest(
    rows: QualityTable, full: QualityTable, enough: BestSet, searched: float, target: float
) -> tuple[int, ...]:
    """Return the cheapest set of the size of `enough` that keeps the share on all draws."""
    aim = searched
    for _ in range(TRIES):
        chosen = cheapest_of_size(rows, enough, min(aim, enough.value))
        short = target - full.value(chosen)
        if short <= TINY:
            return chosen
        aim += 1.5 * short
    return enough.chosen


def fewest(rows: QualityTable, target: float) -> tuple[int, ...] | None:
    """Return a smallest set of models with at least the value `target`; None if the limits prevent a proof.

    The quality of each row rises in steps between the values that occur. A set reaches a step if one of its
    models does. The program minimises the number of models such that the steps reached add up to the target.
    The search is limited in nodes, not in seconds, so that the result does not depend on the machine.
    """
    models = rows.quality.shape[1]
    reach, rise = _steps(rows)
    if len(rise) > MOST_STEPS:
        return None
    number = len(rise)
    needs = scipy.sparse.hstack(
        [-scipy.sparse.csr_matrix(reach), scipy.sparse.identity(number, format="csr")], format="csr"
    )
    worth = np.concatenate([np.zeros(models), rise])[np.newaxis]
    solution = scipy.optimize.milp(
        np.concatenate([np.ones(models), np.zeros(number)]),
        constraints=[
            scipy.optimize.LinearConstraint(needs, -np.inf, 0.0),
            scipy.optimize.LinearConstraint(worth, target - rows.empty - TINY, np.inf),
        ],
        integrality=np.concatenate([np.ones(models), np.zeros(number)]),
        bounds=scipy.optimize.Bounds(0.0, 1.0),
        options={"node_limit": NODES},
    )
    if solution.status != 0 or solution.x is None:
        return None
    chosen = tuple(int(place) for place in np.flatnonzero(solution.x[:models] > 0.5))
    return chosen if rows.value(chosen) >= target - 1e-9 else None


def _steps(rows: QualityTable) -> tuple[FloatArray, FloatArray]:
    """Return the models that reach each step (steps, L), and its height over the number of rows (steps,)."""
    lifted = np.maximum(rows.quality, rows.empty)
    order = np.sort(lifted, axis=1)
    below = np.concatenate([np.full((len(order), 1), rows.empty), order[:, :-1]], axis=1)
    row, place = np.nonzero(order > below)
    reach = (lifted[row] >= order[row, place][:, np.newaxis]).astype(np.float64)
    same, group = np.unique(reach, axis=0, return_inverse=True)
    height = np.bincount(group.reshape(-1), order[row, place] - below[row, place], minlength=len(same))
    return same, np.asarray(height / len(lifted), dtype=np.float64)
