"""Notes on a tensor that a reader needs before any method is applied to it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from assay.core.wording import counted
from assay.frontier.tensor import IntArray, Tensor

NAMED = 5
GAP = 300.0
"""The ratio of neighbouring costs from which two units are suspected.

Units differ by a factor of a thousand or a million. Prices of models spread widely, but without such a gap.
"""


def remarks(tensor: Tensor, *, free: bool = False) -> list[str]:
    """Return notes on generations, models and costs. `free`: the user confirmed that costs of 0 are real."""
    answers = tensor.answers
    return [
        *_generations(answers[answers > 0]),
        *_costs(tensor, answers.sum(axis=0), free=free),
        *_gaps(tensor),
    ]


def _generations(answers: IntArray) -> list[str]:
    least, most = int(answers.min()), int(answers.max())
    if most == 1:
        return [
            "one generation a cell (G = 1): luck cannot be separated from skill, so the oracle's bias cannot "
            "be measured"
        ]
    if least == most:
        return []
    single = int((answers == 1).sum())
    cells = counted(single, "cell has", "cells have")
    also = f"; {cells} only one, from which noise cannot be estimated" if single else ""
    return [f"cells have {least} to {most} generations, with a median of {np.median(answers):g}{also}"]


def _costs(tensor: Tensor, answered: IntArray, *, free: bool) -> list[str]:
    """Return notes on unknown costs and costs of 0. `answered` has each model's number of answers."""
    if tensor.cost is None:
        return []
    known = (~np.isnan(tensor.cost)).sum(axis=(0, 2))
    notes = []
    if known.sum() < answered.sum():
        whole = _whole_models(tensor, (known == 0) & (answered > 0))
        number = answered.sum() - known.sum()
        notes.append(f"{number:,} of {answered.sum():,} answers have no cost{whole}: it is unknown, not 0")
    zero = (tensor.cost == 0).sum(axis=(0, 2))
    if zero.any() and not free:
        whole = _whole_models(tensor, (zero > 0) & (zero == known))
        notes.append(
            f"{zero.sum():,} of {known.sum():,} costs are 0{whole}: they count as free (--zero-cost unknown "
            "treats them as unknown)"
        )
    return notes


def _gaps(tensor: Tensor) -> list[str]:
    """Return a note if the models' median costs form two groups far apart, perhaps in two units."""
    if tensor.cost is None or len(tensor.models) < 2:
        return []
    medians: list[tuple[float, str]] = []
    for column, name in enumerate(tensor.models):
        costs = tensor.cost[:, column, 0]
        costs = costs[costs > 0]
        if costs.size:
            medians.append((float(np.median(costs)), name))
    medians.sort()
    if len(medians) < 2:
        return []
    ratios = [above[0] / below[0] for below, above in pairwise(medians)]
    widest = int(np.argmax(ratios))
    if ratios[widest] < GAP:
        return []
    expensive = [name for _, name in medians[widest + 1 :]]
    power = 10 ** round(math.log10(ratios[widest]))
    return [
        f"the costs of {_list(expensive)} are at least about {power:,} times those of all other models: "
        f"check that all are in {tensor.unit}"
    ]


def _whole_models(tensor: Tensor, chosen: npt.NDArray[np.bool_]) -> str:
    names = [tensor.models[column] for column in np.flatnonzero(chosen)]
    return f", including all of {_list(names)}" if names else ""


def _list(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(repr(name) for name in names[:NAMED]) + more
