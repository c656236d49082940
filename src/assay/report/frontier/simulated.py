"""Charts of the oracle's simulated bias: by generations, its start, and its decay."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from assay.frontier.biased.forms import gaussian_bias
from assay.frontier.simulate.bias import BiasCurve, BiasStudy, PopulationKind
from assay.frontier.weighed import known
from assay.report import altair as alt
from assay.report.frontier.drawn import BLUE, GREY, HEIGHT, INK, ORANGE, WIDTH, Row, finished, hover
from assay.studies.frontier.simulating import PAPER

CLOSE_UP = 200
"""The close-up shows so many generations."""


def bias_charts(study: BiasStudy) -> dict[str, Any]:
    """Return altair charts by name: the oracle by generations, its close-up, and the decay of its bias.

    There is one `oracle-L-models` for each number of models with equal rates (the paper's figures 2a and
    2b), `oracle-close-up` for the most models at the greatest rate below 1 (figure 3), and `bias-decay`.
    """
    equal = [curve for curve in study.curves if curve.population.kind is PopulationKind.EQUAL]
    numbers = sorted({_models(curve) for curve in equal})
    charts = {
        f"oracle-{count}-models": oracle_chart([curve for curve in equal if _models(curve) == count], study)
        for count in numbers
    }
    most = [curve for curve in equal if _models(curve) == numbers[-1] and 0.0 < curve.truth < 1.0]
    if most:
        charts["oracle-close-up"] = close_up_chart(max(most, key=lambda curve: curve.truth), study)
    charts["bias-decay"] = decay_chart(
        [curve for curve in study.curves if _models(curve) == numbers[-1]], study
    )
    return charts


def oracle_chart(curves: list[BiasCurve], study: BiasStudy) -> Any:
    """Return a chart of the expected biased oracle by generations, with a curve for each success rate."""
    rows = [row for curve in curves for row in _oracle_rows(curve, study)]
    rates = sorted({row["rate"] for row in rows})
    colour = alt.Color("rate:Q", scale=alt.Scale(scheme="viridis", domain=[0.0, 1.08]), legend=None)
    tips = [
        alt.Tooltip("name:N", title="success rate"),
        alt.Tooltip("generations:Q", format=","),
        alt.Tooltip("oracle:Q", title="biased oracle, %", format=".2f"),
        alt.Tooltip("bias:Q", title="bias, points", format=".2f"),
    ]
    y = alt.Y("oracle:Q", title="biased oracle, % right", scale=alt.Scale(domain=[0, 103], nice=False))
    base = alt.Chart(alt.InlineData(values=rows)).encode(x=_generations(study), y=y)
    truth = alt.Chart(alt.InlineData(values=[{"oracle": 100 * rate, "rate": rate} for rate in rates]))
    levels = truth.mark_rule(strokeDash=[2, 4], opacity=0.55).encode(y="oracle:Q", color=colour)
    lines = base.mark_line(strokeWidth=2.25).encode(color=colour, detail="rate:N")
    last = base.transform_filter(alt.datum.generations == int(study.sizes[-1]))
    names = last.mark_text(align="left", dx=8, fontSize=11, color=INK).encode(text="name:N")
    count = _models(curves[0])
    return finished(
        alt.layer(levels, lines, hover(base, tips), names).properties(width=WIDTH, height=HEIGHT),
        f"The biased oracle falls with more generations: {count} models",
        "Simulated: equal, independent models with success rate p; exact. Dashed: the true oracle, which is "
        "p.",
    )


def close_up_chart(curve: BiasCurve, study: BiasStudy) -> Any:
    """Return a chart of the first generations of one curve, with its asymptotic form and equation 7."""
    rate, count = curve.truth, _models(curve)
    sizes = np.array([size for size in study.sizes if size <= CLOSE_UP], dtype=np.float64)
    places = np.arange(len(sizes))
    tends = np.zeros(len(sizes)) if curve.asymptote is None else curve.asymptote[places]
    spread = np.sqrt(rate * (1.0 - rate))
    series = {
        "biased oracle": rate + curve.bias[places],
        "asymptotic form: p + m sqrt(p(1-p)/G)": rate + tends,
        "equation 7: sqrt(2 log L) for m": rate + np.array([gaussian_bias(spread, count, n) for n in sizes]),
    }
    top = 1.0 + 0.75 * (1.0 - rate)
    rows = [
        {"series": name, "generations": int(size), "oracle": 100.0 * float(value)}
        for name, values in series.items()
        for size, value in zip(sizes, values, strict=True)
        if value <= top
    ]
    names = list(series)
    scale = alt.Scale(domain=names, range=[BLUE, ORANGE, GREY])
    dashes = alt.Scale(domain=names, range=[[1, 0], [6, 3], [2, 3]])
    legend = alt.Legend(
        orient="bottom", direction="vertical", title=None, labelLimit=400, symbolStrokeWidth=2.5
    )
    scale_y = alt.Scale(domain=[100.0 * rate - 12.0 * (1.0 - rate), 100.0 * top], nice=False)
    y = alt.Y("oracle:Q", title="biased oracle, % right", scale=scale_y)
    tips = [
        alt.Tooltip("series:N"),
        alt.Tooltip("generations:Q"),
        alt.Tooltip("oracle:Q", title="%", format=".2f"),
    ]
    base = alt.Chart(alt.InlineData(values=rows)).encode(x=_generations(study, CLOSE_UP), y=y)
    lines = base.mark_line(strokeWidth=2.25).encode(
        color=alt.Color("series:N", scale=scale, legend=legend),
        strokeDash=alt.StrokeDash("series:N", scale=dashes, legend=legend),
    )
    marks = alt.Chart(alt.InlineData(values=[{"oracle": 100.0 * rate, "name": f"true oracle {rate:g}"}]))
    level = marks.mark_rule(color=INK, strokeDash=[2, 4]).encode(y=y)
    label = marks.mark_text(align="left", x=6, dy=-7, color=INK, fontSize=11).encode(y=y, text="name:N")
    return finished(
        alt.layer(level, label, lines, hover(base, tips)).properties(width=WIDTH, height=HEIGHT),
        f"The first generations differ from the asymptotic form: {count} models, p = {rate:g}",
        "Simulated: equal, independent models; exact. No oracle exceeds 100 %, so the curve starts flat.",
    )


def decay_chart(curves: list[BiasCurve], study: BiasStudy) -> Any:
    """Return a chart of the bias on logarithmic scales and of its local exponents, by population."""
    shown = [curve for curve in curves if curve.bias[0] > 0.0]
    middle = next(
        (curve.population.rate for curve in shown if curve.population.kind is PopulationKind.HETEROGENEOUS),
        None,
    )
    shown = [
        curve
        for curve in shown
        if curve.population.kind is not PopulationKind.EQUAL
        or middle is None
        or curve.population.rate == middle
    ]
    rows = [row for curve in shown for row in _decay_rows(curve, study)]
    names = list(dict.fromkeys(row["population"] for row in rows))
    colour = alt.Color(
        "population:N",
        sort=names,
        scale=alt.Scale(domain=names, range=_colours(len(names))),
        legend=alt.Legend(orient="right", title=None, labelLimit=260, symbolStrokeWidth=3),
    )
    tips = [
        alt.Tooltip("population:N"),
        alt.Tooltip("generations:Q", format=","),
        alt.Tooltip("bias:Q", title="bias, points", format=".4g"),
        alt.Tooltip("exponent:Q", title="exponent", format=".3f"),
        alt.Tooltip("range:N", title="95 % over prompts"),
    ]
    base = alt.Chart(alt.InlineData(values=rows)).encode(x=_generations(study))
    powers = alt.Axis(values=[10.0**power for power in range(-12, 3)], format="~g")
    bias = base.encode(
        y=alt.Y("bias:Q", title="bias, points of 100", scale=alt.Scale(type="log"), axis=powers)
    )
    left = alt.layer(bias.mark_line(strokeWidth=2).encode(color=colour), hover(bias, tips))
    exponents = base.transform_filter("isValid(datum.exponent)").encode(
        y=alt.Y("exponent:Q", title="local exponent of decay", scale=alt.Scale(domain=[0, 1.3], clamp=True))
    )
    band = alt.Chart(alt.InlineData(values=[{"low": PAPER[0], "high": PAPER[1]}]))
    rules = alt.Chart(alt.InlineData(values=[{"at": 0.5}, {"at": 1.0}]))
    right = alt.layer(
        band.mark_rect(color="#bbbbbb", opacity=0.3).encode(y="low:Q", y2="high:Q"),
        rules.mark_rule(color=INK, strokeDash=[3, 3], opacity=0.7).encode(y="at:Q"),
        exponents.mark_line(strokeWidth=2).encode(color=colour),
        hover(exponents, tips),
    )
    size = {"width": 350, "height": HEIGHT}
    return finished(
        alt.hconcat(left.properties(**size), right.properties(**size), spacing=30),
        f"The decay of the bias depends on how often the best models tie: {_models(curves[0])} models",
        "Simulated rates, exact bias. Grey: the paper's range of exponents, 0.25-0.75; dashed: 1/2 (ties) "
        "and 1 (continuous gaps).",
    )


def _oracle_rows(curve: BiasCurve, study: BiasStudy) -> Iterator[Row]:
    for at, size in enumerate(study.sizes):
        yield {
            "rate": curve.truth,
            "name": f"p = {curve.truth:g}",
            "generations": int(size),
            "oracle": 100.0 * (curve.truth + float(curve.bias[at])),
            "bias": 100.0 * float(curve.bias[at]),
        }


def _decay_rows(curve: BiasCurve, study: BiasStudy) -> Iterator[Row]:
    for at, size in enumerate(study.sizes):
        interval = ""
        if curve.low is not None and curve.high is not None:
            interval = f"{curve.low[at]:.2f} to {curve.high[at]:.2f}"
        yield {
            "population": _name(curve),
            "generations": int(size),
            "bias": 100.0 * float(curve.bias[at]) if curve.bias[at] > 0.0 else None,
            "exponent": known(curve.exponents[at]),
            "range": interval,
        }


def _name(curve: BiasCurve) -> str:
    population = curve.population
    if population.kind is PopulationKind.EQUAL:
        return f"equal rates, p = {population.rate:g}"
    if population.kind is PopulationKind.HETEROGENEOUS:
        return f"rates differ, correlation {population.correlation:g}"
    return "graphical model"


def _colours(count: int) -> list[str]:
    kinds = [INK, "#56b4e9", "#0072b2", "#009e73", "#e69f00", "#d55e00", "#cc79a7", "#999999", "#8c510a"]
    return [kinds[at % len(kinds)] for at in range(count)]


def _models(curve: BiasCurve) -> int:
    return int(curve.population.rates.shape[1])


def _generations(study: BiasStudy, most: int | None = None) -> alt.X:
    last = int(study.sizes[-1]) if most is None else min(most, int(study.sizes[-1]))
    ticks = [value for power in range(7) for value in (10**power, 2 * 10**power, 5 * 10**power)]
    shown_ticks = [tick for tick in ticks if tick <= last and (last <= 1_000 or str(tick)[0] == "1")]
    axis = alt.Axis(values=shown_ticks, format=",d", grid=True)
    return alt.X(
        "generations:Q",
        title="generations of each model",
        scale=alt.Scale(type="log", domain=[1, max(last, 2)], nice=False),
        axis=axis,
    )
