"""The capability frontier: the best quality of all models together at each cost, corrected for luck."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.core.wording import counted
from assay.frontier.biased.swept import end_curves
from assay.frontier.methods.extrapolation import SMOOTH
from assay.frontier.methods.method import Method, SweepRequest
from assay.frontier.methods.modelled import misfit
from assay.frontier.methods.registry import DEFAULT, deciding, method_named
from assay.frontier.oracle import luck_alone
from assay.frontier.posterior import Posterior
from assay.frontier.prepared import PreparedTensor, prepare, usable_posterior
from assay.frontier.sweep.curve import MethodCurve
from assay.frontier.sweep.decisions import PhiRule, checked_alphas, scale_of
from assay.frontier.sweep.prices import Price, PriceChange, price_change
from assay.frontier.sweep.summary import FrontierParts, compose
from assay.frontier.tensor import Tensor, cell_means
from assay.frontier.weighed import weigh
from assay.results.frontier_report import Frontier

FloatArray = npt.NDArray[np.float64]


def frontier(
    tensor: Tensor,
    method: str = DEFAULT,
    *,
    posterior: Posterior | None = None,
    alphas: npt.ArrayLike | None = None,
    prices: Mapping[str, Price] | None = None,
    latency_weight: float = 0.0,
    level: float = 0.95,
    resamples: int = 500,
    seed: int = 0,
) -> Frontier:
    """Return the frontier by one method.

    `posterior` holds draws of `mixture` or `pgm` for this tensor and saves the fit. `alphas` are the weights
    of quality in the sweep (eq. 19-21), `decisions.default_alphas` by default; 0 and 1 are always included,
    and without costs there is only alpha = 1. With `prices` (by model) decisions are made and counted at
    these prices, and `old_decisions` are added to the result.
    `latency_weight` (0-1) is the share of latency in the charge of phi (naive, mixture and pgm); at 0 latency
    is only reported. Intervals are at `level`: `over_prompts` come from `resamples` bootstrap replicates of
    the prompts, with the fitted model and the scale of eq. 20-21 held fixed; `these_prompts` come from the
    draws. Raises InvalidInput for a tensor, posterior or option that cannot be used.
    """
    if not (0.0 < level < 1.0 and resamples >= 0):
        text = (
            f"level is {level!r} and resamples is {resamples!r}: give a level between 0 and 1, and 0 or more "
            "resamples"
        )
        raise InvalidInput(Problem(text))
    chosen_method, prepared = method_named(method), prepare(tensor)
    usable = prepared.tensor
    draws = (
        chosen_method.fit(usable, seed=seed)
        if posterior is None
        else usable_posterior(posterior, tensor, prepared)
    )
    change = None if prices is None else _change(prices, tensor, prepared)
    repriced = usable if change is None else change.of_tensor(usable)
    recorded = SweepRequest(
        usable,
        _rule(usable, latency_weight, chosen_method),
        np.array([1.0]) if tensor.cost is None else checked_alphas(alphas),
        seed,
        draws,
        by_prompt=tensor.latency is not None,
    )
    request = recorded
    if change is not None:
        request = replace(
            recorded,
            tensor=repriced,
            rule=_rule(repriced, latency_weight, chosen_method),
            posterior=None if draws is None else change.of_posterior(draws),
        )
    return compose(
        FrontierParts(
            method=method,
            tensor=repriced,
            alphas=request.alphas,
            curve=chosen_method.curve(request),
            naive=method_named("naive").curve(request),
            paper=_paper(repriced, seed),
            old_decisions=None
            if change is None or not chosen_method.decides
            else chosen_method.curve(replace(recorded, prices=change)),
            replicates=weigh(len(repriced.prompts), resamples, level, np.random.default_rng(seed)),
            notes=(
                *prepared.notes,
                *_tensor_notes(repriced),
                *_price_notes(chosen_method, change),
                *(() if draws is None else misfit(draws, usable, np.random.default_rng([seed, 3]))),
            ),
        )
    )


def _rule(tensor: Tensor, latency_weight: float, method: Method) -> PhiRule:
    """Return the rule that computes phi."""
    scale = scale_of(tensor.quality, tensor.cost)
    if latency_weight == 0.0:
        return PhiRule(scale)
    return PhiRule(scale, _delays(tensor, latency_weight, method), latency_weight)


def _change(prices: Mapping[str, Price], tensor: Tensor, prepared: PreparedTensor) -> PriceChange:
    if tensor.cost is None:
        raise InvalidInput(Problem("prices were given, but no costs were recorded: leave the prices out"))
    return price_change(prices, tensor.models).take(prepared.models)


def _delays(tensor: Tensor, weight: float, method: Method) -> FloatArray:
    """Return each cell's mean latency, scaled to 0-1 as eq. 20-21 scale cost; 0 if the cell is empty."""
    if not 0.0 <= weight <= 1.0:
        raise InvalidInput(Problem(f"the weight of latency is {weight!r}: give a number from 0 to 1"))
    if not method.decides:
        text = f"method {method.name!r} does not weigh latency: use {deciding('or')}"
        raise InvalidInput(Problem(text))
    if tensor.cost is None or tensor.latency is None:
        text = "latency can be weighed only if costs and latencies were recorded: leave the weight out"
        raise InvalidInput(Problem(text))
    means = cell_means(tensor.latency)
    unknown = np.argwhere(tensor.observed & np.isnan(means))
    if unknown.size:
        cell = f"{tensor.prompts[unknown[0][0]]}, {tensor.models[unknown[0][1]]}"
        text = f"{counted(len(unknown), 'cell')} without latency: leave the weight out"
        raise InvalidInput(Problem(text, cell))
    answered = tensor.latency[tensor.observed]
    low, high = float(np.nanmin(answered)), float(np.nanmax(answered))
    return np.where(tensor.observed, (means - low) / ((high - low) or 1.0), 0.0)


def _paper(tensor: Tensor, seed: int) -> MethodCurve | None:
    """Return the paper's estimate at alpha = 1: equation 12 fitted to quality and cost.

    None below 5 generations.
    """
    if tensor.generations < SMOOTH.parameters:
        return None
    quality, cost = end_curves(tensor, np.random.default_rng([seed, 1]))
    share = np.zeros((1, len(tensor.models)))
    return MethodCurve(
        quality[:, None], None if cost is None else cost[:, None], share, None, None, limits=SMOOTH.limits
    )


def _tensor_notes(tensor: Tensor) -> tuple[str, ...]:
    """Return notes on the tensor itself."""
    notes = []
    scale = scale_of(tensor.quality, tensor.cost)
    if tensor.cost is None:
        notes.append("no costs were recorded: only alpha = 1 exists, and there are no figures about cost")
    elif scale.cost is not None and scale.cost[0] == scale.cost[1]:
        notes.append("every answer costs the same: cost is 0 in phi, and every alpha decides by quality")
    if scale.quality[0] == scale.quality[1]:
        notes.append("every answer has the same quality: it is 0 in phi, and every alpha decides by cost")
    if len(tensor.models) == 1:
        notes.append("there is one model: nothing can be chosen, and the frontier is that model")
    if tensor.generations == 1:
        notes.append(_luck_note(tensor))
    elif tensor.generations < SMOOTH.parameters:
        notes.append(f"G = {tensor.generations}: equation 12 has 5 parameters and cannot be fitted")
    return tuple(notes)


def _luck_note(tensor: Tensor) -> str:
    """Return a note on how far one generation may mislead: the naive value of equal models (eq. 10)."""
    text = "one generation in each cell (G = 1): the bias of naive figures cannot be measured"
    if len(tensor.models) == 1:
        return text
    true, naive = luck_alone(tensor.mean_quality())
    return (
        f"{text}; if all models were equally good on each prompt (at their mean there), luck alone would "
        f"lift naive quality at alpha = 1 from {true:.4g} to about {naive:.4g}"
    )


def _price_notes(method: Method, change: PriceChange | None) -> tuple[str, ...]:
    """Return notes on figures at new prices; none at the recorded prices."""
    if change is None:
        return ()
    if method.decides:
        return ("costs are at the new prices; old decisions were made at the recorded prices",)
    return (
        "costs are at the new prices",
        f"there are no old decisions by {method.name}: only {deciding('and')} have them",
    )
