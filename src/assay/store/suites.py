"""Suites as they were run: kept whole by digest, so that every sample can be shown and graded again."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass

from pydantic import TypeAdapter
from sqlalchemy import Connection, Engine, func, insert, select, update

from assay.core.errors import Conflict, NotFound
from assay.core.suite import Suite
from assay.store.engine import insert_new, reading, writing
from assay.store.schema import cases, suites

_SUITE = TypeAdapter(Suite)


def keep_suite(engine: Engine, suite: Suite, *, clock: Callable[[], float]) -> None:
    """Store a suite, or bring what its digest does not cover (thresholds, titles) up to date.

    Raises Conflict, naming both digests, when another content is stored under the same name and version:
    scores of the two must never be compared.
    """
    with writing(engine) as connection:
        query = select(suites.c.digest).where(suites.c.name == suite.name, suites.c.version == suite.version)
        found = connection.execute(query).scalar()
        content = zlib.compress(_SUITE.dump_json(suite))
        if found is None and not _new_suite(connection, suite, content, clock()):
            found = connection.execute(query).scalar()
        if found == suite.digest:
            same = suites.c.digest == suite.digest
            connection.execute(update(suites).where(same).values(content=content))
            return
        if found is not None:
            raise Conflict(
                f"suite {suite.name!r} {suite.version} changed: this content has digest {suite.digest[:12]}, "
                f"the database knows {found[:12]} under the same version; raise `version` in its suite.yaml "
                "(baselines start anew) or put the old content back"
            )


def _new_suite(connection: Connection, suite: Suite, content: bytes, now: float) -> bool:
    """Insert a suite with its cases; False when another process has just done so."""
    values = {
        "digest": suite.digest,
        "name": suite.name,
        "version": suite.version,
        "visibility": suite.visibility,
        "content": content,
        "stored_at": now,
    }
    if not insert_new(connection, suites, values):
        return False
    rows = [
        {"suite": suite.digest, "ordinal": ordinal, "case_id": case.id, "use_case": case.use_case}
        for ordinal, case in enumerate(suite.cases)
    ]
    if rows:
        connection.execute(insert(cases), rows)
    return True


def read_suite(engine: Engine, digest: str) -> Suite:
    """Return a stored suite; NotFound when there is none of that digest."""
    with reading(engine) as connection:
        content = connection.execute(select(suites.c.content).where(suites.c.digest == digest)).scalar()
    if content is None:
        raise NotFound(f"no suite with digest {digest!r} is stored")
    return _SUITE.validate_json(zlib.decompress(content))


def find_digest(engine: Engine, name: str, version: str | None = None) -> str:
    """Return the digest of a stored suite; without a version, of the one stored last."""
    query = select(suites.c.digest).where(suites.c.name == name).order_by(suites.c.stored_at.desc())
    if version is not None:
        query = query.where(suites.c.version == version)
    with reading(engine) as connection:
        found: str | None = connection.execute(query).scalar()
    if found is None:
        named = name if version is None else f"{name} {version}"
        raise NotFound(f"no run of suite {named!r} is stored: see `assay runs`")
    return found


@dataclass(frozen=True, slots=True)
class StoredSuite:
    """One stored suite; `cases` counts them."""

    name: str
    version: str
    visibility: str
    digest: str
    cases: int


def list_suites(engine: Engine) -> list[StoredSuite]:
    """Return the suites that were run here, the newest first."""
    query = (
        select(
            suites.c.name, suites.c.version, suites.c.visibility, suites.c.digest, func.count(cases.c.ordinal)
        )
        .outerjoin(cases, cases.c.suite == suites.c.digest)
        .group_by(suites.c.digest, suites.c.name, suites.c.version, suites.c.visibility, suites.c.stored_at)
        .order_by(suites.c.stored_at.desc())
    )
    with reading(engine) as connection:
        return [StoredSuite(*row) for row in connection.execute(query)]
