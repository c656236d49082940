"""The figures of each model alone, with intervals, and what must be said of models that miss prompts."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from assay.frontier.estimate import Estimate
from assay.frontier.prepared import NAMED, named
from assay.frontier.singles import Alone
from assay.frontier.sweep.pareto import undominated
from assay.frontier.sweep.reached import Reached
from assay.frontier.sweep.result import Single
from assay.frontier.sweep.tail_latency import alone_p95
from assay.frontier.tensor import Tensor, cell_means
from assay.frontier.weighed import Weighed, known

FloatArray = npt.NDArray[np.float64]


def single_figures(
    tensor: Tensor, models: Alone, reached: Reached, weighed: Weighed
) -> tuple[tuple[Single, ...], int]:
    """Return each model's figures and the position of the best single model."""
    level = np.where(models.comparable, cell_means(models.quality.T), np.nan)
    spent = np.zeros_like(level) if models.cost is None else cell_means(models.cost.T)
    drawn = reached.draws
    levels = _estimates(models.quality, None if drawn is None else drawn.alone_quality, weighed)
    level_costs = _estimates(models.cost, None if drawn is None else drawn.alone_cost, weighed)
    level_costs = level_costs or [Estimate(None)] * len(level)
    qualities, costs = levels, level_costs
    if not models.complete:
        apart = _apart(models)
        levels, level_costs = _joined(levels, apart), _joined(level_costs, apart)
        qualities = _estimates(tensor.mean_quality(), None, weighed)
        costs = _estimates(tensor.mean_cost(), None, weighed) or costs
    optimal = undominated(level, spent)
    slow = np.full(len(level), np.nan) if tensor.latency is None else alone_p95(tensor.latency)
    singles = tuple(
        Single(
            model,
            qualities[place],
            costs[place],
            levels[place],
            level_costs[place],
            float(models.coverage[place]),
            bool(optimal[place]),
            known(slow[place]),
        )
        for place, model in enumerate(models.models)
    )
    return singles, int(models.best(level[None], spent[None])[0])


def _estimates(table: FloatArray | None, draws: FloatArray | None, weighed: Weighed) -> list[Estimate]:
    """Return the column means of a table (N, K), NaN left out, as estimates; nothing without a table."""
    if table is None:
        return []
    return weighed.estimates(cell_means(table.T), weighed.means(table), draws)


def _apart(models: Alone) -> npt.NDArray[np.bool_]:
    """Return which models have no level: no chain of shared prompts joins them to the others."""
    return np.zeros(len(models.models), dtype=np.bool_) if models.joined is None else ~models.joined


def _joined(estimates: list[Estimate], apart: npt.NDArray[np.bool_]) -> list[Estimate]:
    return [Estimate(None) if alone else each for each, alone in zip(estimates, apart, strict=True)]


def coverage_notes(models: Alone) -> tuple[str, ...]:
    """Return what must be said of models that were not run on every prompt."""
    told = []
    partial = np.flatnonzero(models.coverage < 1.0)
    if partial.size:
        shares = [f"{models.models[one]} {models.coverage[one]:.0%}" for one in partial[:NAMED]]
        more = "" if partial.size <= NAMED else f" and {partial.size - NAMED} more"
        told.append(
            f"{partial.size} of {len(models.models)} models miss some prompts (coverage: {', '.join(shares)}"
            f"{more}): an oracle chooses among the models observed on a prompt, and single models are "
            "compared by levels that a prompt-and-model fit puts on all prompts, held fixed in the intervals"
        )
    apart = np.flatnonzero(_apart(models))
    if apart.size:
        names = named([models.models[one] for one in apart])
        told.append(
            f"no chain of shared prompts joins {names} to the others: they have no level"
            + (", and the best is by each model's own prompts" if apart.size == len(models.models) else "")
        )
    return tuple(told)
