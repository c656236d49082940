"""What k generations and a perfect judge reach: best model by prompt, all models, one fixed model.

Three quantities that are easily taken for one another. `per_prompt_best_k` (equation 22) asks, for each
prompt, the model that is best on that prompt, k times. `all_models_k` (equation 23) asks every model k times:
k times L generations are paid. `fixed_best_k` asks one model, the same for all prompts, k times: its pass@k.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.frontier.counts import checked_counts, log_factorials, wanted_sizes
from assay.frontier.singles import levels

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class ShotsReached:
    """What a way of asking reaches on each prompt, and what it pays; arrays (N,), NaN on prompts left out.

    `value` is the mean of `per_prompt`. `asked` is the number of generations paid, `cost` their price at the
    cells' mean cost, NaN where a price that is needed is unknown; None without costs.
    """

    value: float
    per_prompt: FloatArray
    asked: FloatArray
    cost: FloatArray | None


@dataclass(frozen=True, slots=True)
class Shots:
    """All k-shot quantities at one k. `short` cells have fewer than k generations: all they have are used.

    `of_models` (L,) is each model's pass@k over the prompts it was observed on, NaN without any;
    `fixed_model` is the place of the greatest, the first of equals, and `fixed_best` what it reaches; where
    models miss prompts, of the greatest level on all prompts (`singles.levels`), not of the easiest prompts.
    `all_models_plug_in` is None for continuous quality, which has no such form.
    """

    k: int
    per_prompt_best: ShotsReached
    all_models: ShotsReached
    all_models_plug_in: ShotsReached | None
    fixed_best: ShotsReached
    fixed_model: int
    of_models: FloatArray
    short: int


def shots(
    correct: npt.ArrayLike,
    given: npt.ArrayLike,
    *,
    ks: Sequence[int] | None = None,
    cost: npt.ArrayLike | None = None,
) -> tuple[Shots, ...]:
    """Return the k-shot quantities of 0/1 quality at k = 1..G, or at `ks`, each from 1 to G.

    `correct` and `given` (N, L) are counts, 0 given a missing cell, which nothing asks; `cost` (N, L) is the
    mean cost of a generation, NaN where unknown. A cell's rate is 1 - C(n - c, k)/C(n, k), the share of the
    choices of k of its n generations that hold a right one: unbiased for 1 - (1 - p)^k (M. Chen et al.,
    arXiv:2107.03374, equation 1).

    What stays biased. `all_models` is unbiased, for the models' generations are independent and nothing is
    selected: 1 minus the product of unbiased factors. Its `all_models_plug_in`, equation 23 with c/n for
    pi, is biased downwards for k > 1: a wrong share to the power k exceeds its mean's. `per_prompt_best`
    picks the greatest of L noisy rates on every prompt: biased upwards, as equation 5, which it is at
    k = 1. `fixed_best` picks one of L means over all prompts: biased upwards, little for many prompts.
    With fewer than k generations in a cell no unbiased rate exists; the cell takes part with all it has,
    min(k, n) generations asked and paid, so that curves never fall with k, and its rate is too low for k.
    """
    right, number = checked_counts(correct, given)
    wanted = wanted_sizes(ks, int(number.max(initial=0)))
    price = None if cost is None else np.asarray(cost, dtype=np.float64)
    logs = log_factorials(int(number.max(initial=0)))
    return tuple(_shots(right, number, int(k), price, logs) for k in wanted)


def per_prompt_best_k(
    correct: npt.ArrayLike, given: npt.ArrayLike, k: int, *, cost: npt.ArrayLike | None = None
) -> ShotsReached:
    """Return equation 22 at k: the mean over prompts of the greatest model's rate. See `shots`."""
    return shots(correct, given, ks=[k], cost=cost)[0].per_prompt_best


def all_models_k(
    correct: npt.ArrayLike, given: npt.ArrayLike, k: int, *, cost: npt.ArrayLike | None = None
) -> ShotsReached:
    """Return equation 23 at k, unbiased: 1 - prod_l C(n - c, k)/C(n, k), averaged. See `shots`."""
    return shots(correct, given, ks=[k], cost=cost)[0].all_models


def all_models_k_plug_in(correct: npt.ArrayLike, given: npt.ArrayLike, k: int) -> ShotsReached:
    """Return equation 23 at k with shares for rates: 1 - prod_l (1 - c/n)^k; too low for k > 1."""
    found = shots(correct, given, ks=[k])[0].all_models_plug_in
    assert found is not None
    return found


def fixed_best_k(
    correct: npt.ArrayLike, given: npt.ArrayLike, k: int, *, cost: npt.ArrayLike | None = None
) -> ShotsReached:
    """Return the greatest pass@k of one model, the same for all prompts. See `shots` for which it is."""
    return shots(correct, given, ks=[k], cost=cost)[0].fixed_best


def _shots(right: IntArray, number: IntArray, k: int, price: FloatArray | None, logs: FloatArray) -> Shots:
    drawn, wrong = np.minimum(number, k), number - right
    possible = wrong >= drawn
    left = np.where(possible, wrong - drawn, 0)
    none_right = np.exp(logs[wrong] - logs[left] - logs[number] + logs[number - drawn])
    rate = np.where(possible, 1.0 - none_right, 1.0)
    together = 1.0 - (1.0 - rate).prod(axis=1)
    wrong_share = wrong / np.maximum(number, 1)
    plug_in = 1.0 - np.where(number > 0, wrong_share, 1.0).prod(axis=1) ** k
    asked_k = np.where(number > 0, k, 0)
    return shots_of_rates(
        k, np.where(number > 0, rate, np.nan), together, number, price, every(plug_in, asked_k, price)
    )


def shots_of_rates(
    k: int,
    rate: FloatArray,
    together: FloatArray,
    number: IntArray,
    price: FloatArray | None,
    plug_in: ShotsReached | None,
) -> Shots:
    """Return the quantities from each cell's rate (N, L), NaN where missing, and all models' (N,)."""
    there, asked = number > 0, np.minimum(number, k)
    best = np.where(there, rate, -np.inf).max(axis=1, keepdims=True)
    equal = there & (rate >= best - 1e-12)
    if price is None:
        choice = equal.argmax(axis=1)
    else:
        spent = np.where(np.isnan(price), np.inf, asked * np.nan_to_num(price))
        choice = np.where(equal, spent, np.inf).argmin(axis=1)
        choice = np.where(equal[np.arange(len(choice)), choice], choice, equal.argmax(axis=1))
    observed = there.sum(axis=0)
    of_models = np.where(there, rate, 0.0).sum(axis=0) / np.where(observed > 0, observed, np.nan)
    level = levels(rate)
    fixed = int(np.argmax(np.where(np.isnan(level), -np.inf, level)))
    return Shots(
        k,
        one_each(rate, choice, asked, price),
        every(together, asked, price),
        plug_in,
        one_each(rate, np.full(len(rate), fixed), asked, price),
        fixed,
        np.asarray(of_models, dtype=np.float64),
        int(((number < k) & there).sum()),
    )


def one_each(rate: FloatArray, choice: IntArray, asked: IntArray, price: FloatArray | None) -> ShotsReached:
    """Return what one model a prompt reaches, `choice` (N,) its place; left out where it is missing."""
    rows = np.arange(len(rate))
    reached = rate[rows, choice]
    paid = np.where(np.isnan(reached), np.nan, asked[rows, choice])
    return ShotsReached(
        known_mean(reached), reached, paid, None if price is None else paid * price[rows, choice]
    )


def every(reached: FloatArray, asked: IntArray, price: FloatArray | None) -> ShotsReached:
    """Return what asking every cell its `asked` (N, L) times reaches; left out where nothing is asked."""
    paid = asked.sum(axis=1).astype(np.float64)
    none = paid == 0
    paid[none] = np.nan
    cost = None
    if price is not None:
        cost = np.where(asked > 0, asked * price, 0.0).sum(axis=1)
        cost[none] = np.nan
    told = np.where(none, np.nan, reached)
    return ShotsReached(known_mean(told), told, paid, cost)


def known_mean(values: FloatArray) -> float:
    """Return the mean of what is not NaN; NaN for nothing."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else float("nan")
