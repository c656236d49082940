"""Drawing unseen questions: random families of each discipline, and one random variant of each family."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from sqlalchemy import Connection

from assay.core.errors import Conflict
from assay.store.bank.units import count_exposing, size_of
from assay.store.engine import driver_sql, in_parts

TRIES = 8
"""Rounds of looking up random numbers, after which all eligible families are listed and drawn from."""


@dataclass(frozen=True, slots=True)
class Eligibility:
    """The conditions under which families may be drawn.

    `organisation` excludes the families that it has seen; None for the operator's own sittings, which may
    see all. `exposure_rate` is the largest share of draws that may contain one family (0-1, 1: no limit).
    With `read_only` only questions that a reviewer has accepted are drawn.
    """

    organisation: int | None = None
    exposure_rate: float = 1.0
    read_only: bool = False


def most_draws(rate: float, draws: int) -> int:
    """Return the number of draws that may contain one family: rate times draws, rounded up."""
    return math.ceil(rate * draws - 1e-9)


class DrawnItem(NamedTuple):
    """One question of a draw: id, version, family and discipline."""

    question: int
    version: int
    family: int
    discipline: str


def draw(
    connection: Connection,
    allocation: Mapping[str, int],
    rng: np.random.Generator,
    eligibility: Eligibility,
) -> list[DrawnItem]:
    """Draw the allocated number of questions of each discipline, in random order.

    Within a discipline every set of eligible families is equally likely, and so is every variant of a family.
    A draw never contains two variants of one question, and siblings of seen questions count as seen. A family
    that would exceed the exposure rate is left out until enough other draws have been made (the rule of the
    restricted maximum information method, Revuelta and Ponsoda 1998). Raises Conflict, naming every
    discipline with too few eligible families; then nothing is drawn.
    """
    families: dict[int, str] = {}
    short: list[str] = []
    for discipline, count in allocation.items():
        chosen = _families(connection, discipline, count, rng, eligibility)
        if len(chosen) < count:
            short.append(f"{discipline} has {len(chosen):,} of {count:,}")
        families.update(dict.fromkeys(chosen, discipline))
    if short:
        raise Conflict(_explain_shortage(short, eligibility))
    drawn = _variants(connection, families, rng, eligibility)
    return [drawn[row] for row in rng.permutation(len(drawn))]


def _families(
    connection: Connection,
    discipline: str,
    count: int,
    rng: np.random.Generator,
    eligibility: Eligibility,
) -> list[int]:
    """Return `count` different eligible families, or all of them if there are fewer."""
    size = size_of(connection, discipline)
    if count == 0 or size == 0:
        return []
    chosen: dict[int, None] = {}
    tried: set[int] = set()
    for _ in range(TRIES):
        if len(tried) + 2 * count >= size:
            break
        lacking = count - len(chosen)
        drawn = _distinct(rng, lacking + lacking // 8 + 1, size)
        numbers = [int(number) for number in drawn if number not in tried]
        tried.update(numbers)
        families = _families_at(connection, discipline, numbers)
        ineligible = _ineligible(connection, eligibility, list(families.values()))
        for number in numbers:
            if families[number] not in ineligible and len(chosen) < count:
                chosen[families[number]] = None
        if len(chosen) == count:
            return list(chosen)
    unseen = _unseen(connection, discipline, eligibility.organisation)
    ineligible = _ineligible(connection, replace(eligibility, organisation=None), unseen)
    rest = [family for family in unseen if family not in chosen and family not in ineligible]
    more = rng.permutation(len(rest))[: count - len(chosen)]
    return [*chosen, *(rest[row] for row in more)]


def _distinct(rng: np.random.Generator, count: int, size: int) -> npt.NDArray[np.int64]:
    """Return at most `count` distinct numbers below `size` in random order."""
    drawn = rng.integers(0, size, count)
    _, first = np.unique(drawn, return_index=True)
    return drawn[np.sort(first)]


def _select(
    connection: Connection, query: str, values: Sequence[int], *before: str | int
) -> Iterator[tuple[int, ...]]:
    """Yield the rows of a query; the values replace `{marks}` in parts, and `before` replaces `{mark}`."""
    for part in in_parts(values):
        statement = driver_sql(query, connection.dialect.name, len(part))
        yield from connection.exec_driver_sql(statement, (*before, *part)).tuples().all()


def _families_at(connection: Connection, discipline: str, numbers: Sequence[int]) -> dict[int, int]:
    """Return the family with each of these numbers in a discipline."""
    query = "SELECT ordinal, family FROM units WHERE discipline = {mark} AND ordinal IN ({marks})"
    return {row[0]: row[1] for row in _select(connection, query, numbers, discipline)}


def _ineligible(connection: Connection, eligibility: Eligibility, families: Sequence[int]) -> set[int]:
    """Return the families among these that may not be drawn."""
    ineligible: set[int] = set()
    if eligibility.organisation is not None:
        query = "SELECT family FROM exposures WHERE organisation = {mark} AND family IN ({marks})"
        ineligible |= {row[0] for row in _select(connection, query, families, eligibility.organisation)}
    if eligibility.read_only:
        ineligible |= _unread(connection, families)
    if eligibility.exposure_rate < 1:
        ineligible |= _overexposed(connection, eligibility.exposure_rate, families)
    return ineligible


def _unread(connection: Connection, families: Sequence[int]) -> set[int]:
    """Return the families without a question that a reviewer has accepted."""
    query = (
        "SELECT family FROM questions WHERE family IN ({marks}) AND state = 'accepted' AND retired IS NULL"
    )
    return set(families) - {row[0] for row in _select(connection, query, families)}


def _overexposed(connection: Connection, rate: float, families: Sequence[int]) -> set[int]:
    """Return the families for which one more draw would exceed the rate since they became drawable."""
    draws = count_exposing(connection)
    query = (
        "SELECT units.family, units.since_draw, COUNT(*) FROM units JOIN exposures "
        "ON exposures.family = units.family WHERE units.family IN ({marks}) "
        "GROUP BY units.family, units.since_draw"
    )
    counts = _select(connection, query, families)
    return {family for family, since, drawn in counts if drawn + 1 > most_draws(rate, draws - since + 1)}


def _explain_shortage(short: Sequence[str], eligibility: Eligibility) -> str:
    limits = [
        "that this organisation has not seen" if eligibility.organisation is not None else "",
        "that a reviewer has read" if eligibility.read_only else "",
        f"that are in at most {eligibility.exposure_rate:.0%} of the draws (`assay exam limits`)"
        if eligibility.exposure_rate < 1
        else "",
    ]
    conditions = " and ".join(limit for limit in limits if limit)
    return (
        f"the bank has too few questions{' ' if conditions else ''}{conditions} (a question and its variants "
        f"count once): {'; '.join(short)}; accept more questions, or draw fewer"
    )


def _unseen(connection: Connection, discipline: str, organisation: int | None) -> list[int]:
    """Return the families of a discipline that an organisation has not seen, in order of their numbers."""
    query = "SELECT family FROM units WHERE discipline = {mark}"
    values: tuple[str | int, ...] = (discipline,)
    if organisation is not None:
        query += (
            " AND NOT EXISTS (SELECT 1 FROM exposures WHERE exposures.family = units.family "
            "AND exposures.organisation = {mark})"
        )
        values = (discipline, organisation)
    statement = driver_sql(f"{query} ORDER BY ordinal", connection.dialect.name)
    return [row[0] for row in connection.exec_driver_sql(statement, values)]


def _variants(
    connection: Connection, families: Mapping[int, str], rng: np.random.Generator, eligibility: Eligibility
) -> list[DrawnItem]:
    """Return one drawable question of each family; each of its variants is equally likely."""
    states = "'accepted'" if eligibility.read_only else "'accepted','screened'"
    query = (
        "SELECT family, id, version FROM questions WHERE family IN ({marks}) "
        f"AND state IN ({states}) AND retired IS NULL ORDER BY id"
    )
    variants: dict[int, list[tuple[int, int]]] = {}
    for family, number, version in _select(connection, query, list(families)):
        variants.setdefault(family, []).append((number, version))
    drawn = []
    for family, chance in zip(families, rng.random(len(families)), strict=True):
        number, version = variants[family][int(chance * len(variants[family]))]
        drawn.append(DrawnItem(number, version, family, families[family]))
    return drawn
