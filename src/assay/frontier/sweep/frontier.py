"""The capability frontier: what all models together reach at each cost, corrected for luck."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.frontier.biased.swept import end_curves
from assay.frontier.graphical import fit_pgm
from assay.frontier.oracles.extrapolate import LEAST, FormName
from assay.frontier.oracles.predictive import misfit
from assay.frontier.posterior import Posterior
from assay.frontier.prepared import Prepared, fitting, prepare
from assay.frontier.shrink.fit import fit_shrink
from assay.frontier.sweep.composed import Parts, compose
from assay.frontier.sweep.decisions import Rule, checked_alphas, scale_of
from assay.frontier.sweep.prices import Change, Price, change
from assay.frontier.sweep.reached import Reached, bracketed, extrapolated, from_posterior, naive
from assay.frontier.sweep.remarks import DECIDED, price_remarks, tensor_remarks
from assay.frontier.sweep.result import Frontier
from assay.frontier.tensor import Tensor, cell_means
from assay.frontier.weighed import weigh

FloatArray = npt.NDArray[np.float64]
Method = Literal["naive", "power", "smooth", "shrink", "pgm", "bracket"]


def frontier(
    tensor: Tensor,
    method: Method = "shrink",
    *,
    posterior: Posterior | None = None,
    alphas: npt.ArrayLike | None = None,
    prices: Mapping[str, Price] | None = None,
    latency_weight: float = 0.0,
    level: float = 0.9,
    resamples: int = 500,
    seed: int = 0,
) -> Frontier:
    """Return the frontier by one method.

    `posterior` holds the draws of `shrink` or `pgm` on this very tensor and saves their fit. `alphas` are
    those of the sweep (eq. 19-21; 0 and 1 are always in it), `decisions.default_alphas` unless given; without
    costs there is alpha = 1 only. `prices` decide and count at new prices, by model, and `old_decisions`
    stand beside them.
    `latency_weight`, 0-1, is the share of latency in what phi charges (naive, shrink and pgm); otherwise
    latency is only reported. Intervals are at `level`: `over_prompts` from `resamples` bootstrap replicates
    of the prompts, the fitted model and the scale of eq. 20-21 held fixed, `these_prompts` from the draws.
    Raises InvalidInput for what cannot be used.
    """
    if not (0.0 < level < 1.0 and resamples >= 0):
        told = f"level {level!r} and {resamples!r} resamples: give a level between 0 and 1, and 0 or more"
        raise InvalidInput(Problem(told))
    if method not in get_args(Method):
        raise InvalidInput(Problem(f"there is no method {method!r}: give {', '.join(get_args(Method))}"))
    prepared = prepare(tensor)
    asked = _Asked(
        method,
        prepared.tensor,
        _fitted(method, posterior, tensor, prepared, seed),
        np.array([1.0]) if tensor.cost is None else checked_alphas(alphas),
        seed,
        latency_weight,
    )
    moved = None if prices is None else _change(prices, tensor, prepared)
    now = asked if moved is None else asked.at(moved)
    return compose(
        Parts(
            method=method,
            tensor=now.tensor,
            alphas=now.alphas,
            reached=now.reached(),
            naive=naive(now.tensor, now.rule(), now.alphas, by_prompt=now.tensor.latency is not None),
            paper=_paper(now.tensor, seed),
            old_decisions=None if moved is None or method not in DECIDED else asked.reached(moved),
            weighed=weigh(len(now.tensor.prompts), resamples, level, np.random.default_rng(seed)),
            notes=(
                *prepared.notes,
                *tensor_remarks(now.tensor),
                *price_remarks(method, moved),
                *_misfit(asked),
            ),
        )
    )


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is asked for: a method on a tensor, at the prices of its costs."""

    method: Method
    tensor: Tensor
    posterior: Posterior | None
    alphas: FloatArray
    seed: int
    latency_weight: float

    def at(self, prices: Change) -> _Asked:
        """Return the same at other prices."""
        posterior = None if self.posterior is None else prices.of_posterior(self.posterior)
        return replace(self, tensor=prices.of_tensor(self.tensor), posterior=posterior)

    def rule(self) -> Rule:
        """Return how phi is made."""
        scale = scale_of(self.tensor.quality, self.tensor.cost)
        if self.latency_weight == 0.0:
            return Rule(scale)
        return Rule(scale, _delays(self.tensor, self.latency_weight, self.method), self.latency_weight)

    def reached(self, prices: Change | None = None) -> Reached:
        """Return what the method's decisions reach; `prices` count them at other prices."""
        rule, by_prompt = self.rule(), self.tensor.latency is not None
        rng = np.random.default_rng([self.seed, 2])
        if self.method == "naive":
            return naive(self.tensor, rule, self.alphas, by_prompt=by_prompt, prices=prices)
        if self.method == "bracket":
            return bracketed(self.tensor, rule, self.alphas, rng)
        if self.method in ("power", "smooth"):
            form: FormName = "power" if self.method == "power" else "smooth"
            return extrapolated(self.tensor, rule, self.alphas, form, rng)
        assert self.posterior is not None
        return from_posterior(self.posterior, rule, self.alphas, by_prompt=by_prompt, prices=prices)


def _fitted(
    method: Method, posterior: Posterior | None, tensor: Tensor, prepared: Prepared, seed: int
) -> Posterior | None:
    """Return the posterior of what was kept, fitted unless given; None for methods without one."""
    if posterior is not None:
        return fitting(posterior, tensor, prepared)
    if method == "shrink":
        return fit_shrink(prepared.tensor, seed=seed)
    if method == "pgm":
        return fit_pgm(prepared.tensor, seed=seed).posterior
    return None


def _misfit(asked: _Asked) -> tuple[str, ...]:
    if asked.posterior is None:
        return ()
    return misfit(asked.posterior, asked.tensor, np.random.default_rng([asked.seed, 3]))


def _change(prices: Mapping[str, Price], tensor: Tensor, prepared: Prepared) -> Change:
    if tensor.cost is None:
        raise InvalidInput(Problem("prices were given, but no costs were recorded: leave the prices out"))
    return change(prices, tensor.models).take(prepared.models)


def _delays(tensor: Tensor, weight: float, method: Method) -> FloatArray:
    """Return each cell's mean latency on 0-1, as eq. 20-21 put cost; 0 where the cell is empty."""
    if not 0.0 <= weight <= 1.0:
        raise InvalidInput(Problem(f"the weight of latency is {weight!r}: give a number from 0 to 1"))
    if method not in DECIDED:
        raise InvalidInput(Problem(f"method {method!r} does not weigh latency: give naive, shrink or pgm"))
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


def _paper(tensor: Tensor, seed: int) -> Reached | None:
    """Return the paper's own at alpha = 1, equation 12 on quality and cost; None below 5 generations."""
    if tensor.generations < LEAST["smooth"]:
        return None
    quality, cost = end_curves(tensor, np.random.default_rng([seed, 1]))
    nobody = np.zeros((1, len(tensor.models)))
    return Reached(
        quality[:, None], None if cost is None else cost[:, None], nobody, None, None, form="smooth"
    )
