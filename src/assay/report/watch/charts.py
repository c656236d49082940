"""The charts of the watch's page, for daily scores and for the sequential test, and their data.

The page gives each chart its data under the name `days`. Colours are the page's CSS variables, so charts
switch between light and dark with the page.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.core.verdict import UseCaseState as State
from assay.report import altair as alt
from assay.report.watch.strip import first_day
from assay.runs.watch.verdicts import Verdicts
from assay.watch.judgement import Judgement

ROWS = "days"
INK, QUIET, GRID = "var(--ink)", "var(--quiet)", "var(--rule)"
LINE, BAND = "var(--line)", "var(--band)"
COOKED, SUSPICIOUS, PAPER = "var(--cooked)", "var(--suspicious)", "var(--paper)"
FONT = "system-ui, sans-serif"
LEAST_LEVEL = 1e-4


# Fields instead of filtered layers: Vega warns about an empty layer, which has no extent.
PLAIN = "datum.fit ? datum.score : null"
UNFIT = "datum.fit ? null : datum.score"
UNSCORED = "datum.score === null && datum.state !== 'none' ? 0 : null"
FLAGGED = (("suspicious", "triangle-down", SUSPICIOUS, 46), ("cooked", "diamond", COOKED, 70))
LETTERS = {State.GAP: "g", State.CALIBRATING: "c", State.OK: "o", State.SUSPICIOUS: "s", State.COOKED: "k"}


@cache
def scores_chart() -> dict[str, Any]:
    """Return the specification of one use case's daily scores.

    Rows: `day`, `from` and `to` (milliseconds, UTC), `score`, `mean`, `low`, `high`, `state`, `fit` (false if
    the score may not change the state), and `text` (the tooltip). Missing values are null.
    """
    y = alt.Y(
        "score:Q",
        title=None,
        scale=alt.Scale(domain=[0, 100], nice=False),
        axis=alt.Axis(values=[0, 50, 100], grid=True),
    )
    base = alt.Chart().encode(x=_days())
    band = base.mark_area(color=BAND, clip=True).encode(y=_at("low"), y2="high:Q")
    mean = base.mark_line(color=QUIET, strokeWidth=1, strokeDash=[3, 3]).encode(y=_at("mean"))
    line = base.mark_line(color=LINE, strokeWidth=1.5).encode(y=y)
    dots = base.mark_point(size=7, fill=LINE, strokeWidth=0, opacity=1).encode(y=_at("plain"))
    unfit = base.mark_point(size=22, fill=PAPER, stroke=LINE, strokeWidth=1, opacity=1).encode(y=_at("unfit"))
    gaps = base.mark_text(text="–", color=QUIET, fontSize=12, dy=-5).encode(y=_at("unscored"))
    flagged = [
        base.mark_point(
            shape=shape, size=size, fill=colour, stroke=PAPER, strokeWidth=0.75, opacity=1
        ).encode(y=_at(state))
        for state, shape, colour, size in FLAGGED
    ]
    states = {state: f"datum.state === '{state}' ? datum.score : null" for state, *_ in FLAGGED}
    drawn = alt.layer(band, mean, line, dots, unfit, gaps, *flagged, _pointed(), data=alt.NamedData(ROWS))
    return _specification(
        drawn.transform_calculate(plain=PLAIN, unfit=UNFIT, unscored=UNSCORED, **states), height=96
    )


@cache
def sequential_chart() -> dict[str, Any]:
    """Return the specification of the sequential test's evidence, with its alarm line at 1.

    Rows: `day`, `from`, `to`, `level` (null before the first bet), `alarm` and `text` (the tooltip).
    """
    y = alt.Y(
        "level:Q",
        title=None,
        scale=alt.Scale(type="log", domain=[LEAST_LEVEL, 10], nice=False, clamp=True),
        axis=alt.Axis(values=[0.0001, 0.01, 1], format="~r", grid=False),
    )
    base = alt.Chart().encode(x=_days())
    limit = base.mark_rule(color=COOKED, strokeWidth=1, strokeDash=[5, 3]).encode(
        x=alt.value(0), x2=alt.value("width"), y=alt.datum(1, type="quantitative")
    )
    line = base.mark_line(color=LINE, strokeWidth=1.5).encode(y=y)
    alarms = base.mark_point(
        shape="diamond", size=70, fill=COOKED, stroke=PAPER, strokeWidth=0.75, opacity=1
    ).encode(y=_at("raised"))
    drawn = alt.layer(limit, line, alarms, _pointed(), data=alt.NamedData(ROWS))
    return _specification(drawn.transform_calculate(raised="datum.alarm ? datum.level : null"), height=96)


def _days() -> alt.X:
    axis = alt.Axis(format="%d %b", tickCount=4, labelFlush=True, labelOverlap=True, grid=False)
    return alt.X("day:T", title=None, scale=alt.Scale(type="utc", nice=False), axis=axis)


def _at(field: str) -> alt.Y:
    return alt.Y(f"{field}:Q", title=None)


def _pointed() -> Any:
    """Return an invisible mark over each day that shows its tooltip."""
    pointed = alt.selection_point(on="pointerover", clear="pointerout", empty=False, name="pointed")
    return (
        alt.Chart()
        .mark_rect(fill=INK)
        .encode(
            x=alt.X("from:T", title=None),
            x2="to:T",
            y=alt.value(0),
            y2=alt.value("height"),
            opacity=alt.condition(pointed, alt.value(0.08), alt.value(0)),
            tooltip="text:N",
        )
        .add_params(pointed)
    )


def _specification(chart: Any, *, height: int) -> dict[str, Any]:
    styled = (
        chart.properties(
            width="container", height=height, autosize=alt.AutoSizeParams(type="fit-x", contains="padding")
        )
        .configure(
            background="transparent",
            font=FONT,
            aria=False,
            padding={"left": 0, "right": 6, "top": 6, "bottom": 0},
        )
        .configure_mark(invalid="break-paths-show-domains")
        .configure_view(stroke=None)
        .configure_axis(
            labelColor=QUIET,
            labelFontSize=11,
            gridColor=GRID,
            domainColor=GRID,
            tickColor=GRID,
            tickSize=4,
            labelPadding=4,
        )
        .configure_axisY(domain=False, ticks=False, minExtent=32, maxExtent=32)
    )
    document: dict[str, Any] = styled.to_dict()
    return document


def scored_use_cases(judged: Judgement, model: int, last: int) -> tuple[int, ...]:
    """Return the positions of the use cases in which a model has a score on any day up to day `last`."""
    scored = ~np.isnan(judged.matched.scores[model, :, : last + 1])
    return tuple(int(place) for place in np.flatnonzero(scored.any(axis=1)))


def model_columns(verdicts: Verdicts, model: int, last: int) -> dict[str, Any]:
    """Return the data of one model's charts, from its first day to day `last`.

    `begin` is the position of the first day. The columns in `useCases` and `sequential` have one entry per
    day; missing numbers are null. Scores, means and spreads are 0-100, `drop` is a fraction, and `counts` are
    the ok, invalid, error and ungraded samples.
    """
    judged = verdicts.judgement
    days = slice(first_day(judged, model), last + 1)
    return {
        "begin": days.start,
        "useCases": {
            str(place): _use_case_columns(judged, model, place, days)
            for place in scored_use_cases(judged, model, last)
        },
        "sequential": _sequential_columns(verdicts, model, days),
    }


def last_alarm(verdicts: Verdicts, model: int, last: int) -> int | None:
    """Return the position of the sequential test's latest alarm up to day `last`; None without one."""
    alarms = np.flatnonzero(verdicts.course.alarm[model, : last + 1])
    return int(alarms[-1]) if alarms.size else None


def _use_case_columns(judged: Judgement, model: int, place: int, days: slice) -> dict[str, Any]:
    daily, baseline, evidence = judged.daily, judged.baseline, judged.evidence
    cell = (model, place, days)
    low, high = judged.history.starts[place : place + 2]
    return {
        "states": "".join(LETTERS[State(state)] for state in evidence.state[cell]),
        "fit": "".join("1" if fit else "0" for fit in evidence.counted[cell]),
        "score": _numbers(judged.matched.scores[cell], 1),
        "mean": _numbers(baseline.mean[cell], 1),
        "spread": _numbers(baseline.spread[cell], 1),
        "z": _numbers(evidence.z[cell], 1),
        "drop": _numbers(evidence.drop[cell], 2),
        "counts": [
            column[model, low:high, days].sum(axis=0).tolist()
            for column in (daily.ok, daily.invalid, daily.error, daily.ungraded)
        ],
    }


def _sequential_columns(verdicts: Verdicts, model: int, days: slice) -> dict[str, Any]:
    # The daily reports would write all evidence in words, which takes a minute for a year of 20 models.
    course = verdicts.course
    return {
        "level": [float(f"{level:.3g}") if level else None for level in course.level[model, days]],
        "alarms": np.flatnonzero(course.alarm[model, days]).tolist(),
    }


def _numbers(values: npt.NDArray[np.float64], decimals: int) -> list[float | None]:
    return [None if np.isnan(value) else round(float(value), decimals) for value in values]
