"""The chart of measured routers: what they reach at each cost, or without costs, how far each one comes."""

from __future__ import annotations

from typing import Any

import altair as alt

from assay.frontier.sweep.pareto import upper_hull
from assay.report.frontier.drawn import BLUE, GREY, HEIGHT, INK, ORANGE, WIDTH, Row, finished, hover
from assay.results.frontier import Estimate
from assay.results.frontier_routing import Routing, Spot

COLOURS = ("#009e73", "#cc79a7", "#56b4e9", "#8c510a", "#7a5195", "#e69f00", "#999999")
STEPS = 16
"""Each edge of a hull is drawn in so many pieces: on a logarithmic scale it is no straight line."""
BAR = 30
"""Pixels of one router's row where there are no costs."""


def routers_chart(found: Routing) -> Any:
    """Return the chart: quality over cost where costs are recorded, else quality with intervals."""
    return _curves(found) if found.random.cost is not None else _bars(found)


def _curves(found: Routing) -> Any:
    drawn = [("frontier", found.oracle.curve), *((each.name, each.curve) for each in found.routers)]
    names = [name for name, _ in drawn]
    # What is drawn last lies on top: the yardstick, dashed, shows what lies below it.
    drawn.sort(key=lambda pair: (pair[0] == found.best_single, pair[0] == found.nested))
    rows = [row for name, spots in drawn for row in _line(name, spots)]
    costs = [
        (single.model, single.spot.quality, single.spot.cost)
        for single in found.models
        if single.spot.cost is not None
    ]
    singles = [
        {"model": name, "cost": cost, "quality": 100.0 * quality, "kind": "a single model"}
        for name, quality, cost in costs
    ]
    lowest = min([cost for _, _, cost in costs] + [row["cost"] for row in rows])
    colour = alt.Color("router:N", sort=names, scale=_scale(found, names), legend=_legend())
    dash = alt.StrokeDash("router:N", sort=names, scale=_dashes(found, names), legend=_legend())
    x = alt.X(
        "cost:Q",
        title=f"cost of a prompt, {found.unit}",
        scale=alt.Scale(type="log" if lowest > 0.0 else "linear", nice=False, padding=12),
        axis=alt.Axis(format="~g", labelOverlap=True),
    )
    y = alt.Y("quality:Q", title="quality, %", scale=alt.Scale(zero=False, padding=12))
    where = [alt.Tooltip("cost:Q", format=".4~g"), alt.Tooltip("quality:Q", format=".2f")]
    base = alt.Chart(alt.InlineData(values=rows)).encode(x=x, y=y)
    points = alt.Chart(alt.InlineData(values=singles)).encode(x=x, y=y)
    dots = points.mark_point(filled=True, size=40, color=GREY, opacity=0.8).encode(
        tooltip=[alt.Tooltip("model:N"), *where]
    )
    lines = base.mark_line(strokeWidth=2.25).encode(color=colour, strokeDash=dash, order="order:Q")
    corners = base.transform_filter("datum.corner")
    return finished(
        alt.layer(
            dots,
            lines,
            corners.mark_point(filled=True, size=22, opacity=1.0).encode(color=colour),
            hover(corners, [alt.Tooltip("router:N"), *where]),
        ).properties(width=WIDTH, height=HEIGHT),
        "What practical routers reach of the frontier",
        [
            f"Routers on prompts they were not trained on ({found.prompts} prompts, {found.folds} folds); "
            "grey: single models.",
            f"The frontier is the oracle's ({_method(found)}): it knows what no router can know.",
        ],
    )


def _method(found: Routing) -> str:
    return "naive: too high" if found.oracle.method == "naive" else found.oracle.method


def _line(name: str, spots: tuple[Spot, ...]) -> list[Row]:
    """Return the upper hull from the cheapest to the best; mixtures are even in cost, whatever the scale."""
    quality, cost = [each.quality for each in spots], [each.cost or 0.0 for each in spots]
    corners = [(cost[place], quality[place]) for place in upper_hull(quality, cost)]
    rows: list[Row] = []
    for place, (paid, reached) in enumerate(corners):
        if place:
            before, below = corners[place - 1]
            for step in range(1, STEPS):
                part = step / STEPS
                mixed = before + part * (paid - before), below + part * (reached - below)
                rows.append(_row(name, *mixed, len(rows), corner=False))
        rows.append(_row(name, paid, reached, len(rows), corner=True))
    return rows


def _row(name: str, cost: float, quality: float, order: int, *, corner: bool) -> Row:
    return {"router": name, "cost": cost, "quality": 100.0 * quality, "order": order, "corner": corner}


def _legend() -> alt.Legend:
    return alt.Legend(
        orient="right", title=None, labelLimit=240, symbolStrokeWidth=3, symbolSize=220, symbolType="stroke"
    )


def _dashes(found: Routing, names: list[str]) -> alt.Scale:
    return alt.Scale(domain=names, range=[[5, 4] if name == found.best_single else [1, 0] for name in names])


def _bars(found: Routing) -> Any:
    rows = [_bar("random", found.random.quality, None, "other")]
    for each in found.routers:
        part = "nested" if each.name == found.nested else "other"
        rows.append(_bar(each.name, each.quality.value or 0.0, each.quality, part))
    oracle = found.oracle
    rows.append(_bar(f"oracle ({oracle.method})", oracle.quality.value or 0.0, oracle.quality, "oracle"))
    order = [row["router"] for row in rows]
    y = alt.Y("router:N", sort=order, title=None, axis=alt.Axis(labelLimit=260))
    x = alt.X("quality:Q", title="quality, %", scale=alt.Scale(zero=False, padding=14))
    scale = alt.Scale(domain=["oracle", "nested", "other"], range=[BLUE, ORANGE, GREY])
    base = alt.Chart(alt.InlineData(values=rows)).encode(y=y)
    spans = base.mark_rule(strokeWidth=3, opacity=0.45).encode(
        x=alt.X("low:Q", title="quality, %"), x2="high:Q", color=alt.Color("part:N", scale=scale, legend=None)
    )
    tips = [
        alt.Tooltip("router:N"),
        alt.Tooltip("quality:Q", format=".2f"),
        alt.Tooltip("range:N", title=f"{100 * found.level:g} %"),
    ]
    dots = base.mark_point(filled=True, size=90, opacity=1.0).encode(
        x=x, color=alt.Color("part:N", scale=scale, legend=None), tooltip=tips
    )
    names = base.mark_text(align="center", dy=-11, fontSize=11, color=INK).encode(
        x=x, text=alt.Text("quality:Q", format=".1f")
    )
    return finished(
        alt.layer(spans, dots, names).properties(width=WIDTH, height=BAR * len(rows)),
        "What practical routers reach of the oracle",
        [
            f"On prompts they were not trained on ({found.prompts} prompts, {found.folds} folds); lines: "
            f"{100 * found.level:g} % over prompts.",
            "Orange: the router whose type was chosen in training. Differences are known better than levels.",
        ],
    )


def _bar(name: str, quality: float, estimate: Estimate | None, part: str) -> Row:
    ends = None if estimate is None else estimate.over_prompts
    low, high = (quality, quality) if ends is None else (ends.low, ends.high)
    return {
        "router": name,
        "quality": 100.0 * quality,
        "low": 100.0 * low,
        "high": 100.0 * high,
        "range": "" if ends is None else f"{100 * low:.1f} to {100 * high:.1f}",
        "part": part,
    }


def _scale(found: Routing, names: list[str]) -> alt.Scale:
    own = {"frontier": BLUE, found.nested: ORANGE, found.best_single: INK}
    rest = iter(COLOURS * (1 + len(names) // len(COLOURS)))
    return alt.Scale(domain=names, range=[own[name] if name in own else next(rest) for name in names])
