"""The usable part of a tensor: answers with a quality and, if costs were recorded, a cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from assay.core.errors import InvalidInput, Problem
from assay.frontier.posterior import Posterior
from assay.frontier.tensor import BoolArray, FloatArray, IntArray, Tensor, cell_means

NAMED = 3
"""At most this many names are listed; the others are counted."""


@dataclass(frozen=True, slots=True)
class PreparedTensor:
    """A tensor in which every prompt and model has a cell, and every observed cell has all that is needed.

    `prompts` and `models` are the positions in the original tensor; `notes` list what was left out.
    """

    tensor: Tensor
    prompts: IntArray
    models: IntArray
    notes: tuple[str, ...]


def prepare(tensor: Tensor) -> PreparedTensor:
    """Leave out cells without a cost, if costs were recorded, then empty prompts and models.

    Quality and cost are compared on the same answers, so a model without any cost cannot be on a frontier
    with costs. Notes name what was left out. Raises InvalidInput if nothing is left, and for values that are
    not finite, costs below 0 and repeated names.
    """
    _check(tensor)
    notes = []
    usable = tensor.observed
    if tensor.cost is not None:
        costed = ~np.isnan(cell_means(tensor.cost))
        without_cost = usable & ~costed
        if without_cost.any():
            models = np.flatnonzero(~costed.any(axis=0) & usable.any(axis=0))
            names = named([tensor.models[model] for model in models])
            notes.append(
                f"{int(without_cost.sum())} of {int(usable.sum())} cells have a quality but no cost and are "
                "left out" + (f"; no cost was recorded for {names}" if names else "")
            )
        usable = usable & costed
    prompts, models = np.flatnonzero(usable.any(axis=1)), np.flatnonzero(usable.any(axis=0))
    if not prompts.size:
        needs = "a quality" if tensor.cost is None else "a quality and a cost"
        raise InvalidInput(Problem(f"no prompt has an answer with {needs}: a frontier needs at least one"))
    empty = np.setdiff1d(np.arange(len(tensor.prompts)), prompts)
    if empty.size:
        notes.append(
            f"{empty.size} of {len(tensor.prompts)} prompts have no usable answer and are left out: "
            + named([tensor.prompts[prompt] for prompt in empty])
        )
    masked = replace(tensor, quality=np.where(usable[:, :, None], tensor.quality, np.nan))
    return PreparedTensor(masked.take(prompts, models), prompts, models, tuple(notes))


def usable_posterior(posterior: Posterior, tensor: Tensor, prepared: PreparedTensor) -> Posterior:
    """Return the posterior of the usable part of a tensor; only observed cells may be chosen.

    Raises InvalidInput if its shape is not the tensor's, if it lacks the costs that the tensor has, or if it
    allows no model on a prompt.
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
                f"the posterior of {posterior.method!r} has no costs: fit it with costs, or leave the costs "
                "out of the tensor"
            )
        )
    cells = np.ix_(prepared.prompts, prepared.models)
    draws = np.ix_(np.arange(len(posterior.quality)), prepared.prompts, prepared.models)
    may_choose = posterior.may_choose[cells] & prepared.tensor.observed
    if not may_choose.any(axis=1).all():
        row = int(np.flatnonzero(~may_choose.any(axis=1))[0])
        raise InvalidInput(
            Problem(
                "the posterior allows no model on this prompt: fit it again, or leave the prompt out",
                prepared.tensor.prompts[row],
            )
        )
    cost = None if prepared.tensor.cost is None or posterior.cost is None else posterior.cost[draws]
    return replace(posterior, quality=posterior.quality[draws], cost=cost, may_choose=may_choose)


def named(names: Sequence[str]) -> str:
    """Return the first few names and how many more there are."""
    listed = ", ".join(repr(name) for name in names[:NAMED])
    return listed if len(names) <= NAMED else f"{listed} and {len(names) - NAMED} more"


def _check(tensor: Tensor) -> None:
    problems = [*_repeated("prompt", tensor.prompts), *_repeated("model", tensor.models)]
    if tensor.scale is not None:
        low, high = tensor.scale
        with np.errstate(invalid="ignore"):
            beyond = (tensor.quality < low) | (tensor.quality > high)
        if (beyond & np.isfinite(tensor.quality)).any():
            advice = (
                f"give numbers from {low:g} to {high:g}, or declare another range with the tensor's `scale` "
                "(None for any number)"
            )
            problems.append(_explain_value(tensor, "quality", tensor.quality, beyond, advice))
    for kind, values in (("quality", tensor.quality), ("cost", tensor.cost), ("latency", tensor.latency)):
        if values is None:
            continue
        wrong = np.isinf(values) if kind == "quality" else np.isinf(values) | (values < 0.0)
        if wrong.any():
            advice = "give a finite number" if kind == "quality" else "give a finite number, 0 or more"
            problems.append(_explain_value(tensor, kind, values, wrong, advice))
    if problems:
        raise InvalidInput(problems)


def _explain_value(tensor: Tensor, kind: str, values: FloatArray, wrong: BoolArray, advice: str) -> Problem:
    """Return the problem of the first wrong value, with its cell."""
    prompt, model, generation = (int(position) for position in np.argwhere(wrong)[0])
    place = f"{tensor.prompts[prompt]}, {tensor.models[model]}, generation {generation}"
    return Problem(f"{kind} is {float(values[prompt, model, generation])!r}: {advice}", place)


def _repeated(kind: str, names: Sequence[str]) -> list[Problem]:
    """Return a problem for the first name that is given twice."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return [Problem(f"{kind} {name!r} is given twice: give every {kind} a unique name", name)]
        seen.add(name)
    return []
