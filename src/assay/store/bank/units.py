"""The families that exams can draw: numbered by discipline without gaps.

A draw picks random numbers and looks them up, so its cost does not grow with the bank.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from assay.core.question import DRAWABLE
from assay.store.engine import in_parts
from assay.store.schema_bank import questions, units


def count_units(connection: Connection) -> dict[str, int]:
    """Return the number of drawable families of each discipline that has any."""
    query = select(units.c.discipline, func.max(units.c.ordinal)).group_by(units.c.discipline)
    return {row[0]: row[1] + 1 for row in connection.execute(query)}


def size_of(connection: Connection, discipline: str) -> int:
    """Return the number of drawable families of a discipline."""
    query = select(func.max(units.c.ordinal)).where(units.c.discipline == discipline)
    last = connection.execute(query).scalar()
    return 0 if last is None else int(last) + 1


def count_exposing(connection: Connection) -> int:
    """Return the number of draws that have exposed questions to an organisation, or may still do so."""
    query = (
        "SELECT COUNT(*) FROM draws WHERE EXISTS (SELECT 1 FROM exposures WHERE exposures.draw = draws.id)"
    )
    return int(connection.exec_driver_sql(query).scalar_one())


def renew_units(connection: Connection, families: Collection[int]) -> None:
    """Update the numbering for these families after their questions have changed."""
    opened: dict[int, str] = {}
    closed: list[int] = []
    for part in in_parts(sorted(set(families))):
        drawable, numbered = _drawable(connection, part), _numbered(connection, part)
        for family in part:
            if drawable.get(family) != numbered.get(family):
                if family in numbered:
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
            questions.c.state.in_(DRAWABLE),
            questions.c.retired.is_(None),
        )
        .group_by(questions.c.family)
    )
    return {row[0]: row[1] for row in connection.execute(query, {"families": families})}


def _numbered(connection: Connection, families: list[int]) -> dict[int, str]:
    query = select(units.c.family, units.c.discipline).where(
        units.c.family.in_(bindparam("families", expanding=True))
    )
    return {row.family: row.discipline for row in connection.execute(query, {"families": families})}


def _open(connection: Connection, opened: Mapping[int, str]) -> None:
    if not opened:
        return
    draws = count_exposing(connection)
    ordinals = {name: size_of(connection, name) for name in set(opened.values())}
    rows = []
    for family, discipline in opened.items():
        rows.append(
            {"discipline": discipline, "ordinal": ordinals[discipline], "family": family, "since_draw": draws}
        )
        ordinals[discipline] += 1
    connection.execute(insert(units), rows)


def _close(connection: Connection, family: int) -> None:
    """Remove a family; the last family of its discipline gets its number."""
    unit = connection.execute(
        select(units.c.discipline, units.c.ordinal).where(units.c.family == family)
    ).one()
    inside = units.c.discipline == unit.discipline
    last = connection.execute(
        select(units.c.ordinal, units.c.family).where(inside).order_by(units.c.ordinal.desc()).limit(1)
    ).one()
    connection.execute(delete(units).where(units.c.family == family))
    if last.family != family:
        moved = update(units).where(inside, units.c.ordinal == last.ordinal)
        connection.execute(moved.values(ordinal=unit.ordinal))


def drawable_families(connection: Connection) -> list[int]:
    """Return the families that exams can draw, in order."""
    return list(connection.execute(select(units.c.family).order_by(units.c.family)).scalars())


def drawable_members(connection: Connection, families: Collection[int]) -> dict[int, list[int]]:
    """Return the drawable questions of families by family, in order of their ids."""
    query = (
        select(questions.c.family, questions.c.id)
        .where(
            questions.c.family.in_(bindparam("families", expanding=True)),
            questions.c.state.in_(DRAWABLE),
            questions.c.retired.is_(None),
        )
        .order_by(questions.c.id)
    )
    drawable: dict[int, list[int]] = {}
    for part in in_parts(families):
        for row in connection.execute(query, {"families": part}):
            drawable.setdefault(row.family, []).append(row.id)
    return drawable


def count_to_retire(connection: Connection, ids: Collection[int]) -> int:
    """Return the number of questions that are retired with these and their families, in whatever state."""
    families: set[int] = set()
    chosen = select(questions.c.family).where(questions.c.id.in_(bindparam("ids", expanding=True)))
    for part in in_parts(sorted(ids)):
        families |= set(connection.execute(chosen, {"ids": part}).scalars())
    counted = select(func.count()).where(
        questions.c.family.in_(bindparam("families", expanding=True)), questions.c.retired.is_(None)
    )
    return sum(
        connection.execute(counted, {"families": part}).scalar_one() for part in in_parts(sorted(families))
    )
