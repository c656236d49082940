"""`bracket`: a cross-fitted lower end and a naive upper end of the oracle, without a statistical model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.frontier.methods.method import Method, SweepRequest
from assay.frontier.methods.value import MethodValue, OracleInputs, mean_over_prompts
from assay.frontier.posterior import Posterior
from assay.frontier.sweep.curve import MethodCurve
from assay.frontier.sweep.decisions import PhiRule, Views, sweep
from assay.frontier.tensor import Tensor, cell_means
from assay.stats.judge_bias import means_of_others

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
LEAST_GENERATIONS = 2
"""A cell with this many generations has one for the choice in addition to the one that is left out."""
VALUE_BLOCK, SWEEP_BLOCK = 4_000_000, 8_000_000
"""The largest number of elements of a temporary array, for the value and for the sweep."""
EQUAL = 1e-12
"""Means of the same values in another order differ by less than this share of their range: they are tied."""
DRAWS = 40

VALUE_COST = (
    "cost of the answer left out, of the model chosen by the other answers; this is neither a lower nor an "
    "upper bound of the true oracle's cost"
)
SWEEP_COST = "cost of the answer left out, of the model chosen by the other answers"
ONE_GENERATION = (
    "one generation in every cell: no answer can be left out, so the bracket has no lower end; only the best "
    "single model bounds the oracle from below"
)
NO_OTHER_ANSWERS = "no other prompts and no second generations to choose a model by: there is no lower end"
BETWEEN = (
    "bracket: the points are cross-fitted, and the naive points are the upper end; in expectation phi(alpha) "
    "of the true frontier lies between the two at every alpha (quality at alpha = 1, cost at alpha = 0)"
)
COST_BY_CELL = "costs are known by cell, so the cost of the answer left out is its cell's mean"


def _value(inputs: OracleInputs, posterior: Posterior | None) -> MethodValue:
    return bracket_value(inputs)


def _curve(request: SweepRequest) -> MethodCurve:
    return cross_fitted_curve(request.tensor, request.rule, request.alphas, request.rng)


BRACKET = Method("bracket", VALUE_COST, _value, _curve)


def bracket_value(inputs: OracleInputs) -> MethodValue:
    """Return both ends; with one generation in every cell, only the upper end."""
    tensor = inputs.tensor
    ends = cross_fitted(tensor)
    upper = mean_over_prompts(inputs, ends.upper)
    if tensor.generations < LEAST_GENERATIONS:
        return MethodValue(None, None, VALUE_COST, (ONE_GENERATION,), upper=upper)
    if np.isnan(ends.lower).all():
        return MethodValue(None, None, VALUE_COST, (NO_OTHER_ANSWERS,), upper=upper)
    lower, notes = mean_over_prompts(inputs, ends.lower), []
    single = float(np.nanmean(inputs.singles.quality[:, inputs.best]))
    if lower.value < single:
        notes.append(
            f"the lower end lies {100 * (single - lower.value):.2f} points below the best single model; the "
            "oracle cannot lie below that model"
        )
    cost = None
    if ends.lower_cost is not None:
        cost = mean_over_prompts(inputs, ends.lower_cost)
        if tensor.cost_by_cell:
            notes.append(COST_BY_CELL)
    return MethodValue(None, cost, VALUE_COST, tuple(notes), lower=lower, upper=upper)


@dataclass(frozen=True, slots=True)
class Bracket:
    """Each prompt's two ends, shapes (N,); NaN if the prompt has no such end.

    `lower` is the quality of the answer left out, of the model that all other generations chose; `lower_cost`
    is its cost. `upper` is the greatest observed mean.
    """

    lower: FloatArray
    lower_cost: FloatArray | None
    upper: FloatArray


def cross_fitted(tensor: Tensor) -> Bracket:
    """Bracket each prompt's true oracle value without a model of the data.

    Lower end: in every cell one generation is left out, a model is chosen by the others, and the generation
    that it left out is its value. That generation took no part in the choice, so its expectation is the
    chosen model's true quality, which is at most the best one's: in expectation the mean over prompts never
    exceeds the true oracle. Upper end: the greatest mean of all generations, which in expectation is never
    below the oracle. All ways to leave out one generation of each cell are averaged exactly, so that there
    is no seed and no Monte-Carlo error.

    Leaving out one is the split that leaves most generations for the choice. It is fixed in advance, because
    taking the best of several splits would again be a choice by luck. The choice is by the greatest mean of
    the remaining generations and of the model's mean on the other prompts, which counts as one more
    generation: it does not depend on what was left out either, it breaks most of the many ties between few
    generations, and it stabilises cells of one or two. Remaining ties are shared evenly. `lower` is NaN where
    the models of a prompt have neither other prompts nor a second generation.

    Generations are exchangeable within a cell and cells are independent, so this is the expectation over the
    product of the cells' choices. The chance 1/(1 + number tied) of a shared choice is the integral over t
    of prod_j (P(S_j < s) + t P(S_j = s)), exact by Gauss-Legendre quadrature.
    """
    quality = tensor.quality
    atoms = _atoms(tensor)
    weights, prompts = atoms.weights, len(quality)
    scores = _ranks(np.where(weights > 0, atoms.scores, -np.inf))
    lower = np.zeros(prompts)
    lower_cost = None if atoms.costs is None else np.zeros(prompts)
    floor = np.where(weights > 0, scores, np.inf).min(axis=2)
    floor = np.where(np.isfinite(floor), floor, -np.inf).max(axis=1)
    rows, models, positions = np.nonzero((weights > 0) & (scores >= floor[:, None, None]))
    step = max(1, VALUE_BLOCK // max(1, weights.shape[1] * weights.shape[2]))
    for first in range(0, len(rows), step):
        part = slice(first, first + step)
        n, m, a = rows[part], models[part], positions[part]
        share = weights[n, m, a] * _chance_chosen(weights, scores, n, m, scores[n, m, a])
        np.add.at(lower, n, share * atoms.values[n, m, a])
        if atoms.costs is not None and lower_cost is not None:
            np.add.at(lower_cost, n, share * atoms.costs[n, m, a])
    upper = np.where(np.isnan(cell_means(quality)), -np.inf, cell_means(quality)).max(axis=1)
    without_end = ~(weights > 0).any(axis=(1, 2))
    lower[without_end] = np.nan
    if lower_cost is not None:
        lower_cost[without_end] = np.nan
    return Bracket(lower, lower_cost, np.where(np.isfinite(upper), upper, np.nan))


def cross_fitted_curve(
    tensor: Tensor, rule: PhiRule, alphas: FloatArray, rng: np.random.Generator, *, draws: int = DRAWS
) -> MethodCurve:
    """Return the cross-fitted sweep, the lower end of the frontier; the naive curve is the upper end.

    In each draw every cell leaves out one random answer. The others decide by phi(alpha), together with the
    model's mean on the other prompts, which counts as one more answer in quality and replaces the cost of a
    cell without other answers. The quality and cost of the answer left out are counted: it took no part in
    the choice, so it is unbiased for the choices made, and in expectation its phi is at most the true
    oracle's. At alpha = 1 quality and cost are those of `cross_fitted`, which averages exactly over all that
    can be left out. A prompt whose models have no other answers counts their mean.
    """
    prompts, models = len(tensor.prompts), len(tensor.models)
    quality = np.zeros((prompts, len(alphas)))
    cost = None if tensor.cost is None else np.zeros_like(quality)
    share = np.zeros((len(alphas), models))
    undecided = np.zeros(prompts, dtype=np.bool_)
    for rows, views, undecided_here in _blocks(tensor, rule, rng, draws):
        swept = sweep(views, alphas)
        quality[rows], undecided[rows] = swept.quality, undecided_here
        share += swept.share * len(undecided_here) / prompts
        if cost is not None and swept.cost is not None:
            cost[rows] = swept.cost
    ends = cross_fitted(tensor)
    quality[:, -1] = np.where(np.isnan(ends.lower), quality[:, -1], ends.lower)
    if cost is not None and ends.lower_cost is not None:
        cost[:, -1] = np.where(np.isnan(ends.lower_cost), cost[:, -1], ends.lower_cost)
    estimator = None if cost is None else SWEEP_COST
    return MethodCurve(quality, cost, share, None, estimator, notes=_curve_notes(tensor, undecided))


@dataclass(frozen=True, slots=True)
class _Atoms:
    """The answers that a cell can leave out: probabilities, scores of the rest, values, costs (N, L, A)."""

    weights: FloatArray
    scores: FloatArray
    values: FloatArray
    costs: FloatArray | None


def _atoms(tensor: Tensor) -> _Atoms:
    """Return what each cell can leave out.

    For 0/1 quality this is a right or a wrong answer (A = 2), otherwise any one generation (A = G).
    """
    quality, cost = tensor.quality, tensor.cost
    answers = tensor.answers[:, :, None]
    total = np.where(np.isnan(quality), 0.0, quality).sum(axis=2)[:, :, None]
    if tensor.binary:
        values = np.broadcast_to(np.array([1.0, 0.0]), (*quality.shape[:2], 2))
        weights = np.concatenate([total, answers - total], axis=2) / np.maximum(answers, 1)
        costs = None
        if cost is not None:
            by_value = [cell_means(np.where(quality == value, cost, np.nan)) for value in (1.0, 0.0)]
            costs = np.stack(by_value, axis=2)
    else:
        observed = ~np.isnan(quality)
        values, costs = np.where(observed, quality, 0.0), cost
        weights = observed / np.maximum(answers, 1)
    elsewhere = means_of_others(tensor.mean_quality())[:, :, None]
    known = ~np.isnan(elsewhere)
    number = answers - 1 + known
    weights = np.where(number > 0, weights, 0.0)
    scores = (total - values + np.where(known, elsewhere, 0.0)) / np.maximum(number, 1)
    if costs is not None:
        costs = np.where(np.isnan(costs), cell_means(cost)[:, :, None], costs)  # type: ignore[arg-type]
        costs = np.where(weights > 0, costs, 0.0)
    return _Atoms(weights, scores, values, costs)


def _ranks(scores: FloatArray) -> FloatArray:
    """Return dense ranks of scores (N, L, A) within each prompt; scores equal up to rounding share a rank."""
    values = scores.reshape(len(scores), -1)
    order = np.argsort(values, axis=1)
    ascending = np.take_along_axis(values, order, axis=1)
    scale = np.where(np.isfinite(ascending), np.abs(ascending), 0.0).max(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        steps = np.diff(ascending, axis=1) > EQUAL * scale
    ranks = np.zeros(values.shape)
    np.put_along_axis(ranks, order[:, 1:], np.cumsum(steps, axis=1), axis=1)
    return ranks.reshape(scores.shape)


def _chance_chosen(
    weights: FloatArray, scores: FloatArray, rows: IntArray, models: IntArray, own_scores: FloatArray
) -> FloatArray:
    """Return the chance (K,) that `models` (K,) with these scores are chosen on the prompts `rows` (K,)."""
    weight, score = weights[rows], scores[rows]
    below = (weight * (score < own_scores[:, None, None])).sum(axis=2)
    equal = (weight * (score == own_scores[:, None, None])).sum(axis=2)
    no_rival = (weight.sum(axis=2) == 0) | (np.arange(weight.shape[1]) == models[:, None])
    below, equal = np.where(no_rival, 1.0, below), np.where(no_rival, 0.0, equal)
    chance = below.prod(axis=1)
    tied = np.flatnonzero((equal > 0).any(axis=1))
    if tied.size:
        most = int((equal[tied] > 0).sum(axis=1).max())
        nodes, shares = np.polynomial.legendre.leggauss(most // 2 + 1)
        chance[tied] = sum(
            share / 2.0 * (below[tied] + (node + 1.0) / 2.0 * equal[tied]).prod(axis=1)
            for node, share in zip(nodes, shares, strict=True)
        )
    return np.asarray(chance, dtype=np.float64)


def _blocks(
    tensor: Tensor, rule: PhiRule, rng: np.random.Generator, draws: int
) -> Iterator[tuple[slice, Views, BoolArray]]:
    """Yield blocks of prompts with their views (draws, n, L), and which have nothing to choose by (n,)."""
    prompts = len(tensor.prompts)
    means, mean_costs = tensor.mean_quality(), tensor.mean_cost()
    elsewhere = means_of_others(means)
    cost_elsewhere = None if mean_costs is None else means_of_others(mean_costs)
    observed = ~np.isnan(tensor.quality)
    step = max(1, SWEEP_BLOCK // (draws * len(tensor.models)))
    for first in range(0, prompts, step):
        rows = slice(first, min(first + step, prompts))
        left_out = [_left_out_positions(observed[rows], rng) for _ in range(draws)]
        rest, value = _split_off(tensor.quality[rows], left_out, elsewhere[rows])
        undecided = np.asarray(np.isnan(rest).all(axis=2).any(axis=0))
        deciding_cost, counted_cost = None, None
        if tensor.cost is not None and mean_costs is not None and cost_elsewhere is not None:
            others, paid = _split_off(tensor.cost[rows], left_out, None)
            deciding_cost = np.where(np.isnan(others), cost_elsewhere[rows], others)
            deciding_cost = np.where(np.isnan(deciding_cost), mean_costs[rows], deciding_cost)
            counted_cost = np.where(np.isnan(paid), mean_costs[rows], paid)
            typical_cost = np.nanmean(mean_costs[rows], axis=1)[:, None]
            counted_cost = np.where(undecided[:, None], typical_cost, counted_cost)
        rest = np.where(undecided[:, None], means[rows], rest)
        value = np.where(undecided[:, None], np.nanmean(means[rows], axis=1)[:, None], value)
        yield rows, rule.views(rest, deciding_cost, ~np.isnan(rest), value, counted_cost), undecided


def _left_out_positions(observed: BoolArray, rng: np.random.Generator) -> IntArray:
    """Return the position of the answer that each cell leaves out, (n, L, 1)."""
    position = np.where(observed, rng.random(observed.shape), -1.0).argmax(axis=2)
    return np.asarray(position[:, :, None], dtype=np.int64)


def _split_off(
    values: FloatArray, left_out: list[IntArray], prior: FloatArray | None
) -> tuple[FloatArray, FloatArray]:
    """Return, for each draw, the mean of the other answers and the answer left out: (draws, n, L) each.

    A known `prior` (n, L) counts as one more of the other answers. NaN if there are none.
    """
    known = ~np.isnan(values)
    total, count = np.where(known, values, 0.0).sum(axis=2), known.sum(axis=2)
    if prior is not None:
        total, count = total + np.nan_to_num(prior), count + ~np.isnan(prior)
    value = np.stack([np.take_along_axis(values, position, axis=2)[:, :, 0] for position in left_out])
    others = count - ~np.isnan(value)
    rest = np.divide(total - np.nan_to_num(value), others, out=np.full(value.shape, np.nan), where=others > 0)
    return rest, value


def _curve_notes(tensor: Tensor, undecided: BoolArray) -> tuple[str, ...]:
    notes = [BETWEEN]
    if undecided.any():
        notes.append(
            f"on {int(undecided.sum())} of {len(undecided)} prompts every model has only one known answer: "
            "the mean of the models is counted there"
        )
    if tensor.cost_by_cell:
        notes.append(COST_BY_CELL)
    return tuple(notes)
