"""Choosing and retiring the bank's questions that a contamination study replays."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from sqlalchemy import Connection, bindparam, func, select

from assay.store.schema_bank import questions, units

CHUNK = 500


def drawable_families(connection: Connection) -> list[int]:
    """Return the families that exams can draw from, in order."""
    return list(connection.execute(select(units.c.family).order_by(units.c.family)).scalars())


def members(connection: Connection, families: Sequence[int]) -> dict[int, list[int]]:
    """Return the accepted questions of families that are not retired, in order, by family."""
    query = (
        select(questions.c.family, questions.c.id)
        .where(
            questions.c.family.in_(bindparam("families", expanding=True)),
            questions.c.state == "accepted",
            questions.c.retired.is_(None),
        )
        .order_by(questions.c.id)
    )
    found: dict[int, list[int]] = {}
    for part in _parts(families):
        for row in connection.execute(query, {"families": part}):
            found.setdefault(row.family, []).append(row.id)
    return found


def count_to_retire(connection: Connection, ids: Collection[int]) -> int:
    """Return how many questions go when these are retired with their families, whatever their state."""
    families: set[int] = set()
    chosen = select(questions.c.family).where(questions.c.id.in_(bindparam("ids", expanding=True)))
    for part in _parts(sorted(ids)):
        families |= set(connection.execute(chosen, {"ids": part}).scalars())
    counted = select(func.count()).where(
        questions.c.family.in_(bindparam("families", expanding=True)), questions.c.retired.is_(None)
    )
    return sum(
        connection.execute(counted, {"families": part}).scalar_one() for part in _parts(sorted(families))
    )


def _parts(ids: Sequence[int]) -> Iterator[list[int]]:
    for start in range(0, len(ids), CHUNK):
        yield list(ids[start : start + CHUNK])
