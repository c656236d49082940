"""Copying a database into an empty one of either kind, in the order of keys, and comparing both row by row.

A copy that was killed continues after the last row that it wrote. Until it has been compared, the new
database has a revision that every command refuses, so that an unfinished copy is not used by mistake.
"""

from __future__ import annotations

import hashlib
import struct
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, cast

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Row,
    String,
    Table,
    collate,
    delete,
    func,
    insert,
    select,
    text,
    tuple_,
)

from assay.core.errors import Conflict, InvalidInput
from assay.results.workspace import CopiedTable
from assay.store import schema_bank, schema_exam  # noqa: F401 (their tables join the metadata)
from assay.store.engine import COPYING, address, head, migrate, reading, revision, spoken_errors, writing
from assay.store.locks import (
    LEASE,
    Lease,
    ensure_held,
    free_lock,
    held_locks,
    renew_lock,
    take_lock,
    this_process,
)
from assay.store.schema import locks, metadata, writers
from assay.store.unsaved import kept_files

BATCH = 2_000
LOCK = "copy"
OF_PROCESSES = frozenset({locks.name, writers.name})
"""Tables about the processes that use a database, which are not copied."""
NUL = "\0"
NUL_REPLACEMENT = "\ufffd"


def copied_tables() -> tuple[Table, ...]:
    """Return every table that is copied; a table comes before the tables that refer to it."""
    return tuple(table for table in metadata.sorted_tables if table.name not in OF_PROCESSES)


def copy_database(
    source: Engine,
    target: Engine,
    *,
    replace_nul: bool = False,
    progress: Callable[[str, int, int], None] = lambda table, done, rows: None,
) -> list[CopiedTable]:
    """Copy all rows of `source` into `target`, compare every row, and open the target for use.

    The target is empty, or an unfinished copy of the same source. `progress(table, done, rows)` is called
    after each batch. PostgreSQL cannot store NUL: with `replace_nul` U+FFFD is written instead.
    Raises Conflict for a target with other data, and if a run, an import or the like is running in either
    database.
    """
    _check_source(source)
    mark = f"{COPYING} {hashlib.sha256(address(source).encode()).hexdigest()[:16]}"
    if address(source) == address(target):
        raise InvalidInput("source and target are the same database: give two different ones")
    _begin(target, mark)
    lease = take_lock(target, LOCK, this_process())
    pace, reader = _Pace(target, lease), _Reader(target, replace_nul=replace_nul)
    try:
        with _snapshot(source) as rows:
            for table in copied_tables():
                _copy_table(rows, table, pace, reader, progress)
            compared = [_compare(rows, table, pace, reader) for table in copied_tables()]
        _check_source(source)
        _finish(target, lease)
    finally:
        free_lock(target, lease)
    return compared


def _check_source(source: Engine) -> None:
    schema = revision(source)
    if schema != head():
        raise Conflict(
            f"database {address(source)!r} has schema {schema!r}, but this version works with {head()!r}: "
            "run `assay db upgrade` on it first"
        )
    for lock in held_locks(source):
        raise Conflict(
            f"{lock.name!r} is running in {address(source)!r} ({lock}): wait for it to end, or stop it, and "
            "give the same command again"
        )
    for path in kept_files(source):
        raise Conflict(
            f"rows of {address(source)!r} are still in the file {str(path)!r}: resume their run first"
        )


def _begin(target: Engine, mark: str) -> None:
    """Set the target up, marked as an unfinished copy of the source. Raises Conflict if it is not empty."""
    schema = revision(target)
    if schema is None:
        migrate(target)
        schema = head()
    if schema == mark:
        return
    if schema.startswith(COPYING):
        raise Conflict(f"{address(target)!r} is an unfinished copy of another database: give an empty one")
    if schema != head():
        raise Conflict(f"{address(target)!r} has schema {schema!r}, not {head()!r}: give an empty database")
    with writing(target) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :mark"), {"mark": mark})
        for table in copied_tables():
            if connection.execute(select(table).limit(1)).first() is not None:
                raise Conflict(
                    f"{address(target)!r} holds data already (table {table.name!r}): give an empty database"
                )


def _finish(target: Engine, lease: Lease) -> None:
    """Continue PostgreSQL's row numbers after the last one, and open the target for use."""
    with writing(target) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :head"), {"head": head()})
        connection.execute(delete(writers))
        if target.dialect.name == "postgresql":
            for table in copied_tables():
                _set_sequence(connection, table)
        ensure_held(connection, lease)


def _set_sequence(connection: Connection, table: Table) -> None:
    column = table.autoincrement_column
    if column is None:
        return
    name = connection.dialect.identifier_preparer.format_table(table)
    sequence = connection.execute(select(func.pg_get_serial_sequence(name, column.name))).scalar()
    last = connection.execute(select(func.max(column))).scalar()
    if sequence is not None and last is not None:
        connection.execute(select(func.setval(sequence, last)))


class _Pace:
    """Renews the lock of a long copy from time to time."""

    def __init__(self, target: Engine, lease: Lease) -> None:
        self.target = target
        self.lease = lease
        self._renewed = time.monotonic()

    def keep(self) -> None:
        """Renew the lock if a quarter of the lease has passed."""
        if time.monotonic() - self._renewed > LEASE / 4:
            renew_lock(self.target, self.lease)
            self._renewed = time.monotonic()


@contextmanager
def _snapshot(engine: Engine) -> Iterator[Connection]:
    """Open a connection that sees the database as it is now, without later writes of other processes."""
    with spoken_errors(engine), engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            connection = connection.execution_options(isolation_level="REPEATABLE READ")
            with connection.begin():
                yield connection
            return
        connection.exec_driver_sql("BEGIN")
        yield connection
        connection.rollback()


def _copy_table(
    source: Connection,
    table: Table,
    pace: _Pace,
    reader: _Reader,
    progress: Callable[[str, int, int], None],
) -> None:
    """Copy the rows after the last one in the target; each batch is a transaction."""
    with reading(pace.target) as connection:
        keys = _keys(table, connection)
        query = select(*table.primary_key.columns).order_by(*[key.desc() for key in keys]).limit(1)
        last = connection.execute(query).first()
        done = _count(connection, table)
    total = _count(source, table)
    for rows in reader.batches(source, table, after=last):
        with writing(pace.target) as connection:
            connection.execute(insert(table), rows)
            ensure_held(connection, pace.lease)
        pace.keep()
        done += len(rows)
        progress(table.name, done, total)


def _compare(source: Connection, table: Table, pace: _Pace, reader: _Reader) -> CopiedTable:
    """Compare a table row by row. Raises Conflict if the databases differ."""
    with _snapshot(pace.target) as target:
        original = _digest(reader.batches(source, table), pace)
        copy = _digest(_Reader(None, replace_nul=False).batches(target, table), pace)
    if original != copy:
        raise Conflict(
            f"table {table.name!r} differs: {original[0]:,} rows in the source, {copy[0]:,} in the target, "
            "or other values. The source was changed after the copy began, or holds a value that the target "
            "cannot hold (not-a-number in SQLite): copy into another empty database"
        )
    return CopiedTable(table.name, *original)


def _digest(batches: Iterable[list[dict[str, Any]]], pace: _Pace) -> tuple[int, str]:
    """Return the number of rows and the SHA-256 of their values, with types and lengths."""
    digest, count = hashlib.sha256(), 0
    for rows in batches:
        for row in rows:
            digest.update(b"".join(map(_encoded, row.values())))
        count += len(rows)
        pace.keep()
    return count, digest.hexdigest()


def _encoded(value: object) -> bytes:
    """Return a value in an unambiguous form: floats bit by bit, except for the sign of 0."""
    if value is None:
        return b"n"
    if isinstance(value, float):
        return b"f" + struct.pack(">d", value + 0.0)
    if isinstance(value, int):
        return b"i%d;" % value
    kind, raw = (b"t", value.encode()) if isinstance(value, str) else (b"b", bytes(cast(bytes, value)))
    return b"%s%d:%s" % (kind, len(raw), raw)


class _Reader:
    """Reads tables in batches in the order of their keys, and replaces or refuses NUL for PostgreSQL."""

    def __init__(self, target: Engine | None, *, replace_nul: bool) -> None:
        self._no_nul = target is not None and target.dialect.name == "postgresql"
        self._replace = replace_nul

    def batches(
        self, connection: Connection, table: Table, *, after: Row[Any] | None = None
    ) -> Iterator[list[dict[str, Any]]]:
        """Yield rows by column name, at most `BATCH` at a time; only those after a key if it is given."""
        keys = _keys(table, connection)
        query = select(table).order_by(*keys)
        if after is not None:
            query = query.where(tuple_(*keys) > tuple_(*after) if len(keys) > 1 else keys[0] > after[0])
        with connection.execution_options(yield_per=BATCH).execute(query) as result:
            for part in result.mappings().partitions():
                rows = [dict(row) for row in part]
                if self._no_nul:
                    for row in rows:
                        self._check_nul(table, row)
                yield rows

    def _check_nul(self, table: Table, row: dict[str, Any]) -> None:
        for name, value in row.items():
            if isinstance(value, str) and NUL in value:
                if not self._replace:
                    key = ", ".join(f"{part.name} {row[part.name]!r}" for part in table.primary_key.columns)
                    raise InvalidInput(
                        f"{name!r} of table {table.name!r} ({key}) contains the character NUL, which "
                        "PostgreSQL cannot store: pass --replace-nul to write U+FFFD instead"
                    )
                row[name] = value.replace(NUL, NUL_REPLACEMENT)


def _keys(table: Table, connection: Connection) -> list[ColumnElement[Any]]:
    """Return a table's key; both kinds of databases compare its texts by their bytes in UTF-8."""
    bytewise = connection.dialect.name == "postgresql"
    return [
        collate(column, "C") if bytewise and isinstance(column.type, String) else column
        for column in table.primary_key.columns
    ]


def _count(connection: Connection, table: Table) -> int:
    return int(connection.execute(select(func.count()).select_from(table)).scalar_one())
