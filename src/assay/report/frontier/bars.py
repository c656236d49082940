"""Charts with a row a model: single models, reliability, and who carries the frontier."""

from __future__ import annotations

from typing import Any

import altair as alt

from assay.report.frontier.style import (
    BLUE,
    GREY,
    INK,
    ORANGE,
    ROW,
    Row,
    ends_of,
    finished,
    hundred,
    rows_of,
    tip,
)
from assay.results.frontier import Estimate
from assay.studies.frontier.report_result import FrontierReport

MOST = 30
"""A chart of carriers shows so many models."""
PLOT = 430


def models_chart(report: FrontierReport, *, bounded: bool) -> Any:
    """Return every model's quality with its interval, and the oracle beside them all."""
    scale = 100.0 if bounded else 1.0
    found = report.whole.frontier
    best = found.singles[found.best_single].model
    rows = [
        {"model": each.model, "best": each.model == best, **_ends(each.level, scale)}
        for each in found.singles
        if each.level.value is not None
    ]
    rows.sort(key=lambda row: -row["value"])
    top, naive = _ends(found.points[-1].quality, scale), _ends(found.naive[-1].quality, scale)
    axis = alt.Axis(tickCount=7, labelFlush=False)
    x = alt.X("value:Q", title=_quality(bounded), scale=alt.Scale(zero=False, nice=True), axis=axis)
    y = _by("model", [row["model"] for row in rows])
    base = alt.Chart(rows_of(rows)).encode(y=y)
    tips = [
        tip("model:N", "model"),
        tip("value:Q", "quality", ".2f"),
        tip("low:Q", "interval from", ".2f"),
        tip("high:Q", "to", ".2f"),
    ]
    colour = alt.condition(alt.datum.best, alt.value(INK), alt.value(GREY))
    layers: list[Any] = []
    if top["low"] is not None:
        band = alt.Chart(rows_of([top])).mark_rect(color=BLUE, opacity=0.13)
        layers.append(band.encode(x=alt.X("low:Q", title=_quality(bounded), axis=axis), x2="high:Q"))
    how = report.settings.method
    marks = [(top, BLUE, [1, 0])] + ([] if how == "naive" else [(naive, ORANGE, [6, 4])])
    for level, line, dash in marks:
        rule = alt.Chart(rows_of([level])).mark_rule(color=line, strokeWidth=2, strokeDash=dash)
        layers.append(rule.encode(x=x))
    layers += [
        base.mark_rule(strokeWidth=2).encode(
            x=alt.X("low:Q", title=_quality(bounded), axis=axis), x2="high:Q", color=colour
        ),
        base.mark_circle(size=60, opacity=1).encode(x=x, color=colour, tooltip=tips),
    ]
    beside = "" if how == "naive" else "; dashed orange: the naive oracle"
    return finished(
        alt.layer(*layers).properties(width=PLOT, height=ROW * len(rows)),
        "Every model alone, and all together",
        f"Blue: what the best model for every prompt would reach, by {how}, with its interval over prompts"
        f"{beside}. Black: the best single model.",
    )


def reliability_chart(report: FrontierReport) -> Any:
    """Return each model's reliability: as measured, and what remains of it."""
    assert report.reliability is not None
    rows: list[Row] = []
    for each in report.reliability.models:
        remaining = each.remaining or each.measured
        rows.append(
            {
                "model": each.model,
                "measured": each.measured.value,
                "remaining": remaining.value,
                **ends_of(remaining),
                "coin": each.coin,
                "quality": 100.0 * each.quality,
            }
        )
    y = _by("model", [row["model"] for row in rows])
    title = "reliability (0: right half of the time, 1: always or never)"
    scale = alt.Scale(zero=False, nice=True)
    base = alt.Chart(rows_of(rows)).encode(y=y)
    axis = alt.Axis(tickCount=6, labelFlush=False)
    tips = [
        tip("model:N", "model"),
        tip("remaining:Q", "what remains", ".3f"),
        tip("low:Q", "interval from", ".3f"),
        tip("high:Q", "to", ".3f"),
        tip("measured:Q", "measured", ".3f"),
        tip("coin:Q", "a fair coin measures", ".3f"),
        tip("quality:Q", "quality, %", ".1f"),
    ]
    layers = [
        base.mark_rule(color=BLUE, strokeWidth=2).encode(
            x=alt.X("low:Q", title=title, scale=scale, axis=axis), x2="high:Q"
        ),
        base.mark_point(size=55, color=ORANGE, strokeWidth=1.75, filled=False, opacity=1).encode(
            x=alt.X("measured:Q", title=title, scale=scale, axis=axis)
        ),
        base.mark_circle(size=55, color=BLUE, opacity=1).encode(
            x=alt.X("remaining:Q", title=title, scale=scale, axis=axis), tooltip=tips
        ),
    ]
    return finished(
        alt.layer(*layers).properties(width=PLOT, height=ROW * len(rows)),
        "Reliability by model",
        "Blue: what remains when luck is taken out, with its interval over prompts. Hollow orange: as "
        "measured (equation 24), biased upwards. A model that fails everything is reliable too.",
    )


def carriers_chart(report: FrontierReport, *, bounded: bool) -> Any:
    """Return Shapley values in the oracle's quality, with what the oracle loses without each model."""
    scale = 100.0 if bounded else 1.0
    found = report.carriers
    shown = found.models[:MOST]
    rows = [
        {
            "model": each.model,
            **_ends(each.shapley, scale),
            "lost": scale * (each.leave_one_out.value or 0.0),
            "share": hundred(each.share.value),
        }
        for each in shown
    ]
    y = _by("model", [row["model"] for row in rows])
    unit = ", points" if bounded else ""
    title = f"Shapley value in the oracle's quality{unit}"
    base = alt.Chart(rows_of(rows)).encode(y=y)
    tips = [
        tip("model:N", "model"),
        tip("value:Q", "Shapley value", ".2f"),
        tip("low:Q", "interval from", ".2f"),
        tip("high:Q", "to", ".2f"),
        tip("share:Q", "of the oracle, %", ".1f"),
        tip("lost:Q", "oracle loses without it", ".2f"),
    ]
    layers = [
        base.mark_bar(color=BLUE, opacity=0.55, height=ROW - 6).encode(
            x=alt.X("value:Q", title=title), tooltip=tips
        ),
        base.mark_rule(color=INK, strokeWidth=1.25).encode(x=alt.X("low:Q", title=title), x2="high:Q"),
        base.mark_point(shape="diamond", size=55, color=ORANGE, filled=True, opacity=1).encode(
            x=alt.X("lost:Q", title=title)
        ),
    ]
    more = (
        "" if len(shown) == len(found.models) else f" {len(found.models) - len(shown)} more are in the table."
    )
    return finished(
        alt.layer(*layers).properties(width=PLOT, height=ROW * len(rows)),
        "Who carries the frontier",
        "Bars: each model's part of the oracle's quality, with its interval over prompts. Orange diamond: "
        f"what the oracle loses without the model.{more}",
    )


def _by(field: str, order: list[str]) -> alt.Y:
    axis = alt.Axis(ticks=False, domain=False, labelLimit=300, labelOverlap=False, labelPadding=8, grid=False)
    return alt.Y(f"{field}:N", title=None, sort=order, axis=axis)


def _ends(found: Estimate, scale: float) -> Row:
    """Return a value with its interval over prompts, scaled."""
    told: Row = {"value": None if found.value is None else scale * found.value}
    return told | {end: None if value is None else scale * value for end, value in ends_of(found).items()}


def _quality(bounded: bool) -> str:
    return "quality, %" if bounded else "quality"
