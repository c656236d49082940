"""Reviewing questions: the next question of a reviewer, decisions, second reviewers and daily caps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection, Engine

from assay.core.errors import AssayError, Conflict, Denied, InvalidInput, NotFound
from assay.core.question import QuestionKind, QuestionState
from assay.core.times import DAY_SECONDS
from assay.questions.screen import NO_FAULT, Decided, Decision, settle
from assay.results.review import Reviewer
from assay.store.bank.changes import next_revision, set_state
from assay.store.bank.questions import StoredQuestion, questions_by_id
from assay.store.bank.reviewers import active_reviewer, hold_reviewer, read_since
from assay.store.bank.reviews import (
    QuestionStatus,
    ReviewRow,
    decisions_on,
    keep_reviews,
    lock_questions,
    lock_questions_by_id,
    next_unread,
    turns_of,
)
from assay.store.bank.variants import variants_of
from assay.store.engine import reading, writing

LONGEST_NAME = 100
LONGEST_REASON = 2000
INHERITED = "the question it was made from was rejected"
"""The reason of the rejections that follow from the rejection of another question."""
Decisions = dict[int, dict[int, str]]
"""The decisions on questions, by question id and reviewer id."""


@dataclass(slots=True)
class DecisionOutcomes:
    """The outcomes of decisions in their order: the question's new state, or the refusal."""

    states: list[QuestionState | None] = field(default_factory=list)
    refused: list[AssayError | None] = field(default_factory=list)

    @property
    def counts(self) -> Counter[str]:
        """The number of questions that got each state, and of refusals."""
        return Counter("refused" if state is None else state.value for state in self.states)


def day_start(now: float) -> float:
    """Return the start of the day in UTC, in seconds since 1970."""
    return now - now % DAY_SECONDS


def check_name(name: str) -> str:
    """Return a reviewer's name without spaces around it. Raises InvalidInput for an empty or long name."""
    name = name.strip()
    if not 0 < len(name) <= LONGEST_NAME:
        raise InvalidInput(f"invalid reviewer name {name!r}: use 1 to {LONGEST_NAME} characters")
    return name


def remaining_today(connection: Connection, reviewer: Reviewer, now: float) -> int:
    """Return how many questions a reviewer may still read today."""
    return max(0, reviewer.daily_cap - read_since(connection, reviewer.id, day_start(now)))


def next_question(
    engine: Engine,
    reviewer: str,
    *,
    now: float,
    skip: Collection[int] = (),
    kind: QuestionKind | None = None,
) -> StoredQuestion | None:
    """Return the next question of a reviewer's disciplines; None if there is none.

    `skip` leaves out questions by id, and `kind` all other kinds. Raises NotFound for an unknown reviewer,
    Denied for one who left, Conflict when the daily cap is reached.
    """
    with reading(engine) as connection:
        who = active_reviewer(connection, reviewer)
        if not remaining_today(connection, who, now):
            raise _cap_reached(who)
        number = next_unread(connection, who.id, who.disciplines, skip=skip, kind=kind)
    return None if number is None else questions_by_id(engine, [number])[number]


def decide(
    engine: Engine, reviewer: str, decided: Decided, *, second_review: bool = False, now: float
) -> QuestionState:
    """Store one decision and return the question's new state.

    With `second_review`, and for a question that a second reviewer must read, two reviewers must agree.
    Raises NotFound for an unknown reviewer or question, Denied for a reviewer who left or reads other
    disciplines, Conflict when the cap is reached or the question is settled, InvalidInput for an invalid
    reason or time.
    """
    outcomes = take_decisions(engine, reviewer, [decided], second_review=second_review, now=now)
    if (refusal := outcomes.refused[0]) is not None:
        raise refusal
    state = outcomes.states[0]
    assert state is not None
    return state


def take_decisions(
    engine: Engine, reviewer: str, decisions: Iterable[Decided], *, second_review: bool = False, now: float
) -> DecisionOutcomes:
    """Store a reviewer's decisions in one transaction; each is stored or refused with a reason.

    Raises NotFound for an unknown reviewer and Denied for one who left.
    """
    listed = list(decisions)
    outcomes = DecisionOutcomes([None] * len(listed), [None] * len(listed))
    with writing(engine) as connection:
        who = active_reviewer(connection, reviewer)
        hold_reviewer(connection, who.id)
        remaining = remaining_today(connection, who, now)
        questions = lock_questions(connection, list(dict.fromkeys(decided.uuid for decided in listed)))
        earlier = decisions_on(connection, [status.id for status in questions.values()])
        accepted: dict[int, tuple[Decided, QuestionStatus]] = {}
        decided_uuids: set[str] = set()
        for row, decided in enumerate(listed):
            status = questions.get(decided.uuid)
            if status is None:
                outcomes.refused[row] = NotFound(f"unknown question {decided.uuid!r}: check the uuid")
                continue
            refusal = _refusal(who, decided, status, earlier.get(status.id, {}), decided_uuids)
            if refusal is None and len(accepted) >= remaining:
                refusal = _cap_reached(who)
            outcomes.refused[row] = refusal
            if refusal is None:
                decided_uuids.add(decided.uuid)
                accepted[row] = decided, status
        states = _store(connection, who, list(accepted.values()), earlier, second_review, now)
        for row, state in zip(accepted, states, strict=True):
            outcomes.states[row] = state
    return outcomes


def admit_clean(engine: Engine, ids: Sequence[int], *, now: float) -> int:
    """Give raw questions without findings the state `screened`; return how many.

    No review is stored for them, because no reviewer has read them. Questions in other states are unchanged.
    """
    with writing(engine) as connection:
        statuses = lock_questions_by_id(connection, ids).values()
        clean = [status.id for status in statuses if status.state is QuestionState.RAW and not status.retired]
        if clean:
            description = f"mechanical screening: {len(clean):,} screened"
            revision = next_revision(connection, "screen", description, now)
            set_state(connection, clean, QuestionState.SCREENED, revision=revision)
    return len(clean)


def settled(status: QuestionStatus) -> AssayError | None:
    """Return the error for a question that is retired, accepted or rejected; None if it can be decided on."""
    if status.retired:
        return Conflict(f"question {status.uuid!r} is retired: choose another question")
    if status.state in (QuestionState.ACCEPTED, QuestionState.REJECTED):
        return Conflict(
            f"question {status.uuid!r} is {status.state.value} already: edit it to decide again, or "
            "retire it with `assay bank retire`"
        )
    return None


def _refusal(
    reviewer: Reviewer,
    decided: Decided,
    status: QuestionStatus,
    earlier: Mapping[int, object],
    decided_uuids: Collection[str],
) -> AssayError | None:
    """Return why a decision cannot be stored, None if it can."""
    if not reviewer.reads(status.discipline):
        own = ", ".join(reviewer.disciplines)
        return Denied(
            f"question {decided.uuid!r} is of {status.discipline!r}, but {reviewer.name!r} reads {own}: "
            "leave it to another reviewer"
        )
    if (error := settled(status) or _check_wording(decided)) is not None:
        return error
    if decided.uuid in decided_uuids:
        return InvalidInput(f"second decision on {decided.uuid!r} in this table: only the first one counts")
    if reviewer.id in earlier:
        return Conflict(
            f"{reviewer.name!r} has decided on {decided.uuid!r} already: ask another reviewer for the second "
            "decision"
        )
    return None


def _check_wording(decided: Decided) -> AssayError | None:
    reason = decided.reason.strip()
    if decided.decision is Decision.REJECT and not reason:
        return InvalidInput(f"no reason for rejecting {decided.uuid!r}: give one")
    if len(reason) > LONGEST_REASON:
        return InvalidInput(f"reason of {len(reason):,} characters: use at most {LONGEST_REASON:,}")
    if decided.seconds is not None and not 0 <= decided.seconds <= DAY_SECONDS:
        return InvalidInput(f"invalid reading time {decided.seconds!r}: use seconds from 0 to {DAY_SECONDS}")
    return None


def _cap_reached(reviewer: Reviewer) -> AssayError:
    return Conflict(
        f"{reviewer.name!r} has reached the daily cap of {reviewer.daily_cap:,} (UTC): continue tomorrow"
    )


def _store(
    connection: Connection,
    reviewer: Reviewer,
    accepted: Sequence[tuple[Decided, QuestionStatus]],
    earlier: Decisions,
    second: bool,
    now: float,
) -> list[QuestionState]:
    """Store decisions, set the states of the questions, and return these states in order."""
    if not accepted:
        return []
    turns = turns_of(connection, reviewer.id, [status.id for _, status in accepted])
    rows = [
        ReviewRow(
            status.id,
            status.version,
            reviewer.id,
            decided.decision.value,
            decided.reason.strip() or NO_FAULT,
            now,
            decided.seconds,
            turns.get(status.id, 0) + 1,
            status.state.value,
        )
        for decided, status in accepted
    ]
    if keep_reviews(connection, rows) < len(rows):
        raise Conflict("the same decision was stored by a parallel request: read the question again")
    states = []
    changed: dict[QuestionState, list[int]] = {}
    for decided, status in accepted:
        decisions = [Decision(decision) for decision in earlier.get(status.id, {}).values()]
        # A question that waits for a second reviewer is never settled by one decision.
        two_needed = second or status.state is QuestionState.REVIEWED
        state = settle([*decisions, decided.decision], second=two_needed)
        states.append(state)
        if state is not status.state:
            changed.setdefault(state, []).append(status.id)
    if changed:
        counts = ", ".join(f"{len(ids):,} {state}" for state, ids in changed.items())
        revision = next_revision(connection, "review", f"{reviewer.name}: {counts}", now)
        for state, ids in changed.items():
            set_state(connection, ids, state, revision=revision)
        _reject_variants(connection, reviewer, changed.get(QuestionState.REJECTED, ()), revision, now)
    return states


def _reject_variants(
    connection: Connection, reviewer: Reviewer, rejected: Collection[int], revision: int, now: float
) -> None:
    """Reject the variants of rejected questions, because they inherit the fault."""
    variants = [
        variant
        for variant in variants_of(connection, rejected)
        if variant.state != "rejected" and not variant.retired
    ]
    if variants:
        ids = [variant.id for variant in variants]
        turns = turns_of(connection, reviewer.id, ids)
        rows = [
            ReviewRow(
                *(variant.id, variant.version, reviewer.id, "reject", INHERITED, now, 0.0),
                turns.get(variant.id, 0) + 1,
                variant.state.value,
            )
            for variant in variants
        ]
        keep_reviews(connection, rows)
        set_state(connection, ids, QuestionState.REJECTED, revision=revision)
