"""Charts with one row per model: single models, reliability, and contributions to the frontier."""

from __future__ import annotations

from typing import Any

from assay.report import altair as alt
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
"""The largest number of models in a chart of carriers."""
PLOT = 430
"""The width of a plot in pixels."""


def models_chart(report: FrontierReport, *, bounded: bool) -> Any:
    """Return a chart of every model's quality with its interval, and of the oracle."""
    scale = 100.0 if bounded else 1.0
    frontier = report.whole.frontier
    best = frontier.singles[frontier.best_single].model
    rows = [
        {"model": single.model, "best": single.model == best, **_ends(single.level, scale)}
        for single in frontier.singles
        if single.level.value is not None
    ]
    rows.sort(key=lambda row: -row["value"])
    top, naive = _ends(frontier.points[-1].quality, scale), _ends(frontier.naive[-1].quality, scale)
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
    method = report.settings.method
    marks = [(top, BLUE, [1, 0])] + ([] if method == "naive" else [(naive, ORANGE, [6, 4])])
    for level, line, dash in marks:
        rule = alt.Chart(rows_of([level])).mark_rule(color=line, strokeWidth=2, strokeDash=dash)
        layers.append(rule.encode(x=x))
    layers += [
        base.mark_rule(strokeWidth=2).encode(
            x=alt.X("low:Q", title=_quality(bounded), axis=axis), x2="high:Q", color=colour
        ),
        base.mark_circle(size=60, opacity=1).encode(x=x, color=colour, tooltip=tips),
    ]
    beside = "" if method == "naive" else "; dashed orange: the naive oracle"
    return finished(
        alt.layer(*layers).properties(width=PLOT, height=ROW * len(rows)),
        "Single models and the oracle",
        f"Blue: the oracle (the best model for every prompt), by {method}, with its interval over prompts"
        f"{beside}. Black: the best single model.",
    )


def reliability_chart(report: FrontierReport) -> Any:
    """Return a chart of each model's reliability, measured and debiased."""
    assert report.reliability is not None
    rows: list[Row] = []
    for model in report.reliability.models:
        remaining = model.remaining or model.measured
        rows.append(
            {
                "model": model.model,
                "measured": model.measured.value,
                "remaining": remaining.value,
                **ends_of(remaining),
                "coin": model.coin,
                "quality": 100.0 * model.quality,
            }
        )
    y = _by("model", [row["model"] for row in rows])
    title = "reliability (0: right half of the time, 1: always or never)"
    scale = alt.Scale(zero=False, nice=True)
    base = alt.Chart(rows_of(rows)).encode(y=y)
    axis = alt.Axis(tickCount=6, labelFlush=False)
    tips = [
        tip("model:N", "model"),
        tip("remaining:Q", "debiased", ".3f"),
        tip("low:Q", "interval from", ".3f"),
        tip("high:Q", "to", ".3f"),
        tip("measured:Q", "measured", ".3f"),
        tip("coin:Q", "measured for a fair coin", ".3f"),
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
        "Blue: debiased, with its interval over prompts. Hollow orange: measured (equation 24), biased "
        "upwards. A model that fails on every prompt is reliable too.",
    )


def carriers_chart(report: FrontierReport, *, bounded: bool) -> Any:
    """Return a chart of the models' Shapley values and of the oracle's loss without each model."""
    scale = 100.0 if bounded else 1.0
    carriers = report.carriers
    shown = carriers.models[:MOST]
    rows = [
        {
            "model": carrier.model,
            **_ends(carrier.shapley, scale),
            "lost": scale * (carrier.leave_one_out.value or 0.0),
            "share": hundred(carrier.share.value),
        }
        for carrier in shown
    ]
    y = _by("model", [row["model"] for row in rows])
    unit = ", points" if bounded else ""
    title = f"Shapley value (part of the oracle's quality){unit}"
    base = alt.Chart(rows_of(rows)).encode(y=y)
    tips = [
        tip("model:N", "model"),
        tip("value:Q", "Shapley value", ".2f"),
        tip("low:Q", "interval from", ".2f"),
        tip("high:Q", "to", ".2f"),
        tip("share:Q", "share of the oracle, %", ".1f"),
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
        ""
        if len(shown) == len(carriers.models)
        else f" {len(carriers.models) - len(shown)} more are in the table."
    )
    return finished(
        alt.layer(*layers).properties(width=PLOT, height=ROW * len(rows)),
        "Models that carry the frontier",
        "Bars: each model's part of the oracle's quality, with its interval over prompts. Orange diamond: "
        f"the oracle's loss without the model.{more}",
    )


def _by(field: str, order: list[str]) -> alt.Y:
    axis = alt.Axis(ticks=False, domain=False, labelLimit=300, labelOverlap=False, labelPadding=8, grid=False)
    return alt.Y(f"{field}:N", title=None, sort=order, axis=axis)


def _ends(estimate: Estimate, scale: float) -> Row:
    """Return a value and the ends of its interval over prompts, scaled."""
    row: Row = {"value": None if estimate.value is None else scale * estimate.value}
    return row | {end: None if value is None else scale * value for end, value in ends_of(estimate).items()}


def _quality(bounded: bool) -> str:
    return "quality, %" if bounded else "quality"
