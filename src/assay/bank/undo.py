"""Undoing a decision of a reviewer: the question gets its earlier state back, and nothing is deleted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, Engine

from assay.bank.review import INHERITED
from assay.core.errors import AssayError, Conflict, NotFound
from assay.core.question import Question, QuestionState
from assay.store.bank.changes import next_revision, set_state
from assay.store.bank.questions import StoredQuestion, questions_by_id
from assay.store.bank.reviewers import active_reviewer, hold_reviewer
from assay.store.bank.reviews import (
    UNDONE,
    KeptReview,
    QuestionStatus,
    ReviewRow,
    decided_later,
    is_served,
    keep_reviews,
    kept_reviews,
    lock_questions_by_id,
)
from assay.store.bank.variants import variants_of
from assay.store.engine import reading, writing
from assay.store.schema_bank import reviews

UNDO_REASON: Final = "undone by the reviewer"


@dataclass(frozen=True, slots=True)
class PastDecision:
    """A reviewer's decision with its question. `refusal` says why it cannot be undone, None if it can."""

    number: int
    question: Question
    state: QuestionState
    row: ReviewRow
    refusal: AssayError | None


def past_decisions(engine: Engine, reviewer: str, limit: int) -> list[PastDecision]:
    """Return a reviewer's last decisions, the last one first, without rejections that followed from others.

    Decisions that were undone are listed too. Raises NotFound for an unknown reviewer, Denied for one who
    left.
    """
    with reading(engine) as connection:
        who = active_reviewer(connection, reviewer)
        kept = kept_reviews(
            connection,
            reviews.c.reviewer == who.id,
            reviews.c.decision.in_(UNDONE),
            reviews.c.reason != INHERITED,
            limit=limit,
        )
    stored = questions_by_id(engine, {review.row.question for review in kept})
    with reading(engine) as connection:
        return [
            PastDecision(
                review.id,
                stored[review.row.question].question,
                stored[review.row.question].state,
                review.row,
                _refusal(connection, review, _status(stored[review.row.question])),
            )
            for review in kept
        ]


def _status(stored: StoredQuestion) -> QuestionStatus:
    question = stored.question
    return QuestionStatus(
        stored.id,
        question.uuid,
        stored.version,
        stored.state,
        question.discipline,
        stored.retired is not None,
    )


def undo(engine: Engine, reviewer: str, number: int, *, now: float) -> int:
    """Undo a reviewer's own decision, by its number, and return the question's id.

    The question, and the variants that were rejected with it, get the states from before the decision.
    Raises NotFound for a decision that is not the reviewer's own, Denied for a reviewer who left, and
    Conflict if it was undone already, another reviewer has decided since, the question was edited, retired or
    served, or the state before is unknown.
    """
    with writing(engine) as connection:
        who = active_reviewer(connection, reviewer)
        hold_reviewer(connection, who.id)
        own = (reviews.c.id == number, reviews.c.reviewer == who.id)
        found = kept_reviews(connection, *own, reviews.c.decision.in_(UNDONE))
        if not found:
            raise NotFound(f"{reviewer!r} has no decision {number}: choose one of your list")
        (review,) = found
        status = lock_questions_by_id(connection, [review.row.question])[review.row.question]
        refusal = _refusal(connection, review, status)
        if refusal is not None:
            raise refusal
        undone = [(review, status), *_inherited(connection, review)]
        keep_reviews(connection, [_undoing(kept.row, state.state, now) for kept, state in undone])
        revision = next_revision(connection, "review", f"{who.name}: {len(undone):,} undone", now)
        for kept, _ in undone:
            before = QuestionState(kept.row.state_before or "")
            set_state(connection, [kept.row.question], before, revision=revision)
    return review.row.question


def _refusal(connection: Connection, review: KeptReview, status: QuestionStatus) -> AssayError | None:
    """Return why a decision cannot be undone, None if it can."""
    row, uuid = review.row, status.uuid
    if not review.last:
        return Conflict(f"this decision on {uuid!r} was undone already, or you have decided again")
    if row.reason == INHERITED:
        return Conflict(f"{uuid!r} was rejected with the question it was made from: undo that decision")
    if status.version != row.version:
        return Conflict(f"question {uuid!r} was edited since: decide on the new version")
    if status.retired:
        return Conflict(f"question {uuid!r} is retired: its decisions are final")
    if decided_later(connection, review):
        return Conflict(
            f"another reviewer has decided on {uuid!r} since: your decision is part of the result"
        )
    if is_served(connection, status.id):
        return Conflict(
            f"question {uuid!r} was served in an exam: retire it with `assay bank retire` instead"
        )
    if row.state_before is None:
        return Conflict(
            f"the state of {uuid!r} before this decision was not recorded: edit it to decide again"
        )
    return None


def _inherited(connection: Connection, review: KeptReview) -> Iterator[tuple[KeptReview, QuestionStatus]]:
    """Yield the rejections of variants that followed from a rejection, where nothing has happened since."""
    variants = variants_of(connection, [review.row.question]) if review.row.decision == "reject" else []
    statuses = lock_questions_by_id(connection, [variant.id for variant in variants])
    for kept in _rejected_with(connection, review.row, list(statuses)):
        status = statuses[kept.row.question]
        if kept.last and status.version == kept.row.version and not status.retired:
            yield kept, status


def _rejected_with(connection: Connection, row: ReviewRow, variants: Sequence[int]) -> list[KeptReview]:
    return kept_reviews(
        connection,
        reviews.c.question.in_(variants),
        reviews.c.reviewer == row.reviewer,
        reviews.c.at == row.at,
        reviews.c.reason == INHERITED,
    )


def _undoing(row: ReviewRow, state: QuestionState, now: float) -> ReviewRow:
    """Return the row that undoes another one; it counts no reading time."""
    return row._replace(
        decision=UNDONE[row.decision],
        reason=UNDO_REASON,
        at=now,
        seconds=0.0,
        turn=row.turn + 1,
        state_before=state.value,
    )
