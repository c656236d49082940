"""The fewest models whose oracle is worth a target, proved by integer programming."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.optimize import Bounds, LinearConstraint, milp

from assay.frontier.carriers.best_sets import TINY, Table

FloatArray = npt.NDArray[np.float64]
MOST_STEPS = 20_000
"""Steps of quality, over all rows, up to which the proof is tried: cell means of 400 prompts have 2,000."""

NODES = 2_000


def fewest(rows: Table, target: float) -> tuple[int, ...] | None:
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


def _steps(rows: Table) -> tuple[FloatArray, FloatArray]:
    """Return which models reach each step (steps, L), and its height over the number of rows (steps,)."""
    lifted = np.maximum(rows.quality, rows.nobody)
    order = np.sort(lifted, axis=1)
    below = np.concatenate([np.full((len(order), 1), rows.nobody), order[:, :-1]], axis=1)
    row, place = np.nonzero(order > below)
    reach = (lifted[row] >= order[row, place][:, np.newaxis]).astype(np.float64)
    same, group = np.unique(reach, axis=0, return_inverse=True)
    height = np.bincount(group.reshape(-1), order[row, place] - below[row, place], minlength=len(same))
    return same, np.asarray(height / len(lifted), dtype=np.float64)
