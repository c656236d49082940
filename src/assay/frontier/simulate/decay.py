"""Decay of the biased oracle's bias with generations, computed exactly for known success rates."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt
import scipy

from assay.frontier.biased.forms import greatest_normal
from assay.results.frontier_uplift import DecayFit

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
CHUNK = 20_000
"""The largest number of probabilities for one model in memory, so that they fit into the cache."""
CUT = float(np.log(1e14))
TINY, ALMOST, BLOCK = 1e-300, 1e-9, 32
SMALLEST = 1e-14
"""A bias below this has no exponent, because it is lost in rounding errors."""
EXPONENTS = np.linspace(0.01, 3.0, 600)


def log_sizes(most: int, per_decade: int = 10) -> IntArray:
    """Return whole numbers from 1 to `most`, about `per_decade` for each factor of ten, and powers of ten."""
    steps = np.arange(int(np.floor(per_decade * np.log10(most) + ALMOST)) + 1)
    spaced = np.rint(10.0 ** (steps / per_decade)).astype(np.int64)
    return np.asarray(np.unique(np.append(spaced[spaced <= most], most)), dtype=np.int64)


def oracle_bias(rates: FloatArray, sizes: npt.ArrayLike) -> FloatArray:
    """Return each prompt's bias of the biased oracle at each size: shape (N, sizes).

    `rates` (N, L) are success rates; at size G every model answers each prompt G times, independently. The
    bias is E[max_l Y_l / G] - max_l p_l with Y_l ~ Binomial(G, p_l). This is equation 10 with its sum over
    g = 0..G-1 and a product instead of the power, minus the best rate:
        (1 / G) sum_g F_best(g) [1 - prod over the others of F_l(g)].
    Every term is positive, so that a bias far below the rates keeps its digits. Some g and rivals that are
    far behind are left out; this is below 1e-14 for each model, by Bernstein's inequality.
    """
    ordered = -np.sort(-np.asarray(rates, dtype=np.float64), axis=1)
    bias = np.zeros((len(ordered), np.size(sizes)))
    if ordered.shape[1] < 2:
        return bias
    for column, size in enumerate(np.asarray(sizes)):
        rivals = _rivals(ordered, int(size))
        for rows in _chunks(ordered, rivals, int(size)):
            most = int(rivals[rows].max())
            bias[rows, column] = _excess(ordered[rows, : most + 1], int(size))
    return bias


def _rivals(ordered: FloatArray, size: int) -> IntArray:
    """Return the number of models that can exceed each prompt's best one with probability 1e-14 or more."""
    best, other = ordered[:, :1], ordered[:, 1:]
    behind = size * (best - other)
    spread = size * (best * (1.0 - best) + other * (1.0 - other))
    near = behind**2 <= 2.0 * CUT * (spread + 2.0 * behind / 3.0)
    return np.asarray((near & (best > 0.0) & (best < 1.0) & (other > 0.0)).sum(axis=1), dtype=np.int64)


def _chunks(ordered: FloatArray, rivals: IntArray, size: int) -> list[IntArray]:
    """Return the prompts with a rival in groups that fit into the cache, of similar width and rivals."""
    low, high = _window(ordered[:, 0], ordered[:, 1], size)
    order = np.lexsort((high - low, rivals))
    order = order[rivals[order] > 0]
    groups: list[IntArray] = []
    start = 0
    while start < len(order):
        rows = max(1, CHUNK // int(high[order[start]] - low[order[start]] + 1))
        groups.append(order[start : start + rows])
        start += rows
    return groups


def _window(best: FloatArray, second: FloatArray, size: int) -> tuple[IntArray, IntArray]:
    """Return the smallest g that the best model may not exceed, and the greatest that a rival may exceed."""
    low = np.floor(np.maximum(size * best - _reach(best, size), 0.0))
    high = np.ceil(np.minimum(size * second + _reach(second, size), size))
    return low.astype(np.int64), np.maximum(high, low).astype(np.int64)


def _reach(rate: FloatArray, size: int) -> FloatArray:
    """Return a distance from the mean that a binomial exceeds with probability below 1e-14 (Bernstein)."""
    return np.asarray(CUT / 3.0 + np.sqrt(CUT**2 / 9.0 + 2.0 * CUT * size * rate * (1.0 - rate)))


def _excess(ordered: FloatArray, size: int) -> FloatArray:
    """Return the sum over g for some prompts and their relevant rivals."""
    low, high = _window(ordered[:, 0], ordered[:, 1], size)
    right = low[:, None] + np.arange(int((high - low).max()) + 1)
    inside = right <= size
    right = np.minimum(right, size)
    factorial = scipy.special.gammaln(np.arange(size + 1) + 1.0)
    logit, wrong = np.log(np.maximum(ordered, TINY)) - np.log1p(-ordered), size * np.log1p(-ordered)
    mass = np.exp(
        factorial[size] - factorial[right] - factorial[size - right] + right * logit[:, :1] + wrong[:, :1]
    )
    mass[~inside] = 0.0
    beaten = np.zeros_like(mass)
    for rival in range(1, ordered.shape[1]):
        behind = logit[:, rival] - logit[:, 0]
        start = np.exp(low * behind + wrong[:, rival] - wrong[:, 0])
        above = np.cumsum((mass * _powers(start, behind, mass.shape[1]))[:, :0:-1], axis=1)[:, ::-1]
        beaten[:, :-1] += above * (1.0 - beaten[:, :-1])
    return np.asarray((np.cumsum(mass, axis=1) * beaten).sum(axis=1) / size)


def _powers(start: FloatArray, logs: FloatArray, length: int) -> FloatArray:
    """Return start * exp(logs * k) for k = 0..length-1: shape (N, length), by products of two short tables.

    It converts the best model's binomial probabilities to a rival's, faster than computing them again.
    """
    fine = np.exp(logs[:, None] * np.arange(BLOCK))
    coarse = start[:, None] * np.exp(logs[:, None] * np.arange(0, length, BLOCK))
    return np.asarray((coarse[:, :, None] * fine[:, None, :]).reshape(len(start), -1)[:, :length])


def asymptote(models: int, rate: float, sizes: npt.ArrayLike) -> FloatArray:
    """Return the limiting form of the bias of equal, independent models: m_L sqrt(p (1 - p) / G).

    m_L is the expected maximum of L standard normal values. Equation 7 has sqrt(2 log L) instead, which is an
    upper bound (2.15, whereas m_10 is 1.54).
    """
    generations = np.asarray(sizes, dtype=np.float64)
    return np.asarray(_greatest_normal(models) * np.sqrt(rate * (1.0 - rate) / generations))


@cache
def _greatest_normal(models: int) -> float:
    return greatest_normal(models)


def local_exponents(curves: FloatArray, sizes: npt.ArrayLike) -> FloatArray:
    """Return -d log(bias) / d log(G) at each size, by central differences: the shape of `curves`.

    The last axis of `curves` is that of `sizes`. NaN if the bias or a neighbour's is below 1e-14.
    """
    bias = np.asarray(curves, dtype=np.float64)
    logs = np.full(bias.shape, np.nan)
    np.log(bias, out=logs, where=bias > SMALLEST)
    if bias.shape[-1] < 2:
        return logs * np.nan
    return np.asarray(-np.gradient(logs, np.log(np.asarray(sizes, dtype=np.float64)), axis=-1))


def fit_decay(curve: npt.ArrayLike, sizes: npt.ArrayLike, *, least: int = 50) -> DecayFit | None:
    """Fit equation 25 by least squares to the sizes from `least` on.

    Amplitude and floor are linear for a given exponent. Of the exponents from 0.01 to 3 the one with the
    smallest sum of squares is taken and refined by a parabola. None for fewer than four sizes or a curve
    without a bias.
    """
    number = np.asarray(sizes, dtype=np.float64)
    fitted = number >= least
    x, y = number[fitted], np.asarray(curve, dtype=np.float64)[fitted]
    if len(x) < 4 or np.max(np.abs(y)) <= SMALLEST:
        return None
    squares, _, _ = _fit_lines(x, y, EXPONENTS)
    at = int(np.argmin(squares))
    exponent = float(EXPONENTS[at])
    if 0 < at < len(EXPONENTS) - 1:
        before, here, after = squares[at - 1 : at + 2]
        bend = before - 2.0 * here + after
        if bend > 0.0:
            exponent += float(0.5 * (before - after) / bend * (EXPONENTS[1] - EXPONENTS[0]))
    _, amplitude, floor = _fit_lines(x, y, np.array([exponent]))
    return DecayFit(float(amplitude[0]), exponent, float(floor[0]), int(x[0]), int(x[-1]))


def _fit_lines(
    x: FloatArray, y: FloatArray, exponents: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the sum of squares, the amplitude and the floor of the best line for each exponent."""
    power = x ** -exponents[:, None]
    mean = power.mean(axis=1, keepdims=True)
    amplitude = (power - mean) @ y / ((power - mean) ** 2).sum(axis=1)
    floor = y.mean() - amplitude * mean[:, 0]
    return ((y - amplitude[:, None] * power - floor[:, None]) ** 2).sum(axis=1), amplitude, floor


def least_for(curve: npt.ArrayLike, sizes: npt.ArrayLike, *, within: tuple[float, float]) -> int | None:
    """Return the smallest size from which on every fit of equation 25 has an exponent `within` the bounds.

    Fits have at least eight points. None if the last of them is outside the bounds.
    """
    number = np.asarray(sizes)
    smallest = None
    for start in number[: len(number) - 7][::-1]:
        fit = fit_decay(curve, number, least=int(start))
        if fit is None or not within[0] <= fit.exponent <= within[1]:
            break
        smallest = int(start)
    return smallest
