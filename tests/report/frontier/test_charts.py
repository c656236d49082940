"""Charts of a frontier report: the set of charts and their figures."""

from __future__ import annotations

from typing import Any

import pytest
from frontier_reports import report

from assay.report.frontier.charts import report_charts

WITH_COSTS = {"frontier", "frontier-topic-0", "frontier-topic-1"}
ALL = {"models", "oracle-by-generations", "k-shot", "bias", "reliability", "carriers", "topic-entropy"}


def rows(spec: Any, field: str) -> list[dict[str, Any]]:
    """Return every row of a specification's data that has a field."""
    return [row for data in spec["datasets"].values() for row in data if field in row]


@pytest.mark.slow
def test_every_chart_where_everything_is_known() -> None:
    """The frontier of all prompts and of each category, and all others; each compiles to a specification."""
    charts = report_charts(report())
    assert set(charts) == ALL | WITH_COSTS
    assert all("$schema" in chart.to_dict() for chart in charts.values())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wish", "missing"),
    [
        ({"costs": False}, WITH_COSTS),
        ({"generations": 1}, {"oracle-by-generations", "k-shot", "bias", "reliability"}),
        ({"categories": 0}, {"topic-entropy", "frontier-topic-0", "frontier-topic-1"}),
        ({"continuous": True}, {"reliability"}),
    ],
    ids=["no costs", "one generation", "no categories", "continuous"],
)
def test_charts_without_data_are_left_out(wish: dict[str, Any], missing: set[str]) -> None:
    """Every other chart is there, and is drawn."""
    charts = report_charts(report(**wish))
    assert set(charts) == (ALL | WITH_COSTS) - missing
    for chart in charts.values():
        chart.to_dict()


def test_the_frontier_shows_every_model_and_the_best_one() -> None:
    """Models as points in per cent, one of them the best; arrows say what the gains say."""
    found = report()
    spec = report_charts(found)["frontier"].to_dict()
    points = rows(spec, "coverage")
    assert {row["model"] for row in points} == set(found.whole.frontier.models)
    best = found.whole.frontier.singles[found.whole.frontier.best_single]
    assert [row["model"] for row in points if row["kind"] == "best"] == [best.model]
    saved = found.whole.frontier.gains.saving.estimate.value
    assert saved is not None
    assert f"{100 * saved:.0f} % cheaper" in {row["text"] for row in rows(spec, "text")}


def test_one_model_has_a_frontier_of_one_point() -> None:
    """A range of 0 causes no division by 0."""
    for chart in report_charts(report(2, models=1)).values():
        chart.to_dict()
