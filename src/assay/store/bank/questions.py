"""The bank's questions: storing, finding and iterating over them. Keys are passed in sealed."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import orjson
from sqlalchemy import Connection, Engine, Row, bindparam, insert, select, text, update

from assay.core.errors import NotFound
from assay.core.question import Question, QuestionKind, QuestionState
from assay.store.engine import driver_sql, in_parts, insert_new, reading
from assay.store.schema_bank import passages, questions, rejects, sources

PAGE = 2000
_INSERTED = (
    "uuid,family,parent,kind,discipline,secondary,language,stem,options,passage,key,digest,source,"
    "place,made_by,state,version"
)


class QuestionRow(NamedTuple):
    """A new question. `parent` is the id of the question it was made from, None for an original.

    `key` is sealed. `digest` is a hash of the normalised content; a second question with the same digest is
    refused.
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
    """A question as the bank stores it. `family` is the id of its original, which may be itself.

    `since` and `retired` are the bank's revisions in which it became drawable and was retired, else None.
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
    """Store a source of questions and return its id."""
    values = {
        "name": name,
        "sha256": sha256,
        "kind": kind,
        "profile": profile,
        "synthetic": int(synthetic),
        "account": orjson.dumps(dict(account)).decode(),
        "imported_at": now,
    }
    number: int | None = connection.execute(insert(sources).values(values).returning(sources.c.id)).scalar()
    assert number is not None
    return number


def keep_account(connection: Connection, source: int, account: Mapping[str, Any]) -> None:
    """Store the account of an import with its source."""
    document = orjson.dumps(dict(account)).decode()
    connection.execute(update(sources).where(sources.c.id == source).values(account=document))


def source_of_file(engine: Engine, sha256: str) -> int | None:
    """Return the id of the source that was imported from a file, None if the file is new."""
    query = select(sources.c.id).where(sources.c.sha256 == sha256).order_by(sources.c.id).limit(1)
    with reading(engine) as connection:
        return connection.execute(query).scalar()


def keep_rejects(connection: Connection, source: int, rows: Sequence[tuple[str, int, str, bytes]]) -> None:
    """Store rejected texts: place, number of lines, reason, sealed text."""
    if rows:
        values = [
            {"source": source, "place": place, "lines": lines, "reason": reason, "text": sealed}
            for place, lines, reason, sealed in rows
        ]
        connection.execute(insert(rejects), values)


def keep_questions(connection: Connection, rows: Sequence[QuestionRow]) -> list[int | None]:
    """Store new questions as raw and return their ids in order; None where the uuid or digest exists already.

    Parents must be in the bank.
    """
    return [number for part in in_parts(rows) for number in _keep(connection, part)]


def _keep(connection: Connection, rows: Sequence[QuestionRow]) -> list[int | None]:
    texts = dict.fromkeys(row.passage for row in rows if row.passage is not None)
    shared = {passage: passage_id(connection, passage) for passage in texts}
    parents = [row.parent for row in rows if row.parent is not None]
    query = select(questions.c.id, questions.c.family).where(questions.c.id.in_(parents))
    families = dict(connection.execute(query).tuples().all()) if parents else {}
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
    row_marks = f"({','.join(['{mark}'] * len(_INSERTED.split(',')))})"
    statement = (
        f"INSERT INTO questions ({_INSERTED}) VALUES {','.join([row_marks] * len(rows))} "
        "ON CONFLICT DO NOTHING RETURNING uuid, id"
    )
    statement = driver_sql(statement, connection.dialect.name)
    made = dict(connection.exec_driver_sql(statement, tuple(values)).tuples().all())
    originals = [made[row.uuid] for row in rows if row.parent is None and row.uuid in made]
    if originals:
        first, last = min(originals), max(originals)
        connection.execute(
            text("UPDATE questions SET family = id WHERE family = 0 AND id BETWEEN :first AND :last"),
            {"first": first, "last": last},
        )
    return [made.get(row.uuid) for row in rows]


def passage_id(connection: Connection, passage: str) -> int:
    """Return the id of a passage, which is stored if it is new."""
    digest = hashlib.blake2b(passage.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    insert_new(connection, passages, {"digest": digest, "text": passage})
    number: int | None = connection.execute(select(passages.c.id).where(passages.c.digest == digest)).scalar()
    assert number is not None
    return number


def question_by_uuid(engine: Engine, uuid: str) -> StoredQuestion:
    """Return one question. Raises NotFound for an unknown uuid."""
    with reading(engine) as connection:
        row = connection.execute(_whole().where(questions.c.uuid == uuid)).first()
    if row is None:
        raise NotFound(f"the bank has no question {uuid!r}")
    return _stored(row)


def questions_by_id(engine: Engine, ids: Collection[int]) -> dict[int, StoredQuestion]:
    """Return questions by id; unknown ids are left out."""
    query = _whole().where(questions.c.id.in_(bindparam("ids", expanding=True)))
    with reading(engine) as connection:
        return {
            row.id: _stored(row) for part in in_parts(ids) for row in connection.execute(query, {"ids": part})
        }


def walk_questions(
    engine: Engine,
    *,
    states: Collection[QuestionState] | None = None,
    disciplines: Collection[str] | None = None,
    kinds: Collection[QuestionKind] | None = None,
    source: int | None = None,
    retired: bool | None = None,
) -> Iterator[StoredQuestion]:
    """Yield questions in order of their ids, in pages, so that memory stays small.

    `retired` selects retired questions (True) or the others (False).
    """
    query = _whole()
    for column, values in (
        (questions.c.state, states),
        (questions.c.discipline, disciplines),
        (questions.c.kind, kinds),
    ):
        if values is not None:
            query = query.where(column.in_(list(map(str, values))))
    if source is not None:
        query = query.where(questions.c.source == source)
    if retired is not None:
        query = query.where(questions.c.retired.is_not(None) if retired else questions.c.retired.is_(None))
    last = 0
    while True:
        page = query.where(questions.c.id > last).order_by(questions.c.id).limit(PAGE)
        with reading(engine) as connection:
            rows = connection.execute(page).all()
        yield from map(_stored, rows)
        if len(rows) < PAGE:
            return
        last = rows[-1].id


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


class KnownQuestion(NamedTuple):
    """A question of the bank by its id, with the digest of its content."""

    id: int
    digest: bytes


def known_uuids(connection: Connection, uuids: Collection[str]) -> dict[str, KnownQuestion]:
    """Return the questions that the bank has under these uuids."""
    known = {}
    for part in in_parts(uuids):
        text = "SELECT uuid, id, digest FROM questions WHERE uuid IN ({marks})"
        statement = driver_sql(text, connection.dialect.name, len(part))
        for uuid, number, digest in connection.exec_driver_sql(statement, tuple(part)):
            known[uuid] = KnownQuestion(number, bytes(digest))
    return known
