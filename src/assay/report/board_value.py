"""What quality takes: models' quality against output tokens, cost and latency, as rows of scatters."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from assay.ranking.board import Standing, efficiency
from assay.report.board_charts import Row, Scale, scale, scatter_chart, spread
from assay.report.board_figures import dollars, fixed, hundredfold, labels
from assay.report.numerals import points, thousands

LINE_POINTS = 24
LEAST_MODELS = 2
"""A scatter of a single model shows nothing."""


@dataclass(frozen=True, slots=True)
class Scatter:
    """One scatter: its key in the page's data, its words, how many models it lacks, and what it draws."""

    key: str
    title: str
    caption: str
    drawn: int
    lacking: int
    spec: dict[str, Any] | None
    rows: list[Row]
    lines: list[Row]


Take = Callable[[Standing], float | None]


def scatters(standings: Sequence[Standing]) -> tuple[Scatter, ...]:
    """Return the three scatters; without a specification where fewer than two models have both figures."""
    return (
        _scatter(
            standings,
            "tokens",
            "Judges\N{RIGHT SINGLE QUOTATION MARK} mean against output tokens",
            "Mean output tokens an answer",
            lambda each: each.tokens.value,
        ),
        _scatter(
            standings,
            "cost",
            "Composite against cost",
            "Cost of all its answers, USD",
            lambda each: each.cost,
        ),
        _scatter(
            standings,
            "latency",
            "Composite against latency",
            "Mean latency, seconds",
            lambda each: each.latency.value,
        ),
    )


def _scatter(standings: Sequence[Standing], key: str, title: str, axis: str, take: Take) -> Scatter:
    by_judges = key == "tokens"
    found = [
        (each, x, y)
        for each in standings
        if (x := take(each)) is not None
        and (y := each.score.judge_mean if by_judges else hundredfold(each.score.composite)) is not None
    ]
    lacking = len(standings) - len(found)
    if len(found) < LEAST_MODELS:
        return Scatter(key, title, axis, len(found), lacking, None, [], [])
    horizontal = scale([x for _, x, _ in found])
    vertical = spread([y for *_, y in found], *((0.4, (1.0, 5.0)) if by_judges else (4.0, (0.0, 100.0))))
    rows = _rows(found, horizontal, vertical)
    lines = _equal(found, horizontal, vertical) if by_judges else []
    spec = scatter_chart(horizontal, vertical, axis, "Judges, 1 to 5" if by_judges else "Composite")
    return Scatter(key, title, axis, len(found), lacking, spec, rows, lines)


def _rows(
    found: Sequence[tuple[Standing, float, float]], horizontal: Scale, vertical: tuple[float, float]
) -> list[Row]:
    """Return the rows, cheapest first."""
    named = labels([standing.model for standing, *_ in found])
    rows: list[Row] = []
    best, kept = -math.inf, list[tuple[float, float]]()
    for standing, x, y in sorted(found, key=lambda each: (each[1], -each[2], each[0].model)):
        front = y > best
        best = max(best, y)
        share = _share(horizontal, x)
        row: Row = {"x": x, "y": y, "front": front, "left": "", "right": ""}
        if front:
            height = (y - vertical[0]) / (vertical[1] - vertical[0])
            if all(abs(height - other) > 0.07 for _, other in kept):
                kept.append((share, height))
                row["left" if share < 0.4 else "right"] = named[standing.model]
        rows.append({**row, "text": _told(standing)})
    return rows


def _equal(
    found: Sequence[tuple[Standing, float, float]], horizontal: Scale, vertical: tuple[float, float]
) -> list[Row]:
    """Return lines of equal efficiency: the judges' mean that so many tokens would have to bring."""
    reached = [value for each, x, y in found if (value := efficiency(y, x)) is not None]
    if not reached:
        return []
    first, last = math.ceil(min(reached) / 0.05), math.floor(max(reached) / 0.05)
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


def _share(horizontal: Scale, x: float) -> float:
    if horizontal.kind == "linear":
        return (x - horizontal.low) / (horizontal.high - horizontal.low)
    return math.log(x / horizontal.low) / math.log(horizontal.high / horizontal.low)


def _told(standing: Standing) -> str:
    score, tokens, latency = standing.score, standing.tokens.value, standing.latency.value
    lines = (
        standing.model,
        f"composite {points(hundredfold(score.composite))}, judges {fixed(score.judge_mean, 2)}",
        f"efficiency {fixed(standing.efficiency, 3)}",
        f"output tokens {'unknown' if tokens is None else thousands(round(tokens))}",
        f"cost {dollars(standing.cost)}",
        f"latency {'unknown' if latency is None else f'{latency:.1f} s'}",
    )
    return "\n".join(lines)
