"""The capability frontier as a result: its points, the models alone, and what is gained."""

from __future__ import annotations

from dataclasses import dataclass

from assay.frontier.estimate import Estimate
from assay.frontier.sweep.decisions import FloatArray
from assay.frontier.sweep.matched import Gain


@dataclass(frozen=True, slots=True)
class Point:
    """What decisions by phi(alpha) reach. `cost` is per prompt, its value None without costs.

    `optimal`: no other point of the sweep beats it in quality or cost without losing in the other. `on_hull`:
    it is a corner of the upper hull. `latency_p95` in seconds is that of the chosen answers, None without
    latencies.
    """

    alpha: float
    quality: Estimate
    cost: Estimate
    optimal: bool
    on_hull: bool
    latency_p95: float | None


@dataclass(frozen=True, slots=True)
class Single:
    """One model on every prompt. `quality` and `cost` are over the prompts it has, its `coverage` of them.

    `level` and `level_cost` put it on a fair footing: all prompts, with a prompt-and-model fit in the empty
    cells; equal to `quality` and `cost` where it has every prompt, None where no shared prompts join it to
    the other models. `optimal`: on the single models' own Pareto front, by the levels.
    """

    model: str
    quality: Estimate
    cost: Estimate
    level: Estimate
    level_cost: Estimate
    coverage: float
    optimal: bool
    latency_p95: float | None


@dataclass(frozen=True, slots=True)
class Gains:
    """What the frontier gains over the best single model, whom each replicate of the bootstrap picks anew.

    `error_reduction`: at alpha = 1, whatever it costs (the paper's table 1). `matched_cost`: at the best
    single's cost (its abstract), where the frontier reaches `quality_for_cost`. `saving`: of cost, at the
    best single's quality (its table 2), for which the frontier needs `cost_for_quality`; `alpha_star` is the
    least alpha of the sweep that reaches it. `aiq`: mean height of the upper hull over its own costs,
    `aiq_singles` of the single models' hull (RouterBench's Zero router) over theirs, `height`: how much
    higher the frontier's hull stands over the singles' range of costs, on average. `same_best` is the share
    of the replicates whose best single model is the estimate's: where it is small, the intervals of the
    matched figures span the costs of several models. None without replicates.
    """

    error_reduction: Gain
    matched_cost: Gain
    quality_for_cost: Gain
    saving: Gain
    cost_for_quality: Gain
    alpha_star: float | None
    aiq: Gain
    aiq_singles: Gain
    height: Gain
    same_best: float | None


@dataclass(frozen=True, slots=True)
class Bias:
    """How much the biased oracle (eq. 5) exceeds the method's (eq. 4) at alpha = 1: the paper's table 6.

    `quality` in points (100 x the difference), `cost` in per cent of the method's.
    """

    quality: Estimate
    cost: Estimate


@dataclass(frozen=True, slots=True)
class Frontier:
    """The capability frontier of one tensor by one method.

    `points` and `naive` (the plug-in, biased) have one point an alpha; `share` (A, L) is the share of the
    prompts on which each of `models` is chosen. `hull` are the positions of the points that span the upper
    hull of quality over cost, from the cheapest to the best: what a router that may randomise reaches
    (the lower convex hull in the plane of cost and error). `best_single` is the position among `singles`.
    Quality is in the tensor's unit, cost in `unit` per prompt. `cost_estimator` and `notes` are for readers.
    `old_decisions` are the points of decisions made at the recorded prices, counted at the new ones; None
    unless prices were given.
    """

    method: str
    unit: str
    prompts: int
    models: tuple[str, ...]
    alphas: FloatArray
    points: tuple[Point, ...]
    naive: tuple[Point, ...]
    share: FloatArray
    hull: tuple[int, ...]
    singles: tuple[Single, ...]
    best_single: int
    gains: Gains
    bias: Bias
    paper_bias: Bias | None
    old_decisions: tuple[Point, ...] | None
    cost_estimator: str | None
    level: float
    notes: tuple[str, ...]
