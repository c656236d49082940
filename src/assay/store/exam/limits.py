"""The exposure of questions: limits, quotas, what was served to whom, and vendors' retention policies."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Final, NamedTuple

from sqlalchemy import Connection, delete, func, insert, select, update

from assay.results.exam_service import Drain, ExamLimits
from assay.store.bank.units import count_exposing
from assay.store.engine import insert_new
from assay.store.schema_bank import units
from assay.store.schema_exam import (
    draw_questions,
    draws,
    exam_limits,
    exposures,
    organisations,
    served,
    sessions,
    vendors,
)

LIMITS: Final = tuple(limit.name for limit in fields(ExamLimits))


class QuotaUse(NamedTuple):
    """The questions of one draw for an organisation, and its time (UTC seconds since 1970)."""

    at: float
    questions: int


class Exposed(NamedTuple):
    """The questions served to an organisation's sessions with one model; `questions` are distinct ones."""

    organisation: str
    model: str
    sessions: int
    questions: int
    last_at: float


class Vendor(NamedTuple):
    """A vendor's retention of the requests it gets, with the source of that statement."""

    name: str
    retention: str
    source: str
    registered_at: float


def read_limits(connection: Connection, *, hold: bool = False) -> ExamLimits:
    """Return the limits; with `hold` they are locked, so that sessions are opened one after another."""
    query = select(*(exam_limits.c[name] for name in LIMITS))
    if hold:
        insert_new(connection, exam_limits, {"id": 1, **asdict(ExamLimits())})
        query = query.with_for_update()
    row = connection.execute(query).first()
    return ExamLimits() if row is None else ExamLimits(*row)


def keep_limits(connection: Connection, limits: ExamLimits) -> None:
    """Replace the limits."""
    connection.execute(update(exam_limits).values(asdict(limits)))


def own_quota(connection: Connection, organisation: int) -> int | None:
    """Return an organisation's own quota, None if the service's quota applies."""
    query = select(organisations.c.quota).where(organisations.c.id == organisation)
    return connection.execute(query).scalar()


def set_quota(connection: Connection, organisation: str, quota: int | None) -> bool:
    """Set an organisation's own quota (None: the service's); return False for an unknown organisation."""
    change = update(organisations).where(organisations.c.name == organisation).values(quota=quota)
    return connection.execute(change).rowcount > 0


def quota_used_since(connection: Connection, organisation: int, since: float) -> list[QuotaUse]:
    """Return an organisation's use of its quota since a time, without returned questions, oldest first."""
    query = (
        select(draws.c.made_at, func.count())
        .join(exposures, exposures.c.draw == draws.c.id)
        .where(exposures.c.organisation == organisation, draws.c.made_at >= since)
        .group_by(draws.c.id, draws.c.made_at)
        .order_by(draws.c.made_at)
    )
    return [QuotaUse(*row) for row in connection.execute(query)]


def list_exposed(connection: Connection) -> list[Exposed]:
    """Return what was served by organisation and model, including the operator's own sessions."""
    same = (draw_questions.c.draw == sessions.c.draw) & (draw_questions.c.position == served.c.position)
    query = (
        select(
            organisations.c.name,
            sessions.c.model,
            func.count(sessions.c.id.distinct()),
            func.count(draw_questions.c.question.distinct()),
            func.max(served.c.at),
        )
        .join(sessions, sessions.c.organisation == organisations.c.id)
        .join(served, served.c.session == sessions.c.id)
        .join(draw_questions, same)
        .group_by(organisations.c.name, sessions.c.model)
        .order_by(organisations.c.name, sessions.c.model)
    )
    return [Exposed(*row) for row in connection.execute(query)]


def list_drain(connection: Connection, organisation: int | None = None) -> list[Drain]:
    """Return the share of each discipline that organisations (or one, by id) have seen."""
    sizes = select(units.c.discipline, func.count().label("drawable")).group_by(units.c.discipline).subquery()
    query = (
        select(organisations.c.name, units.c.discipline, func.count(), sizes.c.drawable)
        .join(exposures, exposures.c.organisation == organisations.c.id)
        .join(units, units.c.family == exposures.c.family)
        .join(sizes, sizes.c.discipline == units.c.discipline)
        .group_by(organisations.c.name, units.c.discipline, sizes.c.drawable)
        .order_by(organisations.c.name, units.c.discipline)
    )
    if organisation is not None:
        query = query.where(organisations.c.id == organisation)
    return [Drain(*row) for row in connection.execute(query)]


def most_exposed(connection: Connection) -> tuple[int, int]:
    """Return the number of draws with the most exposed question, and of all draws that exposed any."""
    counts = select(func.count(exposures.c.draw).label("n")).group_by(exposures.c.family).subquery()
    most = connection.execute(select(func.max(counts.c.n))).scalar()
    return int(most or 0), count_exposing(connection)


def list_vendors(connection: Connection) -> dict[str, Vendor]:
    """Return the registered vendors by name."""
    return {row.name: Vendor(*row) for row in connection.execute(select(vendors).order_by(vendors.c.name))}


def keep_vendor(connection: Connection, vendor: Vendor) -> None:
    """Register a vendor, replacing an earlier entry."""
    connection.execute(delete(vendors).where(vendors.c.name == vendor.name))
    connection.execute(insert(vendors).values(vendor._asdict()))
