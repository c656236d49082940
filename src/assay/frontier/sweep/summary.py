"""The published frontier, made from a method's curve: points, gains and bias with intervals."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from assay.frontier.prepared import NAMED, named
from assay.frontier.singles import SingleModels, single_models
from assay.frontier.sweep.curve import MethodCurve
from assay.frontier.sweep.gains import FrontierRows, drawn_rows, frontier_gains, frontier_rows
from assay.frontier.sweep.pareto import undominated, upper_hull
from assay.frontier.tensor import Tensor, cell_means
from assay.frontier.weighed import PromptReplicates, known
from assay.results.frontier import Estimate
from assay.results.frontier_report import Frontier, FrontierPoint, FrontierSingle, OracleBias

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
DIGITS = 12
"""Points are equal if they agree to this many decimals of quality and of the most expensive point's cost."""
P95 = 0.95


def single_figures(
    tensor: Tensor, singles: SingleModels, curve: MethodCurve, replicates: PromptReplicates
) -> tuple[tuple[FrontierSingle, ...], int]:
    """Return each model's figures and the position of the best single model."""
    level = np.where(singles.comparable, cell_means(singles.quality.T), np.nan)
    cost = np.zeros_like(level) if singles.cost is None else cell_means(singles.cost.T)
    draws = curve.draws
    levels = _column_means(singles.quality, None if draws is None else draws.single_quality, replicates)
    level_costs = _column_means(singles.cost, None if draws is None else draws.single_cost, replicates)
    level_costs = level_costs or [Estimate(None)] * len(level)
    qualities, costs = levels, level_costs
    if not singles.complete:
        isolated = _isolated(singles)
        levels, level_costs = _blank(levels, isolated), _blank(level_costs, isolated)
        qualities = _column_means(tensor.mean_quality(), None, replicates)
        costs = _column_means(tensor.mean_cost(), None, replicates) or costs
    optimal = undominated(level, cost)
    latencies = np.full(len(level), np.nan) if tensor.latency is None else single_p95(tensor.latency)
    figures = tuple(
        FrontierSingle(
            model,
            qualities[column],
            costs[column],
            levels[column],
            level_costs[column],
            float(singles.coverage[column]),
            bool(optimal[column]),
            known(latencies[column]),
            float(curve.share[-1, column]),
        )
        for column, model in enumerate(singles.models)
    )
    return figures, int(singles.best(level[None], cost[None])[0])


def _column_means(
    table: FloatArray | None, draws: FloatArray | None, replicates: PromptReplicates
) -> list[Estimate]:
    """Return the column means of a table (N, K), NaN left out, as estimates; nothing without a table."""
    if table is None:
        return []
    return replicates.estimates(cell_means(table.T), replicates.means(table), draws)


def _isolated(singles: SingleModels) -> BoolArray:
    """Return which models have no level: no chain of shared prompts joins them to the others."""
    return np.zeros(len(singles.models), dtype=np.bool_) if singles.joined is None else ~singles.joined


def _blank(estimates: list[Estimate], isolated: BoolArray) -> list[Estimate]:
    pairs = zip(estimates, isolated, strict=True)
    return [Estimate(None) if without else estimate for estimate, without in pairs]


def coverage_notes(singles: SingleModels) -> tuple[str, ...]:
    """Return notes on models that were not run on every prompt."""
    notes = []
    partial = np.flatnonzero(singles.coverage < 1.0)
    if partial.size:
        shares = [f"{singles.models[column]} {singles.coverage[column]:.0%}" for column in partial[:NAMED]]
        more = "" if partial.size <= NAMED else f" and {partial.size - NAMED} more"
        notes.append(
            f"{partial.size} of {len(singles.models)} models miss some prompts (coverage: "
            f"{', '.join(shares)}{more}): an oracle chooses among the models observed on a prompt, and "
            "single models are compared by their level on all prompts, from a fit by prompt and model that "
            "is held fixed in the intervals"
        )
    isolated = np.flatnonzero(_isolated(singles))
    if isolated.size:
        names = named([singles.models[column] for column in isolated])
        notes.append(
            f"no chain of shared prompts joins {names} to the others: they have no level"
            + (
                ", and the best is by each model's own prompts"
                if isolated.size == len(singles.models)
                else ""
            )
        )
    return tuple(notes)


@dataclass(frozen=True, slots=True)
class FrontierParts:
    """A tensor and the curves from which its frontier is composed.

    `paper` is equation 12 at alpha = 1 alone, None if it cannot be fitted. `old_decisions` are those made at
    the recorded prices, None without new prices.
    """

    method: str
    tensor: Tensor
    alphas: FloatArray
    curve: MethodCurve
    naive: MethodCurve
    paper: MethodCurve | None
    old_decisions: MethodCurve | None
    replicates: PromptReplicates
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _CurveRows:
    """A curve as its one estimate (1, A), its replicates (R, A) and its draws (S, A), None without draws."""

    estimate: FrontierRows
    replicated: FrontierRows
    drawn: FrontierRows | None


def compose(parts: FrontierParts) -> Frontier:
    """Return the published frontier."""
    tensor, curve, replicates = parts.tensor, parts.curve, parts.replicates
    singles = single_models(tensor)
    figures, best = single_figures(tensor, singles, curve, replicates)
    rows, naive = _rows(curve, singles, replicates), _rows(parts.naive, singles, replicates)
    points = _points(parts.alphas, rows, curve, tensor, replicates)
    old, paper = parts.old_decisions, parts.paper
    return Frontier(
        method=parts.method,
        unit=tensor.unit,
        prompts=len(tensor.prompts),
        models=tensor.models,
        alphas=parts.alphas,
        points=tuple(
            replace(point, shares=_shares(share, tensor.models))
            for point, share in zip(points, curve.share, strict=True)
        ),
        naive=_points(parts.alphas, naive, parts.naive, tensor, replicates),
        share=curve.share,
        hull=_corners(points),
        singles=figures,
        best_single=best,
        gains=frontier_gains(
            parts.alphas,
            rows.estimate,
            rows.replicated,
            rows.drawn,
            singles,
            replicates,
            bounded=_bounded(tensor),
        ),
        bias=_bias(naive, rows, replicates),
        paper_bias=None if paper is None else _bias(naive, _rows(paper, singles, replicates), replicates),
        old_decisions=None
        if old is None
        else _points(parts.alphas, _rows(old, singles, replicates), old, tensor, replicates),
        cost_estimator=curve.cost_estimator,
        level=replicates.level,
        notes=(*parts.notes, *coverage_notes(singles), *curve.notes),
    )


def _bounded(tensor: Tensor) -> bool:
    return bool(np.nanmin(tensor.quality) >= 0.0 and np.nanmax(tensor.quality) <= 1.0)


def _rows(curve: MethodCurve, singles: SingleModels, replicates: PromptReplicates) -> _CurveRows:
    return _CurveRows(
        frontier_rows(curve, singles, None), frontier_rows(curve, singles, replicates), drawn_rows(curve)
    )


def _points(
    alphas: FloatArray, rows: _CurveRows, curve: MethodCurve, tensor: Tensor, replicates: PromptReplicates
) -> tuple[FrontierPoint, ...]:
    estimate, replicated, drawn = rows.estimate, rows.replicated, rows.drawn
    quality = estimate.quality[0]
    qualities = replicates.estimates(quality, replicated.quality, None if drawn is None else drawn.quality)
    cost, costs = np.zeros_like(quality), [Estimate(None)] * len(alphas)
    if estimate.cost is not None and replicated.cost is not None:
        cost = estimate.cost[0]
        costs = replicates.estimates(cost, replicated.cost, None if drawn is None else drawn.cost)
    rounded = np.round(quality, DIGITS), np.round(cost / (cost.max() or 1.0), DIGITS)
    corners = {(rounded[0][index], rounded[1][index]) for index in upper_hull(*rounded)}
    optimal = undominated(*rounded)
    latencies = np.full(len(alphas), np.nan)
    if tensor.latency is not None and curve.chosen is not None:
        latencies = chosen_p95(tensor.latency, curve.chosen)
    return tuple(
        FrontierPoint(
            float(alpha),
            qualities[index],
            costs[index],
            bool(optimal[index]),
            (rounded[0][index], rounded[1][index]) in corners,
            known(latencies[index]),
        )
        for index, alpha in enumerate(alphas)
    )


def _shares(share: FloatArray, models: tuple[str, ...]) -> dict[str, float]:
    """Return the models that are chosen on any prompt, each with its share of the prompts."""
    return {model: float(part) for model, part in zip(models, share, strict=True) if part > 0.0}


def _corners(points: tuple[FrontierPoint, ...]) -> tuple[int, ...]:
    """Return the positions of the hull's corners by cost; of equal points the one with the greatest alpha."""
    corners: dict[tuple[float, float], int] = {}
    for index, point in enumerate(points):
        if point.on_hull:
            quality, cost = point.quality.value or 0.0, point.cost.value or 0.0
            corners[float(f"{cost:.10e}"), float(f"{quality:.10e}")] = index
    return tuple(corners[corner] for corner in sorted(corners))


def _bias(naive: _CurveRows, rows: _CurveRows, replicates: PromptReplicates) -> OracleBias:
    """Return how far the naive estimate is from the method's at alpha = 1, both from the same replicates."""
    number = len(rows.replicated.quality)
    drawn = rows.drawn
    quality = replicates.estimates(
        100.0 * (naive.estimate.quality - rows.estimate.quality)[0, -1:],
        100.0 * (naive.replicated.quality[:number] - rows.replicated.quality)[:, -1:],
        None if drawn is None else 100.0 * (naive.estimate.quality - drawn.quality)[:, -1:],
    )[0]
    if naive.estimate.cost is None or naive.replicated.cost is None:
        return OracleBias(quality, Estimate(None))
    cost = replicates.estimates(
        _excess_cost(naive.estimate.cost, rows.estimate.cost)[0],
        _excess_cost(naive.replicated.cost[:number], rows.replicated.cost),
        None if drawn is None else _excess_cost(naive.estimate.cost, drawn.cost),
    )[0]
    return OracleBias(quality, cost)


def _excess_cost(naive: FloatArray, estimate: FloatArray | None) -> FloatArray:
    """Return the naive cost's excess at alpha = 1 in per cent of the estimate (R, 1); NaN where that is 0."""
    assert estimate is not None
    denominator = estimate[:, -1:]
    numerator = np.broadcast_to(naive[:, -1:], denominator.shape)
    ratio = np.divide(numerator, denominator, out=np.full(denominator.shape, np.nan), where=denominator > 0.0)
    return np.asarray(100.0 * (ratio - 1.0), dtype=np.float64)


def chosen_p95(latency: FloatArray, chosen: FloatArray, share: float = P95) -> FloatArray:
    """Return the latency that `share` of the chosen answers do not exceed, at each alpha: shape (A,).

    `latency` (N, L, G) in seconds, NaN where unknown; `chosen` (A, N, L) is the weight of each cell, spread
    evenly over its recorded latencies. The least latency at which the weights reach the share (the inverse
    distribution function); NaN where no chosen cell has a latency. Source: T^95 of seed 004, equation 1.
    """
    recorded = ~np.isnan(latency)
    weight_of_each = 1.0 / np.maximum(recorded.sum(axis=2), 1)
    order = np.argsort(latency[recorded], kind="stable")
    ascending = latency[recorded][order]
    cells = np.flatnonzero(recorded)[order] // latency.shape[2]
    percentiles = np.full(len(chosen), np.nan)
    for row, weights in enumerate(chosen):
        cumulated = np.cumsum((weights * weight_of_each).reshape(-1)[cells])
        if cumulated.size and cumulated[-1] > 0.0:
            index = int(np.searchsorted(cumulated, share * cumulated[-1] * (1.0 - 1e-12)))
            percentiles[row] = ascending[min(index, cumulated.size - 1)]
    return percentiles


def single_p95(latency: FloatArray) -> FloatArray:
    """Return each model's own P95 over its prompts, each prompt with equal weight: shape (L,)."""
    recorded = (~np.isnan(latency).all(axis=2)).astype(np.float64)
    only = recorded * np.eye(latency.shape[1])[:, None, :]
    return chosen_p95(latency, np.asarray(only))
