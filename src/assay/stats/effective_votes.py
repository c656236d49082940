"""The number of independent votes that a panel's judges are worth, from the correlation of their errors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.stats.intervals import Interval
from assay.stats.resample import by_cluster, percentile

FloatArray = npt.NDArray[np.float64]
FEWEST = 10
"""Two judges with fewer common answers have no correlation."""

TINY = 1e-9
SWEEPS, SETTLED = 200, 1e-10
BLOCK = 40
"""Pairs of judges whose replicates are computed together, which bounds memory."""


@dataclass(frozen=True, slots=True)
class VoteCorrelations:
    """Correlations of J judges: `correlations` and common answers `n`, both (J, J), NaN where undefined.

    `mean` is the mean over the defined pairs, and `votes` the effective number of independent votes; None
    where no pair is defined, or where the votes have no limit. `judges` counts the judges with a defined
    pair.
    """

    correlations: FloatArray
    n: npt.NDArray[np.int64]
    mean: float | None
    votes: float | None
    interval: Interval | None
    judges: int


def effective_votes(errors: FloatArray, clusters: npt.ArrayLike, draws: FloatArray) -> VoteCorrelations:
    """Return J / (1 + (J - 1) r), r the mean correlation of two judges' errors (judges, answers).

    NaN is a missing error; a pair is correlated on the answers that both have. With equal variances it is the
    number of independent judges whose mean has the variance of the panel's mean. `clusters` has the number of
    each answer's cluster and `draws` (B, clusters) how often each is drawn; the interval is the bootstrap's.
    Source: L. Kish, Survey Sampling (1965), section 5.4 (the design effect 1 + (J - 1) r).
    """
    judges = len(errors)
    labels = np.asarray(clusters)
    pairs = [(first, second) for first in range(judges) for second in range(first + 1, judges)]
    correlations, n = np.full((judges, judges), np.nan), np.zeros((judges, judges), dtype=np.int64)
    total, defined = np.zeros(len(draws)), np.zeros(len(draws))
    for start in range(0, len(pairs), BLOCK):
        block = pairs[start : start + BLOCK]
        values, counts = _pair_correlations(errors, block, labels, draws)
        for (first, second), value, count in zip(block, values[0], counts, strict=True):
            correlations[first, second] = correlations[second, first] = value
            n[first, second] = n[second, first] = count
        kept = values[1:, ~np.isnan(values[0])]
        total += np.where(np.isnan(kept), 0.0, kept).sum(axis=1)
        defined += (~np.isnan(kept)).sum(axis=1)
    known = correlations[np.triu_indices(judges, 1)]
    known = known[~np.isnan(known)]
    size = int((~np.isnan(correlations)).any(axis=1).sum())
    if not known.size:
        return VoteCorrelations(correlations, n, None, None, None, size)
    mean = float(known.mean())
    replicates = np.divide(total, defined, out=np.full(len(draws), np.nan), where=defined > 0)
    votes = _votes(np.array([mean]), size)[0]
    interval = percentile(_votes(replicates, size)) if len(draws) else None
    return VoteCorrelations(correlations, n, mean, None if np.isnan(votes) else float(votes), interval, size)


def _votes(correlation: FloatArray, judges: int) -> FloatArray:
    """Return the effective votes, NaN where errors cancel and the number has no limit."""
    effect = 1.0 + (judges - 1) * correlation
    votes: FloatArray = np.full(len(effect), np.nan)
    votes[effect > TINY] = judges / effect[effect > TINY]
    return votes


def _pair_correlations(
    errors: FloatArray, pairs: list[tuple[int, int]], clusters: npt.NDArray[np.int64], draws: FloatArray
) -> tuple[FloatArray, list[int]]:
    """Return the pairs' correlations, first exact and then in each replicate, (1 + B, pairs), and their n."""
    columns, counts = [], []
    for first, second in pairs:
        both = ~np.isnan(errors[first]) & ~np.isnan(errors[second])
        counts.append(int(both.sum()))
        x = np.where(both, errors[first], 0.0)
        y = np.where(both, errors[second], 0.0)
        if counts[-1]:
            # Centred sums lose no digits.
            x, y = np.where(both, x - x[both].mean(), 0.0), np.where(both, y - y[both].mean(), 0.0)
        columns += [both.astype(np.float64), x, y, x * x, y * y, x * y]
    sums = np.zeros((draws.shape[1], len(columns)))
    sums[np.unique(clusters)] = by_cluster(np.column_stack(columns), clusters)
    totals = np.vstack([sums.sum(axis=0), draws @ sums]).reshape(1 + len(draws), len(pairs), 6)
    n, of_x, of_y, xx, yy, xy = np.moveaxis(totals, 2, 0)
    n = np.where(np.array(counts) >= FEWEST, n, np.nan)
    n = np.where(n > 0.0, n, np.nan)
    in_x, in_y = xx / n - (of_x / n) ** 2, yy / n - (of_y / n) ** 2
    spread = np.sqrt(np.maximum(in_x, 0.0) * np.maximum(in_y, 0.0))
    least = TINY * np.sqrt(np.maximum(xx[0] * yy[0], 0.0)) / np.maximum(counts, 1)
    usable = spread > np.maximum(least, 1e-300)
    shared = xy / n - of_x * of_y / n**2
    values = np.divide(shared, spread, out=np.full(n.shape, np.nan), where=usable)
    return np.clip(values, -1.0, 1.0), counts


def beyond_items(marks: FloatArray, items: npt.ArrayLike, models: npt.ArrayLike) -> FloatArray:
    """Return what a judge's marks (judges, answers) are above what items and models explain.

    Each judge's marks get an additive fit, mark = item + model + rest, by least squares over its own marks;
    returned is the rest. An item, or a model, with one mark of the judge explains it fully: the rest is NaN.
    """
    rest = np.full(marks.shape, np.nan)
    rows, columns = (
        np.unique(np.asarray(labels), return_inverse=True)[1].reshape(-1) for labels in (items, models)
    )
    for judge, row in enumerate(marks):
        given = ~np.isnan(row)
        while True:
            several = (_sizes(rows, given) > 1) & (_sizes(columns, given) > 1)
            if not (given & ~several).any():
                break
            given &= several
        if given.any():
            rest[judge, given] = _additive_rest(row[given], rows[given], columns[given])
    return rest


def _sizes(labels: npt.NDArray[np.int64], given: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    return np.bincount(labels[given], minlength=int(labels.max(initial=0)) + 1)[labels]


def _additive_rest(
    values: FloatArray, rows: npt.NDArray[np.int64], columns: npt.NDArray[np.int64]
) -> FloatArray:
    """Return the residuals of the additive fit by alternating means, which converge to least squares."""
    rest = values - values.mean()
    for _ in range(SWEEPS):
        before = rest
        for labels in (rows, columns):
            n = np.maximum(np.bincount(labels), 1)
            rest = rest - (np.bincount(labels, rest) / n)[labels]
        if np.abs(rest - before).max() <= SETTLED * max(1.0, np.abs(values).max()):
            break
    return np.where(np.abs(rest) < TINY, 0.0, rest)
