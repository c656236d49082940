"""Mean and sample standard deviation over the days before each day."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Window:
    """Mean, standard deviation (ddof 1) and number of days, for each position of an array.

    `mean` is NaN where `count` is 0, `deviation` where `count` is below 2.
    """

    mean: FloatArray
    deviation: FloatArray
    count: npt.NDArray[np.int64]


def trailing(values: npt.ArrayLike, days: int) -> Window:
    """Summarise the `days` positions before each position of the last axis, NaN left out.

    `values` and the results have shape (..., time). Two passes (mean, then squared distances from it), one
    shift at a time: so each position's figures depend on its own window only, and adding a constant to all
    values adds it to the mean.
    """
    given = np.asarray(values, dtype=np.float64)
    present = ~np.isnan(given)
    filled = np.where(present, given, 0.0)
    total = np.zeros(given.shape)
    count = np.zeros(given.shape, dtype=np.int64)
    lags = range(1, min(days, given.shape[-1] - 1) + 1)
    for lag in lags:
        total[..., lag:] += filled[..., :-lag]
        count[..., lag:] += present[..., :-lag]
    mean = np.divide(total, count, out=np.full(given.shape, np.nan), where=count > 0)
    squares = np.zeros(given.shape)
    for lag in lags:
        distance = filled[..., :-lag] - mean[..., lag:]
        squares[..., lag:] += np.where(present[..., :-lag], distance * distance, 0.0)
    return Window(mean, _deviation(squares, count), count)


def summarise(values: npt.ArrayLike, chosen: npt.NDArray[np.bool_]) -> Window:
    """Summarise the chosen positions of the last axis, which is kept with length 1."""
    given = np.where(chosen, np.asarray(values, dtype=np.float64), 0.0)
    count = chosen.sum(axis=-1, keepdims=True, dtype=np.int64)
    total = given.sum(axis=-1, keepdims=True)
    mean = np.divide(total, count, out=np.full(count.shape, np.nan), where=count > 0)
    distance = np.where(chosen, given - mean, 0.0)
    return Window(mean, _deviation((distance * distance).sum(axis=-1, keepdims=True), count), count)


def _deviation(squares: FloatArray, count: npt.NDArray[np.int64]) -> FloatArray:
    variance = np.divide(squares, count - 1, out=np.full(squares.shape, np.nan), where=count > 1)
    deviation: FloatArray = np.sqrt(variance)
    return deviation
