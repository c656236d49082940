"""The charts of rankings and studies: dots with intervals, lines, scatters and heat maps.

Each function returns a specification in the page's colours whose data has the name `rows`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.report import altair as alt
from assay.report.board.charts import INK, LEAD, LINE, ROWS, pointed_row, row_height, specification

LABELLED = 15
"""Cells of a heat map have numbers up to this many names."""


def dot_chart(
    count: int, title: str, domain: Sequence[float] | None = None, *, mark: float | None = None
) -> dict[str, Any]:
    """Return a chart with one line per row: a dot, its interval as a bar, and a rule at `mark`.

    Rows: `label`, `place` (the order, from 1), `value`, `low`, `high` (None without an interval), `leads`
    (drawn in the lead colour) and `text` (the tooltip).
    """
    scale = alt.Scale(zero=False, nice=True) if domain is None else alt.Scale(domain=list(domain), nice=False)
    x = alt.X("value:Q", title=title, scale=scale, axis=alt.Axis(orient="top", grid=True))
    y = alt.Y(
        "label:N",
        title=None,
        sort=alt.SortField("place"),
        axis=alt.Axis(ticks=False, domain=False, labelOverlap="parity", labelColor=INK),
    )
    height = row_height(count)
    colour = alt.condition("datum.leads", alt.value(LEAD), alt.value(LINE))
    base = alt.Chart().encode(y=y)
    bars = base.mark_bar(height=max(3, height - 11), opacity=0.45, cornerRadius=2).encode(
        x=alt.X("low:Q", title=title, scale=scale), x2="high:Q", color=colour
    )
    dots = base.mark_tick(thickness=2.5, height=max(6, height - 5), opacity=1).encode(x=x, color=colour)
    layers = [bars, dots, pointed_row(base)]
    if mark is not None:
        rule = alt.Chart().mark_rule(strokeDash=[3, 3], color=LINE).encode(x=alt.datum(mark, scale=scale))
        layers.insert(0, rule)
    return specification(alt.layer(*layers, data=alt.NamedData(ROWS)), height=height * count)


def scatter_chart(x_title: str, y_title: str, *, height: int = 300) -> dict[str, Any]:
    """Return a scatter. Rows: `x`, `y`, `leads` (drawn in the lead colour) and `text` (the tooltip)."""
    base = alt.Chart(alt.NamedData(ROWS)).encode(
        x=alt.X("x:Q", title=x_title, scale=alt.Scale(zero=False)),
        y=alt.Y("y:Q", title=y_title, scale=alt.Scale(zero=False)),
    )
    points = base.mark_point(filled=True, size=36, opacity=0.8).encode(
        fill=alt.condition("datum.leads", alt.value(LEAD), alt.value(LINE))
    )
    pointed = base.mark_point(filled=True, size=200, opacity=0, fill=INK).encode(tooltip="text:N")
    return specification(alt.layer(points, pointed), height=height)


def line_chart(x_title: str, y_title: str, *, log: bool = False, height: int = 300) -> dict[str, Any]:
    """Return lines by `name`. Rows: `x`, `y`, `name`, `end` (a label at the point, or empty) and `text`."""
    x_scale = alt.Scale(type="log", nice=False) if log else alt.Scale(zero=False, nice=False)
    base = alt.Chart(alt.NamedData(ROWS)).encode(
        x=alt.X("x:Q", title=x_title, scale=x_scale),
        y=alt.Y("y:Q", title=y_title, scale=alt.Scale(zero=False)),
        detail="name:N",
    )
    lines = base.mark_line(strokeWidth=1.5, color=LEAD).encode(
        strokeDash=alt.StrokeDash("name:N", legend=None)
    )
    dots = base.mark_point(filled=True, size=30, opacity=1, fill=LEAD)
    ends = base.mark_text(align="right", dx=-6, dy=-9, fontSize=11, fill=INK).encode(text="end:N")
    pointed = base.mark_point(filled=True, size=200, opacity=0, fill=INK).encode(tooltip="text:N")
    return specification(alt.layer(lines, dots, ends, pointed), height=height)


def heat_chart(names: Sequence[str], title: str) -> dict[str, Any]:
    """Return a heat map with one line and one column per name, in this order.

    Rows: `x`, `y`, `value` (-1 to 1, a stronger colour is farther from 0), `label` (its text) and `text`
    (the tooltip).
    """
    axis = alt.Axis(ticks=False, domain=False, labelColor=INK, labelLimit=140)
    base = alt.Chart(alt.NamedData(ROWS)).encode(
        x=alt.X("x:N", title=None, sort=list(names), axis=axis),
        y=alt.Y("y:N", title=None, sort=list(names), axis=axis),
        tooltip="text:N",
    )
    strength = alt.Opacity(
        "strength:Q", scale=alt.Scale(domain=[0.0, 1.0], range=[0.04, 0.85]), legend=None, title=title
    )
    colour = alt.condition("datum.value >= 0", alt.value(LEAD), alt.value(LINE))
    cells = base.mark_rect().encode(opacity=strength, color=colour)
    layers = [cells]
    if len(names) <= LABELLED:
        layers.append(base.mark_text(fontSize=11, fill=INK).encode(text="label:N"))
    drawn = alt.layer(*layers).transform_calculate(strength="abs(datum.value)")
    return specification(drawn, height=max(90, 28 * len(names)))


def end_labels(last: Mapping[str, float], room: float) -> dict[str, str]:
    """Return the label at the end of each line; lines that end within `room` of each other share one."""
    labels: dict[str, str] = {}
    group: list[str] = []
    for name, value in sorted(last.items(), key=lambda line: line[1]):
        if group and value - last[group[-1]] > room:
            labels[group[-1]] = ", ".join(sorted(group))
            group = []
        group.append(name)
    if group:
        labels[group[-1]] = ", ".join(sorted(group))
    return labels


def labelled_scatter(x_title: str, y_title: str, *, height: int = 300) -> dict[str, Any]:
    """Return a scatter with names. Rows: `x`, `y`, `label` (shown at the point) and `text` (the tooltip)."""
    base = alt.Chart(alt.NamedData(ROWS)).encode(
        x=alt.X("x:Q", title=x_title, scale=alt.Scale(zero=False, padding=24)),
        y=alt.Y("y:Q", title=y_title, scale=alt.Scale(zero=False, padding=12)),
    )
    points = base.mark_point(filled=True, size=42, opacity=0.9, fill=LEAD)
    names = base.mark_text(align="left", dx=7, dy=-5, fontSize=10, fill=INK, limit=160).encode(text="label:N")
    pointed = base.mark_point(filled=True, size=200, opacity=0, fill=INK).encode(tooltip="text:N")
    return specification(alt.layer(points, names, pointed), height=height)


def trend_chart(y_title: str, *, height: int = 340) -> dict[str, Any]:
    """Return scores by date with steps of records and a curve.

    Rows: `x` (a day), `y`, `curve` (None without a curve), `record` (the best so far), `open`, `label` and
    `text`.
    """
    x = alt.X("x:T", title=None)
    scale = alt.Scale(zero=False)
    base = alt.Chart(alt.NamedData(ROWS)).encode(x=x)
    steps = base.mark_line(interpolate="step-after", color=LINE, strokeWidth=1).encode(
        y=alt.Y("record:Q", title=y_title, scale=scale)
    )
    curve = base.mark_line(color=LEAD, strokeDash=[5, 3]).encode(
        y=alt.Y("curve:Q", title=y_title, scale=scale)
    )
    points = base.mark_point(size=42, color=LEAD).encode(
        y=alt.Y("y:Q", title=y_title, scale=scale),
        fillOpacity=alt.condition("datum.open", alt.value(0.0), alt.value(0.9)),
        fill=alt.value(LEAD),
    )
    names = base.mark_text(align="right", dx=-6, dy=-6, fontSize=10, fill=INK, limit=170).encode(
        y=alt.Y("y:Q", scale=scale), text="label:N"
    )
    pointed = base.mark_point(filled=True, size=200, opacity=0, fill=INK).encode(
        y=alt.Y("y:Q", scale=scale), tooltip="text:N"
    )
    return specification(alt.layer(steps, curve, points, names, pointed), height=height)
