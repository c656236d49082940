"""What the operator of exams administers, as lists: people, tokens, series, sessions, quotas and exposure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy import Engine

from assay.exam.exposure import exposure_ledger, quota_standings
from assay.exam.keys import list_signing_keys
from assay.exam.opening import listed_session
from assay.exam.series import all_series
from assay.results.exam import ListedSeries
from assay.results.exam_service import (
    ExposureLedger,
    ListedKey,
    ListedSession,
    ListedToken,
    Organisation,
    QuotaStanding,
    User,
)
from assay.store.engine import reading
from assay.store.exam.people import list_organisations, list_users
from assay.store.exam.sessions import list_sessions
from assay.store.exam.tokens import list_tokens

MOST: Final = 200
"""The largest number of users, tokens and sessions that are listed."""


@dataclass(frozen=True, slots=True)
class Administration:
    """The lists of the operator. Tokens are those that have not expired; no secret and no hash is here.

    A list of `MOST` entries may be incomplete: tokens and sessions are then the newest ones.
    """

    organisations: tuple[Organisation, ...]
    users: tuple[User, ...]
    tokens: tuple[ListedToken, ...]
    keys: tuple[ListedKey, ...]
    series: tuple[ListedSeries, ...]
    sessions: tuple[ListedSession, ...]
    quotas: tuple[QuotaStanding, ...]
    exposure: ExposureLedger


def administration(engine: Engine, *, now: float) -> Administration:
    """Return the lists at a time (UTC seconds since 1970). Nothing is changed: overdue sessions stay open."""
    with reading(engine) as connection:
        organisations = list_organisations(connection)
        sessions = list_sessions(connection, limit=MOST)
    return Administration(
        organisations=tuple(organisations),
        users=tuple(list_users(engine)[:MOST]),
        tokens=tuple(list_tokens(engine, now=now, expired=False)[:MOST]),
        keys=tuple(list_signing_keys(engine, now=now)),
        series=tuple(
            ListedSeries(series, tuple(entrant.identity for entrant in entrants))
            for series, entrants in all_series(engine)
        ),
        sessions=tuple(map(listed_session, sessions)),
        quotas=tuple(quota_standings(engine, now=now)),
        exposure=exposure_ledger(engine),
    )
