"""The score of a sitting, what questions count as, publication, and the variances of seed 003."""

from __future__ import annotations

import numpy as np
import pytest
from every_row import every_row
from hypothesis import given
from hypothesis import strategies as st

from assay.core.exam import AnswerStatus, SessionState
from assay.ranking.exam.scores import (
    missing_for_publication,
    question_standing,
    score,
    summarise_scores,
    variance,
)
from assay.results.exam_sitting import CountedQuestion, QuestionStanding, SittingState
from assay.stats.intervals import Interval

SUBJECTS = tuple(f"subject {number}" for number in range(10))
PUBLISHED = {
    "DeepSeek-R1": (91.23, (9.47, 9.43, 9.27, 9.37, 8.83, 9.37, 9.03, 9.53, 8.50, 8.43)),
    "Qwen-3-32B": (86.38, (8.43, 9.10, 8.57, 9.10, 7.77, 9.47, 8.67, 9.30, 7.70, 8.27)),
    "Doubao-1.5-Thinking-Pro": (93.67, (9.47, 9.67, 9.43, 9.77, 8.93, 9.53, 9.23, 9.70, 8.97, 8.97)),
    "o3-mini": (78.80, (7.97, 8.60, 8.30, 8.20, 6.73, 8.57, 8.53, 7.17, 7.03, 7.70)),
}
"""Rows of seed 003, table 7."""
TABLE_8 = {
    "DeepSeek-R1": ((91.23, 89.33, 88.43), 89.67, 1.36),
    "DeepSeek-V3": ((90.37, 86.60, 88.40), 88.46, 2.37),
    "Qwen-3-235B": ((90.33, 84.97, 87.27), 87.52, 4.83),
    "Qwen-3-32B": ((86.37, 80.27, 85.37), 84.00, 7.14),
    "Doubao-1.5-Thinking-Pro": ((93.67, 90.63, 91.73), 92.01, 1.57),
    "Gemini-2.5-Pro": ((91.07, 87.57, 90.60), 89.74, 2.41),
    "Gemini-2.5-Pro-Thinking": ((91.00, 87.87, 90.23), 89.70, 1.78),
    "Doubao-1.5-Pro": ((89.63, 86.43, 87.30), 87.79, 1.83),
    "Claude-Sonnet-4-Thinking": ((85.27, 85.60, 86.87), 85.91, 0.48),
    "Claude-Sonnet-4": ((85.23, 84.77, 86.23), 85.41, 0.37),
    "GPT-4o": ((82.50, 80.13, 83.30), 81.98, 1.81),
    "o1": ((87.43, 86.07, 86.87), 86.79, 0.31),
    "o3-mini": ((78.80, 76.97, 79.67), 78.48, 1.27),
}
TABLE_9 = {
    "Doubao-1.5-Thinking-Pro": ((100.0, 100.0, 100.0, 100.0, 100.0), 100.0, 0.00),
    "DeepSeek-V3": ((96.48, 96.87, 98.10, 98.02, 97.53), 97.40, 0.51),
    "Qwen-3-32B": ((92.21, 92.58, 93.93, 94.15, 93.45), 93.26, 0.71),
    "GPT-4o": ((88.08, 90.21, 91.50, 90.69, 90.48), 90.19, 1.63),
    "o3-mini": ((84.13, 85.31, 86.69, 85.56, 86.18), 85.57, 0.95),
}
DONE = SittingState(SessionState.FINISHED, 0)


def sat(marks: dict[str, list[int]]) -> list[CountedQuestion]:
    """Return the questions of a sitting from the stars of each subject."""
    return [CountedQuestion(0, code, stars) for code, given in marks.items() for stars in given]


def test_equation_1_by_hand() -> None:
    """Stars 3, 2 in law and 0, 1 in history: 6 of 12 stars are 50; on ten, law has 8.33 and history 1.67."""
    found = score(sat({"law": [3, 2], "history": [0, 1]}), {"law": 2, "history": 2})
    assert found is not None
    assert (found.value, found.plain, found.n) == (pytest.approx(50.0), pytest.approx(50.0), 4)
    assert [round(one.score or 0.0, 2) for one in found.subjects] == [8.33, 1.67]


@pytest.mark.parametrize("model", PUBLISHED)
def test_s_is_the_mean_of_ten_equal_subjects(model: str) -> None:
    """Stars that give table 7's subject scores, 100 questions each, give its S."""
    published, subjects = PUBLISHED[model]
    marks: dict[str, list[int]] = {}
    for code, on_ten in zip(SUBJECTS, subjects, strict=True):
        stars = round(on_ten * 30)
        marks[code] = [3] * (stars // 3) + ([stars % 3] if stars % 3 else [])
        marks[code] += [0] * (100 - len(marks[code]))
    found = score(sat(marks), dict.fromkeys(SUBJECTS, 100))
    assert found is not None
    assert found.value == pytest.approx(published, abs=0.02)


@given(st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=10, max_size=10))
def test_mean_of_subjects_and_equation_1_coincide_without_exclusions(given: list[list[int]]) -> None:
    """With as many questions in each subject they are one number, within its interval."""
    found = score(sat(dict(zip(SUBJECTS, given, strict=True))), dict.fromkeys(SUBJECTS, 4))
    assert found is not None
    assert found.value == pytest.approx(found.plain)
    assert found.interval.low - 1e-9 <= found.value <= found.interval.high + 1e-9


def test_an_exclusion_shortens_the_denominator_but_keeps_the_subjects_weights() -> None:
    """Law keeps half of S with one question left: (100 + 0)/2; equation 1 over three questions is 33.3."""
    found = score(sat({"law": [3], "history": [0, 0]}), {"law": 2, "history": 2})
    assert found is not None
    assert (found.value, round(found.plain, 1), found.n) == (50.0, 33.3, 3)


def test_a_subject_without_questions_left_gives_its_share_to_the_others() -> None:
    """The subject is listed as empty and has no score."""
    found = score(sat({"history": [3, 0]}), {"law": 2, "history": 2})
    assert found is not None
    assert (found.value, found.empty) == (50.0, ("law",))
    assert {one.code: one.score for one in found.subjects} == {"law": None, "history": 5.0}


def test_without_counted_questions_there_is_no_score() -> None:
    """Every question is excluded."""
    assert score([], {"law": 2}) is None


def test_a_perfect_sitting_has_an_interval() -> None:
    """30 answers of 3 stars give Clopper and Pearson's interval of 30 of 30: 88.43 to 100."""
    found = score(sat({code: [3, 3, 3] for code in SUBJECTS}), dict.fromkeys(SUBJECTS, 3))
    assert found is not None
    assert (round(found.interval.low, 2), found.interval.high) == (88.43, 100.0)


def test_the_standard_error_by_hand() -> None:
    """Two subjects with marks 1, 0 and 1, 1: variances 1/2 and 0, so the error is sqrt(1/4 * 1/4) = 25."""
    found = score(sat({"law": [3, 0], "history": [3, 3]}), {"law": 2, "history": 2})
    assert found is not None
    assert found.error == pytest.approx(25.0)


@pytest.mark.parametrize(("n", "level"), [(3, 0.45), (10, 0.9)])
def test_intervals_cover_the_true_score(n: int, level: float) -> None:
    """Of 300 simulated sittings whose subjects differ, at least 93 % of the intervals contain the true S."""
    rng = np.random.default_rng(7)
    right = np.clip(level + np.linspace(-0.08, 0.08, 10), 0.0, 1.0)
    chances = [np.array([0.6 * (1 - p), 0.4 * (1 - p), 0.3 * p, 0.7 * p]) for p in right]
    truth = 100 * float(np.mean([each @ np.arange(4) / 3 for each in chances]))
    hits = 0
    for _ in range(300):
        drawn = {
            code: [int(x) for x in rng.choice(4, n, p=each)]
            for code, each in zip(SUBJECTS, chances, strict=True)
        }
        found = score(sat(drawn), dict.fromkeys(SUBJECTS, n))
        assert found is not None
        hits += found.interval.low <= truth <= found.interval.high
    assert hits >= 279


def test_under_another_allocation_a_subject_has_its_share_of_the_draw() -> None:
    """Three questions of law and one of history: S is equation 1, not the mean of the two subjects."""
    found = score(sat({"law": [3, 3, 3], "history": [0]}), {"law": 3, "history": 1})
    assert found is not None
    assert found.value == pytest.approx(75.0)
    assert found.plain == pytest.approx(75.0)


@every_row("model", TABLE_8)
def test_table_8_divides_by_n(model: str) -> None:
    """Mean and population variance of the three promptings are the published ones, within their rounding."""
    values, mean, published = TABLE_8[model]
    assert variance(values, "population") == pytest.approx(published, abs=0.012)
    assert sum(values) / 3 == pytest.approx(mean, abs=0.011)
    assert variance(values, "sample") != pytest.approx(published, abs=0.1)


@pytest.mark.parametrize("model", TABLE_9)
def test_table_9_divides_by_n_less_1(model: str) -> None:
    """Mean and sample variance of the five trials are the published ones, within their rounding."""
    values, mean, published = TABLE_9[model]
    assert variance(values, "sample") == pytest.approx(published, abs=0.012)
    assert sum(values) / 5 == pytest.approx(mean, abs=0.006)


def test_three_sittings_by_hand() -> None:
    """90, 92, 94: mean 92, sd 2; the interval is passed through."""
    summary = summarise_scores([90.0, 94.0, 92.0], Interval(88.0, 95.0))
    assert (summary.n, summary.mean, summary.sd, summary.least, summary.most) == (3, 92.0, 2.0, 90.0, 94.0)
    assert summary.interval == Interval(88.0, 95.0)


def test_one_sitting_has_no_standard_deviation() -> None:
    """A standard deviation and a sample variance need two values."""
    assert summarise_scores([90.0], Interval(80.0, 95.0)).sd is None
    assert (variance([], "population"), variance([1.0], "sample")) == (None, None)


@pytest.mark.parametrize(
    ("status", "text", "asked", "stars", "expected"),
    [
        (None, None, False, None, QuestionStanding.UNANSWERED),
        (AnswerStatus.TIMED_OUT, None, False, None, QuestionStanding.TIMED_OUT),
        (AnswerStatus.LATE, "True.", True, 3, QuestionStanding.LATE),
        (AnswerStatus.ANSWERED, " \n", False, None, QuestionStanding.EMPTY),
        (AnswerStatus.ANSWERED, "True.", False, None, QuestionStanding.UNMARKED),
        (AnswerStatus.ANSWERED, "True.", True, None, QuestionStanding.UNREAD),
        (AnswerStatus.ANSWERED, "True.", True, 0, QuestionStanding.MARKED),
    ],
)
def test_each_answer_counts_as_one_thing(
    status: AnswerStatus | None, text: str | None, asked: bool, stars: int | None, expected: QuestionStanding
) -> None:
    """Rules take precedence over the judge: a late answer with stars stays late; 0 stars are a mark."""
    assert question_standing(status, text, excluded=False, asked=asked, stars=stars) is expected
    assert (
        question_standing(status, text, excluded=True, asked=asked, stars=stars) is QuestionStanding.EXCLUDED
    )


def test_all_sittings_finished_and_marked_are_published() -> None:
    """Three of three suffice, and void sittings are ignored."""
    void = SittingState(SessionState.CLOSED, 0, void=True)
    assert missing_for_publication([DONE] * 3, least=3) == ()
    assert missing_for_publication([DONE] * 3 + [void], least=3) == ()
    assert missing_for_publication([DONE], least=1) == ()


def test_reasons_against_publication_are_named() -> None:
    """Too few sittings, an unmarked sitting and an abandoned sitting each prevent publication."""
    assert missing_for_publication([DONE] * 2, least=3) == ("2 of 3 finished sittings",)
    lacking = SittingState(SessionState.FINISHED, 5)
    reasons = ("5 answers of 1 finished sittings are unmarked or unread",)
    assert missing_for_publication([DONE] * 2 + [lacking], least=3) == reasons
    assert missing_for_publication([DONE] * 3 + [lacking], least=3) == reasons
    broken = SittingState(SessionState.EXPIRED, 0)
    assert missing_for_publication([DONE] * 3 + [broken], least=3) == ("1 sitting ended unfinished",)
