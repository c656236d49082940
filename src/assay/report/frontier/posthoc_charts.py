"""Charts of post-hoc selection: quality by answers and by cost, the judge's error, and carriers."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import Any

from assay.report import altair as alt
from assay.report.frontier.drawn import BLUE, GREY, HEIGHT, INK, ORANGE, WIDTH, Row, finished, hover
from assay.report.frontier.posthoc_sequences import UNCOSTED
from assay.results.frontier import Estimate
from assay.results.frontier_selection import BreakEven
from assay.studies.frontier.posthoc_result import PosthocStudy, Selected, shown_steps

SHADES = ("#0072b2", "#009e73", "#e69f00", "#d55e00", "#cc79a7", "#56b4e9")
SEQUENCE, SELECTION = "one after the other, stop when accepted", "ask all models, then select"


def posthoc_charts(study: PosthocStudy, source: str) -> dict[str, Any]:
    """Return altair charts by name: `selection` for k above 1, `paid`, `judge-error` if known, `carriers`."""
    charts = {"selection": selection_chart(study, source)} if study.most > 1 else {}
    charts["paid"] = paid_chart(study, source)
    if study.break_even:
        charts["judge-error"] = error_chart(study, source)
    charts["carriers"] = carriers_chart(study, source)
    return charts


def _percent_row(estimate: Estimate, name: str = "quality") -> Row:
    """Return value, low and high in per cent; the value alone if there is no interval."""
    value = 100.0 * (estimate.value or 0.0)
    interval = estimate.over_prompts
    return {
        name: value,
        "low": value if interval is None else 100.0 * interval.low,
        "high": value if interval is None else 100.0 * interval.high,
    }


def _size(study: PosthocStudy) -> str:
    """Return the numbers of prompts and models as a text."""
    return f"{study.prompts:,} prompts, {len(study.models)} models"


def selection_chart(study: PosthocStudy, source: str) -> Any:
    """Return a chart of quality by answers per model for every judge, and of the best single model."""
    rows = [row for selected in study.selected for row in _curve(selected)]
    names = [selected.judge.label for selected in study.selected]
    banded = [study.selected[0].judge.label, study.main.judge.label]
    first = study.selected[0].posthoc
    single = 100.0 * (first.single_quality.value or 0.0)
    low = min(single, *(row["low"] for row in rows))
    y = alt.Y("quality:Q", title="quality, %", scale=alt.Scale(domainMin=max(0.0, low - 3.0), nice=True))
    x = alt.X(
        "k:Q",
        title=_answers_title(study),
        axis=alt.Axis(tickMinStep=1, format="d"),
        scale=alt.Scale(zero=False),
    )
    colour = alt.Color(
        "judge:N",
        scale=alt.Scale(domain=names, range=list(SHADES[: len(names)])),
        legend=alt.Legend(orient="right", title="judge", labelLimit=260, symbolOpacity=1.0),
        sort=names,
    )
    base = alt.Chart(alt.InlineData(values=rows)).encode(x=x, color=colour)
    tips = [
        alt.Tooltip("judge:N"),
        alt.Tooltip("k:Q"),
        alt.Tooltip("quality:Q", title="quality, %", format=".2f"),
        alt.Tooltip("low:Q", title=f"{100 * study.wish.level:g} % over prompts, low", format=".2f"),
        alt.Tooltip("high:Q", title="high", format=".2f"),
        alt.Tooltip("answers:Q", title="answers paid", format=".4g"),
    ]
    rule = alt.Chart(
        alt.InlineData(values=[{"single": single, "label": f"one answer of {first.single}: {single:.1f} %"}])
    )
    layers = alt.layer(
        base.transform_filter(alt.FieldOneOfPredicate(field="judge", oneOf=banded))
        .mark_area(opacity=0.12)
        .encode(y=alt.Y("low:Q"), y2="high:Q"),
        rule.mark_rule(color=GREY, strokeDash=[5, 4]).encode(y=alt.Y("single:Q")),
        rule.mark_text(align="left", baseline="bottom", dx=4, dy=-3, color=GREY, fontSize=11).encode(
            x=alt.value(0), y=alt.Y("single:Q"), text="label:N"
        ),
        base.mark_line(strokeWidth=2.25).encode(y=y),
        base.mark_point(filled=True, size=50, opacity=1).encode(y=y, tooltip=tips),
    ).properties(width=WIDTH, height=HEIGHT)
    return finished(
        layers,
        "More answers help only if the judge recognises right ones",
        [*wrap(source, 100), f"{_size(study)}. Bands: {100 * study.wish.level:g} % over prompts."],
    )


def _curve(selected: Selected) -> Iterator[Row]:
    for point in selected.posthoc.points:
        yield {
            "judge": selected.judge.label,
            "k": point.k,
            "answers": point.answers.value,
            "cost": point.cost.value,
            **_percent_row(point.quality),
        }


def paid_chart(study: PosthocStudy, source: str) -> Any:
    """Return a chart of quality by cost for the main judge, asking all models or one after the other."""
    main = study.main
    costed = main.posthoc.unit != UNCOSTED
    paid = f"{main.posthoc.unit} a prompt" if costed else "answers paid a prompt"
    rows = list(_paid(main))
    single = main.posthoc
    names = [SELECTION, SEQUENCE]
    colour = alt.Color(
        "way:N",
        scale=alt.Scale(domain=names, range=[ORANGE, BLUE]),
        legend=alt.Legend(orient="top", title=None, labelLimit=320, symbolOpacity=1.0),
    )
    logs = all(row["paid"] > 0.0 for row in rows) and (single.single_cost.value or 0.0) > 0.0
    axis = alt.Scale(type="log", nice=False, padding=14) if logs else alt.Scale(zero=True)
    x = alt.X("paid:Q", title=f"{paid}, log scale" if logs else paid, scale=axis)
    y = alt.Y("quality:Q", title="quality, %", scale=alt.Scale(zero=False))
    tips = [
        alt.Tooltip("way:N"),
        alt.Tooltip("label:N", title="answers"),
        alt.Tooltip("quality:Q", title="quality, %", format=".2f"),
        alt.Tooltip("paid:Q", title=paid, format=".4g"),
        alt.Tooltip("low:Q", title=f"{100 * study.wish.level:g} % over prompts, low", format=".2f"),
        alt.Tooltip("high:Q", title="high", format=".2f"),
    ]
    base = alt.Chart(alt.InlineData(values=rows)).encode(x=x, color=colour)
    one = [
        {
            "paid": single.single_cost.value,
            "quality": 100.0 * (single.single_quality.value or 0.0),
            "label": single.single,
        }
    ]
    alone = alt.Chart(alt.InlineData(values=one)).encode(x=x, y=y)
    layers = alt.layer(
        base.mark_area(opacity=0.12).encode(y=alt.Y("low:Q"), y2="high:Q"),
        base.transform_filter(alt.datum.lone)
        .mark_rule(strokeWidth=2, opacity=0.5)
        .encode(y=alt.Y("low:Q"), y2="high:Q"),
        base.mark_line(strokeWidth=2.25).encode(y=y, order="paid:Q"),
        base.mark_point(filled=True, size=40, opacity=1).encode(y=y, tooltip=tips),
        alone.mark_point(shape="diamond", filled=True, size=120, color=INK, opacity=1),
        alone.mark_text(align="left", dx=8, dy=16, color=INK, fontSize=11).encode(text="label:N"),
    ).properties(width=WIDTH, height=HEIGHT)
    return finished(
        layers,
        "Cost of selection per prompt",
        [
            *wrap(source, 100),
            f"{_size(study)}. Bands: {100 * study.wish.level:g} % over prompts. Judge: {main.judge.label}.",
            "Diamond: one answer of the best single model, without a judge.",
        ],
    )


def _paid(selected: Selected) -> Iterator[Row]:
    for point in selected.posthoc.points:
        label = f"k = {point.k}"
        yield {
            "way": SELECTION,
            "label": label,
            "paid": point.cost.value,
            "lone": len(selected.posthoc.points) == 1,
            **_percent_row(point.quality),
        }
    plan = selected.sequential
    for step in shown_steps(len(plan.points)):
        budget = plan.points[step - 1]
        label = f"at most {step}, {budget.answers.value:.3g} made"
        yield {"way": SEQUENCE, "label": label, "paid": budget.cost.value, **_percent_row(budget.quality)}


def _answers_title(study: PosthocStudy) -> str:
    return {
        "all_models": "answers of every model, k",
        "per_prompt_best": "answers of the best model for the prompt, k",
        "fixed_best": "answers of the best single model, k",
    }[study.wish.scope]


def error_chart(study: PosthocStudy, source: str) -> Any:
    """Return a chart of selection's gain over one answer of the best single model, by the judge's error."""
    labels = {break_even.k: _break_even_label(break_even) for break_even in study.break_even}
    rows = [
        {"error": 100.0 * point.error, "gain": 100.0 * point.gain, "k": labels[break_even.k]}
        for break_even in study.break_even
        for point in break_even.curve
    ]
    names = list(labels.values())
    colour = alt.Color(
        "k:N",
        scale=alt.Scale(domain=names, range=[BLUE, ORANGE][: len(names)]),
        legend=alt.Legend(orient="top", title=None, labelLimit=360, columns=1, symbolOpacity=1.0),
    )
    x = alt.X(
        "error:Q", title="judge's error rate on right and on wrong answers, %", axis=alt.Axis(tickCount=10)
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
            "error": 100.0 * break_even.error.value,
            "low": 100.0
            * (
                break_even.error.over_prompts.low if break_even.error.over_prompts else break_even.error.value
            ),
            "high": 100.0
            * (
                break_even.error.over_prompts.high
                if break_even.error.over_prompts
                else break_even.error.value
            ),
            "gain": 0.0,
            "k": labels[break_even.k],
        }
        for break_even in study.break_even
        if break_even.error.value
    ]
    marks = alt.Chart(alt.InlineData(values=crossings)).encode(color=colour)
    zero = alt.Chart(alt.InlineData(values=[{"gain": 0.0}])).mark_rule(color=INK).encode(y="gain:Q")
    layers = alt.layer(
        zero,
        base.mark_line(strokeWidth=2.25).encode(color=colour),
        hover(base, tips),
        marks.mark_rule(strokeWidth=6, opacity=0.3).encode(x="low:Q", x2="high:Q", y="gain:Q"),
        marks.mark_point(filled=True, size=80, opacity=1).encode(x="error:Q", y="gain:Q"),
    ).properties(width=WIDTH, height=HEIGHT)
    return finished(
        layers,
        "Judge's error rate at which selection stops paying",
        [
            *wrap(source, 100),
            f"{_size(study)}. The judge is free. Bars: {100 * study.wish.level:g} % over prompts.",
        ],
    )


def _break_even_label(break_even: BreakEven) -> str:
    """Return the name of a curve with its break-even error."""
    name, value, interval = f"k = {break_even.k}", break_even.error.value, break_even.error.over_prompts
    if value is None or value > 0.4995:
        return f"{name}: pays at every error rate"
    range_text = "" if interval is None else f" ({100 * interval.low:.1f} to {100 * interval.high:.1f})"
    return f"{name}: pays up to {100 * value:.1f} %{range_text}" if value else f"{name}: never pays"


def carriers_chart(study: PosthocStudy, source: str) -> Any:
    """Return a chart of each model's Shapley value and of the oracle's loss without the model."""
    carriers = study.groups or study.carriers
    rows = [
        {
            "model": carrier.model,
            "share": 100.0 * (carrier.share.value or 0.0),
            "lost": 100.0 * (carrier.leave_one_out.value or 0.0),
            "alone": 100.0 * (carrier.alone.value or 0.0),
            **_percent_row(carrier.shapley, "shapley"),
        }
        for carrier in carriers.models
    ]
    order = [row["model"] for row in rows]
    y = alt.Y("model:N", sort=order, title=None, axis=alt.Axis(labelLimit=260, grid=False))
    tips = [
        alt.Tooltip("model:N"),
        alt.Tooltip("shapley:Q", title="Shapley value, points", format=".2f"),
        alt.Tooltip("low:Q", title=f"{100 * study.wish.level:g} % over prompts, low", format=".2f"),
        alt.Tooltip("high:Q", title="high", format=".2f"),
        alt.Tooltip("share:Q", title="share of the oracle, %", format=".1f"),
        alt.Tooltip("lost:Q", title="lost without it, points", format=".2f"),
        alt.Tooltip("alone:Q", title="clearly best, % of prompts", format=".1f"),
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
        "Models that carry the frontier",
        [
            *wrap(source, 100),
            f"{_size(study)}; by {carriers.method}. Bars: Shapley values, which add up to the oracle's "
            f"{100 * (carriers.oracle.value or 0.0):.1f} %.",
            "Orange: the oracle's loss without the model.",
        ],
    )
