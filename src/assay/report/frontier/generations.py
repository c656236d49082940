"""Charts by the number of generations: the biased oracle, its limit and its bias, and k-shot selection."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.frontier.methods.registry import method_named
from assay.report import altair as alt
from assay.report.frontier.style import (
    BLUE,
    GREEN,
    GREY,
    HEIGHT,
    INK,
    ORANGE,
    PINK,
    WIDTH,
    Row,
    ends_of,
    finished,
    rows_of,
    tip,
)
from assay.report.frontier.tables import group_name, groups
from assay.results.frontier import Estimate
from assay.results.frontier_report import Extrapolation, Way
from assay.studies.frontier.report_result import FrontierReport

FARTHER = 20
"""Extrapolations are drawn up to so many times the number of recorded generations."""
BIASED = "biased oracle (equation 5), recorded"


def decay_chart(report: FrontierReport, *, bounded: bool) -> Any:
    """Return a chart of the biased oracle by generations, its extrapolations and the debiased level."""
    scale = 100.0 if bounded else 1.0
    main = report.main
    last = int(main.sizes[-1])
    end = FARTHER * last
    series: dict[str, list[Row]] = {
        BIASED: [
            {"generations": int(size), "oracle": scale * float(value)}
            for size, value in zip(main.sizes, main.curve, strict=True)
        ]
    }
    colours, dashes = [INK], [[1, 0]]
    for name, fit, colour, dash in (
        ("power law (equation 11)", report.decay.power, ORANGE, [6, 3]),
        ("smooth transition (equation 12)", report.decay.smooth, GREEN, [2, 2]),
    ):
        if fit is not None:
            series[name] = _extended(fit, end, scale)
            colours.append(colour)
            dashes.append(dash)
    levels = _levels(report, scale)
    low, high = _range(series, levels)
    x = alt.X(
        "generations:Q",
        title="generations of each model (logarithmic)",
        scale=alt.Scale(type="log", domain=[1, max(end, 2)], nice=False),
        axis=alt.Axis(values=_steps(end), format=",d", labelFlush=False),
    )
    unit = ", %" if bounded else ""
    title = f"oracle at alpha = 1{unit}"
    height = alt.Scale(domain=[low, high], nice=False, zero=False)
    y = alt.Y("oracle:Q", title=title, scale=height)
    names = list(series)
    legend = alt.Legend(
        orient="bottom", direction="vertical", symbolType="stroke", symbolStrokeWidth=2.5, symbolSize=400
    )
    rows = [{"series": name, **row} for name, line in series.items() for row in line]
    base = alt.Chart(rows_of(rows)).encode(x=x, y=y)
    tips = [
        tip("series:N", "curve"),
        tip("generations:Q", "generations", ",.0f"),
        tip("oracle:Q", "oracle", ".2f"),
    ]
    drawn = base.mark_line(strokeWidth=2, clip=True).encode(
        color=alt.Color("series:N", scale=alt.Scale(domain=names, range=colours), legend=legend),
        strokeDash=alt.StrokeDash("series:N", scale=alt.Scale(domain=names, range=dashes), legend=legend),
    )
    dots = (
        base.mark_circle(size=38, color=INK, opacity=1)
        .encode(tooltip=tips)
        .transform_filter(alt.datum.series == BIASED)
    )
    layers = [*_level_layers(levels, y, alt.Y("low:Q", title=title, scale=height)), drawn, dots]
    return finished(
        alt.layer(*layers).properties(width=WIDTH, height=HEIGHT),
        "The biased oracle falls with more generations",
        f"Recorded up to {last} generations; extrapolated by the fitted forms beyond. "
        "Band: uncertainty of the debiased oracle on these prompts.",
    )


def k_shot_chart(report: FrontierReport, *, bounded: bool) -> Any:
    """Return a chart of the three ways to ask k times by k, with intervals over prompts."""
    scale = 100.0 if bounded else 1.0
    ways = {
        "all models k times each (equation 23)": ("all_models", BLUE),
        "best model by prompt, k times (equation 22)": ("per_prompt_best", GREEN),
        "one fixed model, k times (pass@k)": ("fixed_best", PINK),
    }
    rows = []
    for name, (way, _) in ways.items():
        for shot in report.whole.shots:
            estimates: Way = getattr(shot, way)
            value, ends = estimates.value.value, estimates.value.over_prompts
            if value is not None:
                rows.append(
                    {
                        "series": name,
                        "k": shot.k,
                        "quality": scale * value,
                        "low": None if ends is None else scale * ends.low,
                        "high": None if ends is None else scale * ends.high,
                        "how": estimates.shown,
                        "paid": estimates.answers.value,
                    }
                )
    crossed = ""
    if any(
        (shot.per_prompt_best.value.value or 0.0) > (shot.all_models.value.value or 0.0) + 1e-9
        for shot in report.whole.shots
    ):
        crossed = (
            " Green above blue cannot be true: green is debiased by the model; blue is as recorded and "
            "contains the luck of these answers."
        )
    most = max(shot.k for shot in report.whole.shots)
    wide = most > 20
    x = alt.X(
        "k:Q",
        title="k, generations of each model" + (" (logarithmic)" if wide else ""),
        scale=alt.Scale(type="log" if wide else "linear", domain=[1, max(most, 2)], nice=False),
        axis=alt.Axis(
            values=_steps(most) if wide else list(range(1, max(most, 2) + 1)), format=",d", labelFlush=False
        ),
    )
    unit = ", %" if bounded else ""
    height = alt.Scale(nice=True, zero=False)
    title = f"quality with a perfect, free judge{unit}"
    y = alt.Y("quality:Q", title=title, scale=height)
    legend = alt.Legend(
        orient="bottom",
        direction="vertical",
        symbolType="stroke",
        symbolStrokeWidth=3,
        symbolSize=400,
        symbolOpacity=1.0,
    )
    colour = alt.Color(
        "series:N",
        scale=alt.Scale(domain=list(ways), range=[colour for _, colour in ways.values()]),
        legend=legend,
    )
    base = alt.Chart(rows_of(rows)).encode(x=x, color=colour)
    tips = [
        tip("series:N", "way of asking"),
        tip("k:Q", "k", ",d"),
        tip("quality:Q", "quality", ".2f"),
        tip("low:Q", "interval from", ".2f"),
        tip("high:Q", "to", ".2f"),
        tip("paid:Q", "generations paid", ",.4~g"),
        tip("how:N", "estimate"),
    ]
    layers = [
        base.mark_area(opacity=0.12).encode(y=alt.Y("low:Q", title=title, scale=height), y2="high:Q"),
        base.mark_line(strokeWidth=2.25).encode(y=y),
        base.mark_circle(size=45, opacity=1).encode(y=y, tooltip=tips),
    ]
    return finished(
        alt.layer(*layers).properties(width=WIDTH, height=HEIGHT),
        "Asking k times",
        f"Upper bounds: the judge never errs and costs nothing. Bands: intervals over prompts.{crossed}",
    )


def _extended(fit: Extrapolation, end: int, scale: float) -> list[Row]:
    sizes = np.unique(np.round(np.geomspace(1, end, 80), 3))
    if fit.shift is None:
        values = fit.limit + fit.scale * sizes**-fit.rate
    else:
        assert fit.shift is not None and fit.width is not None
        bent = 1.0 + ((sizes - fit.shift) / fit.width) ** 2
        values = fit.limit + fit.scale * bent ** (-fit.rate / 2.0)
    return [
        {"generations": float(size), "oracle": scale * float(value)}
        for size, value in zip(sizes, values, strict=True)
    ]


def _levels(report: FrontierReport, scale: float) -> list[Row]:
    """Return the levels that do not depend on generations: debiased oracles and the bracket's lower end."""
    rows = []
    for method in report.methods:
        if method.quality.value is not None and method_named(method.method).modelled:
            rows.append(_level(f"debiased, by {method.method}", method.quality, scale))
        elif method.lower is not None and method.lower.value is not None:
            rows.append(_level("bracket, lower end", Estimate(method.lower.value), scale))
    return rows


def _level(name: str, estimate: Estimate, scale: float) -> Row:
    interval = estimate.these_prompts
    return {
        "name": name,
        "oracle": scale * (estimate.value or 0.0),
        "low": None if interval is None else scale * interval.low,
        "high": None if interval is None else scale * interval.high,
    }


def _level_layers(levels: list[Row], y: alt.Y, low: alt.Y) -> list[Any]:
    layers: list[Any] = []
    above = True
    for level in sorted(levels, key=lambda row: -row["oracle"]):
        debiased = level["low"] is not None
        colour = BLUE if debiased else "#6b6b6b"
        data = alt.Chart(rows_of([level]))
        if debiased:
            layers.append(data.mark_rect(color=BLUE, opacity=0.13).encode(y=low, y2="high:Q"))
        layers.append(data.mark_rule(color=colour, strokeWidth=1.75 if debiased else 1.25).encode(y=y))
        text = data.mark_text(
            align="left", x=8, dy=-7 if above else 9, fontSize=11, color=colour, fontWeight="bold"
        )
        layers.append(text.encode(y=y, text="name:N"))
        above = False
    return layers


def _range(series: dict[str, list[Row]], levels: list[Row]) -> tuple[float, float]:
    values = [row["oracle"] for line in series.values() for row in line]
    values += [row[end] for row in levels for end in ("oracle", "low", "high") if row[end] is not None]
    room = 0.08 * (max(values) - min(values)) or 1.0
    return min(values) - room, max(values) + room


def _steps(end: int) -> list[int]:
    ticks = [lead * 10**power for power in range(7) for lead in (1, 2, 5)]
    return [tick for tick in ticks if tick <= end]


def bias_chart(report: FrontierReport) -> Any:
    """Return a chart of the bias of naive quality and cost, with one row per category."""
    rows: list[Row] = []
    for group in groups(report):
        frontier = group.frontier
        for series, bias in (
            (f"by {report.settings.method}", frontier.bias),
            ("by equation 12", frontier.paper_bias),
        ):
            if bias is not None:
                rows.append(
                    {
                        "name": f"{group_name(group)} ({group.counted.prompts:,})",
                        "series": series,
                        "quality": bias.quality.value,
                        **{f"quality_{end}": value for end, value in ends_of(bias.quality).items()},
                        "cost": bias.cost.value,
                        **{f"cost_{end}": value for end, value in ends_of(bias.cost).items()},
                    }
                )
    names = [row["name"] for row in rows if row["series"] != "by equation 12"]
    greatest = {name: max(row["quality"] or 0.0 for row in rows if row["name"] == name) for name in names}
    order = [names[0], *sorted(names[1:], key=lambda name: -greatest[name])]
    panels = [_bias_panel(rows, order, "quality", "quality bias, points", BLUE)]
    if any(row["cost"] is not None for row in rows):
        panels.append(_bias_panel(rows, order, "cost", "cost bias, %", ORANGE))
    return finished(
        alt.hconcat(*panels, spacing=24),
        "Bias of the naive oracle",
        "Naive minus debiased at alpha = 1, with intervals over prompts; in parentheses the number of "
        "prompts. Hollow: by the paper's equation 12. Dotted: the mean of the categories.",
    )


def _bias_panel(rows: list[Row], order: list[str], of: str, title: str, colour: str) -> Any:
    known = [row for row in rows if row[of] is not None]
    axis = alt.Axis(labels=of == "quality", ticks=False, domain=False, labelLimit=260)
    y = alt.Y("name:N", title=None, sort=order, scale=alt.Scale(domain=order), axis=axis)
    offset = alt.YOffset("series:N", scale=alt.Scale(paddingOuter=0.35))
    base = alt.Chart(rows_of(known)).encode(y=y, yOffset=offset)
    paper = "by equation 12"
    x = alt.X(f"{of}:Q", title=title, axis=alt.Axis(tickCount=5, labelFlush=False))
    tips = [
        tip("name:N", "prompts"),
        tip("series:N", "debiased"),
        tip(f"{of}:Q", title, ".2f"),
        tip(f"{of}_low:Q", "interval from", ".2f"),
        tip(f"{of}_high:Q", "to", ".2f"),
    ]
    shape = "circle" if of == "quality" else "triangle-up"
    layers: list[Any] = [
        alt.Chart(rows_of([{"at": 0.0}])).mark_rule(color=GREY).encode(x=alt.X("at:Q", title=title)),
        base.mark_rule(color=colour, strokeWidth=1.5, opacity=0.8).encode(
            x=alt.X(f"{of}_low:Q", title=title), x2=f"{of}_high:Q"
        ),
    ]
    categories = [row[of] for row in known if row["series"] != paper and row["name"] != order[0]]
    if len(categories) > 1:
        mean = alt.Chart(rows_of([{"at": sum(categories) / len(categories)}]))
        layers.append(_dotted(mean, colour).encode(x=alt.X("at:Q", title=title)))
    # A layer without rows would make Vega warn of an infinite extent.
    for filled in sorted({row["series"] != paper for row in known}, reverse=True):
        test = alt.datum.series != paper if filled else alt.datum.series == paper
        point = base.mark_point(
            shape=shape,
            size=60,
            stroke=colour,
            strokeWidth=1.75,
            fill=colour if filled else "white",
            opacity=1,
        )
        layers.append(point.encode(x=x, tooltip=tips).transform_filter(test))
    return alt.layer(*layers).properties(width=290, height=max(90, 30 * len(order)))


def _dotted(chart: Any, colour: str) -> Any:
    """Return a dotted vertical line for each row of the chart."""
    return chart.mark_rule(color=colour, strokeDash=[2, 3], strokeWidth=1.25)
