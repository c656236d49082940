"""The quality of k generations with a perfect judge: best model by prompt, all models, one fixed model.

These are three different quantities. `per_prompt_best` (equation 22) asks, for each prompt, the model that is
best on that prompt, k times. `all_models` (equation 23) asks every model k times: k times L generations are
paid. `fixed_best` asks one model, the same for all prompts, k times: its pass@k.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.frontier.counts import checked_counts, checked_sizes, log_factorials
from assay.frontier.singles import levels

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class ShotsReached:
    """Quality and cost of one way of asking, by prompt; arrays (N,), NaN on prompts left out.

    `value` is the mean of `per_prompt`. `asked` is the number of generations paid. `cost` is their price at
    the cells' mean cost, NaN if a price is unknown; None without costs.
    """

    value: float
    per_prompt: FloatArray
    asked: FloatArray
    cost: FloatArray | None


@dataclass(frozen=True, slots=True)
class Shots:
    """All k-shot quantities at one k. `short` is the number of cells with fewer than k generations.

    `of_models` (L,) is each model's pass@k over the prompts it was observed on, NaN without any.
    `fixed_model` is the position of the model with the greatest pass@k (the first if several are equal) and
    `fixed_best` its quality. If models miss prompts, levels on all prompts are compared (`singles.levels`),
    so that a model with easy prompts has no advantage. `all_models_plug_in` is None for continuous quality,
    which has no such form.
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
    answers: npt.ArrayLike,
    *,
    ks: Sequence[int] | None = None,
    cost: npt.ArrayLike | None = None,
) -> tuple[Shots, ...]:
    """Return the k-shot quantities of 0/1 quality at k = 1..G, or at `ks`, each from 1 to G.

    `correct` and `answers` (N, L) are counts of right and of recorded generations, 0 in a missing cell, which
    is not asked. `cost` (N, L) is the mean cost of a generation, NaN where unknown. A cell's rate,
    1 - C(n - c, k)/C(n, k), is the share of the choices of k of its n generations that contain a right one.
    It is unbiased for 1 - (1 - p)^k (M. Chen et al., arXiv:2107.03374, equation 1).

    Remaining biases: `all_models` is unbiased, because the models' generations are independent and nothing is
    selected: it is 1 minus the product of unbiased factors. `all_models_plug_in`, equation 23 with c/n for
    pi, is biased downwards for k > 1, because E[x^k] exceeds E[x]^k for the wrong share x. `per_prompt_best`
    picks the greatest of L noisy rates on every prompt, so it is biased upwards, as is equation 5, which it
    equals at k = 1. `fixed_best` picks one of L means over all prompts, so it is biased upwards, but little
    with many prompts. A cell with fewer than k generations has no unbiased rate. It takes part with all its
    min(k, n) generations, asked and paid, so that curves never fall with k; its rate is too low for k.
    """
    right, number = checked_counts(correct, answers)
    sizes = checked_sizes(ks, int(number.max(initial=0)))
    price = None if cost is None else np.asarray(cost, dtype=np.float64)
    logs = log_factorials(int(number.max(initial=0)))
    return tuple(_shots(right, number, int(k), price, logs) for k in sizes)


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
        k,
        np.where(number > 0, rate, np.nan),
        together,
        number,
        price,
        ask_all_models(plug_in, asked_k, price),
    )


def shots_of_rates(
    k: int,
    rate: FloatArray,
    together: FloatArray,
    number: IntArray,
    price: FloatArray | None,
    plug_in: ShotsReached | None,
) -> Shots:
    """Return the quantities from each cell's rate (N, L), NaN where missing, and all models' rate (N,)."""
    answered, asked = number > 0, np.minimum(number, k)
    best = np.where(answered, rate, -np.inf).max(axis=1, keepdims=True)
    equal = answered & (rate >= best - 1e-12)
    if price is None:
        choice = equal.argmax(axis=1)
    else:
        spent = np.where(np.isnan(price), np.inf, asked * np.nan_to_num(price))
        choice = np.where(equal, spent, np.inf).argmin(axis=1)
        choice = np.where(equal[np.arange(len(choice)), choice], choice, equal.argmax(axis=1))
    observed = answered.sum(axis=0)
    of_models = np.where(answered, rate, 0.0).sum(axis=0) / np.where(observed > 0, observed, np.nan)
    level = levels(rate)
    fixed = int(np.argmax(np.where(np.isnan(level), -np.inf, level)))
    return Shots(
        k,
        ask_one_model(rate, choice, asked, price),
        ask_all_models(together, asked, price),
        plug_in,
        ask_one_model(rate, np.full(len(rate), fixed), asked, price),
        fixed,
        np.asarray(of_models, dtype=np.float64),
        int(((number < k) & answered).sum()),
    )


def ask_one_model(
    rate: FloatArray, choice: IntArray, asked: IntArray, price: FloatArray | None
) -> ShotsReached:
    """Return quality and cost of one model per prompt, at position `choice` (N,); NaN where it is missing."""
    rows = np.arange(len(rate))
    reached = rate[rows, choice]
    paid = np.where(np.isnan(reached), np.nan, asked[rows, choice])
    return ShotsReached(
        known_mean(reached), reached, paid, None if price is None else paid * price[rows, choice]
    )


def ask_all_models(reached: FloatArray, asked: IntArray, price: FloatArray | None) -> ShotsReached:
    """Return quality and cost of asking every cell `asked` (N, L) times; NaN where nothing is asked."""
    paid = asked.sum(axis=1).astype(np.float64)
    unasked = paid == 0
    paid[unasked] = np.nan
    cost = None
    if price is not None:
        cost = np.where(asked > 0, asked * price, 0.0).sum(axis=1)
        cost[unasked] = np.nan
    known = np.where(unasked, np.nan, reached)
    return ShotsReached(known_mean(known), known, paid, cost)


def known_mean(values: FloatArray) -> float:
    """Return the mean of the values that are not NaN; NaN without any."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else float("nan")
