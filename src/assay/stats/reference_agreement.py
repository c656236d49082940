"""Agreement of judges with one reference on common bootstrap draws, and differences between judges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import scipy

from assay.stats.agreement import chance_corrected, credit_matrix
from assay.stats.intervals import Interval
from assay.stats.resample import by_cluster, percentile

FloatArray = npt.NDArray[np.float64]
Measure = Literal["agreement", "kappa", "linear", "quadratic", "correlation"]
KAPPAS: tuple[Measure, ...] = ("agreement", "kappa", "linear", "quadratic")


@dataclass(frozen=True, slots=True)
class Replicated:
    """A figure from `n` answers with its bootstrap replicates (B,), NaN where undefined."""

    value: float | None
    n: int
    replicates: FloatArray

    @property
    def interval(self) -> Interval | None:
        """The percentile interval; None without a value or where most replicates are undefined."""
        return None if self.value is None or not self.replicates.size else percentile(self.replicates)


def kappa_figures(
    reference: FloatArray,
    judge: FloatArray,
    categories: Sequence[float],
    clusters: npt.ArrayLike,
    draws: FloatArray,
    *,
    ordered: bool,
) -> dict[Measure, Replicated]:
    """Return agreement and the kappas of a judge with the reference, marks (answers,), NaN for none.

    `draws` (B, clusters) says how often each cluster of answers is drawn; `clusters` has the number of each
    answer's cluster. The weighted kappas need `ordered` categories; the distance of two categories is that of
    their values.
    """
    given = ~np.isnan(reference) & ~np.isnan(judge)
    size, places = len(categories), np.searchsorted(categories, np.stack([reference, judge])[:, given])
    cells = np.zeros((draws.shape[1], size * size))
    np.add.at(cells, (np.asarray(clusters)[given], places[0] * size + places[1]), 1.0)
    used = np.flatnonzero(cells.any(axis=0))
    counts = np.zeros((len(draws) + 1, size * size))
    counts[0] = cells.sum(axis=0)
    counts[1:, used] = draws @ cells[:, used]
    tables: FloatArray = counts.reshape(-1, size, size)
    names = tuple(repr(float(value)) for value in categories)
    n = int(given.sum())
    observed, _, plain = chance_corrected(tables, credit_matrix(names, None, declared=False))
    figures: dict[Measure, Replicated] = {
        "agreement": _replicated(observed, n),
        "kappa": _replicated(plain, n),
    }
    if ordered and size > 2:
        for weights in ("linear", "quadratic"):
            credit = credit_matrix(names, weights, declared=False)
            figures[weights] = _replicated(chance_corrected(tables, credit)[2], n)
    return figures


def correlation(
    reference: FloatArray,
    judge: FloatArray,
    weights: FloatArray,
    clusters: npt.ArrayLike,
    draws: FloatArray,
) -> Replicated:
    """Return the weighted Pearson correlation of a judge's marks with the reference's.

    None where one of them is constant. The arguments are those of `kappa_figures`; weights (answers,).
    """
    given = ~np.isnan(reference) & ~np.isnan(judge) & (weights > 0.0)
    n = int(given.sum())
    if not n:
        return Replicated(None, 0, np.full(len(draws), np.nan))
    x, y, w = reference[given], judge[given], weights[given]
    x, y = x - np.average(x, weights=w), y - np.average(y, weights=w)
    columns = np.column_stack([w, w * x, w * y, w * x * x, w * y * y, w * x * y])
    sums = np.zeros((draws.shape[1], 6))
    chosen = np.unique(np.asarray(clusters)[given])
    sums[chosen] = by_cluster(columns, np.asarray(clusters)[given])
    total, of_x, of_y, xx, yy, xy = np.vstack([sums.sum(axis=0), draws @ sums]).T
    total = np.where(total > 0.0, total, np.nan)
    spread = (xx / total - (of_x / total) ** 2) * (yy / total - (of_y / total) ** 2)
    tiny = 1e-12 * max(1e-300, float((x * x).mean() * (y * y).mean()))
    defined = spread > tiny
    value = np.full(len(total), np.nan)
    value[defined] = (xy / total - of_x * of_y / total**2)[defined] / np.sqrt(spread[defined])
    return _replicated(value, n)


def _replicated(values: FloatArray, n: int) -> Replicated:
    value = None if np.isnan(values[0]) else float(values[0])
    return Replicated(value, n, np.asarray(values[1:], dtype=np.float64))


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """A difference of two judges' figures on the same `n` answers, and its two-sided p; None if undefined."""

    value: float | None
    n: int
    interval: Interval | None
    p: float | None


def paired_difference(first: Replicated, second: Replicated) -> PairedDifference:
    """Return the difference of two figures whose replicates come from the same draws.

    The interval is the bootstrap's percentiles; p is the normal test with the replicates' standard deviation,
    because a share of replicates could not be small enough for Holm's correction.
    """
    if first.value is None or second.value is None:
        return PairedDifference(None, first.n, None, None)
    value, replicates = first.value - second.value, first.replicates - second.replicates
    defined = replicates[~np.isnan(replicates)]
    spread = float(defined.std(ddof=1)) if len(defined) > 1 else 0.0
    if spread <= 1e-12:
        p = 1.0 if abs(value) <= 1e-12 else None
    else:
        p = min(1.0, 2.0 * float(scipy.special.ndtr(-abs(value) / spread)))
    return PairedDifference(value, first.n, percentile(replicates) if len(replicates) else None, p)
