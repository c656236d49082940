"""Missing marks, estimated from the other judges on the same answer and from each judge's leniency."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from assay.ranking.cells import INVALID_MARK, Cells, over
from assay.ranking.measured import BoolArray, FloatArray, IntArray, Status
from assay.stats.two_way import rater_effects

MARK_BOUNDS, METRIC_BOUNDS = (1.0, 5.0), (0.0, 1.0)
LEAST_MARKED = 0.5
"""An answer that nobody marked is estimated where at least this share of the model's answers was marked."""


@dataclass(frozen=True, slots=True)
class Ratings:
    """What every rater (judge or metric) gave or would have given, epochs averaged.

    `values` (M, P, R) are given or estimated, NaN for errors and for raters without an effect; `lowest` and
    `highest` have the ends of the scale in the place of the `lacking` (M,) ratings that were owed and not
    given. `effects` (R,) is how far each rater lies above the others, `slope` (M, P, R) how far the mean
    of `values` falls when an effect rises by 1. `variance` (M,) is that of the model's mean rating from not
    knowing how a rater that is missing would have differed on this model from its usual effect.
    """

    values: FloatArray
    lowest: FloatArray
    highest: FloatArray
    lacking: IntArray
    effects: FloatArray
    slope: FloatArray
    variance: FloatArray


def complete(cells: Cells) -> Ratings:
    """Return every judge's mark on every answer: invalid answers get 1 from all, others as in `estimate`.

    A judge's marks for its own model are estimated too, and are not lacking.
    """
    invalid = cells.status == Status.INVALID
    return estimate(cells.said, _visible(cells), cells.own, MARK_BOUNDS, (invalid, INVALID_MARK))


def complete_geval(cells: Cells) -> Ratings:
    """Return every metric of G-Eval on every answer, as in `estimate`; invalid answers have none."""
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
    """Estimate what is missing in `said` (E, M, P, R) by rating = answer + rater.

    The answer's part is the mean of its ratings less their raters' effects; effects are fitted over all
    `visible` (E, M, P) answers by least squares. An answer without a rating gets model + prompt, fitted
    likewise. `own` (M, R) raters owe nothing. `ruled` names answers whose ratings a rule gives.
    Source: H. Scheffé, The Analysis of Variance (1959), chapter 4; docs/methodology/missing-judges.md.
    """
    given = np.where(visible[..., None], said, np.nan)
    effects = _effects(given)
    given = np.where(np.isnan(effects), np.nan, given)
    there = ~np.isnan(given)
    rated = there.any(axis=-1)
    answers = np.where(rated, over(given - effects, -1), np.nan)
    rateable = rated.sum(axis=(0, 2)) >= np.maximum(1, LEAST_MARKED * visible.sum(axis=(0, 2)))
    blank = visible & ~rated & rateable[None, :, None]
    if blank.any():
        answers = np.where(blank, _model_and_prompt(over(answers, 0)), answers)
    values = np.where(there, given, answers[..., None] + effects)
    lacking = (visible & (rated | blank))[..., None] & ~there & ~own[None, :, None, :] & ~np.isnan(effects)
    slope = there / np.maximum(there.sum(axis=-1, keepdims=True), 1)
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
        _variance(given - answers[..., None] - effects, visible),
    )


def _variance(residuals: FloatArray, visible: BoolArray) -> FloatArray:
    """Return the variance (M,) that missing raters leave in a model's mean rating, from what raters show.

    A rater's deviation on a model is the mean of its `residuals` (E, M, P, R), put right for its own part in
    the answers. Its spread over the models (of all raters where fewer than three models have it), times the
    share that is missing, is the error of the estimate.
    """
    there = ~np.isnan(residuals)
    raters = int(there.any(axis=(0, 1, 2)).sum())
    count = there.sum(axis=-1, keepdims=True)
    others = np.where(count >= 2, residuals * count / np.maximum(count - 1, 1), np.nan)
    count = (~np.isnan(others)).sum(axis=(0, 2))
    total = np.nansum(others, axis=(0, 2))
    deviations = np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0)
    models = (~np.isnan(deviations)).sum(axis=0)
    squares = np.nansum(deviations**2, axis=0)
    pooled = squares.sum() / max(int((models - 1).clip(0).sum()), 1)
    spread = np.where(models >= 3, squares / np.maximum(models - 1, 1), pooled)
    rated = visible.sum(axis=(0, 2))[:, None]
    share = 1.0 - there.sum(axis=(0, 2)) / np.maximum(rated, 1)
    share = np.where((rated > 0) & there.any(axis=(0, 1, 2)), share, 0.0)
    variance: FloatArray = (share**2 * spread).sum(axis=1) / max(raters, 1) ** 2
    return variance


def _effects(given: FloatArray) -> FloatArray:
    """Return the raters' effects; a lone rater has effect 0."""
    table = given.reshape(math.prod(given.shape[:-1]), given.shape[-1])
    active = ~np.isnan(table).all(axis=0)
    if active.sum() == 1:
        return np.where(active, 0.0, np.nan)
    return rater_effects(table)


def _model_and_prompt(answers: FloatArray) -> FloatArray:
    """Return model + prompt for answers (M, P), by least squares; a model's mean where nothing joins it."""
    models = rater_effects(answers.T)
    prompts = over(answers.T - models, -1)
    fitted = models[:, None] + prompts[None, :]
    return np.where(np.isnan(fitted), over(answers, -1)[:, None], fitted)


def effect_draws(cells: Cells, effects: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the judges' effects (B, J) fitted anew to each of the drawn prompts `weights` (B, P)."""
    known = ~np.isnan(effects)
    given = np.where(_visible(cells)[..., None], cells.said, np.nan)[..., known]
    given = np.moveaxis(given, 2, 0).reshape(len(cells.prompts), -1, int(known.sum()))
    there = ~np.isnan(given)
    there &= there.sum(axis=-1, keepdims=True) >= 2
    has, filled = there.astype(np.float64), np.where(there, given, 0.0)
    share = has / np.maximum(has.sum(axis=-1, keepdims=True), 1.0)
    normal = -np.einsum("pnj,pnk->pjk", share, has)
    diagonal = np.arange(normal.shape[1])
    normal[:, diagonal, diagonal] += has.sum(axis=1)
    right = filled.sum(axis=1) - np.einsum("pnj,pn->pj", share, filled.sum(axis=-1))
    count = len(effects[known])
    systems = (weights @ normal.reshape(len(normal), -1)).reshape(-1, count, count)
    found = np.einsum("bjk,bk->bj", np.linalg.pinv(systems, hermitian=True), weights @ right)
    draws = np.full((len(weights), len(effects)), np.nan)
    draws[:, known] = found - found.mean(axis=1, keepdims=True)
    return draws
