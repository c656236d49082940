"""Charts of the oracle's uplift by topic entropy, simulated and of recorded prompts."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from assay.frontier.simulate.topics import SimulatedEntropy
from assay.report import altair as alt
from assay.report.frontier.drawn import BLUE, GREY, HEIGHT, INK, ORANGE, WIDTH, Row, finished, hover

if TYPE_CHECKING:
    from assay.results.frontier_uplift import RecordedUplift

NAME = 12.0
"""The height of a category's name in pixels, with a gap."""
UPLIFT = "uplift over the best single model, points"
SERIES = {"naive": "mean over categories, naive", "debiased": "mean over categories, debiased"}


def entropy_charts(
    simulated: SimulatedEntropy, recorded: RecordedUplift | None, settings: dict[str, int]
) -> dict[str, Any]:
    """Return altair charts by name: `uplift-simulated` (the paper's figure 5) and `uplift-recorded`."""
    charts = {"uplift-simulated": simulated_uplift_chart(simulated, settings)}
    if recorded is not None:
        charts["uplift-recorded"] = recorded_uplift_chart(recorded)
    return charts


def simulated_uplift_chart(simulated: SimulatedEntropy, settings: dict[str, int]) -> Any:
    """Return a chart of simulated uplift by topic entropy: the mean over worlds, and a 95 % band."""
    rows = [
        {
            "entropy": float(simulated.entropy[at]),
            "uplift": 100.0 * float(simulated.uplift[at]),
            "low": 100.0 * float(simulated.low[at]),
            "high": 100.0 * float(simulated.high[at]),
            "oracle": 100.0 * float(simulated.oracle[at]),
            "single": 100.0 * float(simulated.best_single[at]),
        }
        for at in range(len(simulated.entropy))
    ]
    tips = [
        alt.Tooltip("entropy:Q", format=".3f"),
        alt.Tooltip("uplift:Q", title="uplift, points", format=".2f"),
        alt.Tooltip("low:Q", title="2.5 % of worlds below", format=".2f"),
        alt.Tooltip("high:Q", title="97.5 % of worlds below", format=".2f"),
        alt.Tooltip("oracle:Q", title="true oracle, %", format=".2f"),
        alt.Tooltip("single:Q", title="best single, %", format=".2f"),
    ]
    base = alt.Chart(alt.InlineData(values=rows)).encode(x=_entropy())
    room = alt.Scale(domainMin=0.0 if simulated.low.min() > -0.005 else 100.0 * float(simulated.low.min()))
    y = alt.Y("uplift:Q", title=UPLIFT, scale=room)
    layers = alt.layer(
        base.mark_area(color=BLUE, opacity=0.18).encode(y=alt.Y("low:Q", scale=room), y2="high:Q"),
        base.mark_line(color=BLUE, strokeWidth=2.25).encode(y=y),
        base.mark_point(color=BLUE, filled=True, size=55, opacity=1).encode(y=y, tooltip=tips),
    ).properties(width=WIDTH, height=HEIGHT)
    worlds = f"{settings['models']} models, {settings['topics']} topics, {settings['prompts']:,} prompts"
    return finished(
        layers,
        "Simulated: uplift grows with topic entropy",
        f"{worlds}, {settings['generations']:,} generations. Mean of {settings['repeats']} worlds; "
        "the band holds 95 % of them.",
    )


def recorded_uplift_chart(recorded: RecordedUplift) -> Any:
    """Return a chart of recorded uplift by entropy: the mean over categories, and each category's path."""
    uplift = recorded.uplift
    kind = "naive" if uplift.debiased_by is None else "debiased"
    layers = alt.layer(*_own_layers(recorded), *_mean_layers(recorded)).properties(width=WIDTH, height=HEIGHT)
    return finished(
        layers,
        "Recorded: uplift by topic entropy",
        [
            *wrap(recorded.source, 90),
            f"Real prompts, mixed from {len(uplift.categories)} categories. Grey: towards a single category, "
            f"{kind}.",
            "Bands: 95 % over prompts.",
        ],
    )


def _own_layers(recorded: RecordedUplift) -> tuple[Any, ...]:
    """Return the layers of each category's path, from the whole mixture to the category alone."""
    rows = [
        {
            "category": workload.category,
            "entropy": workload.step.entropy,
            "weight": workload.step.weight,
            "uplift": 100.0 * ((workload.step.debiased or workload.step.naive).value or 0.0),
        }
        for workload in recorded.uplift.workloads
    ]
    tips = [
        alt.Tooltip("category:N"),
        alt.Tooltip("weight:Q", title="extra weight", format=".0%"),
        alt.Tooltip("entropy:Q", format=".3f"),
        alt.Tooltip("uplift:Q", title="uplift, points", format=".2f"),
    ]
    y = alt.Y("uplift:Q", title=UPLIFT, scale=alt.Scale(zero=True))
    lines = alt.Chart(alt.InlineData(values=rows)).encode(x=_entropy(), y=y)
    alone = alt.Chart(alt.InlineData(values=_apart([row for row in rows if row["weight"] == 1.0], rows)))
    return (
        lines.mark_line(color=GREY, strokeWidth=1, opacity=0.6).encode(detail="category:N", order="weight:Q"),
        hover(lines, tips),
        alone.mark_text(align="left", dx=5, dy=-6, fontSize=10, color=INK).encode(
            x=_entropy(), y=y, text="category:N"
        ),
    )


def _apart(alone: list[Row], rows: list[Row]) -> list[Row]:
    """Return the rows of the names that fit without overlap and near the end of their line."""
    heights = [row["uplift"] for row in rows]
    least = NAME * (max(0.0, *heights) - min(0.0, *heights)) / HEIGHT
    below = -float("inf")
    placed = []
    for row in sorted(alone, key=lambda row: (row["uplift"], row["category"])):
        above = max(row["uplift"], below + least)
        if above - row["uplift"] <= 3.0 * least:
            below = above
            placed.append({**row, "uplift": above})
    return placed


def _mean_layers(recorded: RecordedUplift) -> tuple[Any, ...]:
    """Return the layers of the means over categories, with their bands."""
    names = list(SERIES.values())[: 1 if recorded.uplift.debiased_by is None else 2]
    colour = alt.Color(
        "series:N",
        scale=alt.Scale(domain=names, range=[ORANGE, BLUE]),
        legend=alt.Legend(orient="top", title=None, labelLimit=300, symbolOpacity=1.0),
    )
    tips = [
        alt.Tooltip("series:N"),
        alt.Tooltip("entropy:Q", format=".3f"),
        alt.Tooltip("uplift:Q", title="uplift, points", format=".2f"),
        alt.Tooltip("low:Q", title="95 % over prompts, low", format=".2f"),
        alt.Tooltip("high:Q", title="high", format=".2f"),
    ]
    rows = alt.InlineData(values=list(_mean_rows(recorded)))
    means = alt.Chart(rows).encode(x=_entropy(), color=colour)
    y = alt.Y("uplift:Q", title=UPLIFT)
    return (
        means.mark_area(opacity=0.15).encode(y=alt.Y("low:Q"), y2="high:Q"),
        means.mark_line(strokeWidth=2.25).encode(y=y),
        means.mark_point(filled=True, size=45, opacity=1).encode(y=y, tooltip=tips),
    )


def _mean_rows(recorded: RecordedUplift) -> Iterator[Row]:
    for step in recorded.uplift.path:
        for name, estimate in (("naive", step.naive), ("debiased", step.debiased)):
            if estimate is not None and estimate.value is not None:
                interval = estimate.over_prompts
                yield {
                    "series": SERIES[name],
                    "entropy": step.entropy,
                    "uplift": 100.0 * estimate.value,
                    "low": None if interval is None else 100.0 * interval.low,
                    "high": None if interval is None else 100.0 * interval.high,
                }


def _entropy() -> alt.X:
    return alt.X(
        "entropy:Q", title="topic entropy, nats", scale=alt.Scale(zero=True), axis=alt.Axis(tickCount=8)
    )
