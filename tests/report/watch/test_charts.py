"""The charts of the watch's page."""

import json
from collections.abc import Callable
from datetime import timedelta

import pytest

from assay.report.watch.charts import model_columns, scored_use_cases, scores_chart, sequential_chart
from assay.runs.watch.verdicts import Verdicts

ROW = {
    "day": 0,
    "from": -43_200_000,
    "to": 43_200_000,
    "score": 60.0,
    "mean": 90.0,
    "low": 80.0,
    "high": 100.0,
    "state": "cooked",
    "fit": True,
    "level": 1.2,
    "alarm": True,
    "text": "a day",
}


@pytest.mark.parametrize("chart", [scores_chart, sequential_chart])
def test_a_chart_uses_the_colours_and_data_of_the_page(chart) -> None:  # type: ignore[no-untyped-def]
    """Its data has a name and no address, and its colours are CSS variables."""
    text = json.dumps(chart())
    assert '"url"' not in text
    assert '"name": "days"' in text
    assert "var(--line)" in text
    assert "#" not in text.replace("schema#", "")


@pytest.mark.parametrize(("chart", "scale"), [(scores_chart, [0, 100]), (sequential_chart, [0.0001, 10])])
def test_scales_are_the_same_on_every_chart(chart, scale) -> None:  # type: ignore[no-untyped-def]
    """Use cases can be compared with each other."""
    domains = [
        layer["encoding"]["y"]["scale"]["domain"]
        for layer in chart()["layer"]
        if "scale" in layer["encoding"].get("y", {})
    ]
    assert domains == [scale]


def test_vega_lite_compiles_them() -> None:
    """vl-convert refuses a specification that Vega-Lite cannot read."""
    convert = pytest.importorskip("vl_convert")
    for spec in (scores_chart(), sequential_chart()):
        compiled = convert.vegalite_to_vega({**spec, "width": 300, "datasets": {"days": [ROW]}})
        assert {mark["type"] for mark in compiled["marks"]} >= {"line", "symbol", "rect"}


MakeVerdicts = Callable[..., Verdicts]


def test_the_columns_agree_with_the_day_reports(verdicts: MakeVerdicts) -> None:
    """Score, baseline, state, counts and the sequential test's level, day by day."""
    made = verdicts(days=16, falls={1: 12}, errors=[(1, 8)])
    columns = model_columns(made, 1, 15)
    use_case = columns["useCases"]["0"]
    for report in made.history(1):
        day = (report.verdict.day - made.stored.history.first).days
        verdict = report.verdict.use_cases[0]
        counts = verdict.counts
        assert use_case["states"][day] == {"GAP": "g", "CALIBRATING": "c", "OK": "o", "SUSPICIOUS": "s"}.get(
            verdict.state.name, "k"
        )
        assert use_case["score"][day] == (None if verdict.score is None else round(verdict.score, 1))
        assert [column[day] for column in use_case["counts"]] == [
            counts.ok,
            counts.invalid,
            counts.error,
            counts.ungraded,
        ]
        if verdict.baseline is not None:
            assert use_case["mean"][day] == round(verdict.baseline.mean, 1)
            assert use_case["spread"][day] == round(verdict.baseline.spread, 1)
        assert (columns["sequential"]["level"][day] or 0.0) == pytest.approx(
            report.sequential.level, rel=0.01
        )
        assert (day in columns["sequential"]["alarms"]) == report.sequential.alarm


def test_columns_go_from_the_first_measured_day_to_the_last_shown(verdicts: MakeVerdicts) -> None:
    """The first three days were not measured, and the last five are not shown."""
    made = verdicts(days=15, absent=[(0, 0), (0, 1), (0, 2)])
    columns = model_columns(made, 0, 9)
    assert columns["begin"] == 3
    assert len(columns["useCases"]["0"]["score"]) == len(columns["sequential"]["level"]) == 7
    assert made.last_day - made.stored.history.first == timedelta(days=14)


def test_a_day_answered_by_another_provider_is_a_gap(verdicts: MakeVerdicts) -> None:
    """The model has no score on it."""
    use_case = model_columns(verdicts(days=10, elsewhere=[(0, 9)]), 0, 9)["useCases"]["0"]
    assert use_case["score"][9] is None
    assert use_case["fit"] == "1111111110"


def test_a_use_case_that_was_never_graded_has_no_columns(verdicts: MakeVerdicts) -> None:
    """Its samples are all ungraded."""
    made = verdicts(days=10, ungraded=[1])
    assert scored_use_cases(made.judgement, 0, 9) == (0,)
    assert set(model_columns(made, 0, 9)["useCases"]) == {"0"}
