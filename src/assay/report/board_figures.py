"""Figures of a board as its page shows them: fixed decimals, money, counts, and places on an axis."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assay.ranking.keyed.accuracy import KeyedCounts
from assay.ranking.score import Counts
from assay.report.numerals import MINUS, NOTHING, thousands

UNKNOWN = "unknown"
SHADES = 8
MOST_STEPS = 3


@dataclass(frozen=True, slots=True)
class Axis:
    """A horizontal axis from `low` to `high` with its ticks, for bars that the page draws in per cent."""

    low: float
    high: float
    ticks: tuple[float, ...]

    def at(self, value: float) -> float:
        """Return where a value stands, in per cent of the width; the ends for what lies outside."""
        share = (value - self.low) / (self.high - self.low)
        return round(100.0 * min(1.0, max(0.0, share)), 2)


def axis(values: Iterable[float], step: float) -> Axis:
    """Return the shortest axis with ends at multiples of `step` that holds all values; at least one step."""
    there = list(values) or [0.0]
    low, high = math.floor(min(there) / step), math.ceil(max(there) / step)
    high = max(high, low + 1)
    every = max(1, math.ceil((high - low) / MOST_STEPS))
    ticks = tuple(step * place for place in range(low, high + 1) if place % every == 0)
    return Axis(step * low, step * high, ticks)


def fixed(value: float | None, digits: int) -> str:
    """Return a figure with fixed decimals; a dash for none."""
    return NOTHING if value is None else f"{value:.{digits}f}".replace("-", MINUS)


def signed_to(value: float | None, digits: int) -> str:
    """Return a figure with its sign and fixed decimals, 0 without one; a dash for none."""
    if value is None:
        return NOTHING
    text = f"{value:+.{digits}f}"
    return text.replace("-", MINUS) if text.strip("+-0.") else text[1:]


def hundredfold(value: float | None) -> float | None:
    """Return a share as points of 100."""
    return None if value is None else 100.0 * value


def dollars(cost: float | None) -> str:
    """Return a cost with digits enough to be seen; an unknown one says so."""
    if cost is None:
        return UNKNOWN
    if 0 < cost < 0.01:
        return f"${cost:.6f}"
    return f"${cost:.4f}" if cost < 1 else f"${cost:,.2f}"


def labels(names: Sequence[str]) -> dict[str, str]:
    """Return a short label for each name: its last part after a slash, where no other name has the same."""
    short = {name: name.rpartition("/")[2] or name for name in names}
    used = Counter(short.values())
    return {name: label if used[label] == 1 else name for name, label in short.items()}


def tally(counts: Counts | KeyedCounts) -> str:
    """Return counts with their denominator, as in `n 80: 78 ok, 2 invalid`; kinds of none are left out."""
    kinds = ("ok", "invalid", "error", "ungraded")
    told = [f"{thousands(getattr(counts, kind))} {kind}" for kind in kinds if getattr(counts, kind)]
    return f"n {thousands(counts.n)}" + (f": {', '.join(told)}" if told else "")


def shade(value: float | None, low: float, high: float) -> int:
    """Return how dark a cell is, from 0 at `low` or without a value to `SHADES` at `high`."""
    if value is None or high <= low:
        return 0
    return round(SHADES * (value - low) / (high - low))


def several(number: int, noun: str) -> str:
    """Return a count with its noun, as in `1 model` and `2,000 models`."""
    return f"{thousands(number)} {noun}" + ("" if number == 1 else "s")
