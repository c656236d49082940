"""Drawing unseen questions at random: equally likely families of each discipline, one variant of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from sqlalchemy import Connection

from assay.core.errors import Conflict
from assay.store.bank.units import size_of

CHUNK = 500
TRIES = 8
"""Rounds of looking up random numbers, after which what is left unseen is listed whole and drawn from."""


class Drawn(NamedTuple):
    """One question of a draw: its row and version, its family, its discipline."""

    question: int
    version: int
    family: int
    discipline: str


def draw(
    connection: Connection,
    allocation: Mapping[str, int],
    rng: np.random.Generator,
    *,
    organisation: int | None,
) -> list[Drawn]:
    """Draw as many questions of each discipline as `allocation` says, in random order.

    Within a discipline every set of families that the organisation has not met is equally likely; of each
    family one accepted variant, each equally likely, so that a draw never holds two variants of one
    question, and siblings of what was seen count as seen. `organisation` None draws from everything, for the
    operator's own sittings. Raises Conflict that names every discipline with too few unseen ones; nothing
    is drawn then.
    """
    families: dict[int, str] = {}
    short: list[str] = []
    for discipline, count in allocation.items():
        found = _families(connection, discipline, count, size_of(connection, discipline), rng, organisation)
        if len(found) < count:
            short.append(f"{discipline} has {len(found):,} of {count:,}")
        families.update(dict.fromkeys(found, discipline))
    if short:
        unseen = "" if organisation is None else " that this organisation has not met"
        raise Conflict(
            f"the bank has too few accepted questions{unseen}, where one and all that was made from it count "
            f"once: {'; '.join(short)}; accept more, or draw fewer"
        )
    drawn = _variants(connection, families, rng)
    return [drawn[place] for place in rng.permutation(len(drawn))]


def _families(
    connection: Connection,
    discipline: str,
    count: int,
    size: int,
    rng: np.random.Generator,
    organisation: int | None,
) -> list[int]:
    """Return `count` different unseen families, or all that are left where there are fewer."""
    if count == 0 or size == 0:
        return []
    chosen: dict[int, None] = {}
    tried: set[int] = set()
    for _ in range(TRIES):
        if len(tried) + 2 * count >= size:
            break
        wanted = count - len(chosen)
        numbers = [int(each) for each in _numbers(rng, wanted + wanted // 8 + 1, size) if each not in tried]
        tried.update(numbers)
        placed = _at(connection, discipline, numbers)
        met = _met(connection, organisation, list(placed.values()))
        for number in numbers:
            if placed[number] not in met and len(chosen) < count:
                chosen[placed[number]] = None
        if len(chosen) == count:
            return list(chosen)
    everything = _unseen(connection, discipline, organisation)
    left = [family for family in everything if family not in chosen]
    more = rng.permutation(len(left))[: count - len(chosen)]
    return [*chosen, *(left[place] for place in more)]


def _numbers(rng: np.random.Generator, count: int, size: int) -> npt.NDArray[np.int64]:
    """Return different numbers below `size` in random order, at most `count`."""
    drawn = rng.integers(0, size, count)
    _, first = np.unique(drawn, return_index=True)
    return drawn[np.sort(first)]


def _at(connection: Connection, discipline: str, numbers: Sequence[int]) -> dict[int, int]:
    """Return the family at each of these numbers of a discipline."""
    found: dict[int, int] = {}
    for start in range(0, len(numbers), CHUNK):
        part = tuple(numbers[start : start + CHUNK])
        statement = _listed(
            "SELECT ordinal, family FROM units WHERE discipline = {mark} AND ordinal IN ({marks})",
            connection.dialect.name,
            len(part),
        )
        found.update(connection.exec_driver_sql(statement, (discipline, *part)).tuples().all())
    return found


def _met(connection: Connection, organisation: int | None, families: Sequence[int]) -> set[int]:
    if organisation is None:
        return set()
    found: set[int] = set()
    for start in range(0, len(families), CHUNK):
        part = tuple(families[start : start + CHUNK])
        statement = _listed(
            "SELECT family FROM exposures WHERE organisation = {mark} AND family IN ({marks})",
            connection.dialect.name,
            len(part),
        )
        found.update(row[0] for row in connection.exec_driver_sql(statement, (organisation, *part)))
    return found


def _unseen(connection: Connection, discipline: str, organisation: int | None) -> list[int]:
    mark = "?" if connection.dialect.name == "sqlite" else "%s"
    query = f"SELECT family FROM units WHERE discipline = {mark}"
    values: tuple[str | int, ...] = (discipline,)
    if organisation is not None:
        query += (
            " AND NOT EXISTS (SELECT 1 FROM exposures WHERE exposures.family = units.family "
            f"AND exposures.organisation = {mark})"
        )
        values = (discipline, organisation)
    return [row[0] for row in connection.exec_driver_sql(f"{query} ORDER BY ordinal", values)]


def _variants(connection: Connection, families: Mapping[int, str], rng: np.random.Generator) -> list[Drawn]:
    """Return one accepted question of each family, each of its variants equally likely."""
    found: dict[int, list[tuple[int, int]]] = {}
    listed = list(families)
    for start in range(0, len(listed), CHUNK):
        part = tuple(listed[start : start + CHUNK])
        statement = _listed(
            "SELECT family, id, version FROM questions WHERE family IN ({marks}) "
            "AND state = 'accepted' AND retired IS NULL ORDER BY id",
            connection.dialect.name,
            len(part),
        )
        for family, number, version in connection.exec_driver_sql(statement, part):
            found.setdefault(family, []).append((number, version))
    chances = rng.random(len(listed))
    drawn = []
    for family, chance in zip(listed, chances, strict=True):
        variants = found[family]
        number, version = variants[int(chance * len(variants))]
        drawn.append(Drawn(number, version, family, families[family]))
    return drawn


@cache
def _listed(query: str, dialect: str, count: int) -> str:
    mark = "?" if dialect == "sqlite" else "%s"
    return query.format(mark=mark, marks=",".join([mark] * count))
