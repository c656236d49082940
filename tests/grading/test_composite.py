"""Adding up grades."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.ask import Message
from assay.core.case import Case, GraderSpec, Grading
from assay.core.grade import Grade
from assay.core.judging import Mark
from assay.core.suite import UseCase
from assay.grading.composite import checks_score, sample_score
from assay.grading.panel import panel_grade

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


def test_the_mechanical_part_is_told_by_itself() -> None:
    """Where the judge is missing, what the checks found can still be shown."""
    case = Case("c", "u", (Message("user", "?"),), (CHECK, RUBRIC))
    assert checks_score(case, [Grade(0.5), Grade(None)]) == 50.0
    assert checks_score(case, [Grade(None), Grade(1.0)]) is None
    judged = Case("c", "u", (Message("user", "?"),), (RUBRIC,))
    assert checks_score(judged, [Grade(1.0)]) is None


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
