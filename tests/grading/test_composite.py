"""Adding up grades."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.ask import Message
from assay.core.case import Case, GraderSpec, Grading
from assay.core.grade import Grade
from assay.core.judging import Mark
from assay.core.suite import UseCase
from assay.grading.composite import metrics_grade, panel_grade, sample_score

CHECK, OTHER = GraderSpec("exact"), GraderSpec("number", weight=3.0)
RUBRIC = GraderSpec("rubric", judged=True)


def score(
    *marked: tuple[GraderSpec, float | None],
    grading: Grading = Grading.HYBRID,
    weights: tuple[float, float] = (0.5, 0.5),
    own: tuple[float, float] | None = None,
) -> float | None:
    """Return the score of a case with these graders and marks."""
    case = Case("c", "u", (Message("user", "?"),), tuple(spec for spec, _ in marked), weights=own)
    use_case = UseCase("u", "U", grading, 1, 1, (case,), weights)
    return sample_score(use_case, case, [Grade(value) for _, value in marked])


def test_checks_are_averaged_by_weight() -> None:
    """A whole mark of weight 1 and none of weight 3 are a quarter."""
    assert score((CHECK, 1.0), (OTHER, 0.0), grading=Grading.DETERMINISTIC) == 25.0


def test_a_hybrid_case_is_half_checks_and_half_judge() -> None:
    """However many checks there are: (mean of the checks + the judge) / 2."""
    assert score((CHECK, 1.0), (OTHER, 0.0), (RUBRIC, 0.5)) == pytest.approx(100 * (0.25 + 0.5) / 2)


def test_the_use_case_s_weights_hold_and_a_case_s_own_come_before_them() -> None:
    """Three to one by the use case, one to three by the case."""
    assert score((CHECK, 1.0), (RUBRIC, 0.0), weights=(0.75, 0.25)) == 75.0
    assert score((CHECK, 1.0), (RUBRIC, 0.0), weights=(0.75, 0.25), own=(0.25, 0.75)) == 25.0


@pytest.mark.parametrize("marks", [(None, 1.0), (1.0, None), (None, None)])
def test_half_a_score_is_not_a_score(marks: tuple[float | None, float | None]) -> None:
    """Where the checks or the judge left the answer ungraded there is no score."""
    assert score((CHECK, marks[0]), (RUBRIC, marks[1])) is None


def test_one_ungraded_check_among_many_leaves_no_score() -> None:
    """Leaving it out would make the case easier."""
    assert score((CHECK, 1.0), (OTHER, None), grading=Grading.DETERMINISTIC) is None
    assert score((CHECK, None), grading=Grading.DETERMINISTIC) is None


def test_what_weighs_nothing_counts_for_nothing() -> None:
    """A grader of weight 0 only informs: neither its mark nor its lack of one matters."""
    silent = GraderSpec("contains", weight=0.0)
    assert score((CHECK, 1.0), (silent, None), grading=Grading.DETERMINISTIC) == 100.0
    assert score((silent, 1.0), grading=Grading.DETERMINISTIC) is None


def test_without_a_grader_there_is_no_score() -> None:
    """An answer that nobody marked is not worth 0."""
    assert score(grading=Grading.DETERMINISTIC) is None


@given(
    st.lists(st.tuples(st.sampled_from([CHECK, OTHER, RUBRIC]), st.floats(0, 1)), min_size=1, max_size=6),
    st.sampled_from(list(Grading)),
)
def test_scores_lie_between_the_lowest_and_the_highest_mark(
    marked: list[tuple[GraderSpec, float]], grading: Grading
) -> None:
    """Whatever the weights, adding up never leaves the range of the marks."""
    found = score(*marked, grading=grading)
    values = [100 * value for _, value in marked]
    assert found is not None
    assert min(values) - 1e-9 <= found <= max(values) + 1e-9


def test_of_several_judged_graders_those_with_a_mark_count() -> None:
    """With G-Eval missing the rubric's mark is the score; with neither there is none."""
    geval = GraderSpec("geval", judged=True)
    case = Case("c", "u", (Message("user", "?"),), (RUBRIC, geval))
    use_case = UseCase("u", "U", Grading.JUDGE, 1, 1, (case,))
    assert sample_score(use_case, case, [Grade(0.75), Grade(0.25)]) == 50.0
    assert sample_score(use_case, case, [Grade(0.75), Grade.ungraded("no library")]) == 75.0
    assert sample_score(use_case, case, [Grade.ungraded("x"), Grade.ungraded("y")]) is None


def test_a_panel_that_gave_no_mark_leaves_the_answer_ungraded() -> None:
    """G-Eval alone is half a score; without a panel that was asked it counts alone."""
    graders = (GraderSpec("rubric", {}, judged=True), GraderSpec("geval", {}, judged=True))
    failed = panel_grade((1.0, 5.0), [("a/judge", Mark(None, reason="refused"))])
    case = Case("c", "u", (Message("user", "?"),), graders)
    use_case = UseCase("u", "U", Grading.JUDGE, 1, 1, (case,))
    assert sample_score(use_case, case, [failed, Grade(0.8)]) is None
    assert sample_score(use_case, case, [Grade.ungraded("no judge"), Grade(0.8)]) == 80.0


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
    with pytest.raises(ValueError, match="more than one mark by a"):
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
