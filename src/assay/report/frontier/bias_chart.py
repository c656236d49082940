"""The chart of how much naive figures overstate quality and cost, a row a category."""

from __future__ import annotations

from typing import Any

import altair as alt

from assay.report.frontier.style import BLUE, GREY, ORANGE, Row, ends_of, finished, rows_of, tip
from assay.report.frontier.tables import group_name, groups
from assay.studies.frontier.report_result import FrontierReport


def bias_chart(report: FrontierReport) -> Any:
    """Return how much naive figures overstate, quality and cost side by side, a row a category."""
    rows: list[Row] = []
    for group in groups(report):
        found = group.frontier
        for series, bias in (
            (f"by {report.settings.method}", found.bias),
            ("by equation 12", found.paper_bias),
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
        "How much the naive oracle overstates",
        "Naive less debiased at alpha = 1, with intervals over prompts; in parentheses how many prompts. "
        "Hollow: by the paper's equation 12. Dotted: the mean of the categories.",
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
    apart = [row[of] for row in known if row["series"] != paper and row["name"] != order[0]]
    if len(apart) > 1:
        mean = alt.Chart(rows_of([{"at": sum(apart) / len(apart)}]))
        layers.append(_dotted(mean, colour).encode(x=alt.X("at:Q", title=title)))
    for filled in (True, False):
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
    """Return the chart's rows as dotted vertical lines."""
    return chart.mark_rule(color=colour, strokeDash=[2, 3], strokeWidth=1.25)
