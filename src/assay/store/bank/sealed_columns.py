"""The sealed columns of the database, and sealing all their texts again with another key."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, Connection, Engine, Row, Select, Table, literal, select, tuple_

from assay.core.errors import Conflict
from assay.core.sealed import (
    Sealer,
    expert_mark_about,
    key_about,
    mark_about,
    reject_about,
    signing_key_about,
)
from assay.store.engine import driver_sql, writing
from assay.store.schema_bank import question_versions, questions, rejects
from assay.store.schema_exam import exam_marks, exam_remarks, human_marks, signing_keys

CHUNK = 2000


@dataclass(frozen=True, slots=True)
class SealedColumn:
    """A column of sealed texts. `about` returns the context that a row of `query` is sealed for.

    `query` selects the primary key, the sealed column and the columns that `about` needs.
    """

    table: Table
    column: Column[Any]
    query: Select[Any]
    about: Callable[[Row[Any]], str]


def _sealed(table: Table, name: str, about: Callable[[Row[Any]], str], *needed: Column[Any]) -> SealedColumn:
    column = table.c[name]
    keys = list(table.primary_key.columns)
    query = select(*dict.fromkeys([*keys, column, *needed])).where(column.is_not(None)).order_by(*keys)
    return SealedColumn(table, column, query, about)


def _question_key(row: Row[Any]) -> str:
    return key_about(row.uuid, row.version)


def _mark(row: Row[Any]) -> str:
    return mark_about(row.session, row.position, row.judge)


def _of(table: Table, *names: str) -> tuple[Column[Any], ...]:
    return tuple(table.c[name] for name in names)


_versions = _sealed(question_versions, "key", _question_key, questions.c.uuid)
SEALED_COLUMNS = (
    _sealed(questions, "key", _question_key, *_of(questions, "uuid", "version")),
    SealedColumn(
        _versions.table,
        _versions.column,
        _versions.query.join(questions, questions.c.id == question_versions.c.question),
        _versions.about,
    ),
    _sealed(exam_marks, "rationale", _mark),
    _sealed(exam_marks, "reply", _mark),
    _sealed(exam_remarks, "rationale", _mark, *_of(exam_remarks, "session", "position", "judge")),
    _sealed(
        human_marks,
        "rationale",
        lambda row: expert_mark_about(row.session, row.position, row.reviewer),
        *_of(human_marks, "session", "position", "reviewer"),
    ),
    _sealed(
        rejects, "text", lambda row: reject_about(row.source, row.place), *_of(rejects, "source", "place")
    ),
    _sealed(signing_keys, "secret", lambda row: signing_key_about(row.kid), signing_keys.c.kid),
)
"""Keys of questions and their earlier versions, texts of judges and experts, rejects, and signing keys."""


def rekey(engine: Engine, old: Sealer, new: Sealer) -> dict[str, int]:
    """Seal every sealed text again with a new key, in one transaction; return the numbers by column.

    Raises Denied, with nothing changed, if a text cannot be opened with the old key, and Conflict if both
    keys are the same.
    """
    if old.name == new.name:
        raise Conflict(f"the old and the new key are the same ({old.name}): give another new key")
    counts: dict[str, int] = {}
    with writing(engine) as connection:
        for sealed in SEALED_COLUMNS:
            name = sealed.column.name
            count = 0
            for rows in _pages(connection, sealed):
                texts = []
                for row in rows:
                    about = sealed.about(row)
                    texts.append(new.seal(old.open(bytes(row._mapping[name]), about), about))
                _replace(connection, sealed, rows, texts)
                count += len(rows)
            counts[f"{sealed.table.name}.{name}"] = count
    return counts


def _pages(connection: Connection, sealed: SealedColumn) -> Iterator[Sequence[Row[Any]]]:
    """Yield the rows of a sealed column in pages; the caller may change them meanwhile."""
    keys = list(sealed.table.primary_key.columns)
    query = sealed.query.limit(CHUNK)
    while rows := connection.execute(query).all():
        yield rows
        last = [literal(rows[-1]._mapping[key.name], key.type) for key in keys]
        query = sealed.query.where(tuple_(*keys) > tuple_(*last)).limit(CHUNK)


def _replace(
    connection: Connection, sealed: SealedColumn, rows: Sequence[Row[Any]], texts: Sequence[bytes]
) -> None:
    keys = [column.name for column in sealed.table.primary_key.columns]
    where = " AND ".join(f"{name} = {{mark}}" for name in keys)
    text = f"UPDATE {sealed.table.name} SET {sealed.column.name} = {{mark}} WHERE {where}"
    values = [(new, *(row._mapping[name] for name in keys)) for row, new in zip(rows, texts, strict=True)]
    connection.exec_driver_sql(driver_sql(text, connection.dialect.name), values)
