"""Draws of what each model truly reaches on each prompt, given what was observed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Posterior:
    """Joint draws from a model of the tensor: S draws by N prompts by L models.

    `quality` (S, N, L) are draws of each cell's expected quality, `cost` (S, N, L) of its expected cost, in
    the tensor's unit; None without costs. Cells that were never observed have draws too where `may_choose`
    (N, L) is False: they inform means of models, an oracle must not pick them. A quantity of the truth, such
    as the mean over prompts of the greatest quality, is computed within each draw: the mean over the draws is
    its estimate, their spread what is not known about these prompts.
    `method` names the model, `notes` what a reader should know of the fit. `claims_point` is False where the
    model cannot say what the oracle is: the bracket then stands in the place of its value.
    """

    method: str
    quality: FloatArray
    cost: FloatArray | None
    may_choose: npt.NDArray[np.bool_]
    notes: tuple[str, ...] = ()
    claims_point: bool = True
