"""The chart of operating characteristics."""

import pytest

from assay.report.watch.operating import delay_rows, false_alarm_rows, operating_chart, seen_rows
from assay.results.operating import Detection, FalseAlarms, MonteCarloEstimate, OperatingReport
from assay.watch.operating import RULES


@pytest.fixture
def report() -> OperatingReport:
    """Two drops over three days; the seed's rule sees the small one in fewer than half of the cases."""
    figure, never = MonteCarloEstimate(0.02, 0.01, 0.04), MonteCarloEstimate(None, 3.0, None)
    alarms = tuple(FalseAlarms(rule, figure, figure, 4, 200.0) for rule in RULES)
    detections = tuple(
        Detection(
            rule,
            drop,
            never if rule == "seed" and drop < 0.1 else MonteCarloEstimate(2.0, 1.0, 3.0),
            figure,
            (0.1, 0.5, 0.9),
            200,
        )
        for drop in (0.05, 0.1)
        for rule in RULES
    )
    return OperatingReport(alarms, detections, 365, 60, 3, 0.05, 15.0)


def test_the_chart_is_a_valid_specification_that_says_simulated(report: OperatingReport) -> None:
    """altair validates it against Vega-Lite's schema."""
    spec = operating_chart(report).to_dict()
    assert spec["title"]["subtitle"].startswith("Simulated.")
    assert "200 simulated falls" in spec["title"]["subtitle"]


def test_a_median_beyond_the_horizon_is_an_open_mark(report: OperatingReport) -> None:
    """It is drawn at the horizon and labelled as longer than it."""
    row = next(delay_rows(report))
    assert (row["seen"], row["delay"], row["label"]) == (False, 3, "> 3")


def test_the_curves_begin_at_zero(report: OperatingReport) -> None:
    """Day 0 is before the first fallen day's verdict."""
    rows = [row for row in seen_rows(report) if row["order"] == 0.1 and row["rule"] == "Sequential test"]
    assert [(row["day"], row["share"]) for row in rows] == [(0, 0.0), (1, 0.1), (2, 0.5), (3, 0.9)]


def test_false_alarms_state_their_denominator(report: OperatingReport) -> None:
    """The number of alarms and of simulated model-years."""
    assert next(false_alarm_rows(report))["counted"] == "4 in 200 simulated model-years"


@pytest.mark.slow
def test_it_renders_without_warnings(report: OperatingReport) -> None:
    """vl-convert draws it; a broken encoding would be an empty picture or a warning."""
    convert = pytest.importorskip("vl_convert")
    svg = convert.vegalite_to_svg(operating_chart(report).to_dict())
    assert all(
        text in svg for text in ("Fall of 5 %", "Sequential test: 0.020", "days until half are detected")
    )
