"""The panel-adjusted composite: the marks of every judge on all answers, with missing marks estimated."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy

from assay.ranking.board.cells import INVALID_MARK, Cells, over
from assay.ranking.board.measured import BoolArray, FloatArray, IntArray, Status
from assay.ranking.board.resampled import basis_of, blended, weighted
from assay.ranking.board.score import average
from assay.results.board_judged import JudgeLeniency, PanelAdjusted
from assay.stats.intervals import Interval
from assay.stats.resample import percentile
from assay.stats.two_way import rater_effects

UNEVEN = 1e-9
LEAST_MARKED = 0.5
"""The least share of a model's answers with marks for estimating its answers without any mark."""


@dataclass(frozen=True, slots=True)
class AdjustedBoard:
    """A board's marks and G-Eval (M, P) with missing ones estimated, and the adjusted composites.

    `basis` (M,) are the halves of the composites, as in `Resampled`; 0 also for a model whose judges share no
    answers with the others, so their leniency is unknown.
    """

    marks: Ratings
    geval: FloatArray
    basis: IntArray
    judges: tuple[JudgeLeniency, ...]
    models: tuple[PanelAdjusted, ...]


def adjust(cells: Cells, weights: FloatArray, level: float = 0.95) -> AdjustedBoard:
    """Return the panel-adjusted composites, resampled by the drawn prompts `weights` (B, P).

    If every judge marked every answer, they equal the composites except for rounding.
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
    extra = _composite_variance(basis, marks.variance / 16.0, metrics.variance)
    answered = (~np.isnan(normal) | ~np.isnan(geval)).sum(axis=1)
    lacking = marks.lacking + metrics.lacking
    given = (~np.isnan(cells.said)).sum(axis=(0, 1, 2))
    return AdjustedBoard(
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


def _composite_variance(basis: IntArray, judges: FloatArray, geval: FloatArray) -> FloatArray:
    """Return the variance (M,) of composites from the variances of their halves."""
    return np.select([basis == 1, basis == 2, basis == 3], [(judges + geval) / 4.0, judges, geval], 0.0)


def _known(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _normal(marks: FloatArray) -> FloatArray:
    """Return the mean of the judges' marks (M, P, J) as 0-1."""
    return (over(marks, -1) - 1.0) / 4.0


def _drawn_judges(cells: Cells, marks: Ratings, normal: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the judges' halves (B, M) on drawn prompts, with leniency fitted again on each draw."""
    drawn = weighted(normal, weights)
    active = ~np.isnan(marks.effects)
    slope = marks.slope[..., active]
    flat = np.ptp(slope, axis=-1).max(axis=-1, initial=0.0) if slope.shape[-1] else np.zeros(len(normal))
    uneven = np.flatnonzero(flat > UNEVEN)
    if not uneven.size:
        return drawn
    moved = effect_draws(cells, marks.effects, weights)[:, active] - marks.effects[active]
    counts = weights @ (~np.isnan(normal[uneven])).astype(np.float64).T
    for place, count in zip(uneven.tolist(), counts.T, strict=True):
        fall = ((weights @ slope[place]) * moved).sum(axis=1)
        drawn[:, place] -= np.divide(fall / 4.0, count, out=np.zeros_like(fall), where=count > 0)
    return drawn


def _interval(
    composite: float, drawn: FloatArray, extra: float, prompts: int, level: float
) -> Interval | None:
    """Return the expanded percentile interval; the bootstrap's is too short by t and by n/(n - 1).

    The variance `extra` of the estimates widens it on both sides. Returns None for fewer than two prompts.
    Source: T. Hesterberg, What Teachers Should Know about the Bootstrap, The American Statistician 69
    (2015), section 5.
    """
    if prompts < 2:
        return None
    reach = math.sqrt(prompts / (prompts - 1)) * float(scipy.stats.t.ppf(0.5 + level / 2.0, prompts - 1))
    interval = percentile(drawn, 2.0 * float(scipy.stats.norm.cdf(reach)) - 1.0)
    if interval is None:
        return None
    variance = float(np.nanvar(drawn)) * prompts / (prompts - 1)
    wider = math.sqrt(1.0 + extra / variance) if variance > UNEVEN**2 else 1.0
    low, high = (float(composite + wider * (end - composite)) for end in (interval.low, interval.high))
    return Interval(low, high, level)


MARK_BOUNDS, METRIC_BOUNDS = (1.0, 5.0), (0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Ratings:
    """The ratings of every rater (judge or metric), given or estimated, averaged over epochs.

    `values` (M, P, R) are NaN for errors and for raters without an effect; `lowest` and `highest` have the
    ends of the scale instead of the `lacking` (M,) ratings that are missing. `effects` (R,) is each rater's
    leniency relative to the others, and `slope` (M, P, R) the decrease of the mean of `values` if an effect
    rises by 1. `variance` (M,) is the variance of the model's mean rating that comes from unknown deviations
    of missing raters on this model from their usual effect.
    """

    values: FloatArray
    lowest: FloatArray
    highest: FloatArray
    lacking: IntArray
    effects: FloatArray
    slope: FloatArray
    variance: FloatArray


def complete(cells: Cells) -> Ratings:
    """Return every judge's mark on every answer: 1 for invalid answers, others as in `estimate`.

    A judge's marks for its own model are estimated too, but do not count as lacking.
    """
    invalid = cells.status == Status.INVALID
    return estimate(cells.said, _visible(cells), cells.own, MARK_BOUNDS, (invalid, INVALID_MARK))


def complete_geval(cells: Cells) -> Ratings:
    """Return every metric of G-Eval on every answer, as in `estimate`, without invalid answers."""
    own = np.zeros((len(cells.models), len(cells.metric_names)), dtype=np.bool_)
    return estimate(cells.said_metrics, _visible(cells), own, METRIC_BOUNDS)


def _visible(cells: Cells) -> BoolArray:
    visible: BoolArray = (cells.status == Status.OK) | (cells.status == Status.UNGRADED)
    return visible


def estimate(
    said: FloatArray,
    visible: BoolArray,
    own: BoolArray,
    bounds: tuple[float, float],
    ruled: tuple[BoolArray, float] | None = None,
) -> Ratings:
    """Estimate missing ratings in `said` (E, M, P, R) by the model rating = answer + rater.

    The answer's part is the mean of its ratings less their raters' effects; effects are fitted over all
    `visible` (E, M, P) answers by least squares. An answer without a rating gets model + prompt, fitted in
    the same way. Ratings of `own` (M, R) raters do not count as lacking. `ruled` are answers with a fixed
    rating. Source: H. Scheffé, The Analysis of Variance (1959), chapter 4;
    docs/methodology/missing-judges.md.
    """
    given = np.where(visible[..., None], said, np.nan)
    effects = _effects(given)
    given = np.where(np.isnan(effects), np.nan, given)
    present = ~np.isnan(given)
    rated = present.any(axis=-1)
    answers = np.where(rated, over(given - effects, -1), np.nan)
    rateable = rated.sum(axis=(0, 2)) >= np.maximum(1, LEAST_MARKED * visible.sum(axis=(0, 2)))
    blank = visible & ~rated & rateable[None, :, None]
    if blank.any():
        answers = np.where(blank, _model_and_prompt(over(answers, 0)), answers)
    values = np.where(present, given, answers[..., None] + effects)
    owed = (visible & (rated | blank))[..., None] & ~own[None, :, None, :] & ~np.isnan(effects)
    lacking = owed & ~present
    slope = present / np.maximum(present.sum(axis=-1, keepdims=True), 1)
    if ruled is not None:
        known = np.where(np.isnan(effects), np.nan, ruled[1])
        rules = ruled[0] & (rateable | ~visible.any(axis=(0, 2)))[None, :, None]
        values = np.where(rules[..., None], known, values)
    answered = ~np.isnan(values).all(axis=-1, keepdims=True)
    return Ratings(
        over(values, 0),
        over(np.where(lacking, bounds[0], values), 0),
        over(np.where(lacking, bounds[1], values), 0),
        lacking.sum(axis=(0, 2, 3)),
        effects,
        np.nan_to_num(over(np.where(answered, slope, np.nan), 0)),
        _missing_variance(given - answers[..., None] - effects, visible),
    )


def _missing_variance(residuals: FloatArray, visible: BoolArray) -> FloatArray:
    """Return the variance (M,) of a model's mean rating that comes from missing raters.

    A rater's deviation on a model is the mean of its `residuals` (E, M, P, R), corrected for its own part in
    the answers. Its spread over the models (of all raters, if fewer than three models have it), times the
    missing share, is the error of the estimate.
    """
    present = ~np.isnan(residuals)
    raters = int(present.any(axis=(0, 1, 2)).sum())
    count = present.sum(axis=-1, keepdims=True)
    others = np.where(count >= 2, residuals * count / np.maximum(count - 1, 1), np.nan)
    count = (~np.isnan(others)).sum(axis=(0, 2))
    total = np.nansum(others, axis=(0, 2))
    deviations = np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0)
    models = (~np.isnan(deviations)).sum(axis=0)
    squares = np.nansum(deviations**2, axis=0)
    pooled = squares.sum() / max(int((models - 1).clip(0).sum()), 1)
    spread = np.where(models >= 3, squares / np.maximum(models - 1, 1), pooled)
    rated = visible.sum(axis=(0, 2))[:, None]
    share = 1.0 - present.sum(axis=(0, 2)) / np.maximum(rated, 1)
    share = np.where((rated > 0) & present.any(axis=(0, 1, 2)), share, 0.0)
    variance: FloatArray = (share**2 * spread).sum(axis=1) / max(raters, 1) ** 2
    return variance


def _effects(given: FloatArray) -> FloatArray:
    """Return the raters' effects; a single rater has the effect 0."""
    table = given.reshape(math.prod(given.shape[:-1]), given.shape[-1])
    active = ~np.isnan(table).all(axis=0)
    if active.sum() == 1:
        return np.where(active, 0.0, np.nan)
    return rater_effects(table)


def _model_and_prompt(answers: FloatArray) -> FloatArray:
    """Return model + prompt for answers (M, P), by least squares; a model's mean if it shares no prompts."""
    models = rater_effects(answers.T)
    prompts = over(answers.T - models, -1)
    fitted = models[:, None] + prompts[None, :]
    return np.where(np.isnan(fitted), over(answers, -1)[:, None], fitted)


def effect_draws(cells: Cells, effects: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the judges' effects (B, J), fitted to each draw of prompts `weights` (B, P)."""
    known = ~np.isnan(effects)
    given = np.where(_visible(cells)[..., None], cells.said, np.nan)[..., known]
    given = np.moveaxis(given, 2, 0).reshape(len(cells.prompts), -1, int(known.sum()))
    present = ~np.isnan(given)
    present &= present.sum(axis=-1, keepdims=True) >= 2
    mask, filled = present.astype(np.float64), np.where(present, given, 0.0)
    share = mask / np.maximum(mask.sum(axis=-1, keepdims=True), 1.0)
    normal = -np.einsum("pnj,pnk->pjk", share, mask)
    diagonal = np.arange(normal.shape[1])
    normal[:, diagonal, diagonal] += mask.sum(axis=1)
    right = filled.sum(axis=1) - np.einsum("pnj,pn->pj", share, filled.sum(axis=-1))
    count = len(effects[known])
    systems = (weights @ normal.reshape(len(normal), -1)).reshape(-1, count, count)
    solved = np.einsum("bjk,bk->bj", np.linalg.pinv(systems, hermitian=True), weights @ right)
    draws = np.full((len(weights), len(effects)), np.nan)
    draws[:, known] = solved - solved.mean(axis=1, keepdims=True)
    return draws
