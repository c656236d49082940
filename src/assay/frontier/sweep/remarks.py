"""What a reader must know of the tensor and the prices behind a frontier, whatever the method."""

from __future__ import annotations

import numpy as np

from assay.frontier.oracles.extrapolate import LEAST
from assay.frontier.oracles.remarks import alike
from assay.frontier.sweep.decisions import scale_of
from assay.frontier.sweep.prices import Change
from assay.frontier.tensor import Tensor

DECIDED = ("naive", "shrink", "pgm")
"""Methods whose decisions other prices can be counted on."""


def tensor_remarks(tensor: Tensor) -> tuple[str, ...]:
    """Return what a reader must know of the tensor itself."""
    told = []
    scale = scale_of(tensor.quality, tensor.cost)
    if tensor.cost is None:
        told.append("no costs were recorded: only alpha = 1 exists, and nothing about cost can be said")
    elif scale.cost is not None and scale.cost[0] == scale.cost[1]:
        told.append("every answer costs the same: cost is 0 in phi, and every alpha decides by quality")
    if scale.quality[0] == scale.quality[1]:
        told.append("every answer has the same quality: it is 0 in phi, and every alpha decides by cost")
    if len(tensor.models) == 1:
        told.append("there is one model: nothing can be chosen, and the frontier is that model")
    if tensor.generations == 1:
        told.append(_luck(tensor))
    elif tensor.generations < LEAST["smooth"]:
        told.append(f"G = {tensor.generations}: equation 12 has 5 parameters and cannot be fitted")
    return tuple(told)


def _luck(tensor: Tensor) -> str:
    """Say how far one generation may mislead: what models all alike on each prompt would show (eq. 10)."""
    quality = tensor.mean_quality()
    told = "one generation a cell (G = 1): the bias of naive figures cannot be measured"
    if len(tensor.models) == 1:
        return told
    shown = np.mean([alike(row[~np.isnan(row)]) for row in quality])
    true = np.mean(np.nanmean(quality, axis=1))
    return (
        f"{told}; were all models alike on each prompt, as good as their mean there, luck alone would lift "
        f"naive quality at alpha = 1 from {true:.4g} to about {shown:.4g}"
    )


def price_remarks(method: str, moved: Change | None) -> tuple[str, ...]:
    """Return what a reader must know of figures at new prices; nothing at the recorded ones."""
    if moved is None:
        return ()
    if method in DECIDED:
        return ("costs are at the new prices; old decisions are those made at the recorded ones",)
    return ("costs are at the new prices", f"{method} does not count old decisions: naive, shrink and pgm do")
