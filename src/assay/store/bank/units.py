"""What can be drawn: the families with an accepted question, numbered without a gap in each discipline.

A draw picks random numbers and looks them up, so that it takes as long from a million as from a thousand.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from assay.store.schema_bank import questions, units

CHUNK = 500


def count_units(connection: Connection) -> dict[str, int]:
    """Return how many families can be drawn in each discipline that has any."""
    query = select(units.c.discipline, func.max(units.c.ordinal)).group_by(units.c.discipline)
    return {row[0]: row[1] + 1 for row in connection.execute(query)}


def size_of(connection: Connection, discipline: str) -> int:
    """Return how many families of one discipline can be drawn, however many there are."""
    query = select(func.max(units.c.ordinal)).where(units.c.discipline == discipline)
    last = connection.execute(query).scalar()
    return 0 if last is None else int(last) + 1


def renew_units(connection: Connection, families: Collection[int]) -> None:
    """Bring the numbering up to date with what these families have that is accepted and not retired."""
    listed = sorted(set(families))
    opened: dict[int, str] = {}
    closed: list[int] = []
    for start in range(0, len(listed), CHUNK):
        part = listed[start : start + CHUNK]
        drawable, known = _drawable(connection, part), _known(connection, part)
        for family in part:
            if family in drawable and family not in known:
                opened[family] = drawable[family]
            elif family in known and drawable.get(family) != known[family]:
                closed.append(family)
                if family in drawable:
                    opened[family] = drawable[family]
    for family in closed:
        _close(connection, family)
    _open(connection, opened)


def _drawable(connection: Connection, families: list[int]) -> dict[int, str]:
    query = (
        select(questions.c.family, func.min(questions.c.discipline))
        .where(
            questions.c.family.in_(bindparam("families", expanding=True)),
            questions.c.state == "accepted",
            questions.c.retired.is_(None),
        )
        .group_by(questions.c.family)
    )
    return {row[0]: row[1] for row in connection.execute(query, {"families": families})}


def _known(connection: Connection, families: list[int]) -> dict[int, str]:
    query = select(units.c.family, units.c.discipline).where(
        units.c.family.in_(bindparam("families", expanding=True))
    )
    return {row.family: row.discipline for row in connection.execute(query, {"families": families})}


def _open(connection: Connection, opened: Mapping[int, str]) -> None:
    if not opened:
        return
    next_ones = {name: size_of(connection, name) for name in set(opened.values())}
    rows = []
    for family, discipline in opened.items():
        rows.append({"discipline": discipline, "ordinal": next_ones[discipline], "family": family})
        next_ones[discipline] += 1
    connection.execute(insert(units), rows)


def _close(connection: Connection, family: int) -> None:
    """Take a family out; the last of its discipline takes its number."""
    found = connection.execute(
        select(units.c.discipline, units.c.ordinal).where(units.c.family == family)
    ).one()
    inside = units.c.discipline == found.discipline
    last = connection.execute(
        select(units.c.ordinal, units.c.family).where(inside).order_by(units.c.ordinal.desc()).limit(1)
    ).one()
    connection.execute(delete(units).where(units.c.family == family))
    if last.family != family:
        moved = update(units).where(inside, units.c.ordinal == last.ordinal)
        connection.execute(moved.values(ordinal=found.ordinal))
