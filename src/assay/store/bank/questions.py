"""The bank's questions: taking in, finding, walking through. Keys are sealed before they come here."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

import orjson
from sqlalchemy import Connection, Engine, Row, bindparam, insert, select, text, update

from assay.core.errors import NotFound
from assay.core.question import Question, QuestionKind, QuestionState
from assay.store.engine import insert_new, reading
from assay.store.schema_bank import passages, questions, rejects, sources

CHUNK = 500
PAGE = 2000


class QuestionRow(NamedTuple):
    """A new question. `parent` is the id of the question it was made from, None for an original.

    `key` is sealed; `digest` names the normalised content: a second question with the same one is refused.
    """

    uuid: str
    kind: str
    discipline: str
    secondary: str | None
    language: str
    stem: str
    options: tuple[str, ...]
    passage: str | None
    key: bytes
    digest: bytes
    source: int
    place: str
    made_by: str | None
    parent: int | None


@dataclass(frozen=True, slots=True)
class StoredQuestion:
    """A question as the bank holds it. `family` is the id of the original that it goes back to.

    `since` and `retired` are the bank's revisions in which it was accepted and retired, None before.
    """

    id: int
    question: Question
    family: int
    version: int
    state: QuestionState
    source: int
    place: str
    made_by: str | None
    sealed: bytes = field(repr=False)
    since: int | None
    retired: int | None
    retired_why: str | None


def keep_source(
    connection: Connection,
    *,
    name: str,
    sha256: str,
    kind: str,
    profile: str,
    synthetic: bool,
    account: Mapping[str, Any],
    now: float,
) -> int:
    """Store where questions come from and return its number."""
    values = {
        "name": name,
        "sha256": sha256,
        "kind": kind,
        "profile": profile,
        "synthetic": int(synthetic),
        "account": orjson.dumps(dict(account)).decode(),
        "imported_at": now,
    }
    made: int | None = connection.execute(insert(sources).values(values).returning(sources.c.id)).scalar()
    assert made is not None
    return made


def keep_account(connection: Connection, source: int, account: Mapping[str, Any]) -> None:
    """Store what became of each line of a source."""
    written = orjson.dumps(dict(account)).decode()
    connection.execute(update(sources).where(sources.c.id == source).values(account=written))


def source_of_file(engine: Engine, sha256: str) -> int | None:
    """Return the number of the source that a file was taken in as before, None for a new one."""
    query = select(sources.c.id).where(sources.c.sha256 == sha256).order_by(sources.c.id).limit(1)
    with reading(engine) as connection:
        found: int | None = connection.execute(query).scalar()
    return found


def keep_rejects(connection: Connection, source: int, rows: Sequence[tuple[str, int, str, bytes]]) -> None:
    """Store what could not be taken in: place, number of lines, reason, and the sealed text."""
    if rows:
        named = [
            {"source": source, "place": place, "lines": lines, "reason": reason, "text": sealed}
            for place, lines, reason, sealed in rows
        ]
        connection.execute(insert(rejects), named)


def keep_questions(connection: Connection, rows: Sequence[QuestionRow]) -> list[int | None]:
    """Store new questions and return their ids in order; None where the uuid or the digest is known already.

    Parents must be in the bank. All questions begin as raw.
    """
    found: list[int | None] = []
    for start in range(0, len(rows), CHUNK):
        found += _keep(connection, rows[start : start + CHUNK])
    return found


def _keep(connection: Connection, rows: Sequence[QuestionRow]) -> list[int | None]:
    shared = _passages(connection, [row.passage for row in rows if row.passage is not None])
    families = _families(connection, {row.parent for row in rows if row.parent is not None})
    values: list[Any] = []
    for row in rows:
        family = 0 if row.parent is None else families[row.parent]
        values += (
            row.uuid,
            family,
            row.parent,
            row.kind,
            row.discipline,
            row.secondary,
            row.language,
            row.stem,
            orjson.dumps(row.options).decode(),
            None if row.passage is None else shared[row.passage],
            row.key,
            row.digest,
            row.source,
            row.place,
            row.made_by,
            "raw",
            1,
        )
    statement = _insert(connection.dialect.name, len(rows))
    made = dict(connection.exec_driver_sql(statement, tuple(values)).tuples().all())
    originals = [made[row.uuid] for row in rows if row.parent is None and row.uuid in made]
    if originals:
        first, last = min(originals), max(originals)
        connection.execute(
            text("UPDATE questions SET family = id WHERE family = 0 AND id BETWEEN :first AND :last"),
            {"first": first, "last": last},
        )
    return [made.get(row.uuid) for row in rows]


@cache
def _insert(dialect: str, rows: int) -> str:
    mark = "?" if dialect == "sqlite" else "%s"
    names = (
        "uuid,family,parent,kind,discipline,secondary,language,stem,options,passage,key,digest,source,"
        "place,made_by,state,version"
    )
    row = f"({','.join([mark] * len(names.split(',')))})"
    return (
        f"INSERT INTO questions ({names}) VALUES {','.join([row] * rows)} "
        "ON CONFLICT DO NOTHING RETURNING uuid, id"
    )


def _passages(connection: Connection, texts: Sequence[str]) -> dict[str, int]:
    return {passage: passage_id(connection, passage) for passage in dict.fromkeys(texts)}


def passage_id(connection: Connection, passage: str) -> int:
    """Return the id of a passage, storing it where it is new."""
    digest = hashlib.blake2b(passage.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    insert_new(connection, passages, {"digest": digest, "text": passage})
    number: int | None = connection.execute(select(passages.c.id).where(passages.c.digest == digest)).scalar()
    assert number is not None
    return number


def _families(connection: Connection, parents: Collection[int]) -> dict[int, int]:
    if not parents:
        return {}
    query = select(questions.c.id, questions.c.family).where(questions.c.id.in_(list(parents)))
    return {row.id: row.family for row in connection.execute(query)}


def question_by_uuid(engine: Engine, uuid: str) -> StoredQuestion:
    """Return one question. Raises NotFound when there is none of that uuid."""
    with reading(engine) as connection:
        row = connection.execute(_whole().where(questions.c.uuid == uuid)).first()
    if row is None:
        raise NotFound(f"the bank has no question {uuid!r}")
    return _stored(row)


def questions_by_id(engine: Engine, ids: Collection[int]) -> dict[int, StoredQuestion]:
    """Return questions by their ids; ids that are not in the bank are left out."""
    found: dict[int, StoredQuestion] = {}
    listed = list(ids)
    query = _whole().where(questions.c.id.in_(bindparam("ids", expanding=True)))
    with reading(engine) as connection:
        for start in range(0, len(listed), CHUNK):
            for row in connection.execute(query, {"ids": listed[start : start + CHUNK]}):
                found[row.id] = _stored(row)
    return found


def walk_questions(
    engine: Engine,
    *,
    states: Collection[QuestionState] | None = None,
    disciplines: Collection[str] | None = None,
    kinds: Collection[QuestionKind] | None = None,
    source: int | None = None,
    after: int = 0,
    limit: int | None = None,
    retired: bool | None = None,
) -> Iterator[StoredQuestion]:
    """Yield questions in order of their ids, from the first after `after`; memory stays small.

    `retired` keeps the retired ones (True) or the others (False).
    """
    query = _whole()
    for column, wanted in (
        (questions.c.state, states),
        (questions.c.discipline, disciplines),
        (questions.c.kind, kinds),
    ):
        if wanted is not None:
            query = query.where(column.in_([str(each) for each in wanted]))
    if source is not None:
        query = query.where(questions.c.source == source)
    if retired is not None:
        query = query.where(questions.c.retired.is_not(None) if retired else questions.c.retired.is_(None))
    left = limit
    while left is None or left > 0:
        size = PAGE if left is None else min(PAGE, left)
        page = query.where(questions.c.id > after).order_by(questions.c.id).limit(size)
        with reading(engine) as connection:
            rows = connection.execute(page).all()
        yield from map(_stored, rows)
        if len(rows) < size:
            return
        after = rows[-1].id
        left = None if left is None else left - len(rows)


_parents = questions.alias("parents")


def _whole() -> Any:
    return (
        select(questions, passages.c.text.label("material"), _parents.c.uuid.label("parent_uuid"))
        .outerjoin(passages, passages.c.id == questions.c.passage)
        .outerjoin(_parents, _parents.c.id == questions.c.parent)
    )


def _stored(row: Row[Any]) -> StoredQuestion:
    options = () if row.options == "[]" else tuple(orjson.loads(row.options))
    question = Question(
        row.uuid,
        QuestionKind(row.kind),
        row.stem,
        row.discipline,
        options,
        row.material,
        row.secondary,
        row.language,
        row.parent_uuid,
    )
    return StoredQuestion(
        row.id,
        question,
        row.family,
        row.version,
        QuestionState(row.state),
        row.source,
        row.place,
        row.made_by,
        bytes(row.key),
        row.since,
        row.retired,
        row.retired_why,
    )
