"""Near-duplicates in the bank: the texts that are compared, the pairs found, what became of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

import orjson
from sqlalchemy import Connection, Engine, bindparam, func, insert, or_, select, update

from assay.core.errors import NotFound
from assay.core.question import QuestionState
from assay.store.engine import reading
from assay.store.schema_bank import duplicates, passages, questions

PAGE = 5000
CHUNK = 500


class Resolution(StrEnum):
    """What became of a pair: both stay, or one went."""

    BOTH = "both"
    ONE = "one"


class Wording(NamedTuple):
    """What a question of the bank says. `passage` is the id of its passage and `material` that one's text."""

    id: int
    family: int
    passage: int | None
    stem: str
    options: tuple[str, ...]
    material: str
    kind: str
    uuid: str
    digest: bytes


class PairRow(NamedTuple):
    """A pair that was found, the smaller id first; `similarity` is 0-1."""

    question: int
    other: int
    similarity: float


class Flagged(NamedTuple):
    """A pair of the bank with the uuids of both; `resolution` is None while nobody decided."""

    question: str
    other: str
    similarity: float
    found_at: float
    resolution: Resolution | None


def walk_wordings(engine: Engine) -> Iterator[Wording]:
    """Yield what every question says, in order of ids; rejected ones are left out, retired ones are not."""
    after = 0
    while True:
        page = _wordings().where(questions.c.id > after, questions.c.state != QuestionState.REJECTED.value)
        with reading(engine) as connection:
            rows = connection.execute(page.order_by(questions.c.id).limit(PAGE)).tuples().all()
        yield from map(_wording, rows)
        if len(rows) < PAGE:
            return
        after = rows[-1][0]


def wordings_by_id(engine: Engine, ids: Collection[int]) -> dict[int, Wording]:
    """Return what questions say by their ids."""
    found: dict[int, Wording] = {}
    listed = sorted(ids)
    query = _wordings().where(questions.c.id.in_(bindparam("ids", expanding=True)))
    with reading(engine) as connection:
        for start in range(0, len(listed), CHUNK):
            for row in connection.execute(query, {"ids": listed[start : start + CHUNK]}).tuples():
                found[row[0]] = _wording(row)
    return found


def last_question(engine: Engine) -> int:
    """Return the greatest id in the bank, 0 for an empty one."""
    with reading(engine) as connection:
        return connection.execute(select(func.max(questions.c.id))).scalar() or 0


def paired_families(connection: Connection) -> set[tuple[int, int]]:
    """Return the pairs of families, the smaller first, of which some questions were found near-duplicates."""
    one, other = questions.alias("one"), questions.alias("other")
    query = (
        select(one.c.family, other.c.family)
        .select_from(duplicates)
        .join(one, one.c.id == duplicates.c.question)
        .join(other, other.c.id == duplicates.c.other)
    )
    return {(min(row), max(row)) for row in connection.execute(query).tuples()}


def keep_pairs(connection: Connection, pairs: Sequence[PairRow], now: float) -> None:
    """Store new pairs, which nobody has decided on."""
    if pairs:
        rows = [{**pair._asdict(), "found_at": now, "resolution": None} for pair in pairs]
        connection.execute(insert(duplicates), rows)


def resolve(connection: Connection, one: str, other: str, resolution: Resolution) -> None:
    """Store what became of the pair of two uuids, in either order. Raises NotFound where it is no pair."""
    query = select(questions.c.id).where(questions.c.uuid.in_([one, other]))
    ids = sorted(connection.execute(query).scalars())
    if len(ids) == 2:
        change = (
            update(duplicates)
            .where(duplicates.c.question == ids[0], duplicates.c.other == ids[1])
            .values(resolution=resolution.value)
        )
        if connection.execute(change).rowcount:
            return
    raise not_a_pair(one, other)


def not_a_pair(one: str, other: str) -> NotFound:
    """Return the refusal of two uuids that are no pair."""
    return NotFound(
        f"questions {one!r} and {other!r} were not found to be near-duplicates: give the two uuids of a pair"
    )


def flagged(engine: Engine, *, unresolved: bool = False, of: str | None = None) -> list[Flagged]:
    """Return the pairs that were found, the most alike first; `of` keeps those of one uuid."""
    one, other = questions.alias("one"), questions.alias("other")
    query = (
        select(
            one.c.uuid, other.c.uuid, duplicates.c.similarity, duplicates.c.found_at, duplicates.c.resolution
        )
        .select_from(duplicates)
        .join(one, one.c.id == duplicates.c.question)
        .join(other, other.c.id == duplicates.c.other)
        .order_by(duplicates.c.similarity.desc(), duplicates.c.question, duplicates.c.other)
    )
    if unresolved:
        query = query.where(duplicates.c.resolution.is_(None))
    if of is not None:
        query = query.where(or_(one.c.uuid == of, other.c.uuid == of))
    with reading(engine) as connection:
        return [
            Flagged(question, twin, similarity, at, None if told is None else Resolution(told))
            for question, twin, similarity, at, told in connection.execute(query).tuples()
        ]


def _wordings() -> Any:
    return select(
        questions.c.id,
        questions.c.family,
        questions.c.passage,
        questions.c.stem,
        questions.c.options,
        passages.c.text,
        questions.c.kind,
        questions.c.uuid,
        questions.c.digest,
    ).outerjoin(passages, passages.c.id == questions.c.passage)


def _wording(row: Any) -> Wording:
    number, family, passage, stem, options, material, kind, uuid, digest = row
    told = () if options == "[]" else tuple(orjson.loads(options))
    return Wording(number, family, passage, stem, told, material or "", kind, uuid, bytes(digest))
