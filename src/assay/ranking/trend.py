"""Scores by release date: growth, its ceiling, records, and the gap of open and closed models (figure 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
import numpy.typing as npt

from assay.results.study_trend import DatedModel, GrowthCurve, OpenGap
from assay.stats.intervals import Interval
from assay.stats.resample import percentile
from assay.stats.saturation import LEAST_POINTS, LEAST_TIMES, SaturatingCurve, fit_saturation

FloatArray = npt.NDArray[np.float64]
YEAR = 365.25
MONTH = YEAR / 12.0
REPLICATES = 2000
LEAST_OF_KIND = 3
"""Fewer open or closed models give no gap at equal dates."""


@dataclass(frozen=True, slots=True)
class ReleasedModel:
    """A model with its release date and score; `open` is None if it is not known."""

    model: str
    date: date
    score: float
    open: bool | None = None
    series: str | None = None


@dataclass(frozen=True, slots=True)
class Trend:
    """What a list of models shows, with remarks on what could not be computed."""

    curve: GrowthCurve | None
    gap: OpenGap | None
    models: tuple[DatedModel, ...]
    remarks: tuple[str, ...]


def find_trend(
    released: Sequence[ReleasedModel],
    rng: np.random.Generator,
    *,
    most: float | None = None,
    records_only: bool = False,
) -> Trend:
    """Fit growth to all models, or to the records only. Source: docs/methodology/trend.md.

    `most` is the end of the scale.
    """
    models = sorted(released, key=lambda model: (model.date, -model.score, model.model))
    records = record_mask(models)
    years = np.array([model.date.toordinal() / YEAR for model in models])
    scores = np.array([model.score for model in models])
    used = records if records_only else np.ones(len(models), dtype=np.bool_)
    fitted = fit_saturation(years[used], scores[used], most)
    remarks = []
    if fitted is None:
        what = "records" if records_only else "models"
        remarks.append(
            f"no curve: it needs {LEAST_POINTS} {what} of {LEAST_TIMES} dates with different scores"
        )
    gap, reason = open_gap(models, years, scores, rng)
    remarks += [] if reason is None else [reason]
    expected = [None] * len(models) if fitted is None else fitted.at(years).tolist()
    rows = tuple(
        DatedModel(
            model.model, model.date.isoformat(), model.score, model.open, model.series, bool(record), value
        )
        for model, record, value in zip(models, records, expected, strict=True)
    )
    curve = None if fitted is None else _published(fitted, int(used.sum()), records_only=records_only)
    return Trend(curve, gap, rows, tuple(remarks))


def record_mask(models: Sequence[ReleasedModel]) -> npt.NDArray[np.bool_]:
    """Return which of the models, in order of date, scored more than all before."""
    best, mask = -np.inf, []
    for model in models:
        mask.append(model.score > best)
        best = max(best, model.score)
    return np.array(mask, dtype=np.bool_)


def _published(fitted: SaturatingCurve, n: int, *, records_only: bool) -> GrowthCurve:
    return GrowthCurve(
        fitted.asymptote,
        fitted.low,
        fitted.high,
        fitted.line_p,
        fitted.slope,
        Interval(fitted.slope_low, fitted.slope_high),
        n,
        records_only,
    )


def open_gap(
    models: Sequence[ReleasedModel], years: FloatArray, scores: FloatArray, rng: np.random.Generator
) -> tuple[OpenGap | None, str | None]:
    """Return the gap of closed and open models, or the reason why there is none.

    At equal dates it is the coefficient of `closed` in a regression of scores on date and kind; in months it
    is divided by the coefficient of the date. Intervals are percentiles of 2,000 bootstraps over models,
    drawn among the open and among the closed ones. The gap of the best models has none, because the greatest
    of a resample is never above that of the sample.
    """
    known = np.array([model.open is not None for model in models], dtype=np.bool_)
    closed = np.array([model.open is False for model in models], dtype=np.bool_)
    kinds = [np.flatnonzero(known & ~closed), np.flatnonzero(closed)]
    if not known.any():
        return None, None
    if min(map(len, kinds)) < LEAST_OF_KIND:
        return None, (
            f"no gap: {len(kinds[0])} open and {len(kinds[1])} closed models, and it needs "
            f"{LEAST_OF_KIND} of each"
        )
    everyone = np.concatenate(kinds)
    if np.ptp(years[everyone]) == 0.0:
        return None, "no gap: all models have one date"
    columns = np.column_stack([np.ones(len(years)), years - years.mean(), closed.astype(np.float64)])
    value = _coefficients(columns, scores, everyone[None])[0]
    draws = np.hstack([rng.choice(kind, size=(REPLICATES, len(kind))) for kind in kinds])
    replicates = _coefficients(columns, scores, draws)
    pace, paces = value[1] / 12.0, replicates[:, 1] / 12.0
    months = None
    if np.count_nonzero(paces <= 0.0) <= 0.025 * REPLICATES and pace > 0.0:
        months = percentile(np.where(paces > 0.0, replicates[:, 2] / np.maximum(paces, 1e-12), np.nan))
    best_points, best_months = _best(models)
    return (
        OpenGap(
            len(kinds[0]),
            len(kinds[1]),
            float(value[2]),
            percentile(replicates[:, 2]),
            float(value[2] / pace) if months is not None else None,
            months,
            best_points,
            best_months,
        ),
        None
        if months is not None
        else "no gap in months: the scores do not grow clearly enough to turn points into months",
    )


def _coefficients(columns: FloatArray, scores: FloatArray, draws: npt.NDArray[np.int64]) -> FloatArray:
    """Return the least-squares coefficients (B, 3) of each draw of models (B, n)."""
    chosen, y = columns[draws], scores[draws]
    gram = np.einsum("bni,bnj->bij", chosen, chosen)
    right = np.einsum("bni,bn->bi", chosen, y)
    ridge = 1e-10 * np.trace(gram, axis1=1, axis2=2)[:, None, None] * np.eye(columns.shape[1])
    return np.asarray(np.linalg.solve(gram + ridge, right[..., None])[..., 0])


def _best(models: Sequence[ReleasedModel]) -> tuple[float, float | None]:
    """Return the gap of the best closed and the best open model in points, and the latter's lag in months."""
    leader = max((model for model in models if model.open), key=lambda model: model.score)
    closed = [model for model in models if model.open is False]
    reached = [model.date for model in closed if model.score >= leader.score]
    lag = (leader.date - min(reached)).days / MONTH if reached else None
    return max(model.score for model in closed) - leader.score, lag
