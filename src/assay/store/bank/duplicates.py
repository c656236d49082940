"""Near-duplicates in the bank: the texts to compare, the pairs that were found, and their resolutions."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import orjson
from sqlalchemy import Connection, Engine, bindparam, func, insert, or_, select, update

from assay.core.errors import NotFound
from assay.core.question import QuestionState
from assay.results.review import FlaggedPair, Resolution
from assay.store.engine import in_parts, reading
from assay.store.schema_bank import duplicates, passages, questions

PAGE = 5000


class StoredText(NamedTuple):
    """The texts of a question. `passage` is the id of its passage, and `material` the passage's text."""

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
    """A pair of near-duplicates, smaller id first; `similarity` is 0-1."""

    question: int
    other: int
    similarity: float


def walk_wordings(engine: Engine) -> Iterator[StoredText]:
    """Yield the texts of all questions but rejected ones, in order of their ids."""
    last = 0
    while True:
        page = _wordings().where(questions.c.id > last, questions.c.state != QuestionState.REJECTED.value)
        with reading(engine) as connection:
            rows = connection.execute(page.order_by(questions.c.id).limit(PAGE)).tuples().all()
        yield from map(_wording, rows)
        if len(rows) < PAGE:
            return
        last = rows[-1][0]


def wordings_by_id(engine: Engine, ids: Collection[int]) -> dict[int, StoredText]:
    """Return the texts of questions by id."""
    query = _wordings().where(questions.c.id.in_(bindparam("ids", expanding=True)))
    with reading(engine) as connection:
        return {
            row[0]: _wording(row)
            for part in in_parts(sorted(ids))
            for row in connection.execute(query, {"ids": part}).tuples()
        }


def last_question(engine: Engine) -> int:
    """Return the greatest question id in the bank, 0 if it is empty."""
    with reading(engine) as connection:
        return connection.execute(select(func.max(questions.c.id))).scalar() or 0


def paired_families(connection: Connection) -> set[tuple[int, int]]:
    """Return the pairs of families (smaller id first) that contain a pair of near-duplicates."""
    one, other = questions.alias("one"), questions.alias("other")
    query = (
        select(one.c.family, other.c.family)
        .select_from(duplicates)
        .join(one, one.c.id == duplicates.c.question)
        .join(other, other.c.id == duplicates.c.other)
    )
    return {(min(row), max(row)) for row in connection.execute(query).tuples()}


def keep_pairs(connection: Connection, pairs: Sequence[PairRow], now: float) -> None:
    """Store new pairs as unresolved."""
    if pairs:
        rows = [{**pair._asdict(), "found_at": now, "resolution": None} for pair in pairs]
        connection.execute(insert(duplicates), rows)


def resolve(connection: Connection, one: str, other: str, resolution: Resolution) -> None:
    """Store the resolution of a pair of uuids in either order. Raises NotFound if they are no pair."""
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
    """Return the error for two uuids that are no pair."""
    return NotFound(
        f"questions {one!r} and {other!r} are not listed as near-duplicates: give the two uuids of a pair "
        "from `assay bank duplicates list`"
    )


def flagged(engine: Engine, *, unresolved: bool = False, of: str | None = None) -> list[FlaggedPair]:
    """Return the pairs that were found, most similar first; `of` limits them to one uuid."""
    one, other = questions.alias("one"), questions.alias("other")
    query = (
        select(
            one.c.uuid,
            one.c.stem,
            other.c.uuid,
            other.c.stem,
            duplicates.c.similarity,
            duplicates.c.found_at,
            duplicates.c.resolution,
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
        pairs = [FlaggedPair(*row) for row in connection.execute(query)]
    return [replace(pair, resolution=pair.resolution and Resolution(pair.resolution)) for pair in pairs]


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


def _wording(row: Any) -> StoredText:
    number, family, passage, stem, options, material, kind, uuid, digest = row
    parsed = () if options == "[]" else tuple(orjson.loads(options))
    return StoredText(number, family, passage, stem, parsed, material or "", kind, uuid, bytes(digest))
