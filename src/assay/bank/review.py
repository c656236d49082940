"""Reviewing questions: the next one for a reviewer, decisions with reasons, second reviewers, caps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection, Engine

from assay.bank.refusals import DAY, capped, refusal, repeated, settled, twice
from assay.core.errors import AssayError, Conflict, Denied, InvalidInput
from assay.core.question import QuestionState
from assay.questions.screen import MECHANICAL, NO_FAULT, Decided, Decision, settle
from assay.store.bank.changes import next_revision, set_state
from assay.store.bank.questions import StoredQuestion, questions_by_id
from assay.store.bank.reviewers import Reviewer, hold_reviewer, read_since, reviewer_named
from assay.store.bank.reviews import (
    ReviewRow,
    Standing,
    decisions_on,
    keep_reviews,
    next_unread,
    standings,
    standings_by_id,
)
from assay.store.bank.variants import variants_of
from assay.store.engine import reading, writing

LONGEST_NAME = 100
Told = dict[int, dict[int, str]]


@dataclass(slots=True)
class Taken:
    """What became of decisions, in their order: the state that the question has by it, or why not."""

    states: list[QuestionState | None] = field(default_factory=list)
    refused: list[AssayError | None] = field(default_factory=list)

    @property
    def counts(self) -> Counter[str]:
        """How many came to each state, and how many were refused."""
        return Counter("refused" if state is None else state.value for state in self.states)


def today(now: float) -> float:
    """Return when the day began in UTC, in seconds since 1970."""
    return now - now % DAY


def working_reviewer(connection: Connection, name: str) -> Reviewer:
    """Return a reviewer who is still there. Raises NotFound for an unknown name, Denied for one who left."""
    found = reviewer_named(connection, name)
    if found.left_at is not None:
        raise Denied(f"reviewer {name!r} has left: decisions are taken from those who are there")
    return found


def reviewer_at_work(engine: Engine, name: str) -> Reviewer:
    """Return a reviewer who may decide now. Raises what `working_reviewer` raises."""
    with reading(engine) as connection:
        return working_reviewer(connection, name)


def check_name(name: str) -> str:
    """Return a reviewer's name without spaces around it. Raises InvalidInput for none or a very long one."""
    name = name.strip()
    if not 0 < len(name) <= LONGEST_NAME:
        raise InvalidInput(f"{name!r} is no name for a reviewer: give 1 to {LONGEST_NAME} characters")
    return name


def room(connection: Connection, who: Reviewer, now: float) -> int:
    """Return how many questions a reviewer may still read today."""
    return max(0, who.daily_cap - read_since(connection, who.id, today(now), mechanical=MECHANICAL))


def next_question(
    engine: Engine, reviewer: str, *, now: float, skip: Collection[int] = ()
) -> StoredQuestion | None:
    """Return the next question for a reviewer, in its disciplines; None when there is none.

    `skip` leaves out rows that somebody else has before him. Raises NotFound for an unknown reviewer, Denied
    for one who left, and Conflict when the day's cap is reached.
    """
    with reading(engine) as connection:
        who = working_reviewer(connection, reviewer)
        if not room(connection, who, now):
            raise capped(who)
        row = next_unread(connection, who.id, who.disciplines, skip=skip)
    return None if row is None else questions_by_id(engine, [row])[row]


def decide(
    engine: Engine, reviewer: str, decided: Decided, *, second_review: bool = False, now: float
) -> QuestionState:
    """Take in one decision and return the state that the question has by it.

    With `second_review`, and for a question that was begun so, two reviewers must agree. Raises NotFound for
    an unknown reviewer or question, Denied for a reviewer who left or reads other disciplines, Conflict when
    the cap is reached or the question is decided, InvalidInput where the decision's own words are wrong.
    """
    taken = take_decisions(engine, reviewer, [decided], second_review=second_review, now=now)
    if (why := taken.refused[0]) is not None:
        raise why
    state = taken.states[0]
    assert state is not None
    return state


def take_decisions(
    engine: Engine, reviewer: str, decisions: Iterable[Decided], *, second_review: bool = False, now: float
) -> Taken:
    """Take in a reviewer's decisions in one transaction; each is taken, or refused with a reason.

    Raises NotFound for an unknown reviewer and Denied for one who left.
    """
    listed = list(decisions)
    taken = Taken([None] * len(listed), [None] * len(listed))
    with writing(engine) as connection:
        who = working_reviewer(connection, reviewer)
        hold_reviewer(connection, who.id)
        left = room(connection, who, now)
        found = standings(connection, list(dict.fromkeys(each.uuid for each in listed)))
        told = decisions_on(connection, [each.id for each in found.values()])
        good: dict[int, tuple[Decided, Standing]] = {}
        seen: set[str] = set()
        for place, each in enumerate(listed):
            standing = found.get(each.uuid)
            why = refusal(who, each, standing) or twice(each, seen)
            if why is None and standing is not None:
                why = repeated(who, standing, told.get(standing.id, {}))
                why = why or (capped(who) if len(good) >= left else None)
            taken.refused[place] = why
            if why is None and standing is not None:
                seen.add(each.uuid)
                good[place] = each, standing
        states = _record(connection, who, list(good.values()), told, second_review, now)
        for place, state in zip(good, states, strict=True):
            taken.states[place] = state
    return taken


def accept_mechanically(
    engine: Engine, reviewer: str, ids: Sequence[int], *, second_review: bool = False, now: float
) -> Counter[str]:
    """Accept questions on the strength of the mechanical screening, in the name of a reviewer.

    Returns how many came to each state; those of other disciplines, and those that he has decided on, are
    `left`. It is no reading: the daily cap does not apply, and the reason says so.
    """
    with writing(engine) as connection:
        who = working_reviewer(connection, reviewer)
        hold_reviewer(connection, who.id)
        found = standings_by_id(connection, ids)
        begun = [each.id for each in found.values() if each.state is QuestionState.REVIEWED]
        told = decisions_on(connection, begun)
        good = [
            (Decided(each.uuid, Decision.ACCEPT, MECHANICAL), each)
            for each in found.values()
            if who.reads(each.discipline)
            and settled(each) is None
            and repeated(who, each, told.get(each.id, {})) is None
        ]
        states = _record(connection, who, good, told, second_review, now)
    counts = Counter(state.value for state in states)
    counts["left"] = len(ids) - len(states)
    return counts


def _record(
    connection: Connection,
    who: Reviewer,
    good: Sequence[tuple[Decided, Standing]],
    told: Told,
    second: bool,
    now: float,
) -> list[QuestionState]:
    """Store decisions, give the questions their states, and return these in order."""
    if not good:
        return []
    rows = [
        ReviewRow(
            standing.id,
            standing.version,
            who.id,
            each.decision.value,
            each.reason.strip() or NO_FAULT,
            now,
            each.seconds,
        )
        for each, standing in good
    ]
    if keep_reviews(connection, rows) < len(rows):
        raise Conflict("a decision was taken in twice at the same moment: look at the question and try again")
    states = []
    changed: dict[QuestionState, list[int]] = {}
    for each, standing in good:
        earlier = [Decision(one) for one in told.get(standing.id, {}).values()]
        # What was begun with two reviewers in mind is not settled by one.
        both = second or standing.state is QuestionState.REVIEWED
        state = settle([*earlier, each.decision], second=both)
        states.append(state)
        if state is not standing.state:
            changed.setdefault(state, []).append(standing.id)
    if changed:
        counts = ", ".join(f"{len(ids):,} {state}" for state, ids in changed.items())
        revision = next_revision(connection, "review", f"{who.name}: {counts}", now)
        for state, ids in changed.items():
            set_state(connection, ids, state, revision=revision)
        _follow(connection, who, changed.get(QuestionState.REJECTED, ()), revision, now)
    return states


def _follow(
    connection: Connection, who: Reviewer, rejected: Collection[int], revision: int, now: float
) -> None:
    """Reject what was made from rejected questions: a wrong original has no right variants."""
    made = [
        each for each in variants_of(connection, rejected) if each.state != "rejected" and not each.retired
    ]
    if made:
        reason = "the question it was made from was rejected"
        keep_reviews(
            connection,
            [ReviewRow(each.id, each.version, who.id, "reject", reason, now, 0.0) for each in made],
        )
        set_state(connection, [each.id for each in made], QuestionState.REJECTED, revision=revision)
