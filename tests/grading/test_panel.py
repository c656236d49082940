"""Marks of several judges, or for several metrics, made one grade."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.judging import Mark
from assay.grading.panel import metrics_grade, panel_grade

SCALE = (1.0, 5.0)


def test_a_grade_is_the_mean_of_the_rescaled_marks() -> None:
    """Marks of 5, 4 and 3 out of 1-5 are 1, 0.75 and 0.5: their mean is 0.75."""
    grade = panel_grade(SCALE, [("a", Mark(5)), ("b", Mark(4)), ("c", Mark(3))])
    assert grade.value == pytest.approx(0.75)
    assert grade.evidence["mean"] == pytest.approx(4.0)


def test_stars_are_rescaled_by_their_own_scale() -> None:
    """Two of three stars are two thirds."""
    assert panel_grade((0.0, 3.0), [("a", Mark(2))]).value == pytest.approx(2 / 3)


def test_a_judge_without_a_mark_is_left_out_and_named() -> None:
    """The mean is over those that marked; the evidence says who is missing and why."""
    grade = panel_grade(SCALE, [("a", Mark(3)), ("b", Mark(None, reason="its call failed: time-out"))])
    assert grade.value == pytest.approx(0.5)
    assert grade.evidence["missing"] == ["b"]
    assert grade.evidence["judges"][1]["reason"] == "its call failed: time-out"


def test_without_any_mark_the_answer_is_ungraded_with_every_reason() -> None:
    """No mark is made up, and each judge's reason is told."""
    grade = panel_grade(SCALE, [("a", Mark(None, reason="prose")), ("b", Mark(None, reason="time-out"))])
    assert grade.value is None
    assert grade.reason == "a: prose; b: time-out"
    assert grade.evidence["missing"] == ["a", "b"]


def test_an_empty_panel_is_ungraded() -> None:
    """Nobody asked means no grade."""
    assert panel_grade(SCALE, []).value is None


@pytest.mark.parametrize("value", [7.0, 0.0, -1.0, math.nan, math.inf], ids=str)
def test_a_mark_outside_the_scale_is_missing(value: float) -> None:
    """Seven of five is not counted, and its reason names it."""
    grade = panel_grade(SCALE, [("a", Mark(value)), ("b", Mark(5))])
    assert grade.value == 1.0
    assert grade.evidence["missing"] == ["a"]
    assert "outside 1-5" in grade.evidence["judges"][0]["reason"]


def test_a_judge_named_twice_is_refused() -> None:
    """Doubled judgements are not averaged without a word."""
    with pytest.raises(ValueError, match="did more often: a"):
        panel_grade(SCALE, [("a", Mark(3)), ("a", Mark(5))])


def test_metrics_are_averaged_over_those_that_returned() -> None:
    """Two metrics of three came back: their mean counts, the third is missing."""
    marks = [
        ("correctness", Mark(0.9)),
        ("coherence", Mark(None, reason="x")),
        ("instruction_following", Mark(0.5)),
    ]
    grade = metrics_grade((0.0, 1.0), marks)
    assert grade.value == pytest.approx(0.7)
    assert grade.evidence["missing"] == ["coherence"]
    assert [one["metric"] for one in grade.evidence["metrics"]] == [name for name, _ in marks]


@given(st.lists(st.one_of(st.none(), st.floats(1, 5)), max_size=6))
def test_a_grade_is_within_its_bounds_and_its_evidence_is_json(values: list[float | None]) -> None:
    """Any marks give None or 0-1, and evidence that JSON can hold."""
    marks = [(f"judge {at}", Mark(value, "why", None, "json")) for at, value in enumerate(values)]
    grade = panel_grade(SCALE, marks)
    assert grade.value is None or 0.0 <= grade.value <= 1.0
    json.dumps(dict(grade.evidence), allow_nan=False)
