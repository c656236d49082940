"""What a reader should know of a tensor before any method is applied to it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from assay.core.wording import counted
from assay.frontier.tensor import IntArray, Tensor

NAMED = 5
# Units differ by a thousand or a million (cents by a hundred); prices of models spread, but without a gap.
GAP = 300.0


def remarks(tensor: Tensor, *, free: bool = False) -> list[str]:
    """Return notes on generations, models and costs. With `free`, a cost of 0 was said to be meant."""
    given = tensor.given
    return [*_generations(given[given > 0]), *_costs(tensor, given.sum(axis=0), free=free), *_gaps(tensor)]


def _generations(given: IntArray) -> list[str]:
    least, most = int(given.min()), int(given.max())
    if most == 1:
        return [
            "one generation a cell (G = 1): luck cannot be told from skill here, so how far the oracle is "
            "biased cannot be measured"
        ]
    if least == most:
        return []
    single = int((given == 1).sum())
    some = counted(single, "cell has", "cells have")
    also = f"; {some} one, which tells nothing of its own luck" if single else ""
    return [f"cells hold {least} to {most} generations, in the middle {np.median(given):g}{also}"]


def _costs(tensor: Tensor, answered: IntArray, *, free: bool) -> list[str]:
    """Say which costs are unknown or 0; `answered` counts each model's answers."""
    if tensor.cost is None:
        return []
    known = (~np.isnan(tensor.cost)).sum(axis=(0, 2))
    notes = []
    if known.sum() < answered.sum():
        whole = _whole(tensor, (known == 0) & (answered > 0))
        number = answered.sum() - known.sum()
        notes.append(f"{number:,} of {answered.sum():,} answers have no cost{whole}: unknown, not 0")
    zero = (tensor.cost == 0).sum(axis=(0, 2))
    if zero.any() and not free:
        whole = _whole(tensor, (zero > 0) & (zero == known))
        notes.append(
            f"{zero.sum():,} of {known.sum():,} costs are 0{whole}: taken as free; --zero-cost unknown reads "
            "them as unknown"
        )
    return notes


def _gaps(tensor: Tensor) -> list[str]:
    """Say where the models' usual costs fall into two groups far apart: perhaps two units."""
    if tensor.cost is None or len(tensor.models) < 2:
        return []
    usual: list[tuple[float, str]] = []
    for at, name in enumerate(tensor.models):
        some = tensor.cost[:, at, 0]
        some = some[some > 0]
        if some.size:
            usual.append((float(np.median(some)), name))
    usual.sort()
    if len(usual) < 2:
        return []
    steps = [above[0] / below[0] for below, above in pairwise(usual)]
    at = int(np.argmax(steps))
    if steps[at] < GAP:
        return []
    dear = [name for _, name in usual[at + 1 :]]
    power = 10 ** round(math.log10(steps[at]))
    return [
        f"the costs of {_list(dear)} are about {power:,} times those of all other models or more: "
        f"are all in {tensor.unit}?"
    ]


def _whole(tensor: Tensor, chosen: npt.NDArray[np.bool_]) -> str:
    names = [tensor.models[at] for at in np.flatnonzero(chosen)]
    return f", all of {_list(names)}" if names else ""


def _list(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(repr(name) for name in names[:NAMED]) + more
