"""Growth that levels off: the curve a - b exp(-c t) with the profile interval of its asymptote a."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

FloatArray = npt.NDArray[np.float64]
LEAST_POINTS = 6
LEAST_TIMES = 4
RATES = 160
LEVELS = 400
SAME = 1e-6
ROOM = 4.0
"""Asymptotes are tried up to the greatest value plus this many times the range of values."""


@dataclass(frozen=True, slots=True)
class SaturatingCurve:
    """The fitted curve a - b exp(-c (t - start)), b >= 0, t in years.

    `asymptote` is None if a straight line fits best. `low` and `high` are the ends of the asymptote's
    interval; an end is None if the data exclude no value on that side. `line_p` is the p of the F test that
    the growth is a straight line, against the curve.
    """

    start: float
    asymptote: float | None
    low: float | None
    high: float | None
    scale: float
    rate: float
    slope: float
    slope_low: float
    slope_high: float
    intercept: float
    line_p: float

    def at(self, t: npt.ArrayLike) -> FloatArray:
        """Return the fitted value at times (any shape): the curve, or the line if there is no asymptote."""
        time = np.asarray(t, dtype=np.float64) - self.start
        if self.asymptote is None:
            return np.asarray(self.intercept + self.slope * time)
        return np.asarray(self.asymptote - self.scale * np.exp(-self.rate * time))


def fit_saturation(
    times: npt.ArrayLike, values: npt.ArrayLike, most: float | None = None, *, level: float = 0.95
) -> SaturatingCurve | None:
    """Fit the curve by least squares to values at times in years, both (n,).

    `most` is the end of the scale, above which no asymptote lies. The interval holds all asymptotes whose sum
    of squares is at most S (1 + F/(n - 3)), F the quantile of F(1, n - 3); as c goes to 0 the curve becomes a
    line, so the upper end is open where the line is within the same limit. Returns None for fewer than 6
    values, 4 different times, or equal values. Source: D. Bates and D. Watts, Nonlinear Regression Analysis
    and Its Applications (1988), section 6.1.
    """
    t, y = np.asarray(times, dtype=np.float64), np.asarray(values, dtype=np.float64)
    n = len(y)
    if n < LEAST_POINTS or len(np.unique(t)) < LEAST_TIMES or np.ptp(y) == 0.0:
        return None
    start = float(t.min())
    time = t - start
    top = float(y.max()) + ROOM * float(np.ptp(y))
    levels = _levels(y, top if most is None else min(most, top))
    rates = np.geomspace(0.02, 60.0, RATES) / float(time.max())
    squares, scales = _profile(time, y, levels, rates)
    by_level = squares.min(axis=0)
    best = int(np.argmin(by_level))
    rate_place = int(np.argmin(squares[:, best]))
    line = _line(time, y, level)
    least = min(float(by_level[best]), line.squares)
    limit = least * (1.0 + float(scipy.special.fdtri(1, n - 3, level)) / (n - 3))
    low, high = _ends(levels, by_level, limit)
    straight = line.squares <= limit and line.slope > 0.0
    ratio = (line.squares - float(by_level[best])) / max(float(by_level[best]), 1e-300) * (n - 3)
    flat = line.squares <= float(by_level[best]) * (1.0 + SAME)
    return SaturatingCurve(
        start=start,
        asymptote=None if flat else float(levels[best]),
        low=low,
        high=None if straight else high,
        scale=float(scales[rate_place, best]),
        rate=float(rates[rate_place]),
        slope=line.slope,
        slope_low=line.low,
        slope_high=line.high,
        intercept=line.intercept,
        line_p=1.0 - float(scipy.special.fdtr(1, n - 3, max(ratio, 0.0))),
    )


def _levels(y: FloatArray, top: float) -> FloatArray:
    """Return the asymptotes that are tried: densely up to half a range above all values, then sparsely."""
    knee = min(top, float(y.max()) + 0.5 * float(np.ptp(y)))
    dense = np.linspace(float(y.min()), knee, LEVELS)
    return dense if top <= knee else np.concatenate([dense, np.linspace(knee, top, LEVELS // 4 + 1)[1:]])


def _ends(levels: FloatArray, squares: FloatArray, limit: float) -> tuple[float | None, float | None]:
    """Return where the sums of squares cross the limit, None for a side on which they do not."""
    inside = np.flatnonzero(squares <= limit)
    if not inside.size:
        return None, None
    first, last = int(inside[0]), int(inside[-1])

    def crossing(inner: int, outer: int) -> float:
        share = (limit - squares[inner]) / max(squares[outer] - squares[inner], 1e-300)
        return float(levels[inner] + min(1.0, share) * (levels[outer] - levels[inner]))

    return (
        crossing(first, first - 1) if first else None,
        crossing(last, last + 1) if last + 1 < len(levels) else None,
    )


def _profile(
    time: FloatArray, y: FloatArray, levels: FloatArray, rates: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the sums of squares and the best b >= 0 for each rate and asymptote, (rates, levels)."""
    decay = np.exp(-rates[:, None] * time)
    power = (decay**2).sum(axis=1)[:, None]
    gap = decay.sum(axis=1)[:, None] * levels[None, :] - (decay @ y)[:, None]
    scales = np.maximum(gap / power, 0.0)
    total = (levels[None, :] ** 2) * len(y) - 2.0 * levels[None, :] * y.sum() + float(y @ y)
    squares = total - 2.0 * scales * gap + scales**2 * power
    return np.maximum(squares, 0.0), scales


@dataclass(frozen=True, slots=True)
class _Line:
    intercept: float
    slope: float
    low: float
    high: float
    squares: float


def _line(time: FloatArray, y: FloatArray, level: float) -> _Line:
    centred = time - time.mean()
    power = float(centred @ centred)
    slope = float(centred @ y) / power
    intercept = float(y.mean()) - slope * float(time.mean())
    squares = float(((y - intercept - slope * time) ** 2).sum())
    reach = float(scipy.special.stdtrit(len(y) - 2, 0.5 + level / 2.0)) * np.sqrt(
        squares / (len(y) - 2) / power
    )
    return _Line(intercept, slope, slope - float(reach), slope + float(reach), squares)
