"""What questions count as, and when results are published."""

from __future__ import annotations

import pytest

from assay.core.exam import AnswerStatus, SessionState
from assay.ranking.exam.standing import SittingState, Standing, missing, standing

DONE = SittingState(SessionState.FINISHED, 0)


@pytest.mark.parametrize(
    ("status", "text", "asked", "stars", "expected"),
    [
        (None, None, False, None, Standing.UNANSWERED),
        (AnswerStatus.TIMED_OUT, None, False, None, Standing.TIMED_OUT),
        (AnswerStatus.LATE, "True.", True, 3, Standing.LATE),
        (AnswerStatus.ANSWERED, " \n", False, None, Standing.EMPTY),
        (AnswerStatus.ANSWERED, "True.", False, None, Standing.UNMARKED),
        (AnswerStatus.ANSWERED, "True.", True, None, Standing.UNREAD),
        (AnswerStatus.ANSWERED, "True.", True, 0, Standing.MARKED),
    ],
)
def test_each_answer_counts_as_one_thing(
    status: AnswerStatus | None, text: str | None, asked: bool, stars: int | None, expected: Standing
) -> None:
    """Rules come before the judge: a late answer is late even where it has stars; 0 stars are a mark."""
    assert standing(status, text, excluded=False, asked=asked, stars=stars) is expected
    assert standing(status, text, excluded=True, asked=asked, stars=stars) is Standing.EXCLUDED


def test_three_finished_and_marked_sittings_are_published() -> None:
    """Sessions that were never finished neither help nor hinder."""
    assert missing([DONE] * 3) == ()
    assert missing([DONE] * 3 + [SittingState(SessionState.EXPIRED, 4)]) == ()


def test_what_is_missing_is_said() -> None:
    """Two sittings are too few; a third that is not marked holds publication up, even beside three others."""
    assert missing([DONE] * 2) == ("2 of 3 finished sittings",)
    lacking = SittingState(SessionState.FINISHED, 5)
    told = ("5 answers of 1 finished sittings are unmarked or unread",)
    assert missing([DONE] * 2 + [lacking]) == told
    assert missing([DONE] * 3 + [lacking]) == told
