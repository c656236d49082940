"""The board page's charts: the rank ranges, and quality against output tokens, cost and latency.

The page gives each chart its data under the names `rows` and `lines`. Colours are the page's CSS variables.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from assay.ranking.board.judged import efficiency
from assay.report import altair as alt
from assay.report.board.figures import fixed, hundredfold, labels
from assay.report.numerals import points, thousands
from assay.results.board_judged import Standing
from assay.results.figure import dollars

ROWS, LINES = "rows", "lines"
INK, QUIET, GRID = "var(--ink)", "var(--quiet)", "var(--rule)"
LINE, LEAD, PAPER = "var(--quiet)", "var(--line)", "var(--paper)"
FONT = "system-ui, sans-serif"
SCATTER_HEIGHT = 300
ROW_HEIGHT = {40: 19, 80: 13}
"""Pixels per model, by the largest number of models, in charts with one line per model."""
LEAST_ROW_HEIGHT = 6

Row = dict[str, Any]
LINE_POINTS = 24
LEAST_MODELS = 2
"""The least number of models in a scatter."""


@dataclass(frozen=True, slots=True)
class ScatterScale:
    """The scale of a scatter's horizontal axis: `log` for a wide range without 0, else `linear`."""

    kind: Literal["log", "linear"]
    low: float
    high: float


def scale(values: Sequence[float]) -> ScatterScale:
    """Return a scale with room at its ends.

    It is linear from 0 if a value is 0 or the highest value is less than 5 times the lowest.
    """
    low, high = min(values), max(values)
    if low <= 0 or high < 5 * low:
        return ScatterScale("linear", 0.0, 1.08 * high or 1.0)
    room = (high / low) ** 0.08
    return ScatterScale("log", low / room, high * room)


def row_height(models: int) -> int:
    """Return the height in pixels of one model's line."""
    return next((pixels for most, pixels in ROW_HEIGHT.items() if models <= most), LEAST_ROW_HEIGHT)


def ranks_chart(models: int) -> dict[str, Any]:
    """Return the specification of the chart of rank ranges, with one line per model, best first.

    Rows: `label`, `place`, `low`, `high`, `leads` (no model is significantly better) and `text`.
    """
    height = row_height(models)
    ranks = alt.X(
        "from:Q",
        title="Rank",
        scale=alt.Scale(domain=[0.5, models + 0.5], nice=False),
        axis=alt.Axis(values=_rank_ticks(models), format="d", orient="top", grid=True),
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
    horizontal: ScatterScale, vertical: tuple[float, float], title: str, y_title: str
) -> dict[str, Any]:
    """Return the specification of quality (y) against tokens, cost or latency (x).

    Rows: `x`, `y`, `front` (no model is both better and cheaper), `left` and `right` (labels that begin or
    end at the point, empty for most models) and `text`. `lines` has the points of the lines of equal
    efficiency: `name`, `x`, `y`, and `end`, the label at a line's last point.
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
    # A halo in the paper's colour behind each label keeps it legible over lines.
    halos, labels = _labels(rows, PAPER, stroke=PAPER, strokeWidth=3), _labels(rows, INK)
    pointed = rows.mark_point(filled=True, size=260, opacity=0, fill=INK).encode(tooltip="text:N")
    drawn = alt.layer(equal, ends, front, *halos, points, *labels, pointed)
    return specification(drawn, height=SCATTER_HEIGHT)


def _labels(rows: Any, fill: str, **halo: Any) -> list[Any]:
    drawn = {"fontSize": 11, "dy": -8, "limit": 180, "fill": fill, **halo}
    return [
        rows.mark_text(align="left", dx=3, **drawn).encode(text="left:N"),
        rows.mark_text(align="right", dx=-3, **drawn).encode(text="right:N"),
    ]


def _rank_ticks(models: int) -> list[int]:
    """Return the ranks on the axis: 1, the last rank, and round numbers between them."""
    step = next((size for size in (1, 2, 5, 10, 20, 50, 100) if models <= 14 * size), 200)
    between = [
        rank for rank in range(step, models, step) if models - rank >= step / 2 and rank - 1 > step / 2
    ]
    return sorted({1, *between, models})


def pointed_row(base: Any) -> Any:
    """Return an invisible mark over each model's whole line that shows its tooltip."""
    pointed = alt.selection_point(on="pointerover", clear="pointerout", empty=False, name="pointed")
    return (
        base.mark_rect(fill=INK)
        .encode(
            x=alt.value(0),
            x2=alt.value("width"),
            opacity=alt.condition(pointed, alt.value(0.08), alt.value(0)),
            tooltip="text:N",
        )
        .add_params(pointed)
    )


def specification(chart: Any, *, height: int) -> dict[str, Any]:
    """Return a chart's specification with the page's fonts and colours, as wide as its container."""
    styled = (
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
    document: dict[str, Any] = styled.to_dict()
    return document


def spread(values: Sequence[float], least: float, bounds: tuple[float, float]) -> tuple[float, float]:
    """Return the ends of a vertical axis with room around all values; at least about `least` apart."""
    low, high = min(values), max(values)
    room = max(0.1 * (high - low), (least - (high - low)) / 2)
    return max(bounds[0], _rounded(low - room, math.floor)), min(bounds[1], _rounded(high + room, math.ceil))


def _rounded(value: float, toward: Any) -> float:
    return float(toward(10 * value)) / 10


@dataclass(frozen=True, slots=True)
class Scatter:
    """One scatter chart.

    `drawn` is the number of models with both figures, `lacking` the number with an unknown one. `key` is the
    chart's name in the page's data. `spec` is None if fewer than two models have both figures.
    """

    key: str
    title: str
    drawn: int
    lacking: int
    spec: dict[str, Any] | None
    rows: list[Row]
    lines: list[Row]


Figure = Callable[[Standing], float | None]


def scatters(standings: Sequence[Standing]) -> tuple[Scatter, ...]:
    """Return the scatters of quality against output tokens, cost and latency."""
    return (
        _scatter(
            standings,
            "tokens",
            "Judges\N{RIGHT SINGLE QUOTATION MARK} mean against output tokens",
            "Mean output tokens per answer",
            lambda standing: standing.usage.tokens.value,
        ),
        _scatter(
            standings,
            "cost",
            "Composite against cost",
            "Cost of all answers, USD",
            lambda standing: standing.usage.cost,
        ),
        _scatter(
            standings,
            "latency",
            "Composite against latency",
            "Mean latency, seconds",
            lambda standing: standing.usage.latency.value,
        ),
    )


def _scatter(standings: Sequence[Standing], key: str, title: str, axis: str, figure: Figure) -> Scatter:
    by_judges = key == "tokens"
    drawn = [
        (standing, x, y)
        for standing in standings
        if (x := figure(standing)) is not None
        and (y := standing.score.judge_mean if by_judges else hundredfold(standing.score.composite))
        is not None
    ]
    lacking = len(standings) - len(drawn)
    if len(drawn) < LEAST_MODELS:
        return Scatter(key, title, len(drawn), lacking, None, [], [])
    horizontal = scale([x for _, x, _ in drawn])
    vertical = spread([y for *_, y in drawn], *((0.4, (1.0, 5.0)) if by_judges else (4.0, (0.0, 100.0))))
    rows = _rows(drawn, horizontal, vertical)
    lines = _efficiency_lines(drawn, horizontal, vertical) if by_judges else []
    spec = scatter_chart(horizontal, vertical, axis, "Judges, 1 to 5" if by_judges else "Composite")
    return Scatter(key, title, len(drawn), lacking, spec, rows, lines)


def _rows(
    drawn: Sequence[tuple[Standing, float, float]], horizontal: ScatterScale, vertical: tuple[float, float]
) -> list[Row]:
    """Return the rows of a scatter, cheapest model first."""
    short = labels([standing.model for standing, *_ in drawn])
    rows: list[Row] = []
    best, labelled = -math.inf, list[float]()
    for standing, x, y in sorted(drawn, key=lambda row: (row[1], -row[2], row[0].model)):
        front = y > best
        best = max(best, y)
        row: Row = {"x": x, "y": y, "front": front, "left": "", "right": ""}
        if front:
            height = (y - vertical[0]) / (vertical[1] - vertical[0])
            if all(abs(height - other) > 0.07 for other in labelled):
                labelled.append(height)
                row["left" if _along(horizontal, x) < 0.4 else "right"] = short[standing.model]
        rows.append({**row, "text": _tooltip(standing)})
    return rows


def _efficiency_lines(
    drawn: Sequence[tuple[Standing, float, float]], horizontal: ScatterScale, vertical: tuple[float, float]
) -> list[Row]:
    """Return the lines of equal efficiency: for each efficiency the judges' mean by number of tokens."""
    efficiencies = [value for _, x, y in drawn if (value := efficiency(y, x)) is not None]
    if not efficiencies:
        return []
    first, last = math.ceil(min(efficiencies) / 0.05), math.floor(max(efficiencies) / 0.05)
    chosen = range(first, last + 1, max(1, math.ceil((last - first) / 4)))
    rows = []
    for number in chosen:
        value = 0.05 * number
        ends = [
            max(horizontal.low, 2.0 ** (vertical[0] / value)),
            min(horizontal.high, 2.0 ** (vertical[1] / value)),
        ]
        if ends[0] >= ends[1]:
            continue
        for place in range(LINE_POINTS + 1):
            x = ends[0] * (ends[1] / ends[0]) ** (place / LINE_POINTS)
            end = f"{value:.2f}" if place == LINE_POINTS else ""
            rows.append({"name": f"{value:.2f}", "x": x, "y": value * math.log2(x), "end": end})
    return rows


def _along(horizontal: ScatterScale, x: float) -> float:
    if horizontal.kind == "linear":
        return (x - horizontal.low) / (horizontal.high - horizontal.low)
    return math.log(x / horizontal.low) / math.log(horizontal.high / horizontal.low)


def _tooltip(standing: Standing) -> str:
    score, tokens, latency = standing.score, standing.usage.tokens.value, standing.usage.latency.value
    lines = (
        standing.model,
        f"composite {points(hundredfold(score.composite))}, judges {fixed(score.judge_mean, 2)}",
        f"efficiency {fixed(standing.efficiency, 3)}",
        f"output tokens {'unknown' if tokens is None else thousands(round(tokens))}",
        f"cost {dollars(standing.usage.cost)}",
        f"latency {'unknown' if latency is None else f'{latency:.1f} s'}",
    )
    return "\n".join(lines)
