"""Opening a session: whom for, which questions, in what order, until when; and closing it."""

from __future__ import annotations

import secrets
import uuid
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from sqlalchemy import Connection, Engine

from assay.core.errors import Conflict, Denied, InvalidInput, NotFound
from assay.core.exam import Prompting, Role, SessionState
from assay.exams.delivery import end
from assay.exams.people import find_user
from assay.exams.view import SessionView, session_view
from assay.questions.draw import TEN_SUBJECTS, allocation
from assay.store.bank.changes import current_revision
from assay.store.bank.draw import draw
from assay.store.bank.units import count_units
from assay.store.engine import reading, writing
from assay.store.exam.serving import Raw, session_row
from assay.store.exam.sessions import (
    StoredDraw,
    StoredSession,
    Taker,
    draw_by_id,
    list_sessions,
    lock_organisation,
    named_draw,
    new_draw,
    new_session,
    overdue_sessions,
    session_by_id,
    taker,
)

HOURS: Final = 72.0
QUESTION_MINUTES: Final = 10.0
MOST_HOURS: Final = 30 * 24.0
MOST_MINUTES: Final = 24 * 60.0
MOST_CHARACTERS: Final = 200
SIMULATED: Final = ("simulated", "recorded")
MOST_LISTED: Final = 100_000


@dataclass(frozen=True, slots=True)
class Opening:
    """What is to be opened. `candidate` is a user's id.

    `draw` names a draw of the operator's own, made now or sat before; None makes one that has no name.
    `n` is None where the draw or the allocation tells it. `like` is a session whose questions are sat
    again, by the operator's own candidate, so that a model and its reference meet the same ones.
    """

    candidate: str
    model: str
    n: int | None
    prompting: Prompting = Prompting.ZERO_SHOT
    allocation: str = TEN_SUBJECTS
    draw: str | None = None
    like: str | None = None
    hours: float = HOURS
    question_minutes: float = QUESTION_MINUTES


def new_seed() -> int:
    """Return a seed that nobody can guess."""
    return secrets.randbits(128)


def open_session(
    connection: Connection,
    opening: Opening,
    *,
    session: str,
    seed: int,
    now: float,
    within: int | None = None,
) -> SessionView:
    """Open a session under a new id and return it. `within` is the organisation of whoever opens it.

    Must come first in its transaction. Raises NotFound for an unknown candidate, or another organisation's;
    InvalidInput for what cannot be; Conflict where the bank has too few questions that the organisation has
    not met.
    """
    _check(opening)
    found = taker(connection, opening.candidate)
    if found is None or within not in (None, found.organisation):
        raise NotFound(f"there is no candidate {opening.candidate!r}: `assay exam candidate list` lists them")
    lock_organisation(connection, found.organisation)
    if found.role != Role.CANDIDATE or found.disabled_at is not None:
        why = "is disabled" if found.disabled_at is not None else f"is a user of role {found.role}"
        raise Conflict(f"user {opening.candidate!r} {why}: sessions are for candidates")
    drawn = _drawn(connection, opening, found, seed, now)
    new_session(
        connection,
        session=session,
        organisation=found.organisation,
        candidate=found.id,
        model=opening.model,
        prompting=opening.prompting.value,
        draw=drawn.id,
        revision=drawn.revision,
        quota=drawn.n,
        simulated=opening.model.partition("/")[0] in SIMULATED,
        opened_at=now,
        deadline=now + opening.hours * 3600,
        question_seconds=opening.question_minutes * 60,
    )
    return told(connection, session)


def open_by_hand(engine: Engine, opening: Opening, *, now: float) -> SessionView:
    """Open a session as the operator does; the candidate is named by id or ORGANISATION/NAME."""
    named = replace(opening, candidate=find_user(engine, opening.candidate).id)
    with writing(engine) as connection:
        return open_session(connection, named, session=str(uuid.uuid4()), seed=new_seed(), now=now)


def close_by_hand(engine: Engine, session: str, *, now: float) -> SessionView:
    """Close a session as the operator does."""
    with writing(engine) as connection:
        return close(_locked(connection), session, now=now)


def list_by_hand(
    engine: Engine, *, now: float, state: SessionState | None = None, organisation: str | None = None
) -> list[StoredSession]:
    """Return all sessions, the newest first, of a state, of an organisation; overdue ones are ended first."""
    with writing(engine) as connection:
        expire(_locked(connection), now)
    with reading(engine) as connection:
        found = list_sessions(connection, state=None if state is None else state.value, limit=MOST_LISTED)
    return [each for each in found if organisation in (None, each.organisation_name)]


def _locked(connection: Connection) -> Raw:
    """Return a transaction's statements; on SQLite nobody else writes before it ends."""
    raw = Raw(connection)
    if not raw.postgresql:
        raw.change("BEGIN IMMEDIATE", ())
    return raw


def close(raw: Raw, session: str, *, now: float, within: int | None = None) -> SessionView:
    """End a session and return it; one that has ended stays as it is. Raises NotFound where there is none."""
    row = session_row(raw, session)
    if row is None or within not in (None, row.organisation):
        raise NotFound(f"there is no session {session!r}: `assay exam sessions` lists them")
    if row.state == SessionState.OPEN:
        end(raw, row, SessionState.CLOSED if now <= row.deadline else SessionState.EXPIRED, now)
    return told(raw.connection, session)


def expire(raw: Raw, now: float) -> int:
    """End every open session whose time is over and return how many there were."""
    ended = 0
    for session in overdue_sessions(raw.connection, now):
        row = session_row(raw, session)
        if row is not None and row.state == SessionState.OPEN:
            end(raw, row, SessionState.EXPIRED, now)
            ended += 1
    return ended


def told(connection: Connection, session: str) -> SessionView:
    """Return how a session that is there stands."""
    stored = session_by_id(connection, session)
    assert stored is not None
    return session_view(stored)


def _check(opening: Opening) -> None:
    if not 1 <= len(opening.model) <= MOST_CHARACTERS or not opening.model.isprintable():
        raise InvalidInput(f"model {opening.model!r}: give its name in 1 to {MOST_CHARACTERS} characters")
    if not 0 < opening.hours <= MOST_HOURS:
        raise InvalidInput(f"hours is {opening.hours}: give more than 0, at most {MOST_HOURS:.0f}")
    if not 0 < opening.question_minutes <= MOST_MINUTES:
        raise InvalidInput(
            f"question minutes is {opening.question_minutes}: give more than 0, at most {MOST_MINUTES:.0f}"
        )
    name = opening.draw
    if name is not None and not (1 <= len(name) <= MOST_CHARACTERS and name.isprintable()):
        raise InvalidInput(f"draw {name!r}: give a name of 1 to {MOST_CHARACTERS} characters")


def _drawn(connection: Connection, opening: Opening, who: Taker, seed: int, now: float) -> StoredDraw:
    if opening.like is not None:
        return _alike(connection, opening, who)
    if opening.draw is not None:
        if not who.operator:
            raise Denied(
                f"draw {opening.draw!r}: only the operator's own sittings may sit a draw twice; leave it out"
            )
        found = named_draw(connection, opening.draw)
        if found is not None:
            return _same(found, opening)
    sizes = count_units(connection)
    counts = allocation(opening.allocation, opening.n, sizes=sizes)
    organisation = None if who.operator else who.organisation
    revision = current_revision(connection)
    drawn = draw(connection, counts, np.random.default_rng(seed), organisation=organisation)
    number = new_draw(
        connection,
        drawn,
        name=opening.draw,
        organisation=organisation,
        revision=revision,
        allocation=counts,
        seed=str(seed),
        now=now,
    )
    return StoredDraw(number, len(drawn), revision, organisation, counts)


def _alike(connection: Connection, opening: Opening, who: Taker) -> StoredDraw:
    """Return the draw of another session, for the operator's own candidate alone."""
    if not who.operator:
        raise Denied("only the operator's own candidates may sit another session's questions")
    if opening.draw is not None:
        raise InvalidInput(f"give either a draw ({opening.draw!r}) or a session to sit like, not both")
    assert opening.like is not None
    found = session_by_id(connection, opening.like)
    if found is None:
        raise NotFound(f"there is no session {opening.like!r} to sit like: `assay exam sessions` lists them")
    return _same(draw_by_id(connection, found.draw), opening)


def _same(found: StoredDraw, opening: Opening) -> StoredDraw:
    if opening.n not in (None, found.n):
        named = opening.draw or f"of session {opening.like}"
        raise Conflict(f"draw {named!r} holds {found.n} questions, not {opening.n}: leave n out")
    return found
