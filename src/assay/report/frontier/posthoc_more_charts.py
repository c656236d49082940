"""Charts of the error at which a judge stops paying, and of who carries the frontier."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

import altair as alt

from assay.frontier.selection.break_even import BreakEven
from assay.report.frontier.drawn import BLUE, HEIGHT, INK, ORANGE, WIDTH, finished, hover
from assay.report.frontier.posthoc_rows import ends, size
from assay.studies.frontier.posthoc_result import PosthocStudy


def error_chart(study: PosthocStudy, source: str) -> Any:
    """Return what selection gains over one answer of the best single model, by the judge's error."""
    labels = {each.k: _told(each) for each in study.break_even}
    rows = [
        {"error": 100.0 * error, "gain": 100.0 * gain, "k": labels[each.k]}
        for each in study.break_even
        for error, gain in zip(each.errors, each.gains, strict=True)
    ]
    names = list(labels.values())
    colour = alt.Color(
        "k:N",
        scale=alt.Scale(domain=names, range=[BLUE, ORANGE][: len(names)]),
        legend=alt.Legend(orient="top", title=None, labelLimit=360, columns=1, symbolOpacity=1.0),
    )
    x = alt.X(
        "error:Q", title="judge's error on right and wrong answers alike, %", axis=alt.Axis(tickCount=10)
    )
    y = alt.Y("gain:Q", title="gain over the best single model's answer, points")
    tips = [
        alt.Tooltip("k:N"),
        alt.Tooltip("error:Q", title="error, %", format=".0f"),
        alt.Tooltip("gain:Q", title="gain, points", format=".2f"),
    ]
    base = alt.Chart(alt.InlineData(values=rows)).encode(x=x, y=y)
    crossings = [
        {
            "error": 100.0 * each.error.value,
            "low": 100.0 * (each.error.over_prompts.low if each.error.over_prompts else each.error.value),
            "high": 100.0 * (each.error.over_prompts.high if each.error.over_prompts else each.error.value),
            "gain": 0.0,
            "k": labels[each.k],
        }
        for each in study.break_even
        if each.error.value
    ]
    marks = alt.Chart(alt.InlineData(values=crossings)).encode(color=colour)
    nought = alt.Chart(alt.InlineData(values=[{"gain": 0.0}])).mark_rule(color=INK).encode(y="gain:Q")
    layers = alt.layer(
        nought,
        base.mark_line(strokeWidth=2.25).encode(color=colour),
        hover(base, tips),
        marks.mark_rule(strokeWidth=6, opacity=0.3).encode(x="low:Q", x2="high:Q", y="gain:Q"),
        marks.mark_point(filled=True, size=80, opacity=1).encode(x="error:Q", y="gain:Q"),
    ).properties(width=WIDTH, height=HEIGHT)
    return finished(
        layers,
        "How far the judge may err before selection stops paying",
        [
            *wrap(source, 100),
            f"{size(study)}. The judge is free. Bars: {100 * study.wish.level:g} % over prompts.",
        ],
    )


def _told(found: BreakEven) -> str:
    """Return a curve's name with its break-even error."""
    name, value, over = f"k = {found.k}", found.error.value, found.error.over_prompts
    if value is None or value > 0.4995:
        return f"{name}: pays at every error"
    ends = "" if over is None else f" ({100 * over.low:.1f} to {100 * over.high:.1f})"
    return f"{name}: pays up to {100 * value:.1f} %{ends}" if value else f"{name}: never pays"


def carriers_chart(study: PosthocStudy, source: str) -> Any:
    """Return each model's Shapley value, and what the oracle loses without it."""
    found = study.groups or study.carriers
    rows = [
        {
            "model": each.model,
            "share": 100.0 * (each.share.value or 0.0),
            "lost": 100.0 * (each.leave_one_out.value or 0.0),
            "alone": 100.0 * (each.alone.value or 0.0),
            **ends(each.shapley, "shapley"),
        }
        for each in found.models
    ]
    order = [row["model"] for row in rows]
    y = alt.Y("model:N", sort=order, title=None, axis=alt.Axis(labelLimit=260, grid=False))
    tips = [
        alt.Tooltip("model:N"),
        alt.Tooltip("shapley:Q", title="Shapley value, points", format=".2f"),
        alt.Tooltip("low:Q", title=f"{100 * study.wish.level:g} % over prompts, low", format=".2f"),
        alt.Tooltip("high:Q", title="high", format=".2f"),
        alt.Tooltip("share:Q", title="of the oracle, %", format=".1f"),
        alt.Tooltip("lost:Q", title="lost without it, points", format=".2f"),
        alt.Tooltip("alone:Q", title="alone at the top, % of prompts", format=".1f"),
    ]
    base = alt.Chart(alt.InlineData(values=rows)).encode(y=y)
    layers = alt.layer(
        base.mark_bar(color=BLUE, opacity=0.75).encode(
            x=alt.X("shapley:Q", title="points of quality"), tooltip=tips
        ),
        base.mark_rule(color=INK).encode(x="low:Q", x2="high:Q"),
        base.mark_point(shape="diamond", filled=True, color=ORANGE, size=60, opacity=1).encode(x="lost:Q"),
    ).properties(width=WIDTH, height=alt.Step(18))
    return finished(
        layers,
        "Who carries the frontier",
        [
            *wrap(source, 100),
            f"{size(study)}; by {found.method}. Bars: Shapley values, which add to the oracle's "
            f"{100 * (found.oracle.value or 0.0):.1f} %.",
            "Orange: what the oracle loses without the model.",
        ],
    )
