"""Arrows from the best single model to the frontier: the gain at its cost, the saving at its quality."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import altair as alt

from assay.frontier.sweep.result import Frontier
from assay.report.frontier.axes import Axes, Plane
from assay.report.frontier.labels import LETTER, SIZE, Box, Side
from assay.report.frontier.style import INK, WIDTH, rows_of

CLOSE = 28.0
"""Words go below an arrow to the left where the frontier ends less than so many pixels above it."""
SHORT = 14.0
"""An arrow shorter than this many pixels is not drawn."""


@dataclass(frozen=True, slots=True)
class Arrow:
    """From the best single model to the frontier, with what it tells; `angle` turns its head."""

    cost: float
    quality: float
    to_cost: float
    to_quality: float
    angle: int
    text: str
    below: bool = False


def arrows_of(found: Frontier, plane: Plane, scale: float) -> list[Arrow]:
    """Return the arrows up at the best single's cost and to the left at its quality, where they are long."""
    single, gains = found.singles[found.best_single], found.gains
    cost, quality = single.level_cost.value, single.level.value
    if cost is None or quality is None or len(found.singles) < 2:
        return []
    level, arrows = scale * quality, []
    reached, fewer = gains.quality_for_cost.estimate.value, gains.matched_cost.estimate.value
    if reached is not None and plane.y(level) - plane.y(scale * reached) > SHORT:
        text = "" if fewer is None else f"{100 * fewer:.0f} % fewer errors"
        arrows.append(Arrow(cost, level, cost, scale * reached, 0, text))
    spent, saved = gains.cost_for_quality.estimate.value, gains.saving.estimate.value
    if spent is not None and saved is not None and spent > 0.0 and plane.x(cost) - plane.x(spent) > SHORT:
        low = plane.y(level) - plane.y(scale * (found.points[-1].quality.value or 0.0)) < CLOSE
        arrows.append(Arrow(cost, level, spent, level, 270, f"{100 * saved:.0f} % cheaper", low))
    return arrows


def arrow_layers(arrows: list[Arrow], plane: Plane, axes: Axes) -> list[Any]:
    """Return the arrows' shafts, heads and words as layers of a chart."""
    layers: list[Any] = []
    for arrow in arrows:
        shaft = alt.Chart(rows_of([asdict(arrow)])).mark_rule(color=INK, strokeWidth=1.25, strokeDash=[2, 2])
        layers.append(shaft.encode(x=axes.x, y=axes.y, x2="to_cost:Q", y2="to_quality:Q"))
        head = {"cost": arrow.to_cost, "quality": arrow.to_quality}
        mark = alt.Chart(rows_of([head])).mark_point(
            shape="triangle", filled=True, size=70, color=INK, opacity=1, angle=arrow.angle
        )
        layers.append(mark.encode(x=axes.x, y=axes.y))
        box, side = words_box(arrow, plane)
        x = {"left": box.left, "right": box.right, "center": (box.left + box.right) / 2}[side]
        told = {
            "cost": plane.cost(x),
            "quality": plane.quality((box.top + box.bottom) / 2),
            "text": arrow.text,
        }
        text = alt.Chart(rows_of([told])).mark_text(
            align=side, baseline="middle", fontSize=SIZE, fontStyle="italic", color=INK
        )
        layers.append(text.encode(x=axes.x, y=axes.y, text="text:N"))
    return layers


def words_box(arrow: Arrow, plane: Plane) -> tuple[Box, Side]:
    """Return the box of an arrow's words: beside its head upwards, above its middle to the left."""
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
