"""Answers that can be had for money: each model's, with their success, cost and latency."""

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
class Asked:
    """Answers to be had: `cells`, one a draw (one alone for counts and for cell means), and their prices.

    `cost` (N, L) is the expected cost of an answer and `latency` (N, L) its seconds, None where a model's are
    unknown throughout.
    `best` is the place of the best single model. `unit` is that of `cost`: without recorded costs an answer
    costs 1, and the unit is "generations". `rows` are the prompts' places in the tensor.
    """

    models: tuple[str, ...]
    cells: tuple[AnswerChances, ...]
    cost: FloatArray
    unit: str
    latency: FloatArray | None
    best: int
    rows: IntArray
    notes: tuple[str, ...] = ()


def asked(
    tensor: Tensor, posterior: Posterior | None = None, *, models: Sequence[str] | None = None, most: int = 50
) -> Asked:
    """Return the answers of a tensor of 0/1 quality: its counts, or at most `most` draws of a posterior.

    `models` keeps these. A cost unknown in a cell is taken from the model's mean. InvalidInput for other
    quality, an unknown model, or a model whose cost is known nowhere while others' is.
    """
    if not tensor.binary:
        raise InvalidInput(
            Problem(
                "a judge that accepts or rejects needs quality 0 or 1: for other quality use a noisy judge"
            )
        )
    unknown = [name for name in models or () if name not in tensor.models]
    if unknown:
        raise InvalidInput(
            [Problem(f"model {name!r} is not in the tensor: name one that is") for name in unknown]
        )
    chosen = [tensor.models.index(name) for name in (tensor.models if models is None else models)]
    rows = np.flatnonzero(tensor.there[:, chosen].any(axis=1))
    if not len(rows):
        raise InvalidInput(Problem("no cell was observed: give at least one prompt with an answer"))
    part = tensor.take(rows, chosen)
    cells: tuple[AnswerChances, ...] = (counted(part.correct, part.given),)
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
    return Asked(part.models, cells, cost, unit, latency, best, rows, notes)


def _drawn(posterior: Posterior, rows: IntArray, chosen: list[int], most: int) -> tuple[AnswerChances, ...]:
    draws = len(posterior.quality)
    kept = range(draws) if draws <= most else np.linspace(0, draws - 1, most).round().astype(np.int64)
    there = posterior.may_choose[rows][:, chosen]
    found = []
    for draw in kept:
        rates = np.where(there, posterior.quality[draw][rows][:, chosen], 0.0)
        if not (rates.min() >= 0.0 and rates.max() <= 1.0):
            raise InvalidInput(Problem("the posterior has rates outside 0-1: fit it to quality of 0 and 1"))
        found.append(Rates(rates, there))
    return tuple(found)


def _filled(price: FloatArray, models: tuple[str, ...]) -> tuple[FloatArray, tuple[str, ...]]:
    """Return costs without gaps, and what was filled."""
    missing = np.isnan(price)
    if not missing.any():
        return price, ()
    means = known_mean(price)
    nowhere = [name for name, mean in zip(models, means, strict=True) if np.isnan(mean)]
    if nowhere:
        text = "has no cost on any prompt: give it, or leave the model out"
        raise InvalidInput([Problem(text, name) for name in nowhere])
    filled = f"{int(missing.sum())} cells have no cost: their model's mean stands there"
    return np.where(missing, means, price), (filled,)
