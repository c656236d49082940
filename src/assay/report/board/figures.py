"""Formats of a board's figures on its page: decimals, counts, intervals, and positions on an axis."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assay.report.numerals import MINUS, NOTHING, points, thousands
from assay.results.ranking import BoardSamples
from assay.stats.intervals import Interval

SHADES = 8
MOST_STEPS = 3


@dataclass(frozen=True, slots=True)
class Axis:
    """A horizontal axis from `low` to `high` with its ticks; bars are placed on it in per cent."""

    low: float
    high: float
    ticks: tuple[float, ...]

    def at(self, value: float) -> float:
        """Return the position of a value in per cent of the width; 0 or 100 for a value outside the axis."""
        share = (value - self.low) / (self.high - self.low)
        return round(100.0 * min(1.0, max(0.0, share)), 2)


def axis(values: Iterable[float], step: float) -> Axis:
    """Return the shortest axis with ends at multiples of `step` that contains all values.

    It is at least one step long.
    """
    inside = list(values) or [0.0]
    low, high = math.floor(min(inside) / step), math.ceil(max(inside) / step)
    high = max(high, low + 1)
    every = max(1, math.ceil((high - low) / MOST_STEPS))
    ticks = tuple(step * place for place in range(low, high + 1) if place % every == 0)
    return Axis(step * low, step * high, ticks)


def fixed(value: float | None, digits: int) -> str:
    """Return a figure with fixed decimals; a dash for None."""
    return NOTHING if value is None else f"{value:.{digits}f}".replace("-", MINUS)


def signed_to(value: float | None, digits: int) -> str:
    """Return a figure with its sign and fixed decimals; 0 has no sign, and None is a dash."""
    if value is None:
        return NOTHING
    text = f"{value:+.{digits}f}"
    return text.replace("-", MINUS) if text.strip("+-0.") else text[1:]


def hundredfold(value: float | None) -> float | None:
    """Return a share as points of 100."""
    return None if value is None else 100.0 * value


def interval_text(interval: Interval | None) -> str:
    """Return an interval (0-1) in points, as text after a figure in a tooltip; empty for None."""
    if interval is None:
        return ""
    return f", 95 % {points(100 * interval.low)} to {points(100 * interval.high)}"


def labels(names: Sequence[str]) -> dict[str, str]:
    """Return a short label for each name: the part after its last slash, if no other name ends in it."""
    short = {name: name.rpartition("/")[2] or name for name in names}
    used = Counter(short.values())
    return {name: label if used[label] == 1 else name for name, label in short.items()}


def tally(samples: BoardSamples) -> str:
    """Return the counts of samples by status, as in `n 80: 78 ok, 2 invalid`; counts of 0 are left out."""
    statuses = ("ok", "invalid", "error", "ungraded")
    counts = [f"{thousands(number)} {status}" for status in statuses if (number := getattr(samples, status))]
    return f"n {thousands(samples.n)}" + (f": {', '.join(counts)}" if counts else "")


def shade(value: float | None, low: float, high: float) -> int:
    """Return the shade of a cell, from 0 at `low` to `SHADES` at `high`; 0 without a value."""
    if value is None or high <= low:
        return 0
    return round(SHADES * (value - low) / (high - low))
