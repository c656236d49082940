"""The board page's charts: the rank ranges, and quality against what it takes.

The page gives each its rows under the name `rows`. Colours are the page's CSS variables, as on the watch
page.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import altair as alt

ROWS, LINES = "rows", "lines"
INK, QUIET, GRID = "var(--ink)", "var(--quiet)", "var(--rule)"
LINE, LEAD, PAPER = "var(--quiet)", "var(--line)", "var(--paper)"
FONT = "system-ui, sans-serif"
SCATTER_HEIGHT = 300
ROW_HEIGHT = {40: 19, 80: 13}
"""Pixels for a model of the rank ranges, by the most models that they hold for."""
LEAST_ROW_HEIGHT = 6

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Scale:
    """The scale of a scatter's horizontal axis: `log` where values spread widely and none is 0."""

    kind: Literal["log", "linear"]
    low: float
    high: float


def scale(values: Sequence[float]) -> Scale:
    """Return a scale with room at its ends; linear from 0 for values with a 0, or within five times."""
    low, high = min(values), max(values)
    if low <= 0 or high < 5 * low:
        return Scale("linear", 0.0, 1.08 * high or 1.0)
    room = (high / low) ** 0.08
    return Scale("log", low / room, high * room)


def row_height(models: int) -> int:
    """Return the pixels for the line of one of so many models."""
    return next((pixels for most, pixels in ROW_HEIGHT.items() if models <= most), LEAST_ROW_HEIGHT)


def ranks_chart(models: int) -> dict[str, Any]:
    """Return the specification of the rank ranges of so many models, one line each, best first.

    Rows: `label`, `place`, `low`, `high`, `leads` (nobody is shown to be better) and `text`.
    """
    height = row_height(models)
    ranks = alt.X(
        "from:Q",
        title="Rank",
        scale=alt.Scale(domain=[0.5, models + 0.5], nice=False),
        axis=alt.Axis(values=_ranks(models), format="d", orient="top", grid=True),
    )
    y = alt.Y(
        "label:N",
        title=None,
        sort=alt.SortField("place"),
        axis=alt.Axis(ticks=False, domain=False, labelOverlap="parity", labelColor=INK),
    )
    colour = alt.condition("datum.leads", alt.value(LEAD), alt.value(LINE))
    base = alt.Chart().encode(y=y)
    thick = max(3, height - 9)
    bars = base.mark_bar(height=thick, opacity=0.45, cornerRadius=2).encode(x=ranks, x2="to:Q", color=colour)
    places = base.mark_tick(thickness=2.5, height=thick + 3, opacity=1).encode(x="place:Q", color=colour)
    drawn = alt.layer(bars, places, pointed_row(base), data=alt.NamedData(ROWS))
    return specification(
        drawn.transform_calculate(**{"from": "datum.low - 0.5", "to": "datum.high + 0.5"}),
        height=height * models,
    )


def scatter_chart(
    horizontal: Scale, vertical: tuple[float, float], title: str, y_title: str
) -> dict[str, Any]:
    """Return the specification of quality (y) against what it takes (x).

    Rows: `x`, `y`, `front` (no model is both better and cheaper), `left` and `right` (labels that begin or
    end at the point, empty for most) and `text`. `lines` are rows of equal efficiency: `name`, `x`, `y`,
    and `end`, a label where a line ends.
    """
    x = alt.X(
        "x:Q",
        title=title,
        scale=alt.Scale(type=horizontal.kind, domain=[horizontal.low, horizontal.high], nice=False),
        axis=alt.Axis(
            format="~s" if horizontal.high >= 1000 else "~r", tickCount=5, grid=False, labelOverlap=True
        ),
    )
    y = alt.Y(
        "y:Q",
        title=y_title,
        scale=alt.Scale(domain=list(vertical), nice=False),
        axis=alt.Axis(tickCount=5, grid=True, domain=False, ticks=False),
    )
    rows = alt.Chart(alt.NamedData(ROWS)).encode(x=x, y=y)
    lines = alt.Chart(alt.NamedData(LINES)).encode(x=x, y=y)
    equal = lines.mark_line(strokeWidth=1, strokeDash=[3, 3], color=QUIET, opacity=0.6, clip=True).encode(
        detail="name:N"
    )
    ends = lines.mark_text(fontSize=10, color=QUIET, align="right", dx=-2, dy=-5).encode(text="end:N")
    front = rows.transform_filter("datum.front").mark_line(
        interpolate="step-after", strokeWidth=1, color=LEAD, opacity=0.5
    )
    points = rows.mark_point(filled=True, size=46, opacity=1, stroke=PAPER, strokeWidth=0.75).encode(
        fill=alt.condition("datum.front", alt.value(LEAD), alt.value(LINE))
    )
    # Behind the points a halo in the paper's colour, so that a label is read over lines.
    halos, labels = _labels(rows, PAPER, stroke=PAPER, strokeWidth=3), _labels(rows, INK)
    hold = rows.mark_point(filled=True, size=260, opacity=0, fill=INK).encode(tooltip="text:N")
    drawn = alt.layer(equal, ends, front, *halos, points, *labels, hold)
    return specification(drawn, height=SCATTER_HEIGHT)


def _labels(rows: Any, fill: str, **halo: Any) -> list[Any]:
    drawn = {"fontSize": 11, "dy": -8, "limit": 180, "fill": fill, **halo}
    return [
        rows.mark_text(align="left", dx=3, **drawn).encode(text="left:N"),
        rows.mark_text(align="right", dx=-3, **drawn).encode(text="right:N"),
    ]


def _ranks(models: int) -> list[int]:
    """Return the ranks that are written: 1, the last, and round ones between."""
    step = next((size for size in (1, 2, 5, 10, 20, 50, 100) if models <= 14 * size), 200)
    between = [
        rank for rank in range(step, models, step) if models - rank >= step / 2 and rank - 1 > step / 2
    ]
    return sorted({1, *between, models})


def pointed_row(base: Any) -> Any:
    """Return an unseen mark over each model's whole line that answers to the pointer."""
    hold = alt.selection_point(on="pointerover", clear="pointerout", empty=False, name="pointed")
    return (
        base.mark_rect(fill=INK)
        .encode(
            x=alt.value(0),
            x2=alt.value("width"),
            opacity=alt.condition(hold, alt.value(0.08), alt.value(0)),
            tooltip="text:N",
        )
        .add_params(hold)
    )


def specification(chart: Any, *, height: int) -> dict[str, Any]:
    """Return a chart as a specification in the page's type and colours, as wide as its place."""
    drawn = (
        chart.properties(
            width="container",
            height=height,
            autosize=alt.AutoSizeParams(type="fit-x", contains="padding"),
        )
        .configure(
            background="transparent",
            font=FONT,
            aria=False,
            padding={"left": 0, "right": 8, "top": 8, "bottom": 0},
        )
        .configure_view(stroke=None)
        .configure_axis(
            labelColor=QUIET,
            labelFontSize=11,
            titleColor=QUIET,
            titleFontSize=11,
            titleFontWeight="normal",
            gridColor=GRID,
            domainColor=GRID,
            tickColor=GRID,
            tickSize=4,
            titlePadding=8,
            labelPadding=5,
        )
    )
    found: dict[str, Any] = drawn.to_dict()
    return found


def spread(values: Sequence[float], least: float, bounds: tuple[float, float]) -> tuple[float, float]:
    """Return the ends of a vertical axis a little beyond all values, at least about `least` apart."""
    low, high = min(values), max(values)
    room = max(0.1 * (high - low), (least - (high - low)) / 2)
    return max(bounds[0], _rounded(low - room, math.floor)), min(bounds[1], _rounded(high + room, math.ceil))


def _rounded(value: float, toward: Any) -> float:
    return float(toward(10 * value)) / 10
