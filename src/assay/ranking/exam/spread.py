"""How repeated marks of one model spread, and the two variances of the seed's tables by name."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from scipy.special import stdtrit

from assay.stats.intervals import Interval

VarianceName = Literal["population", "sample"]


@dataclass(frozen=True, slots=True)
class Spread:
    """The mean of `n` values with what they spread over.

    `sd` divides by n - 1 and is None for one value. `interval` is Student's, for the mean of further values
    drawn as these were; None for one value. Both are in the values' own units.
    """

    n: int
    mean: float
    sd: float | None
    least: float
    most: float
    interval: Interval | None


def spread(values: Sequence[float], *, most: float = math.inf, level: float = 0.95) -> Spread | None:
    """Summarise repeated marks from 0 to `most`; None where there are none.

    With three values t is 4.30: an interval from three sittings is wide because three say little.
    """
    if not values:
        return None
    mean = statistics.fmean(values)
    if len(values) == 1:
        return Spread(1, mean, None, values[0], values[0], None)
    sd = statistics.stdev(values)
    half = float(stdtrit(len(values) - 1, 0.5 + level / 2.0)) * sd / math.sqrt(len(values))
    return Spread(
        len(values),
        mean,
        sd,
        min(values),
        max(values),
        Interval(max(0.0, mean - half), min(most, mean + half), level),
    )


def variance(values: Sequence[float], name: VarianceName) -> float | None:
    """Return a variance by name: `population` divides by n (seed 003, tables 2 and 8), `sample` by n - 1
    (table 9). None where there are too few values for it.
    """
    if name == "population":
        return statistics.pvariance(values) if values else None
    return statistics.variance(values) if len(values) > 1 else None
