"""Draws of each model's true quality and cost on each prompt, given the observed generations."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Posterior:
    """Joint draws from a statistical model of the tensor: S draws by N prompts by L models.

    `quality` (S, N, L) holds draws of each cell's expected quality, and `cost` (S, N, L) of its expected cost
    in the tensor's unit; None without costs. `may_choose` (N, L) is False for cells that were never observed:
    they have draws too, which count for the means of models, but an oracle must not choose them. A true
    quantity, such as the mean over prompts of the greatest quality, is computed within each draw: the mean
    over the draws is its estimate, and their spread is the uncertainty about these prompts.
    `method` names the model, and `notes` describe the fit. `claims_point` is False if the model cannot
    determine the oracle: the bracket is then reported instead of a value.
    """

    method: str
    quality: FloatArray
    cost: FloatArray | None
    may_choose: npt.NDArray[np.bool_]
    notes: tuple[str, ...] = ()
    claims_point: bool = True

    def take(self, rows: npt.NDArray[np.int64] | npt.NDArray[np.bool_]) -> Posterior:
        """Return the draws of these prompts."""
        cost = None if self.cost is None else self.cost[:, rows]
        return replace(self, quality=self.quality[:, rows], cost=cost, may_choose=self.may_choose[rows])
