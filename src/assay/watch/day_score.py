"""One number for a day: how much its case scores speak for a fall, of the whole suite or of one use case."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from assay.watch.weights import Moments

FALL = 0.025
"""The fall of the whole suite, as a share of its expected score, that the number is best at telling."""

USE_CASE_FALL = 0.30
"""The fall of a single use case that the number is best at telling."""

DECIMALS = 6
"""Days closer than this are equal: the order of additions must not break a tie."""

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


def membership(use_cases: npt.NDArray[Any]) -> FloatArray:
    """Return which case belongs to which use case, 0 or 1, shape (use cases, cases)."""
    belongs: BoolArray = np.unique(use_cases)[:, None] == use_cases[None, :]
    return belongs.astype(np.float64)


def day_scores(
    moments: Moments, filled: FloatArray, known: BoolArray | None, members: FloatArray
) -> FloatArray:
    """Return the log likelihood ratio of a fall for every day, shape (models, days); higher is worse.

    It is the larger of two: all cases fell by `FALL`, or the worst use case fell by `USE_CASE_FALL`.
    """
    return np.asarray(np.round(fall_ratios(moments, filled, known, members).max(axis=1), DECIMALS))


def fall_ratios(
    moments: Moments, filled: FloatArray, known: BoolArray | None, members: FloatArray
) -> FloatArray:
    """Return the log likelihood ratios of each kind of fall, shape (models, 1 + use cases, days).

    The first is a fall of all cases by `FALL`, the others one of a use case by `USE_CASE_FALL`. `moments` are
    those of all the days; `filled` (models, cases, days) holds the scores with 0 where `known` is False
    (None: nothing is missing). A missing case counts as its own mean.
    """
    whole, part = moments.ratio(FALL), moments.ratio(USE_CASE_FALL)
    slopes = np.concatenate([whole.slope[:, None, :], part.slope[:, None, :] * members], axis=1)
    offsets = np.concatenate([whole.offset.sum(axis=1, keepdims=True), part.offset @ members.T], axis=1)
    totals = np.matmul(slopes, filled)
    if known is not None:
        totals += np.matmul(slopes * moments.mean[:, None, :], (~known).astype(np.float64))
    totals += offsets[:, :, None]
    return np.asarray(totals)
