"""The chart of quality by cost: the frontier with its band, the naive frontier, all models and the gains."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from itertools import pairwise, product
from typing import Any

from assay.core.wording import counted
from assay.report import altair as alt
from assay.report.board.figures import labels as names
from assay.report.frontier.axes import Axes, Plane, axes_of, plane_of
from assay.report.frontier.labels import LETTER, SIZE, Box, Side, around, place
from assay.report.frontier.style import (
    BLUE,
    GREY,
    HEIGHT,
    INK,
    ORANGE,
    WIDTH,
    Row,
    finished,
    hundred,
    rows_of,
    tip,
)
from assay.results.frontier_report import Frontier, FrontierPoint, FrontierSingle

FRONTIER, NAIVE = "capability frontier", "naive frontier (biased upwards)"
HIDDEN = "hidden"
"""The chart's parameter with the names of single models that are not shown; the page's script sets it."""
LINE_STEP = 6.0
"""Labels avoid the lines, which are sampled in steps of so many pixels."""
CLOSE = 28.0
"""The text of a horizontal arrow is below it if the frontier ends less than so many pixels above it."""
SHORT = 14.0
"""An arrow shorter than this many pixels is not drawn."""


def plane_chart(frontier: Frontier, title: str, subtitle: str, *, bounded: bool = True) -> Any:
    """Return the chart of one frontier with costs; qualities are in per cent if they are `bounded` by 1."""
    scale = 100.0 if bounded else 1.0
    singles = drawn_singles(frontier)
    lines = {FRONTIER: _line(frontier.points, scale), NAIVE: _line(frontier.naive, scale)}
    plane = plane_of([*lines[FRONTIER], *lines[NAIVE]], singles, scale)
    axes = axes_of(plane, frontier.unit, ", %" if bounded else "")
    arrows = arrows_of(frontier, plane, scale)
    models, unnamed = _models(frontier, singles, plane, _kept_free(lines, arrows, plane), scale, axes)
    if unnamed:
        subtitle += f" {counted(unnamed, 'model has', 'models have')} no room for a name."
    layers = [
        *_band(lines[FRONTIER], axes),
        *_lines(lines, axes, frontier.method),
        *_beyond(lines[FRONTIER], arrows, axes),
        *arrow_layers(arrows, plane, axes),
        *models,
    ]
    layered = alt.layer(*layers).properties(width=WIDTH, height=HEIGHT)
    return finished(layered.add_params(alt.param(name=HIDDEN, value=[])), title, subtitle)


def has_costs(frontier: Frontier) -> bool:
    """Return whether the frontier can be drawn: costs are known and not all 0."""
    return any((point.cost.value or 0.0) > 0.0 for point in frontier.points)


def drawn_singles(frontier: Frontier) -> list[FrontierSingle]:
    """Return the single models that the chart shows: those with a quality and a cost."""
    return [
        single
        for single in frontier.singles
        if single.level.value is not None and single.level_cost.value is not None
    ]


def _line(points: tuple[FrontierPoint, ...], scale: float) -> list[Row]:
    """Return the undominated points of a sweep as rows, the cheapest first."""
    rows = []
    for point in points:
        interval = point.quality.over_prompts
        if point.optimal and point.quality.value is not None and point.cost.value is not None:
            rows.append(
                {
                    "cost": point.cost.value,
                    "quality": scale * point.quality.value,
                    "low": None if interval is None else scale * interval.low,
                    "high": None if interval is None else scale * interval.high,
                    "alpha": point.alpha,
                }
            )
    return sorted(rows, key=lambda row: (row["cost"], row["quality"]))


def _band(rows: list[Row], axes: Axes) -> list[Any]:
    if len(rows) < 2 or any(row["low"] is None for row in rows):
        return []
    area = alt.Chart(rows_of(rows)).mark_area(color=BLUE, opacity=0.14)
    return [area.encode(x=axes.x, y=axes.low, y2="high:Q")]


def _lines(lines: dict[str, list[Row]], axes: Axes, method: str) -> list[Any]:
    titles = {FRONTIER: f"{FRONTIER}, by {method}, with its interval over prompts", NAIVE: NAIVE}
    shown = {name: rows for name, rows in lines.items() if name == FRONTIER or method != "naive"}
    if method == "naive":
        titles[FRONTIER] = f"{NAIVE}, with its interval over prompts"
    rows = [{**row, "series": titles[name]} for name, line in shown.items() for row in line]
    names = [titles[name] for name in shown]
    legend = alt.Legend(
        orient="bottom", direction="vertical", symbolType="stroke", symbolStrokeWidth=2.5, symbolSize=400
    )
    colours = alt.Scale(domain=names, range=[BLUE, ORANGE][: len(names)])
    dashes = alt.Scale(domain=names, range=[[1, 0], [6, 4]][: len(names)])
    base = alt.Chart(rows_of(rows)).encode(x=axes.x, y=axes.y)
    tips = [
        tip("series:N", "line"),
        tip("quality:Q", "quality", ".2f"),
        tip("low:Q", "interval from", ".2f"),
        tip("high:Q", "to", ".2f"),
        tip("cost:Q", "cost a prompt", ".4~g"),
        tip("alpha:Q", "alpha", ".3~g"),
    ]
    return [
        base.mark_line(strokeWidth=2.25).encode(
            color=alt.Color("series:N", scale=colours, legend=legend),
            strokeDash=alt.StrokeDash("series:N", scale=dashes, legend=legend),
        ),
        base.mark_circle(size=24, color=BLUE, opacity=1)
        .encode(tooltip=tips)
        .transform_filter(alt.datum.series == names[0]),
        base.mark_circle(size=90, opacity=0).encode(tooltip=tips),
    ]


def _beyond(rows: list[Row], arrows: list[Arrow], axes: Axes) -> list[Any]:
    """Return the flat line from the frontier's best point to the arrow that meets it."""
    up = [arrow.cost for arrow in arrows if arrow.angle == 0 and rows and arrow.cost > rows[-1]["cost"]]
    if not up:
        return []
    flat = rows_of([{"cost": rows[-1]["cost"], "to_cost": up[0], "quality": rows[-1]["quality"]}])
    return [
        alt.Chart(flat)
        .mark_rule(color=BLUE, strokeWidth=1, strokeDash=[1, 3])
        .encode(x=axes.x, y=axes.y, x2="to_cost:Q")
    ]


def _kept_free(lines: dict[str, list[Row]], arrows: list[Arrow], plane: Plane) -> list[Box]:
    """Return the boxes that no name may cover: the lines, the arrows, and the texts of the arrows."""
    drawn = [*lines.values()]
    drawn += [
        [
            {"cost": arrow.cost, "quality": arrow.quality},
            {"cost": arrow.to_cost, "quality": arrow.to_quality},
        ]
        for arrow in arrows
    ]
    return [
        *(around(at, 2.5) for line in drawn for at in _along(line, plane)),
        *(text_box(arrow, plane)[0] for arrow in arrows),
    ]


def _models(
    frontier: Frontier,
    singles: list[FrontierSingle],
    plane: Plane,
    taken: list[Box],
    scale: float,
    axes: Axes,
) -> tuple[list[Any], int]:
    """Return the models' marks and names, and the number of models without room for a name."""
    best = frontier.singles[frontier.best_single].model
    ranked = sorted(
        singles, key=lambda single: (single.model != best, not single.optimal, -(single.level.value or 0.0))
    )
    points = [
        (plane.x(single.level_cost.value or plane.low), plane.y(scale * (single.level.value or 0.0)))
        for single in ranked
    ]
    short = names([single.model for single in frontier.singles])
    labels = place(
        [short[single.model] for single in ranked], points, width=WIDTH, height=HEIGHT, taken=taken
    )
    rows = [
        {
            "model": single.model,
            "cost": single.level_cost.value,
            "quality": scale * (single.level.value or 0.0),
            "coverage": hundred(single.coverage),
            "kind": "best" if single.model == best else "other",
            "range": _range(single, scale),
        }
        for single in ranked
    ]
    tips = [
        tip("model:N", "model"),
        tip("quality:Q", "quality", ".2f"),
        tip("range:N", "interval"),
        tip("cost:Q", "cost a prompt", ".4~g"),
        tip("coverage:Q", "prompts covered, %", ".0f"),
    ]
    best_one = alt.datum.kind == "best"
    tails = [
        {
            "cost": row["cost"],
            "quality": row["quality"],
            "to_cost": plane.cost(label.tail[0]),
            "to_quality": plane.quality(label.tail[1]),
            "model": row["model"],
        }
        for label, row in zip(labels, rows, strict=True)
        if label is not None and label.tail is not None
    ]
    leading = _shown(tails).mark_rule(color=GREY, strokeWidth=0.75)
    layers: list[Any] = (
        [] if not tails else [leading.encode(x=axes.x, y=axes.y, x2="to_cost:Q", y2="to_quality:Q")]
    )
    layers += [
        _shown(rows)
        .mark_point(filled=True, opacity=1, stroke="white", strokeWidth=0.75)
        .encode(
            x=axes.x,
            y=axes.y,
            tooltip=tips,
            shape=alt.condition(best_one, alt.value("diamond"), alt.value("circle")),
            size=alt.condition(best_one, alt.value(130), alt.value(52)),
            color=alt.condition(best_one, alt.value(INK), alt.value(GREY)),
        )
    ]
    sides: tuple[Side, ...] = ("left", "right", "center")
    for side, bold in product(sides, (True, False)):
        named = [
            {
                "text": label.name,
                "cost": plane.cost(label.x),
                "quality": plane.quality(label.y),
                "model": row["model"],
            }
            for label, row in zip(labels, rows, strict=True)
            if label is not None and label.side == side and (label.name == short[best]) == bold
        ]
        if named:
            text = _shown(named).mark_text(
                align=side,
                baseline="middle",
                fontSize=SIZE,
                color=INK,
                fontWeight="bold" if bold else "normal",
            )
            layers.append(text.encode(x=axes.x, y=axes.y, text="text:N"))
    return layers, sum(label is None for label in labels)


def _shown(rows: list[Row]) -> Any:
    """Return a chart of rows about single models, without those that are hidden."""
    return alt.Chart(rows_of(rows)).transform_filter(f"indexof({HIDDEN}, datum.model) < 0")


def _along(rows: list[Row], plane: Plane) -> list[tuple[float, float]]:
    places: list[tuple[float, float]] = []
    points = [(plane.x(max(row["cost"], plane.low)), plane.y(row["quality"])) for row in rows]
    for (x, y), (x2, y2) in pairwise(points):
        steps = max(1, int(math.hypot(x2 - x, y2 - y) / LINE_STEP))
        places += [(x + (x2 - x) * at / steps, y + (y2 - y) * at / steps) for at in range(steps + 1)]
    return places


def _range(single: FrontierSingle, scale: float) -> str:
    interval = single.level.over_prompts
    return "" if interval is None else f"{scale * interval.low:.2f} to {scale * interval.high:.2f}"


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow from the best single model to the frontier, with its text; `angle` is that of its head."""

    cost: float
    quality: float
    to_cost: float
    to_quality: float
    angle: int
    text: str
    below: bool = False


def arrows_of(frontier: Frontier, plane: Plane, scale: float) -> list[Arrow]:
    """Return the arrows up at the best single's cost and left at its quality, without short ones."""
    single, gains = frontier.singles[frontier.best_single], frontier.gains
    cost, quality = single.level_cost.value, single.level.value
    if cost is None or quality is None or len(frontier.singles) < 2:
        return []
    level, arrows = scale * quality, []
    reached, fewer = gains.quality_for_cost.estimate.value, gains.matched_cost.estimate.value
    if reached is not None and plane.y(level) - plane.y(scale * reached) > SHORT:
        text = "" if fewer is None else f"{100 * fewer:.0f} % fewer errors"
        arrows.append(Arrow(cost, level, cost, scale * reached, 0, text))
    spent, saved = gains.cost_for_quality.estimate.value, gains.saving.estimate.value
    if spent is not None and saved is not None and spent > 0.0 and plane.x(cost) - plane.x(spent) > SHORT:
        low = plane.y(level) - plane.y(scale * (frontier.points[-1].quality.value or 0.0)) < CLOSE
        arrows.append(Arrow(cost, level, spent, level, 270, f"{100 * saved:.0f} % cheaper", low))
    return arrows


def arrow_layers(arrows: list[Arrow], plane: Plane, axes: Axes) -> list[Any]:
    """Return the shafts, heads and texts of the arrows as layers of a chart."""
    layers: list[Any] = []
    for arrow in arrows:
        shaft = alt.Chart(rows_of([asdict(arrow)])).mark_rule(color=INK, strokeWidth=1.25, strokeDash=[2, 2])
        layers.append(shaft.encode(x=axes.x, y=axes.y, x2="to_cost:Q", y2="to_quality:Q"))
        head = {"cost": arrow.to_cost, "quality": arrow.to_quality}
        mark = alt.Chart(rows_of([head])).mark_point(
            shape="triangle", filled=True, size=70, color=INK, opacity=1, angle=arrow.angle
        )
        layers.append(mark.encode(x=axes.x, y=axes.y))
        box, side = text_box(arrow, plane)
        x = {"left": box.left, "right": box.right, "center": (box.left + box.right) / 2}[side]
        label = {
            "cost": plane.cost(x),
            "quality": plane.quality((box.top + box.bottom) / 2),
            "text": arrow.text,
        }
        text = alt.Chart(rows_of([label])).mark_text(
            align=side, baseline="middle", fontSize=SIZE, fontStyle="italic", color=INK
        )
        layers.append(text.encode(x=axes.x, y=axes.y, text="text:N"))
    return layers


def text_box(arrow: Arrow, plane: Plane) -> tuple[Box, Side]:
    """Return the box of an arrow's text: beside a vertical arrow's head, above or below a horizontal one."""
    long = len(arrow.text) * SIZE * LETTER
    x, y = plane.x(arrow.cost), plane.y(arrow.quality)
    if arrow.angle == 0:
        top = plane.y(arrow.to_quality)
        right = x + 8 + long <= WIDTH
        left = x + 8 if right else x - 8 - long
        return Box(left, top - 4, left + long, top + 8), "left" if right else "right"
    middle = (x + plane.x(arrow.to_cost)) / 2
    top = y + 3 if arrow.below else y - 15
    return Box(middle - long / 2, top, middle + long / 2, top + 12), "center"
