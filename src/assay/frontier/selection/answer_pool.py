"""The answers that models can be asked for: their chance of success, cost and latency."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.frontier.per_prompt import best_single, known_mean, model_means
from assay.frontier.posterior import Posterior
from assay.frontier.selection.attempts import AnswerChances, Rates, counted
from assay.frontier.singles import levels
from assay.frontier.tensor import Tensor, cell_means

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class AnswerPool:
    """The answers of N prompts and L models: `cells` has one entry per draw, or only one for counts.

    `cost` (N, L) is the expected cost of an answer in `unit`; without recorded costs every answer costs 1 and
    the unit is "generations". `latency` (N, L) is in seconds, None if that of any model is unknown on all
    prompts. `best` is the position of the best single model, `rows` are the prompts' positions in the tensor.
    """

    models: tuple[str, ...]
    cells: tuple[AnswerChances, ...]
    cost: FloatArray
    unit: str
    latency: FloatArray | None
    best: int
    rows: IntArray
    notes: tuple[str, ...] = ()


def answer_pool(
    tensor: Tensor, posterior: Posterior | None = None, *, models: Sequence[str] | None = None, most: int = 50
) -> AnswerPool:
    """Return the answers of a tensor of 0/1 quality: its counts, or at most `most` draws of a posterior.

    Only `models` are included, all by default. A cell with unknown cost has the mean cost of its model.
    InvalidInput for other quality, an unknown model, or a model without any cost if others have costs.
    """
    if not tensor.binary:
        raise InvalidInput(
            Problem(
                "a judge that accepts or rejects needs quality 0 or 1: use a noisy judge for other quality"
            )
        )
    unknown = [name for name in models or () if name not in tensor.models]
    if unknown:
        raise InvalidInput(
            [
                Problem(f"unknown model {name!r}: use one of {', '.join(map(repr, tensor.models))}")
                for name in unknown
            ]
        )
    chosen = [tensor.models.index(name) for name in (tensor.models if models is None else models)]
    rows = np.flatnonzero(tensor.observed[:, chosen].any(axis=1))
    if not len(rows):
        raise InvalidInput(Problem("no answers were recorded: give at least one prompt with an answer"))
    part = tensor.take(rows, chosen)
    cells: tuple[AnswerChances, ...] = (counted(part.correct, part.answers),)
    quality, price = levels(part.mean_quality()), part.mean_cost()
    if posterior is not None:
        cells = _drawn(posterior, rows, chosen, most)
        quality, posterior_cost = model_means(posterior)
        quality = quality[chosen]
        if posterior.cost is not None and posterior_cost is not None:
            price = posterior.cost.mean(axis=0)[rows][:, chosen]
    recorded = price is not None and not np.isnan(price).all()
    cost, notes = (
        _filled(price, part.models)
        if price is not None and recorded
        else (np.ones((len(rows), len(chosen))), ())
    )
    latency = None if part.latency is None else cell_means(part.latency)
    if latency is not None:
        typical = known_mean(latency)
        latency = None if np.isnan(typical).any() else np.where(np.isnan(latency), typical, latency)
    best = best_single(quality, cost.mean(axis=0) if recorded else None, part.models)
    unit = tensor.unit if recorded else "generations"
    return AnswerPool(part.models, cells, cost, unit, latency, best, rows, notes)


def _drawn(posterior: Posterior, rows: IntArray, chosen: list[int], most: int) -> tuple[AnswerChances, ...]:
    draws = len(posterior.quality)
    selected = range(draws) if draws <= most else np.linspace(0, draws - 1, most).round().astype(np.int64)
    observed = posterior.may_choose[rows][:, chosen]
    cells = []
    for draw in selected:
        rates = np.where(observed, posterior.quality[draw][rows][:, chosen], 0.0)
        if not (rates.min() >= 0.0 and rates.max() <= 1.0):
            raise InvalidInput(
                Problem("the posterior has success rates outside 0-1: fit it to quality of 0 and 1")
            )
        cells.append(Rates(rates, observed))
    return tuple(cells)


def _filled(price: FloatArray, models: tuple[str, ...]) -> tuple[FloatArray, tuple[str, ...]]:
    """Return costs with the model's mean in missing cells, and a note on them."""
    missing = np.isnan(price)
    if not missing.any():
        return price, ()
    means = known_mean(price)
    without_cost = [name for name, mean in zip(models, means, strict=True) if np.isnan(mean)]
    if without_cost:
        text = "no cost on any prompt: add its costs, or leave the model out"
        raise InvalidInput([Problem(text, name) for name in without_cost])
    note = f"{int(missing.sum())} cells have no cost: the mean cost of their model is used"
    return np.where(missing, means, price), (note,)
