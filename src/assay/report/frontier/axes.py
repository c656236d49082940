"""The plane of cost and quality: its scales between values and pixels, and its axes with plain decimals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from assay.report import altair as alt
from assay.report.frontier.style import HEIGHT, WIDTH, Row
from assay.report.frontier.table import cost_text
from assay.results.frontier_report import FrontierSingle

TICKS = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class Plane:
    """The scales of the plot: from cost and quality (per cent) to pixels and back."""

    low: float
    high: float
    log: bool
    bottom: float
    top: float

    def x(self, cost: float) -> float:
        if self.log:
            return WIDTH * math.log(cost / self.low) / math.log(self.high / self.low)
        return WIDTH * (cost - self.low) / (self.high - self.low)

    def y(self, quality: float) -> float:
        return HEIGHT * (self.top - quality) / (self.top - self.bottom)

    def cost(self, x: float) -> float:
        if self.log:
            return float(self.low * (self.high / self.low) ** (x / WIDTH))
        return self.low + (self.high - self.low) * x / WIDTH

    def quality(self, y: float) -> float:
        return self.top - (self.top - self.bottom) * y / HEIGHT


@dataclass(frozen=True, slots=True)
class Axes:
    """The encodings of cost and quality, and of a band's lower end."""

    x: alt.X
    y: alt.Y
    low: alt.Y


def plane_of(rows: list[Row], singles: list[FrontierSingle], scale: float) -> Plane:
    """Return a plane with room for all points; its costs are logarithmic if they span a factor of 10."""
    costs = [row["cost"] for row in rows] + [single.level_cost.value or 0.0 for single in singles]
    high, positive = max(costs), [cost for cost in costs if cost > 0.0]
    log = min(costs) > 0.0 and high > 10.0 * min(positive)
    if log:
        low, high = min(positive) / 1.25, high * 1.6
    else:
        room = 0.06 * (high - min(costs)) or 0.1 * high or 1.0
        low, high = max(0.0, min(costs) - room), high + 2.0 * room
    qualities = [scale * (single.level.value or 0.0) for single in singles]
    qualities += [row[end] for row in rows for end in ("quality", "low", "high") if row[end] is not None]
    room = 0.05 * (max(qualities) - min(qualities)) or 1.0
    return Plane(low, high, log, min(qualities) - room, max(qualities) + room)


def axes_of(plane: Plane, unit: str, of_quality: str) -> Axes:
    """Return the axes of a plane; `of_quality` is the end of the title of quality, with its unit."""
    logarithmic = " (logarithmic)" if plane.log else ""
    kind: Any = "log" if plane.log else "linear"
    x = alt.X(
        "cost:Q",
        title=f"cost, {unit} a prompt{logarithmic}",
        scale=alt.Scale(type=kind, domain=[plane.low, plane.high], nice=False),
        axis=alt.Axis(values=_ticks(plane), labelExpr=_labels(plane), grid=True),
    )
    title = f"quality{of_quality}"
    height = alt.Scale(domain=[plane.bottom, plane.top], nice=False, zero=False)
    return Axes(x, alt.Y("quality:Q", title=title, scale=height), alt.Y("low:Q", title=title, scale=height))


def _ticks(plane: Plane) -> list[float]:
    if not plane.log:
        step = 10.0 ** math.floor(math.log10((plane.high - plane.low) or 1.0))
        step = next(
            step * multiple
            for multiple in (0.1, 0.2, 0.5, 1.0, 2.0)
            if (plane.high - plane.low) / (step * multiple) <= 8
        )
        first = math.ceil(plane.low / step)
        return [round(step * multiple, 12) for multiple in range(first, int(plane.high / step) + 1)]
    powers = range(math.floor(math.log10(plane.low)), math.ceil(math.log10(plane.high)) + 1)
    decades = math.log10(plane.high / plane.low)
    leads = TICKS if decades < 3 else (1,)
    return [
        lead * 10.0**power
        for power in powers
        for lead in leads
        if plane.low <= lead * 10.0**power <= plane.high
    ]


def _labels(plane: Plane) -> str:
    """Return the vega expression of the axis labels: plain decimals, never powers of ten."""
    labels = {
        tick: cost_text(tick).rstrip("0").rstrip(".") if tick < 1000 else cost_text(tick)
        for tick in _ticks(plane)
    }
    chain = "''"
    for tick, text in labels.items():
        chain = f"abs(datum.value - {tick!r}) < {abs(tick) * 1e-6 + 1e-15!r} ? '{text or '0'}' : {chain}"
    return chain
