"""Suites that were run, stored completely by digest, so that every sample can be shown and graded again."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import Connection, Engine, func, insert, select, update

from assay.core.errors import Conflict, NotFound
from assay.core.suite import Suite
from assay.results.suites import ListedSuite
from assay.store.engine import insert_new, reading, writing
from assay.store.schema import cases, suites
from assay.store.sealing import sealer_of

_SUITE = TypeAdapter(Suite)


def keep_suite(engine: Engine, suite: Suite, *, clock: Callable[[], float]) -> None:
    """Store a suite, or update the parts that its digest does not cover (thresholds, titles).

    Raises Conflict, with both digests, if other content is stored under the same name and version, because
    scores of the two must never be compared.
    """
    with writing(engine) as connection:
        query = select(suites.c.digest).where(suites.c.name == suite.name, suites.c.version == suite.version)
        stored = connection.execute(query).scalar()
        if stored is None and not _new_suite(connection, suite, clock()):
            stored = connection.execute(query).scalar()
        if stored == suite.digest:
            same = suites.c.digest == suite.digest
            key = connection.execute(select(suites.c.sealed_with).where(same)).scalar()
            values = _content(suite, connection, sealed=suite.sealed or key is not None)
            connection.execute(update(suites).where(same).values(values))
            return
        if stored is not None:
            raise Conflict(
                f"suite {suite.name!r} {suite.version} changed: this content has digest {suite.digest[:12]}, "
                f"but the database has {stored[:12]} under the same version; raise `version` in its "
                "suite.yaml (baselines start again) or restore the old content"
            )


def _content(suite: Suite, connection: Connection, *, sealed: bool) -> dict[str, Any]:
    """Return the columns that hold a suite; a suite that was sealed once is never written in the clear."""
    text = _SUITE.dump_json(replace(suite, sealed=sealed))
    if not sealed:
        return {"content": zlib.compress(text), "sealed_with": None}
    sealer = sealer_of(connection)
    return {"content": sealer.seal(text.decode(), _about(suite.digest)), "sealed_with": sealer.name}


def _about(digest: str) -> str:
    return f"suite {digest}"


def _new_suite(connection: Connection, suite: Suite, now: float) -> bool:
    """Insert a suite with its cases; return False if another process has just done so."""
    values = {
        "digest": suite.digest,
        "name": suite.name,
        "version": suite.version,
        "visibility": suite.visibility,
        "stored_at": now,
        **_content(suite, connection, sealed=suite.sealed),
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
    """Return a stored suite.

    Raises NotFound for an unknown digest, Denied for a sealed suite without its key.
    """
    with reading(engine) as connection:
        query = select(suites.c.content, suites.c.sealed_with).where(suites.c.digest == digest)
        row = connection.execute(query).first()
    if row is None:
        raise NotFound(f"no suite with digest {digest!r} is stored")
    if row.sealed_with is None:
        return _SUITE.validate_json(zlib.decompress(row.content))
    return _SUITE.validate_json(sealer_of(engine).open(bytes(row.content), _about(digest)))


def find_digest(engine: Engine, name: str, version: str | None = None) -> str:
    """Return the digest of a stored suite; without a version, that of the version stored last."""
    query = select(suites.c.digest).where(suites.c.name == name).order_by(suites.c.stored_at.desc())
    if version is not None:
        query = query.where(suites.c.version == version)
    with reading(engine) as connection:
        digest: str | None = connection.execute(query).scalar()
    if digest is None:
        suite = name if version is None else f"{name} {version}"
        raise NotFound(f"no run of suite {suite!r} is stored: see `assay runs`")
    return digest


def list_suites(engine: Engine) -> list[ListedSuite]:
    """Return the suites that were run here, the newest first."""
    query = (
        select(
            suites.c.name, suites.c.version, suites.c.visibility, func.count(cases.c.ordinal), suites.c.digest
        )
        .outerjoin(cases, cases.c.suite == suites.c.digest)
        .group_by(suites.c.digest, suites.c.name, suites.c.version, suites.c.visibility, suites.c.stored_at)
        .order_by(suites.c.stored_at.desc())
    )
    with reading(engine) as connection:
        return [
            ListedSuite(name, version, visibility, count, digest, built_in=False)
            for name, version, visibility, count, digest in connection.execute(query)
        ]
