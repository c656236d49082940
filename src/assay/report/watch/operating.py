"""A chart of operating characteristics: false alarms, and the days until falls are detected."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assay.report import altair as alt
from assay.results.operating import OperatingReport

NAMES = {
    "seed": "Seed's rule (COOKED)",
    "sequential": "Sequential test",
    "cusum": "Cumulative-sum chart",
}
COLOURS = ("#6b6b6b", "#0072b2", "#d55e00")
DASHES = ([2, 2], [1, 0], [7, 3])
SHAPES = ("square", "circle", "triangle-up")
INK = "#333333"

Row = dict[str, Any]


def operating_chart(report: OperatingReport, *, title: str = "Operating characteristics") -> Any:
    """Return a chart of three parts: false alarms, median delay by drop, and share detected by day.

    It is an `altair.VConcatChart`. Bars are 95 % Monte-Carlo intervals. A median beyond the simulated horizon
    is an open mark at the top. The coloured names in the first part are the legend. The subtitle says that
    everything is simulated.
    """
    return (
        alt.vconcat(
            alt.hconcat(_false_alarms(report), _delays(report), spacing=40), _seen(report), spacing=28
        )
        .properties(title=alt.TitleParams(title, subtitle=_subtitle(report), anchor="start", offset=14))
        .configure_view(stroke=None)
        .configure_axis(labelColor=INK, titleColor=INK, titleFontWeight="normal", gridColor="#e6e6e6")
        .configure_title(fontSize=17, subtitleFontSize=12, subtitleColor="#555555", color=INK)
        .configure_header(labelFontSize=12, labelColor=INK)
    )


def delay_rows(report: OperatingReport) -> Iterator[Row]:
    """Yield a row for each rule and drop: the median delay in days, or the horizon if it is longer."""
    for detection in report.detections:
        median = detection.median
        yield {
            "rule": NAMES[detection.rule],
            "drop": _percent(detection.drop),
            "order": detection.drop,
            "seen": median.value is not None,
            "delay": report.horizon if median.value is None else median.value,
            "low": report.horizon if median.low is None else median.low,
            "high": report.horizon if median.high is None else median.high,
            "label": f"> {report.horizon}" if median.value is None else f"{median.value:g}",
        }


def seen_rows(report: OperatingReport) -> Iterator[Row]:
    """Yield a row for each rule, drop and day since the fall: the share detected by then (0 on day 0)."""
    for detection in report.detections:
        for day, share in enumerate((0.0, *detection.seen)):
            yield {
                "rule": NAMES[detection.rule],
                "drop": f"Fall of {_percent(detection.drop)}",
                "order": detection.drop,
                "day": day,
                "share": share,
            }


def false_alarm_rows(report: OperatingReport) -> Iterator[Row]:
    """Yield a row for each rule: false alarms per model-year with their interval."""
    for alarms in report.false_alarms:
        rate = alarms.per_year
        yield {
            "rule": NAMES[alarms.rule],
            "rate": rate.value,
            "low": rate.low,
            "high": rate.high,
            "label": f"{NAMES[alarms.rule]}: {rate.value:.3f}",
            "counted": f"{alarms.alarms} in {alarms.model_years:,.0f} simulated model-years",
        }


def _false_alarms(report: OperatingReport) -> Any:
    rows = alt.InlineData(values=list(false_alarm_rows(report)))
    y = alt.Y(
        "rule:N",
        sort=list(NAMES.values()),
        title=None,
        axis=alt.Axis(labels=False, ticks=False, domain=False),
    )
    x = alt.X(
        "rate:Q", title="false alarms per model-year", scale=alt.Scale(zero=True), axis=alt.Axis(tickCount=4)
    )
    tips = [alt.Tooltip("rule:N"), alt.Tooltip("rate:Q", format=".3f"), alt.Tooltip("counted:N")]
    base = alt.Chart(rows)
    bars = base.mark_rule(strokeWidth=3, opacity=0.45).encode(
        x=alt.X("low:Q"), x2="high:Q", y=y, color=_colour()
    )
    points = base.mark_point(filled=True, size=110, opacity=1).encode(
        x=x, y=y, color=_colour(), shape=_shape(), tooltip=tips
    )
    names = base.mark_text(align="left", dy=-15, fontSize=12, fontWeight="bold").encode(
        x=alt.value(4), y=y, text="label:N", color=_colour()
    )
    target = alt.Chart(alt.InlineData(values=[{"target": report.sequential_target}]))
    line = target.mark_rule(strokeDash=[4, 4], color="#999999").encode(x="target:Q")
    note = target.mark_text(align="left", dx=4, y=162, fontSize=11, color="#777777").encode(
        x="target:Q", text=alt.value(f"target: {report.sequential_target:g}")
    )
    return alt.layer(line, note, bars, names, points).properties(
        width=250, height=170, title=_heading("While the model does not change")
    )


def _delays(report: OperatingReport) -> Any:
    rows = alt.InlineData(values=list(delay_rows(report)))
    drops = [_percent(drop) for drop in sorted({detection.drop for detection in report.detections})]
    x = alt.X("drop:N", sort=drops, title="fall in expected quality", axis=alt.Axis(labelAngle=0, grid=False))
    offset = alt.XOffset("rule:N", sort=list(NAMES.values()))
    scale = alt.Scale(type="log", domain=[0.75, report.horizon * 2.0], nice=False)
    ticks = [tick for tick in (1, 2, 3, 5, 10, 20, 30, 60, 90, 180) if tick <= report.horizon]
    y = alt.Y("delay:Q", scale=scale, title="days until half are detected", axis=alt.Axis(values=ticks))
    tips = [alt.Tooltip("rule:N"), alt.Tooltip("drop:N"), alt.Tooltip("label:N", title="median days")]
    base = alt.Chart(rows)
    bars = base.mark_rule(strokeWidth=3, opacity=0.45).encode(
        x=x, xOffset=offset, y=alt.Y("low:Q", scale=scale), y2="high:Q", color=_colour()
    )
    points = base.mark_point(size=110, opacity=1, strokeWidth=2).encode(
        x=x,
        xOffset=offset,
        y=y,
        color=_colour(),
        shape=_shape(),
        fill=alt.condition("datum.seen", _colour(), alt.value("white")),
        tooltip=tips,
    )
    texts = base.mark_text(dy=-14, fontSize=11, color=INK).encode(x=x, xOffset=offset, y=y, text="label:N")
    return alt.layer(bars, points, texts).properties(
        width=470, height=170, title=_heading("Median days to an alarm, by size of the fall")
    )


def _seen(report: OperatingReport) -> Any:
    rows = alt.InlineData(values=list(seen_rows(report)))
    drops = sorted({detection.drop for detection in report.detections})
    falls = [f"Fall of {_percent(drop)}" for drop in drops]
    ticks = [day for day in (1, 3, 7, 14, 30, 60, 90, 180) if day <= report.horizon]
    axis = alt.Axis(values=ticks, labelOverlap=False)
    x = alt.X("day:Q", title="days since the fall", scale=alt.Scale(type="sqrt", nice=False), axis=axis)
    y = alt.Y("share:Q", title="share of falls detected", axis=alt.Axis(format="%", tickCount=4))
    lines = (
        alt.Chart(rows)
        .mark_line(interpolate="step-after", strokeWidth=2)
        .encode(
            x=x,
            y=y,
            color=_colour(),
            strokeDash=alt.StrokeDash(
                "rule:N", scale=alt.Scale(domain=_names(), range=list(DASHES)), legend=None
            ),
            tooltip=[alt.Tooltip("rule:N"), alt.Tooltip("day:Q"), alt.Tooltip("share:Q", format=".0%")],
        )
        .properties(width=max(90, 800 // len(falls) - 26), height=130)
    )
    return lines.facet(column=alt.Column("drop:N", sort=falls, title=None), spacing=14)


def _colour() -> alt.Color:
    scale = alt.Scale(domain=_names(), range=list(COLOURS))
    return alt.Color("rule:N", scale=scale, legend=None)


def _shape() -> alt.Shape:
    scale = alt.Scale(domain=_names(), range=list(SHAPES))
    return alt.Shape("rule:N", scale=scale, legend=None)


def _names() -> list[str]:
    return list(NAMES.values())


def _heading(text: str) -> alt.TitleParams:
    return alt.TitleParams(text, fontSize=13, fontWeight="bold", anchor="start", offset=8)


def _subtitle(report: OperatingReport) -> str:
    counts = {detection.replicates for detection in report.detections}
    falls = f"{max(counts):,} simulated falls of each size" if counts else "no simulated falls"
    return (
        f"Simulated. {falls}, each after {report.history} days of history and followed for "
        f"{report.horizon} days; bars are 95 % Monte-Carlo intervals."
    )


def _percent(drop: float) -> str:
    return f"{100 * drop:g} %"
