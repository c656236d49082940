"""The panel-adjusted composite: what a model would have if every judge had marked all its answers."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import stats

from assay.ranking.cells import Cells, over
from assay.ranking.completed import Ratings, complete, complete_geval, effect_draws
from assay.ranking.measured import FloatArray, IntArray
from assay.ranking.resampled import basis_of, blended, weighted
from assay.ranking.takes import Average, average
from assay.stats.intervals import Interval
from assay.stats.resample import percentile

UNEVEN = 1e-9


@dataclass(frozen=True, slots=True)
class JudgeLeniency:
    """How far a judge's marks (1-5) lie above the panel's on the same answers, from `marks` of them.

    None for a judge that no chain of shared answers connects with the others.
    """

    judge: str
    effect: float | None
    marks: int


@dataclass(frozen=True, slots=True)
class PanelAdjusted:
    """One model's panel-adjusted composite (0-1) and judges' mean (1-5, over `n` prompts), unrounded.

    `interval` is over prompts; the errors of the judges' leniency and of the estimates are in it. `missing`
    marks and metrics were owed and not given; with all of them at the end of their scale the composite
    would be `lowest` or `highest`. All are None where the model has no mark and no G-Eval.
    """

    composite: float | None
    interval: Interval | None
    judge_mean: Average
    missing: int
    lowest: float | None
    highest: float | None


@dataclass(frozen=True, slots=True)
class Adjusted:
    """A board's marks and G-Eval (M, P) with what is missing estimated, and the adjusted composites.

    `basis` (M,) says of which halves these are, as in `Resampled`; 0 also for a model whose judges share no
    answers with the others, so that their leniency is unknown.
    """

    marks: Ratings
    geval: FloatArray
    basis: IntArray
    judges: tuple[JudgeLeniency, ...]
    models: tuple[PanelAdjusted, ...]


def adjust(cells: Cells, weights: FloatArray, level: float = 0.95) -> Adjusted:
    """Return the panel-adjusted composites, resampled by the drawn prompts `weights` (B, P).

    Where every judge marked every answer they are the composites, but for rounding.
    """
    marks, metrics = complete(cells), complete_geval(cells)
    normal, geval = _normal(marks.values), over(metrics.values, -1)
    unknown = (~np.isnan(cells.given)).any(axis=(1, 2)) & np.isnan(normal).all(axis=1)
    basis = np.where(unknown, 0, basis_of(normal, geval))
    composites = blended(basis, over(normal, -1), over(geval, -1))
    drawn = blended(basis, _drawn_judges(cells, marks, normal, weights), weighted(geval, weights))
    ends = [
        blended(basis, over(_normal(values), -1), over(over(scores, -1), -1))
        for values, scores in ((marks.lowest, metrics.lowest), (marks.highest, metrics.highest))
    ]
    extra = _variance(basis, marks.variance / 16.0, metrics.variance)
    answered = (~np.isnan(normal) | ~np.isnan(geval)).sum(axis=1)
    lacking = marks.lacking + metrics.lacking
    given = (~np.isnan(cells.said)).sum(axis=(0, 1, 2))
    return Adjusted(
        marks,
        geval,
        basis,
        tuple(
            JudgeLeniency(judge, _known(effect), int(count))
            for judge, effect, count in zip(cells.judges, marks.effects, given, strict=True)
        ),
        tuple(
            PanelAdjusted(
                _known(composites[place]),
                _interval(composites[place], drawn[:, place], extra[place], int(answered[place]), level),
                average(over(marks.values[place], -1)),
                int(lacking[place]),
                _known(ends[0][place]),
                _known(ends[1][place]),
            )
            for place in range(len(cells.models))
        ),
    )


def _variance(basis: IntArray, judges: FloatArray, geval: FloatArray) -> FloatArray:
    """Return the variance (M,) of composites from that of their halves."""
    return np.select([basis == 1, basis == 2, basis == 3], [(judges + geval) / 4.0, judges, geval], 0.0)


def _known(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _normal(marks: FloatArray) -> FloatArray:
    """Return the mean of the judges' marks (M, P, J) as 0-1."""
    return (over(marks, -1) - 1.0) / 4.0


def _drawn_judges(cells: Cells, marks: Ratings, normal: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the judges' halves (B, M) on drawn prompts, with leniency fitted anew on each draw."""
    drawn = weighted(normal, weights)
    active = ~np.isnan(marks.effects)
    slope = marks.slope[..., active]
    flat = np.ptp(slope, axis=-1).max(axis=-1, initial=0.0) if slope.shape[-1] else np.zeros(len(normal))
    uneven = np.flatnonzero(flat > UNEVEN)
    if not uneven.size:
        return drawn
    moved = effect_draws(cells, marks.effects, weights)[:, active] - marks.effects[active]
    there = weights @ (~np.isnan(normal[uneven])).astype(np.float64).T
    for place, count in zip(uneven.tolist(), there.T, strict=True):
        fall = ((weights @ slope[place]) * moved).sum(axis=1)
        drawn[:, place] -= np.divide(fall / 4.0, count, out=np.zeros_like(fall), where=count > 0)
    return drawn


def _interval(
    composite: float, drawn: FloatArray, extra: float, prompts: int, level: float
) -> Interval | None:
    """Return the expanded percentile interval: the bootstrap's is too short by t and by n/(n - 1).

    The variance `extra` of the estimates widens it on both sides. None for fewer than two prompts.
    Source: T. Hesterberg, What Teachers Should Know about the Bootstrap, The American Statistician 69
    (2015), section 5.
    """
    if prompts < 2:
        return None
    reach = math.sqrt(prompts / (prompts - 1)) * float(stats.t.ppf(0.5 + level / 2.0, prompts - 1))
    found = percentile(drawn, 2.0 * float(stats.norm.cdf(reach)) - 1.0)
    if found is None:
        return None
    variance = float(np.nanvar(drawn)) * prompts / (prompts - 1)
    wider = math.sqrt(1.0 + extra / variance) if variance > UNEVEN**2 else 1.0
    low, high = (float(composite + wider * (end - composite)) for end in (found.low, found.high))
    return Interval(low, high, level)
