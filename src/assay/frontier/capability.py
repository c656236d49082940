"""The capability frontier: what all models together reach at each cost, corrected for luck."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.frontier.biased.swept import end_curves
from assay.frontier.methods.extrapolation import SMOOTH
from assay.frontier.methods.method import Method, SweepRequest
from assay.frontier.methods.modelled import misfit
from assay.frontier.methods.registry import DEFAULT, deciding, method_named
from assay.frontier.oracle import alike
from assay.frontier.posterior import Posterior
from assay.frontier.prepared import PreparedTensor, fitting, prepare
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

    `posterior` holds the draws of `mixture` or `pgm` on this very tensor and saves their fit. `alphas` are
    those of the sweep (eq. 19-21; 0 and 1 are always in it), `decisions.default_alphas` unless given; without
    costs there is alpha = 1 only. `prices` decide and count at new prices, by model, and `old_decisions`
    stand beside them.
    `latency_weight`, 0-1, is the share of latency in what phi charges (naive, mixture and pgm); otherwise
    latency is only reported. Intervals are at `level`: `over_prompts` from `resamples` bootstrap replicates
    of the prompts, the fitted model and the scale of eq. 20-21 held fixed, `these_prompts` from the draws.
    Raises InvalidInput for what cannot be used.
    """
    if not (0.0 < level < 1.0 and resamples >= 0):
        told = f"level {level!r} and {resamples!r} resamples: give a level between 0 and 1, and 0 or more"
        raise InvalidInput(Problem(told))
    way, prepared = method_named(method), prepare(tensor)
    kept = prepared.tensor
    draws = way.fit(kept, seed=seed) if posterior is None else fitting(posterior, tensor, prepared)
    moved = None if prices is None else _change(prices, tensor, prepared)
    now = kept if moved is None else moved.of_tensor(kept)
    recorded = SweepRequest(
        kept,
        _rule(kept, latency_weight, way),
        np.array([1.0]) if tensor.cost is None else checked_alphas(alphas),
        seed,
        draws,
        by_prompt=tensor.latency is not None,
    )
    request = recorded
    if moved is not None:
        request = replace(
            recorded,
            tensor=now,
            rule=_rule(now, latency_weight, way),
            posterior=None if draws is None else moved.of_posterior(draws),
        )
    return compose(
        FrontierParts(
            method=method,
            tensor=now,
            alphas=request.alphas,
            curve=way.curve(request),
            naive=method_named("naive").curve(request),
            paper=_paper(now, seed),
            old_decisions=None
            if moved is None or not way.decides
            else way.curve(replace(recorded, prices=moved)),
            replicates=weigh(len(now.prompts), resamples, level, np.random.default_rng(seed)),
            notes=(
                *prepared.notes,
                *_tensor_notes(now),
                *_price_notes(way, moved),
                *(() if draws is None else misfit(draws, kept, np.random.default_rng([seed, 3]))),
            ),
        )
    )


def _rule(tensor: Tensor, latency_weight: float, method: Method) -> PhiRule:
    """Return how phi is made."""
    scale = scale_of(tensor.quality, tensor.cost)
    if latency_weight == 0.0:
        return PhiRule(scale)
    return PhiRule(scale, _delays(tensor, latency_weight, method), latency_weight)


def _change(prices: Mapping[str, Price], tensor: Tensor, prepared: PreparedTensor) -> PriceChange:
    if tensor.cost is None:
        raise InvalidInput(Problem("prices were given, but no costs were recorded: leave the prices out"))
    return price_change(prices, tensor.models).take(prepared.models)


def _delays(tensor: Tensor, weight: float, method: Method) -> FloatArray:
    """Return each cell's mean latency on 0-1, as eq. 20-21 put cost; 0 where the cell is empty."""
    if not 0.0 <= weight <= 1.0:
        raise InvalidInput(Problem(f"the weight of latency is {weight!r}: give a number from 0 to 1"))
    if not method.decides:
        told = f"method {method.name!r} does not weigh latency: give {deciding('or')}"
        raise InvalidInput(Problem(told))
    if tensor.cost is None or tensor.latency is None:
        raise InvalidInput(Problem("latency can be weighed only where costs and latencies are recorded"))
    means = cell_means(tensor.latency)
    lost = np.argwhere(tensor.there & np.isnan(means))
    if lost.size:
        place = f"{tensor.prompts[lost[0][0]]}, {tensor.models[lost[0][1]]}"
        told = f"{len(lost)} cells have no latency: leave the weight out"
        raise InvalidInput(Problem(told, place))
    answered = tensor.latency[tensor.there]
    low, high = float(np.nanmin(answered)), float(np.nanmax(answered))
    return np.where(tensor.there, (means - low) / ((high - low) or 1.0), 0.0)


def _paper(tensor: Tensor, seed: int) -> MethodCurve | None:
    """Return the paper's own at alpha = 1, equation 12 on quality and cost; None below 5 generations."""
    if tensor.generations < SMOOTH.parameters:
        return None
    quality, cost = end_curves(tensor, np.random.default_rng([seed, 1]))
    nobody = np.zeros((1, len(tensor.models)))
    return MethodCurve(
        quality[:, None], None if cost is None else cost[:, None], nobody, None, None, limits=SMOOTH.limits
    )


def _tensor_notes(tensor: Tensor) -> tuple[str, ...]:
    """Return what a reader must know of the tensor itself."""
    told = []
    scale = scale_of(tensor.quality, tensor.cost)
    if tensor.cost is None:
        told.append("no costs were recorded: only alpha = 1 exists, and nothing about cost can be said")
    elif scale.cost is not None and scale.cost[0] == scale.cost[1]:
        told.append("every answer costs the same: cost is 0 in phi, and every alpha decides by quality")
    if scale.quality[0] == scale.quality[1]:
        told.append("every answer has the same quality: it is 0 in phi, and every alpha decides by cost")
    if len(tensor.models) == 1:
        told.append("there is one model: nothing can be chosen, and the frontier is that model")
    if tensor.generations == 1:
        told.append(_luck(tensor))
    elif tensor.generations < SMOOTH.parameters:
        told.append(f"G = {tensor.generations}: equation 12 has 5 parameters and cannot be fitted")
    return tuple(told)


def _luck(tensor: Tensor) -> str:
    """Say how far one generation may mislead: what models all alike on each prompt would show (eq. 10)."""
    quality = tensor.mean_quality()
    told = "one generation a cell (G = 1): the bias of naive figures cannot be measured"
    if len(tensor.models) == 1:
        return told
    shown = np.mean([alike(row[~np.isnan(row)]) for row in quality])
    true = np.mean(np.nanmean(quality, axis=1))
    return (
        f"{told}; were all models alike on each prompt, as good as their mean there, luck alone would lift "
        f"naive quality at alpha = 1 from {true:.4g} to about {shown:.4g}"
    )


def _price_notes(method: Method, moved: PriceChange | None) -> tuple[str, ...]:
    """Return what a reader must know of figures at new prices; nothing at the recorded ones."""
    if moved is None:
        return ()
    if method.decides:
        return ("costs are at the new prices; old decisions are those made at the recorded ones",)
    return (
        "costs are at the new prices",
        f"{method.name} does not count old decisions: {deciding('and')} do",
    )
