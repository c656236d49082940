"""Debiased k-shot quantities, from draws of each model's true success rate on each prompt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.frontier.biased.chosen import cheapest_best
from assay.frontier.posterior import Posterior
from assay.frontier.selection.kshot import known_mean

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class DrawnShots:
    """A debiased quantity: `value` is its mean over draws and prompts, with the means by prompt and by draw.

    `per_prompt` (N,) is each prompt's mean over the draws, NaN if no model may be chosen. `by_draw` (S,) is
    each draw's mean over the prompts; its spread is the uncertainty about these prompts. `cost` (N,) is the
    mean cost of the prompt's k generations, or k times L; None without costs.
    """

    value: float
    per_prompt: FloatArray
    by_draw: FloatArray
    cost: FloatArray | None


@dataclass(frozen=True, slots=True)
class DebiasedShots:
    """The debiased k-shot quantities at one k. `of_models` (S, L) is each model's pass@k by draw.

    `fixed_model` is the position of the model with the greatest mean over the draws, the first of equals.
    """

    k: int
    per_prompt_best: DrawnShots
    all_models: DrawnShots
    fixed_best: DrawnShots
    fixed_model: int
    of_models: FloatArray


def debiased_shots(posterior: Posterior, ks: Sequence[int]) -> tuple[DebiasedShots, ...]:
    """Return the k-shot quantities of 0/1 quality under a posterior, at every k of `ks`, 1 or more.

    Within each draw p of the cells' true rates, per_prompt_best is the mean over prompts of max_l 1 - (1 -
    p)^k, and all_models that of 1 - prod_l (1 - p)^k (equation 23). Both use the cells that may be chosen; of
    equal rates the cheapest is chosen. Luck has no effect, because the maximum is taken over the true rates
    of a draw; the result is as good as the posterior's model. A fixed model answers every prompt, including
    its unobserved cells. If k exceeds the recorded generations, the result rests on the model alone.
    InvalidInput for draws outside 0-1 and k below 1.
    """
    rates = posterior.quality
    if rates.size and not (rates.min() >= 0.0 and rates.max() <= 1.0):
        text = f"draws of quality from {rates.min():.3g} to {rates.max():.3g}: k-shot rates need 0/1 quality"
        raise InvalidInput(Problem(text))
    if any(k < 1 for k in ks):
        raise InvalidInput(Problem(f"invalid numbers of shots {list(ks)!r}: give whole numbers from 1"))
    closed = ~posterior.may_choose
    wrong = np.where(closed, 1.0, 1.0 - rates)
    choice = cheapest_best(rates, posterior.cost, posterior.may_choose)
    least = np.take_along_axis(wrong, choice[:, :, None], axis=2)[:, :, 0]
    together = wrong.prod(axis=2)
    still_wrong, reached = np.ones_like(rates), 0
    quantities: dict[int, DebiasedShots] = {}
    for k in sorted({int(size) for size in ks}):
        still_wrong *= (1.0 - rates) if k == reached + 1 else (1.0 - rates) ** (k - reached)
        reached = k
        of_models = 1.0 - still_wrong.mean(axis=1)
        fixed = int(of_models.mean(axis=0).argmax())
        one_cost, every_cost, fixed_cost = _costs(posterior, choice, fixed, k)
        quantities[k] = DebiasedShots(
            k,
            _drawn(1.0 - least**k, closed, one_cost),
            _drawn(1.0 - together**k, closed, every_cost),
            _drawn(1.0 - still_wrong[:, :, fixed], None, fixed_cost),
            fixed,
            of_models,
        )
    return tuple(quantities[int(k)] for k in ks)


def _costs(
    posterior: Posterior, choice: npt.NDArray[np.int64], fixed: int, k: int
) -> tuple[FloatArray | None, FloatArray | None, FloatArray | None]:
    if posterior.cost is None:
        return None, None, None
    closed = ~posterior.may_choose.any(axis=1)
    chosen = np.take_along_axis(posterior.cost, choice[:, :, None], axis=2)[:, :, 0]
    together = np.where(posterior.may_choose, posterior.cost, 0.0).sum(axis=2)
    of_one, of_every = (np.where(closed, np.nan, k * costs.mean(axis=0)) for costs in (chosen, together))
    return of_one, of_every, k * posterior.cost[:, :, fixed].mean(axis=0)


def _drawn(values: FloatArray, shut: npt.NDArray[np.bool_] | None, cost: FloatArray | None) -> DrawnShots:
    """Return the margins of `values` (S, N)."""
    closed = np.zeros(values.shape[1], dtype=np.bool_) if shut is None else shut.all(axis=1)
    per_prompt = np.where(closed, np.nan, values.mean(axis=0))
    by_draw = values[:, ~closed].mean(axis=1) if not closed.all() else np.full(len(values), np.nan)
    return DrawnShots(known_mean(per_prompt), per_prompt, np.asarray(by_draw), cost)
