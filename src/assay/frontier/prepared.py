"""What a frontier can use of a tensor: answers with a quality and, where costs are recorded, a cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.frontier.posterior import Posterior
from assay.frontier.tensor import Tensor, cell_means

IntArray = npt.NDArray[np.int64]
NAMED = 3
"""This many names are listed; the rest are counted."""


@dataclass(frozen=True, slots=True)
class PreparedTensor:
    """A tensor whose every prompt and every model has a cell, and every cell what the frontier needs.

    `prompts` and `models` are the positions kept of the given tensor; `notes` say what was left out.
    """

    tensor: Tensor
    prompts: IntArray
    models: IntArray
    notes: tuple[str, ...]


def prepare(tensor: Tensor) -> PreparedTensor:
    """Leave out cells without a cost where costs are recorded, then empty prompts and models, naming them.

    Quality and cost must be compared on the same answers, so a model without any cost has no place on a
    frontier with costs. Raises InvalidInput where nothing is left, and for values that are not finite or
    costs below 0.
    """
    _check(tensor)
    notes = []
    usable = tensor.there
    if tensor.cost is not None:
        costed = ~np.isnan(cell_means(tensor.cost))
        lost = usable & ~costed
        if lost.any():
            free = np.flatnonzero(~costed.any(axis=0) & usable.any(axis=0))
            told = f": no cost at all of {named([tensor.models[one] for one in free])}" if free.size else ""
            notes.append(
                f"{int(lost.sum())} cells of {int(usable.sum())} have a quality but no cost and are left out"
                + told
            )
        usable = usable & costed
    prompts, models = np.flatnonzero(usable.any(axis=1)), np.flatnonzero(usable.any(axis=0))
    if not prompts.size:
        needs = "a quality" if tensor.cost is None else "a quality and a cost"
        raise InvalidInput(Problem(f"no prompt has an answer with {needs}: there is no frontier"))
    empty = np.setdiff1d(np.arange(len(tensor.prompts)), prompts)
    if empty.size:
        notes.append(
            f"{empty.size} of {len(tensor.prompts)} prompts have no usable answer and are left out: "
            + named([tensor.prompts[one] for one in empty])
        )
    masked = replace(tensor, quality=np.where(usable[:, :, None], tensor.quality, np.nan))
    return PreparedTensor(masked.take(prompts, models), prompts, models, tuple(notes))


def fitting(posterior: Posterior, tensor: Tensor, prepared: PreparedTensor) -> Posterior:
    """Return the posterior of what was kept, choosing only where there is something observed.

    Raises InvalidInput where its shape is not the tensor's, or it has no costs where the tensor has.
    """
    shape = (len(tensor.prompts), len(tensor.models))
    if posterior.quality.ndim != 3 or posterior.quality.shape[1:] != shape or not len(posterior.quality):
        raise InvalidInput(
            Problem(
                f"the posterior has shape {posterior.quality.shape!r}: fit it to this tensor of {shape[0]} "
                f"prompts and {shape[1]} models"
            )
        )
    if tensor.cost is not None and posterior.cost is None:
        raise InvalidInput(
            Problem(
                f"the posterior of {posterior.method!r} has no costs: fit it with them, or drop the tensor's"
            )
        )
    kept = np.ix_(prepared.prompts, prepared.models)
    deep = np.ix_(np.arange(len(posterior.quality)), prepared.prompts, prepared.models)
    may_choose = posterior.may_choose[kept] & prepared.tensor.there
    if not may_choose.any(axis=1).all():
        row = int(np.flatnonzero(~may_choose.any(axis=1))[0])
        raise InvalidInput(
            Problem(
                "the posterior lets no model be chosen: refit it, or leave the prompt out",
                prepared.tensor.prompts[row],
            )
        )
    cost = None if prepared.tensor.cost is None or posterior.cost is None else posterior.cost[deep]
    return replace(posterior, quality=posterior.quality[deep], cost=cost, may_choose=may_choose)


def named(names: Sequence[str]) -> str:
    """Return the first few names and how many more there are."""
    told = ", ".join(repr(name) for name in names[:NAMED])
    return told if len(names) <= NAMED else f"{told} and {len(names) - NAMED} more"


def _check(tensor: Tensor) -> None:
    problems = [*_repeated("prompt", tensor.prompts), *_repeated("model", tensor.models)]
    if tensor.scale is not None:
        low, high = tensor.scale
        with np.errstate(invalid="ignore"):
            beyond = (tensor.quality < low) | (tensor.quality > high)
        if (beyond & np.isfinite(tensor.quality)).any():
            prompt, model, generation = (int(one) for one in np.argwhere(beyond)[0])
            place = f"{tensor.prompts[prompt]}, {tensor.models[model]}, generation {generation}"
            value = float(tensor.quality[prompt, model, generation])
            told = (
                f"quality is {value!r}: give numbers from {low:g} to {high:g}, or declare another range by "
                "the tensor's `scale` (None for any number)"
            )
            problems.append(Problem(told, place))
    for what, values in (("quality", tensor.quality), ("cost", tensor.cost), ("latency", tensor.latency)):
        if values is None:
            continue
        wrong = np.isinf(values) if what == "quality" else np.isinf(values) | (values < 0.0)
        if wrong.any():
            prompt, model, generation = (int(one) for one in np.argwhere(wrong)[0])
            must = "a finite number" if what == "quality" else "a finite number, 0 or more"
            place = f"{tensor.prompts[prompt]}, {tensor.models[model]}, generation {generation}"
            value = float(values[prompt, model, generation])
            problems.append(Problem(f"{what} is {value!r}: give {must}", place))
    if problems:
        raise InvalidInput(problems)


def _repeated(what: str, names: Sequence[str]) -> list[Problem]:
    """Return the first name that stands twice as a problem."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return [Problem(f"{what} {name!r} stands twice: give every {what} a name of its own", name)]
        seen.add(name)
    return []
