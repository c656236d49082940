"""The chart of measured routers: quality at each cost, or quality with intervals if costs are unknown."""

from __future__ import annotations

from typing import Any

from assay.frontier.sweep.pareto import upper_hull
from assay.report import altair as alt
from assay.report.frontier.drawn import BLUE, GREY, HEIGHT, INK, ORANGE, WIDTH, Row, finished, hover
from assay.results.frontier import Estimate
from assay.results.frontier_routing import Routing, Spot

COLOURS = ("#009e73", "#cc79a7", "#56b4e9", "#8c510a", "#7a5195", "#e69f00", "#999999")
STEPS = 16
"""Each edge of a hull is drawn in so many pieces, because it is curved on a logarithmic scale."""
BAR = 30
"""The height of one router's row in pixels, in the chart without costs."""


def routers_chart(routing: Routing) -> Any:
    """Return a chart of quality by cost if costs are recorded, else of quality with intervals."""
    return _curves(routing) if routing.random.cost is not None else _bars(routing)


def _curves(routing: Routing) -> Any:
    drawn = [("frontier", routing.oracle.curve), *((router.name, router.curve) for router in routing.routers)]
    names = [name for name, _ in drawn]
    # The last line drawn is on top; it is the best single model, which is dashed and so hides nothing.
    drawn.sort(key=lambda pair: (pair[0] == routing.best_single, pair[0] == routing.nested))
    rows = [row for name, spots in drawn for row in _line(name, spots)]
    costs = [
        (single.model, single.spot.quality, single.spot.cost)
        for single in routing.models
        if single.spot.cost is not None
    ]
    singles = [
        {"model": name, "cost": cost, "quality": 100.0 * quality, "kind": "a single model"}
        for name, quality, cost in costs
    ]
    lowest = min([cost for _, _, cost in costs] + [row["cost"] for row in rows])
    colour = alt.Color("router:N", sort=names, scale=_scale(routing, names), legend=_legend())
    dash = alt.StrokeDash("router:N", sort=names, scale=_dashes(routing, names), legend=_legend())
    x = alt.X(
        "cost:Q",
        title=f"cost of a prompt, {routing.unit}",
        scale=alt.Scale(type="log" if lowest > 0.0 else "linear", nice=False, padding=12),
        axis=alt.Axis(format="~g", labelOverlap=True),
    )
    y = alt.Y("quality:Q", title="quality, %", scale=alt.Scale(zero=False, padding=12))
    cost_and_quality = [alt.Tooltip("cost:Q", format=".4~g"), alt.Tooltip("quality:Q", format=".2f")]
    base = alt.Chart(alt.InlineData(values=rows)).encode(x=x, y=y)
    points = alt.Chart(alt.InlineData(values=singles)).encode(x=x, y=y)
    dots = points.mark_point(filled=True, size=40, color=GREY, opacity=0.8).encode(
        tooltip=[alt.Tooltip("model:N"), *cost_and_quality]
    )
    lines = base.mark_line(strokeWidth=2.25).encode(color=colour, strokeDash=dash, order="order:Q")
    corners = base.transform_filter("datum.corner")
    return finished(
        alt.layer(
            dots,
            lines,
            corners.mark_point(filled=True, size=22, opacity=1.0).encode(color=colour),
            hover(corners, [alt.Tooltip("router:N"), *cost_and_quality]),
        ).properties(width=WIDTH, height=HEIGHT),
        "Practical routers and the frontier",
        [
            f"Routers on prompts outside their training set ({routing.prompts} prompts, {routing.folds} "
            "folds). Grey: single models.",
            f"The frontier is the oracle's ({_method(routing)}), which knows more than any router can.",
        ],
    )


def _method(routing: Routing) -> str:
    return "naive, so too high" if routing.oracle.method == "naive" else routing.oracle.method


def _line(name: str, spots: tuple[Spot, ...]) -> list[Row]:
    """Return the rows of the upper hull from the cheapest to the best, with mixtures at equal cost steps."""
    quality, cost = [spot.quality for spot in spots], [spot.cost or 0.0 for spot in spots]
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


def _dashes(routing: Routing, names: list[str]) -> alt.Scale:
    return alt.Scale(
        domain=names, range=[[5, 4] if name == routing.best_single else [1, 0] for name in names]
    )


def _bars(routing: Routing) -> Any:
    rows = [_bar("random", routing.random.quality, None, "other")]
    for router in routing.routers:
        part = "nested" if router.name == routing.nested else "other"
        rows.append(_bar(router.name, router.quality.value or 0.0, router.quality, part))
    oracle = routing.oracle
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
        alt.Tooltip("range:N", title=f"{100 * routing.level:g} %"),
    ]
    dots = base.mark_point(filled=True, size=90, opacity=1.0).encode(
        x=x, color=alt.Color("part:N", scale=scale, legend=None), tooltip=tips
    )
    names = base.mark_text(align="center", dy=-11, fontSize=11, color=INK).encode(
        x=x, text=alt.Text("quality:Q", format=".1f")
    )
    return finished(
        alt.layer(spans, dots, names).properties(width=WIDTH, height=BAR * len(rows)),
        "Practical routers and the oracle",
        [
            f"On prompts outside the training set ({routing.prompts} prompts, {routing.folds} folds). Lines: "
            f"{100 * routing.level:g} % over prompts.",
            "Orange: the router whose type was chosen in training. Differences are more certain than levels.",
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


def _scale(routing: Routing, names: list[str]) -> alt.Scale:
    own = {"frontier": BLUE, routing.nested: ORANGE, routing.best_single: INK}
    rest = iter(COLOURS * (1 + len(names) // len(COLOURS)))
    return alt.Scale(domain=names, range=[own[name] if name in own else next(rest) for name in names])
