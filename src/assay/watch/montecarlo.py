"""Figures from simulations with the intervals that their finite number of replicates leaves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Estimate:
    """A simulated figure and its 95 % Monte-Carlo interval; None where it lies beyond what was simulated."""

    value: float | None
    low: float | None
    high: float | None


def share(hits: int, trials: int) -> Estimate:
    """Return the share of trials with a hit, with the Clopper-Pearson interval."""
    from scipy.special import betaincinv

    tail = (1.0 - LEVEL) / 2.0
    low = float(betaincinv(hits, trials - hits + 1, tail)) if hits else 0.0
    high = float(betaincinv(hits + 1, trials - hits, 1.0 - tail)) if hits < trials else 1.0
    return Estimate(hits / trials, low, high)


def rate(counts: npt.ArrayLike, exposure: float) -> Estimate:
    """Return events for each unit of exposure, from the counts of replicates of that exposure each.

    The interval is the exact Poisson one (Garwood 1936) on counts divided by their dispersion (variance
    over mean, at least 1), since the alarms of one badly calibrated model come in clusters.
    """
    from scipy.special import gammaincinv

    events = np.asarray(counts, dtype=np.float64)
    total, spread = float(events.sum()), 1.0
    if total and len(events) > 1:
        spread = max(1.0, float(events.var(ddof=1) / events.mean()))
    tail = (1.0 - LEVEL) / 2.0
    low = float(gammaincinv(total / spread, tail)) if total else 0.0
    high = float(gammaincinv(total / spread + 1.0, 1.0 - tail))
    scale = spread / (exposure * len(events))
    return Estimate(total / (exposure * len(events)), low * scale, high * scale)


def quantile(values: npt.ArrayLike, probability: float) -> Estimate:
    """Return a quantile with its distribution-free interval from order statistics.

    Infinite values are figures beyond what was simulated; an estimate or end that is one becomes None.
    """
    from scipy.special import bdtrik

    ordered = np.sort(np.asarray(values, dtype=np.float64))
    count, tail = len(ordered), (1.0 - LEVEL) / 2.0
    low = int(np.floor(bdtrik(tail, count, probability)))
    high = int(np.ceil(bdtrik(1.0 - tail, count, probability)))
    middle = int(np.ceil(probability * count)) - 1
    at = (middle, low, high)
    chosen = [float(ordered[min(max(index, 0), count - 1)]) for index in at]
    return Estimate(*(figure if np.isfinite(figure) else None for figure in chosen))
