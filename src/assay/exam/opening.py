"""Opening sessions with their questions and deadlines, and closing and listing them."""

from __future__ import annotations

import logging
import secrets
import uuid
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from sqlalchemy import Connection, Engine

from assay.core.errors import Conflict, Denied, InvalidInput, NotFound
from assay.core.exam import Prompting, Role, SessionState
from assay.exam.delivery import end, session_view, view_of
from assay.exam.exposure import check_quota, drain_alarms
from assay.exam.people import find_user
from assay.exam.series import HOURS, QUESTION_MINUTES, check_times, is_simulated, series_named
from assay.questions.draw import TEN_SUBJECTS, allocation
from assay.results.exam import OfficialSeries
from assay.results.exam_service import ListedSession, SessionView
from assay.store.bank.changes import current_revision
from assay.store.bank.draw import Eligibility, draw
from assay.store.bank.units import count_units
from assay.store.engine import reading, writing
from assay.store.exam.limits import read_limits
from assay.store.exam.series import draws_sat, is_registered
from assay.store.exam.serving import RawStatements, session_row
from assay.store.exam.sessions import (
    CandidateRow,
    NewSession,
    StoredDraw,
    StoredSession,
    candidate_row,
    draw_by_id,
    list_sessions,
    lock_organisation,
    named_draw,
    new_draw,
    new_session,
    overdue_sessions,
    session_by_id,
)

logger = logging.getLogger("assay.exam")
MOST_CHARACTERS: Final = 200
MOST_LISTED: Final = 100_000


@dataclass(frozen=True, slots=True)
class Opening:
    """A session to open. `candidate` is a user's id.

    `draw` names one of the operator's own draws, created now or used before; None creates one without a name.
    `n` is None if the draw or the allocation determines it. `like` is a session whose questions the
    operator's own candidate sits again, so that a model and its reference get the same questions. `series`
    names the official series of the sitting, None for an unofficial one. A series fixes every field but
    candidate and model; other values are refused.
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
    series: str | None = None


def new_seed() -> int:
    """Return an unpredictable seed."""
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
    """Open a session under a new id and return it. `within` is the caller's organisation, None for any.

    Must be the first step of its transaction. Raises NotFound for an unknown candidate or one of another
    organisation, InvalidInput for invalid values, Denied if the model is not registered for the series,
    Conflict if it has had all its sittings or the bank has too few questions new to the organisation.
    """
    _check(opening)
    candidate = candidate_row(connection, opening.candidate)
    if candidate is None or within not in (None, candidate.organisation):
        raise NotFound(
            f"unknown candidate {opening.candidate!r}: list candidates with `assay exam candidate list`"
        )
    lock_organisation(connection, candidate.organisation)
    if candidate.role != Role.CANDIDATE or candidate.disabled_at is not None:
        state = "is disabled" if candidate.disabled_at is not None else f"has the role {candidate.role}"
        raise Conflict(f"user {opening.candidate!r} {state}: give an enabled candidate")
    series = None if opening.series is None else series_named(connection, opening.series)
    if series is not None:
        opening = _apply_series(connection, series, opening, candidate)
    read_only = series is not None and not series.screened
    drawn = _draw(connection, opening, candidate, seed, now, read_only=read_only)
    new = NewSession(
        id=session,
        organisation=candidate.organisation,
        candidate=candidate.id,
        model=opening.model,
        prompting=opening.prompting.value,
        draw=drawn.id,
        revision=drawn.revision,
        quota=drawn.n,
        simulated=int(is_simulated(opening.model)),
        opened_at=now,
        deadline=now + opening.hours * 3600,
        question_seconds=opening.question_minutes * 60,
        series=None if series is None else series.id,
    )
    new_session(connection, new)
    return view_of(connection, session)


def open_by_operator(engine: Engine, opening: Opening, *, now: float) -> SessionView:
    """Open a session for the operator; the candidate is given by id or ORGANISATION/NAME."""
    named = replace(opening, candidate=find_user(engine, opening.candidate).id)
    with writing(engine) as connection:
        return open_session(connection, named, session=str(uuid.uuid4()), seed=new_seed(), now=now)


def close_by_operator(engine: Engine, session: str, *, now: float) -> SessionView:
    """Close a session for the operator."""
    with writing(engine) as connection:
        return close(_lock_database(connection), session, now=now)


def close(raw: RawStatements, session: str, *, now: float) -> SessionView:
    """Close a session and return it; one that has ended is unchanged. Raises NotFound."""
    row = session_row(raw, session)
    if row is None:
        raise NotFound(f"unknown session {session!r}: list sessions with `assay exam sessions`")
    if row.state == SessionState.OPEN:
        end(raw, row, SessionState.CLOSED if now <= row.deadline else SessionState.EXPIRED, now)
    return view_of(raw.connection, session)


def list_for_operator(
    engine: Engine, *, now: float, state: SessionState | None = None, organisation: str | None = None
) -> list[ListedSession]:
    """Return sessions, newest first; of all or one state or organisation. Overdue ones are ended first."""
    with writing(engine) as connection:
        expire(_lock_database(connection), now)
    with reading(engine) as connection:
        listed = list_sessions(connection, state=None if state is None else state.value, limit=MOST_LISTED)
    return [listed_session(stored) for stored in listed if organisation in (None, stored.organisation_name)]


def listed_session(stored: StoredSession) -> ListedSession:
    """Return a session with the names of its candidate, organisation and draw."""
    return ListedSession(
        session_view(stored), stored.candidate_name, stored.organisation_name, stored.draw_name
    )


def _lock_database(connection: Connection) -> RawStatements:
    """Return a transaction's statements; on SQLite it excludes other writers until it ends."""
    raw = RawStatements(connection)
    if not raw.postgresql:
        raw.change("BEGIN IMMEDIATE", ())
    return raw


def expire(raw: RawStatements, now: float) -> int:
    """End every open session whose deadline has passed; return how many."""
    ended = 0
    for session in overdue_sessions(raw.connection, now):
        row = session_row(raw, session)
        if row is not None and row.state == SessionState.OPEN:
            end(raw, row, SessionState.EXPIRED, now)
            ended += 1
    return ended


def _check(opening: Opening) -> None:
    if not 1 <= len(opening.model) <= MOST_CHARACTERS or not opening.model.isprintable():
        raise InvalidInput(
            f"invalid model name {opening.model!r}: use 1 to {MOST_CHARACTERS} visible characters"
        )
    check_times(opening.hours, opening.question_minutes)
    name = opening.draw
    if name is not None and not (1 <= len(name) <= MOST_CHARACTERS and name.isprintable()):
        raise InvalidInput(f"invalid draw name {name!r}: use 1 to {MOST_CHARACTERS} visible characters")


def _apply_series(
    connection: Connection, series: OfficialSeries, opening: Opening, candidate: CandidateRow
) -> Opening:
    """Return an opening with the rules of its series, for a registered model that has sittings left."""
    identity = f"{candidate.organisation_name}/{opening.model}"
    if not is_registered(connection, series.id, candidate.organisation, opening.model):
        raise Denied(
            f"{identity!r} is not registered for series {series.name!r}: the operator can register it "
            f"with `assay exam series register {series.name!r} {identity!r}`"
        )
    _check_fixed(series, opening)
    sat = draws_sat(connection, series.id, candidate.organisation, opening.model)
    if opening.like is not None:
        liked = session_by_id(connection, opening.like)
        if liked is not None and (liked.series != series.id or liked.draw in sat):
            fault = (
                "has the draw of an earlier sitting" if liked.series == series.id else "is of another series"
            )
            raise Conflict(
                f"session {opening.like!r} {fault}: give another session of series {series.name!r}"
            )
    elif len(sat) >= series.sittings:
        raise Conflict(
            f"{identity!r} has opened all its {series.sittings} sittings of series {series.name!r} "
            "(unfinished ones count): the operator can declare one void with `assay exam series void`"
        )
    counts = ",".join(f"{code}={count}" for code, count in series.allocation.items())
    return replace(
        opening,
        n=None,
        allocation=counts,
        draw=None if opening.like is not None else series.draw_name,
        prompting=series.prompting,
        hours=series.session_seconds / 3600,
        question_minutes=series.question_seconds / 60,
    )


def _check_fixed(series: OfficialSeries, opening: Opening) -> None:
    """Raise Conflict if a field of an opening contradicts its series."""
    fixed = (
        ("n", opening.n, None, series.n),
        ("allocation", opening.allocation, TEN_SUBJECTS, None),
        ("draw", opening.draw, None, series.draw_name),
        ("prompting", opening.prompting, Prompting.ZERO_SHOT, series.prompting),
        ("hours", opening.hours, HOURS, series.session_seconds / 3600),
        ("question minutes", opening.question_minutes, QUESTION_MINUTES, series.question_seconds / 60),
    )
    for name, given, default, wanted in fixed:
        if given not in (default, wanted):
            rule = "" if wanted is None else f" to {wanted}"
            raise Conflict(
                f"{name} {given!r} contradicts series {series.name!r}, which fixes it{rule}: leave {name} out"
            )


def _draw(
    connection: Connection,
    opening: Opening,
    candidate: CandidateRow,
    seed: int,
    now: float,
    *,
    read_only: bool,
) -> StoredDraw:
    """Return the draw of a session, an existing or a new one; no limits apply to the operator's own sittings.

    Raises Conflict if the organisation's quota is used up.
    """
    if opening.like is not None:
        return _draw_like(connection, opening, candidate)
    if opening.draw is not None:
        if not candidate.operator:
            raise Denied(
                f"draw {opening.draw!r} is not allowed: only the operator's own candidates may repeat a "
                "draw; leave draw out"
            )
        existing = named_draw(connection, opening.draw)
        if existing is not None:
            return _check_size(existing, opening)
    counts = allocation(opening.allocation, opening.n, sizes=count_units(connection))
    if candidate.operator:
        limits, eligibility = None, Eligibility(read_only=read_only)
    else:
        limits = read_limits(connection, hold=True)
        wanted = sum(counts.values())
        check_quota(connection, limits, candidate.organisation, candidate.organisation_name, wanted, now=now)
        eligibility = Eligibility(candidate.organisation, limits.exposure_rate, read_only)
    revision = current_revision(connection)
    drawn = draw(connection, counts, np.random.default_rng(seed), eligibility)
    number = new_draw(
        connection,
        drawn,
        name=opening.draw,
        organisation=eligibility.organisation,
        revision=revision,
        allocation=counts,
        seed=str(seed),
        now=now,
    )
    if limits is not None:
        for alarm in drain_alarms(connection, candidate.organisation, limits.drain_share):
            logger.warning("the bank is running low: %s; see `assay exam exposure`", alarm)
    return StoredDraw(number, len(drawn), revision, eligibility.organisation, counts)


def _draw_like(connection: Connection, opening: Opening, candidate: CandidateRow) -> StoredDraw:
    """Return the draw of the session `like`, for one of the operator's own candidates."""
    if not candidate.operator:
        raise Denied("only the operator's own candidates may sit the questions of another session")
    if opening.draw is not None:
        raise InvalidInput(
            f"draw {opening.draw!r} and session {opening.like!r} given together: leave one of them out"
        )
    assert opening.like is not None
    session = session_by_id(connection, opening.like)
    if session is None:
        raise NotFound(f"unknown session {opening.like!r}: list sessions with `assay exam sessions`")
    return _check_size(draw_by_id(connection, session.draw), opening)


def _check_size(draw: StoredDraw, opening: Opening) -> StoredDraw:
    if opening.n not in (None, draw.n):
        name = opening.draw or f"of session {opening.like}"
        raise Conflict(f"draw {name!r} has {draw.n} questions, not {opening.n}: leave n out")
    return draw
