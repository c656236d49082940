"""Official series: their rules, registered models, void sittings and stored standings.

Every change of a figure changes the series' version in the same transaction. Stored standings are
valid as long as their version is the series' own; time plays no part.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import orjson
from sqlalchemy import Connection, delete, func, insert, select, update

from assay.core.exam import Prompting
from assay.results.exam import Identity, OfficialSeries
from assay.store.engine import insert_new
from assay.store.schema_bank import questions
from assay.store.schema_exam import (
    draw_questions,
    draws,
    exam_entrants,
    exam_series,
    exam_standings,
    exam_voids,
    organisations,
    sessions,
)


class Entrant(NamedTuple):
    """A model registered for a series."""

    organisation: int
    identity: Identity
    registered_at: float
    by: str


class SeriesRules(NamedTuple):
    """The rules of a new series; the fields are columns of `exam_series`."""

    name: str
    n: int
    allocation: Mapping[str, int]
    prompting: Prompting
    sittings: int
    draw: int | None
    screened: bool
    revision: int
    session_seconds: float
    question_seconds: float
    reference_organisation: int
    reference_model: str


def keep_series(connection: Connection, rules: SeriesRules, *, now: float, by: str) -> bool:
    """Store a series; return False if the name is taken."""
    values = {
        **rules._asdict(),
        "allocation": orjson.dumps(dict(rules.allocation)).decode(),
        "prompting": rules.prompting.value,
        "screened": int(rules.screened),
        "made_at": now,
        "made_by": by,
    }
    return insert_new(connection, exam_series, values)


def list_series(connection: Connection) -> list[OfficialSeries]:
    """Return all series, oldest first."""
    query = (
        select(exam_series, draws.c.name.label("draw_name"), organisations.c.name.label("owner"))
        .join(organisations, organisations.c.id == exam_series.c.reference_organisation)
        .join(draws, draws.c.id == exam_series.c.draw, isouter=True)
        .order_by(exam_series.c.id)
    )
    return [
        OfficialSeries(
            row.id,
            row.name,
            row.n,
            orjson.loads(row.allocation),
            Prompting(row.prompting),
            row.sittings,
            row.draw,
            row.draw_name,
            bool(row.screened),
            row.revision,
            row.session_seconds,
            row.question_seconds,
            Identity(row.owner, row.reference_model),
            row.made_at,
            row.made_by,
        )
        for row in connection.execute(query)
    ]


def keep_entrant(
    connection: Connection, series: int, organisation: int, model: str, *, now: float, by: str
) -> bool:
    """Register a model for a series; return False if it is registered already."""
    row = {"series": series, "organisation": organisation, "model": model, "registered_at": now, "by": by}
    new = insert_new(connection, exam_entrants, row)
    if new:
        note_change(connection, series)
    return new


def entrants_of(connection: Connection, series: int) -> list[Entrant]:
    """Return the models registered for a series in the order of registration."""
    query = (
        select(exam_entrants, organisations.c.name.label("owner"))
        .join(organisations, organisations.c.id == exam_entrants.c.organisation)
        .where(exam_entrants.c.series == series)
        .order_by(exam_entrants.c.registered_at, organisations.c.name, exam_entrants.c.model)
    )
    return [
        Entrant(row.organisation, Identity(row.owner, row.model), row.registered_at, row.by)
        for row in connection.execute(query)
    ]


def is_registered(connection: Connection, series: int, organisation: int, model: str) -> bool:
    """Whether an organisation's model is registered for a series."""
    query = select(exam_entrants.c.model).where(
        exam_entrants.c.series == series,
        exam_entrants.c.organisation == organisation,
        exam_entrants.c.model == model,
    )
    return connection.execute(query).first() is not None


def draws_sat(connection: Connection, series: int, organisation: int, model: str) -> list[int]:
    """Return the draw of each sitting of a model in a series, including open and without void ones."""
    query = (
        select(sessions.c.draw)
        .join(exam_voids, exam_voids.c.session == sessions.c.id, isouter=True)
        .where(
            sessions.c.series == series,
            sessions.c.organisation == organisation,
            sessions.c.model == model,
            exam_voids.c.session.is_(None),
        )
    )
    return list(connection.execute(query).scalars())


def keep_void(connection: Connection, session: str, *, reason: str, by: str, now: float) -> bool:
    """Declare a sitting void; return False if it is void already."""
    new = insert_new(connection, exam_voids, {"session": session, "reason": reason, "by": by, "at": now})
    series = connection.execute(select(sessions.c.series).where(sessions.c.id == session)).scalar()
    if new and series is not None:
        note_change(connection, series)
    return new


def count_unread(connection: Connection, draw: int) -> int:
    """Return the number of questions of a draw that passed the screening but were read by no reviewer."""
    query = (
        select(func.count())
        .select_from(draw_questions)
        .join(questions, questions.c.id == draw_questions.c.question)
        .where(draw_questions.c.draw == draw, questions.c.state == "screened")
    )
    return int(connection.execute(query).scalar_one())


def note_change(connection: Connection, series: int) -> None:
    """Invalidate the stored standings of a series whose models or sittings changed."""
    change = update(exam_series).where(exam_series.c.id == series)
    connection.execute(change.values(changes=exam_series.c.changes + 1))


def note_session_change(connection: Connection, session: str) -> None:
    """Invalidate the stored standings that contain a session of which a mark or exclusion changed."""
    change = update(sessions).where(sessions.c.id == session)
    connection.execute(change.values(changes=sessions.c.changes + 1))


def version_of(connection: Connection, series: int) -> str:
    """Return a series' version, which changes whenever one of its figures may change.

    It consists of counters, and each of these events raises one: a model is registered, a session is opened,
    ends, is marked, has a question excluded or is declared void.
    """
    ended = func.count(sessions.c.id).filter(sessions.c.state != "open")
    query = select(func.count(sessions.c.id), ended, func.coalesce(func.sum(sessions.c.changes), 0))
    row = connection.execute(query.where(sessions.c.series == series)).one()
    own = connection.execute(select(exam_series.c.changes).where(exam_series.c.id == series)).scalar_one()
    return f"{own}.{row[0]}.{row[1]}.{row[2]}"


def exams_state(connection: Connection) -> tuple[int, ...]:
    """Return counters of all series; one of them rises whenever the version of a series changes."""
    ended = func.count(sessions.c.id).filter(sessions.c.state != "open")
    of_sessions = select(func.count(sessions.c.id), ended, func.coalesce(func.sum(sessions.c.changes), 0))
    of_series = select(func.count(exam_series.c.id), func.coalesce(func.sum(exam_series.c.changes), 0))
    return (*connection.execute(of_sessions).one(), *connection.execute(of_series).one())


def standing_document(connection: Connection, series: int, judge: str) -> str | None:
    """Return the stored standings of a series under a judge; None without a valid one."""
    query = select(exam_standings.c.document).where(
        exam_standings.c.series == series,
        exam_standings.c.judge == judge,
        exam_standings.c.version == version_of(connection, series),
    )
    return connection.execute(query).scalar()


def keep_standings(
    connection: Connection, series: int, judge: str, version: str, document: str, *, now: float
) -> None:
    """Store standings that were computed from `version` or a later one, replacing older standings."""
    same = (exam_standings.c.series == series, exam_standings.c.judge == judge)
    connection.execute(delete(exam_standings).where(*same))
    values = {"series": series, "judge": judge, "version": version, "document": document, "made_at": now}
    connection.execute(insert(exam_standings).values(values))
