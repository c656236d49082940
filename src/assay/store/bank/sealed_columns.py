"""Every sealed text in the database with what it is sealed for, to be sealed anew with another key."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, Connection, Row, Select, Table, literal, select, tuple_

from assay.core.sealed import key_about, mark_about
from assay.store.schema_bank import question_versions, questions, rejects
from assay.store.schema_exam import exam_marks, exam_remarks, signing_keys

CHUNK = 2000


@dataclass(frozen=True, slots=True)
class SealedColumn:
    """A column of sealed texts. `about` says what a row of `query` is sealed for.

    `query` gives the primary key's columns, the sealed one and whatever `about` needs.
    """

    table: Table
    column: Column[Any]
    query: Select[Any]
    about: Callable[[Row[Any]], str]


def sealed_column(
    table: Table, name: str, about: Callable[[Row[Any]], str], *more: Column[Any]
) -> SealedColumn:
    """Return a column of a table, with the further columns that `about` needs."""
    column = table.c[name]
    keys = list(table.primary_key.columns)
    wanted = dict.fromkeys([*keys, column, *more])
    query = select(*wanted).where(column.is_not(None)).order_by(*keys)
    return SealedColumn(table, column, query, about)


def _of_mark(row: Row[Any]) -> str:
    return mark_about(row.session, row.position, row.judge)


_versions = sealed_column(
    question_versions, "key", lambda row: key_about(row.uuid, row.version), questions.c.uuid
)
KNOWN = (
    sealed_column(
        questions,
        "key",
        lambda row: key_about(row.uuid, row.version),
        questions.c.uuid,
        questions.c.version,
    ),
    SealedColumn(
        _versions.table,
        _versions.column,
        _versions.query.join(questions, questions.c.id == question_versions.c.question),
        _versions.about,
    ),
    sealed_column(exam_marks, "rationale", _of_mark),
    sealed_column(exam_marks, "reply", _of_mark),
    sealed_column(
        exam_remarks,
        "rationale",
        _of_mark,
        exam_remarks.c.session,
        exam_remarks.c.position,
        exam_remarks.c.judge,
    ),
)
"""The keys of questions and of their earlier versions, judges' words, and marks that were replaced."""


def signing_secrets(about: Callable[[str], str]) -> SealedColumn:
    """Return the secrets of the keys that sign tokens; `about` says what one is sealed for, by its kid."""
    return sealed_column(signing_keys, "secret", lambda row: about(row.kid), signing_keys.c.kid)


def rejected_texts(about: Callable[[int, str], str]) -> SealedColumn:
    """Return the texts that imports rejected; `about` says what one is sealed for, by source and place."""
    return sealed_column(
        rejects, "text", lambda row: about(row.source, row.place), rejects.c.source, rejects.c.place
    )


def walk_sealed(connection: Connection, each: SealedColumn) -> Iterator[Sequence[Row[Any]]]:
    """Yield the rows of a sealed column, many at a time; they may be changed meanwhile."""
    keys = list(each.table.primary_key.columns)
    query = each.query.limit(CHUNK)
    while rows := connection.execute(query).all():
        yield rows
        last = [literal(rows[-1]._mapping[key.name], key.type) for key in keys]
        query = each.query.where(tuple_(*keys) > tuple_(*last)).limit(CHUNK)


def reseal(
    connection: Connection, each: SealedColumn, rows: Sequence[Row[Any]], sealed: Sequence[bytes]
) -> None:
    """Put newly sealed texts in the place of those of these rows."""
    mark = "?" if connection.dialect.name == "sqlite" else "%s"
    keys = [column.name for column in each.table.primary_key.columns]
    where = " AND ".join(f"{name} = {mark}" for name in keys)
    text = f"UPDATE {each.table.name} SET {each.column.name} = {mark} WHERE {where}"
    values = [(new, *(row._mapping[name] for name in keys)) for row, new in zip(rows, sealed, strict=True)]
    connection.exec_driver_sql(text, values)
