"""What decisions come to."""

from __future__ import annotations

from every_row import every_row

from assay.core.question import QuestionState
from assay.questions.screen import Decision, settle

YES, NO = Decision.ACCEPT, Decision.REJECT


@every_row(
    "decisions, second, state",
    [
        ([], False, QuestionState.RAW),
        ([YES], False, QuestionState.ACCEPTED),
        ([NO], False, QuestionState.REJECTED),
        ([YES], True, QuestionState.REVIEWED),
        ([NO], True, QuestionState.REVIEWED),
        ([YES, YES], True, QuestionState.ACCEPTED),
        ([NO, NO], True, QuestionState.REJECTED),
        ([YES, NO], True, QuestionState.REVIEWED),
        ([YES, NO, YES], True, QuestionState.ACCEPTED),
        ([NO, YES, NO], True, QuestionState.REJECTED),
        ([YES, NO, YES, NO], True, QuestionState.REVIEWED),
    ],
)
def test_the_majority_settles_a_question(
    decisions: list[Decision], second: bool, state: QuestionState
) -> None:
    """One decision is enough unless a second is wanted; then two must agree, and a third breaks a tie."""
    assert settle(decisions, second=second) is state
