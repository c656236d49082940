"""Whether a judge likes long answers more than the other judges do."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.stats.above_others import deviations
from assay.stats.intervals import Interval
from assay.stats.ratio import Draws, Estimate, ratios
from assay.stats.resample import by_cluster, drawn, percentile

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Verbosity:
    """One judge's liking for length within prompts.

    `slope`: marks for each doubling of the length, of the mark less the other judges' mean. `partial`: the
    correlation of mark and log length, the other judges' mean held fixed, -1 to 1 (None where
    undefined), with `partial_interval`.
    """

    slope: Estimate
    partial: float | None
    partial_interval: Interval | None


def verbosity(
    marks: npt.ArrayLike, lengths: npt.ArrayLike, prompts: npt.ArrayLike, draws: Draws | None = None
) -> tuple[Verbosity, ...]:
    """Return each judge's liking for length from marks (judges, items), lengths and prompts (items,).

    Marks, the others' mean and log2 of the length are taken less their means within each prompt, so that
    prompts that call for long answers do not count. What all judges share is invisible: it is the excess
    over the panel that shows. Items without a length above 0, a mark, or another judge's mark take
    no part; neither do prompts with one item. Prompts are drawn in the bootstrap, whatever `clusters` says.
    """
    table = np.asarray(marks, dtype=np.float64)
    size = np.asarray(lengths, dtype=np.float64)
    log = np.log2(size, out=np.full(size.shape, np.nan), where=size > 0)
    place = np.unique(np.asarray(prompts), return_inverse=True)[1].reshape(-1)
    gap = deviations(table)
    return tuple(_one(row, row - apart, log, place, draws) for row, apart in zip(table, gap, strict=True))


def _one(
    mark: FloatArray, others: FloatArray, log: FloatArray, place: npt.NDArray[np.int64], draws: Draws | None
) -> Verbosity:
    kept = ~np.isnan(mark) & ~np.isnan(others) & ~np.isnan(log)
    number = place[kept]
    centred = _within(np.column_stack([mark, others, log])[kept], number)
    y, z, x = centred.T
    plain = None if draws is None else Draws(draws.rng, draws.replicates, draws.level)
    slope_sums = by_cluster(np.column_stack([(y - z) * x, x * x]), number)
    slope = ratios(slope_sums, [(0, 1, 1.0)], len(number), plain)
    products = by_cluster(np.column_stack([x * y, x * z, y * z, x * x, y * y, z * z]), number)
    partial = _partial(products.sum(axis=0, keepdims=True))[0]
    interval = None
    if draws is not None and len(products):
        weights = drawn(draws.rng, len(products), draws.replicates)
        interval = percentile(_partial(weights @ products), draws.level)
    return Verbosity(slope, None if np.isnan(partial) else float(partial), interval)


def _within(columns: FloatArray, place: npt.NDArray[np.int64]) -> FloatArray:
    """Take each column's mean within its group away."""
    if not len(columns):
        return columns
    labels, group = np.unique(place, return_inverse=True)
    group = group.reshape(-1)
    totals = np.zeros((len(labels), columns.shape[1]))
    np.add.at(totals, group, columns)
    centred = columns - (totals / np.bincount(group)[:, None])[group]
    return np.where(np.abs(centred) < 1e-12, 0.0, centred)


def _partial(sums: FloatArray) -> FloatArray:
    """Return the partial correlation of x and y given z from sums of products (B, 6)."""
    xy, xz, yz, xx, yy, zz = sums.T
    left = np.divide(xz * yz, zz, out=np.zeros(len(sums)), where=zz > 0)
    in_x = np.divide(xz**2, zz, out=np.zeros(len(sums)), where=zz > 0)
    in_y = np.divide(yz**2, zz, out=np.zeros(len(sums)), where=zz > 0)
    below = np.sqrt(np.maximum(xx - in_x, 0.0) * np.maximum(yy - in_y, 0.0))
    tiny = below <= 1e-9 * np.maximum(np.sqrt(xx * yy), 1e-300)
    return np.where(
        tiny, np.nan, np.divide(xy - left, below, out=np.full(len(sums), np.nan), where=below > 0)
    )
