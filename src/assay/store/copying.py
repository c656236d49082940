"""Copying a database into an empty one of either kind, in the order of keys, and comparing both row by row.

A copy that was killed goes on behind the last row it wrote. Until it has been compared, the new database
carries a revision that no command works with, so that nobody takes half of it for the whole.
"""

from __future__ import annotations

import hashlib
import struct
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
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
from assay.store.engine import COPYING, head, migrate, reading, revision, spoken_errors, writing
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
"""Tables of the processes that use a database, not of what was measured: they stay where they are."""
NUL = "\0"
STAND_IN = "\ufffd"


def copied_tables() -> tuple[Table, ...]:
    """Return every table that is copied; one that others refer to stands before them."""
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
    after each batch. PostgreSQL's texts cannot hold NUL: with `replace_nul` U+FFFD stands for it. Raises
    Conflict for a target that holds anything else, and while a run or the like goes on in either database.
    """
    _check_source(source)
    mark = f"{COPYING} {hashlib.sha256(_address(source).encode()).hexdigest()[:16]}"
    if _address(source) == _address(target):
        raise InvalidInput("source and target are the same database: name two")
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
    found = revision(source)
    if found != head():
        raise Conflict(
            f"database {_address(source)!r} has schema {found!r}, this version works with {head()!r}: run "
            "`assay db upgrade` on it first"
        )
    for lock in held_locks(source):
        raise Conflict(
            f"{lock.name!r} goes on in {_address(source)!r} ({lock}): wait for it to end, or stop it, and "
            "give the same command again"
        )
    for path in kept_files(source):
        raise Conflict(f"rows of {_address(source)!r} stand in {str(path)!r}: resume their run first")


def _begin(target: Engine, mark: str) -> None:
    """Set the target up, marked as an unfinished copy of the source; Conflict when it is anything else."""
    found = revision(target)
    if found is None:
        migrate(target)
        found = head()
    if found == mark:
        return
    if found.startswith(COPYING):
        raise Conflict(f"{_address(target)!r} is an unfinished copy of another database: name an empty one")
    if found != head():
        raise Conflict(f"{_address(target)!r} has schema {found!r}, not {head()!r}: name an empty database")
    with writing(target) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :mark"), {"mark": mark})
        for table in copied_tables():
            if connection.execute(select(table).limit(1)).first() is not None:
                raise Conflict(
                    f"{_address(target)!r} holds data already (table {table.name!r}): name an empty database"
                )


def _finish(target: Engine, lease: Lease) -> None:
    """Let numbered tables of PostgreSQL go on behind the last number, and open the target for use."""
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
    """Renews the lock of a long copy now and then."""

    def __init__(self, target: Engine, lease: Lease) -> None:
        self.target = target
        self.lease = lease
        self._renewed = time.monotonic()

    def keep(self) -> None:
        """Renew the lock when it is time to."""
        if time.monotonic() - self._renewed > LEASE / 4:
            renew_lock(self.target, self.lease)
            self._renewed = time.monotonic()


@contextmanager
def _snapshot(engine: Engine) -> Iterator[Connection]:
    """Open a connection that sees the database as it is now, whatever others write meanwhile."""
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
    """Copy the rows behind the last one that the target has; each batch is a transaction."""
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
    """Compare a table row by row; Conflict where the databases differ."""
    with _snapshot(pace.target) as target:
        mine = _digest(reader.batches(source, table), pace)
        theirs = _digest(_Reader(None, replace_nul=False).batches(target, table), pace)
    if mine != theirs:
        raise Conflict(
            f"table {table.name!r} differs: {mine[0]:,} rows here, {theirs[0]:,} there, or other values. The "
            "source was changed after the copy began, or holds a value that the target cannot (not-a-number "
            "in SQLite): copy into another empty database"
        )
    return CopiedTable(table.name, *mine)


def _digest(batches: Iterable[list[dict[str, Any]]], pace: _Pace) -> tuple[int, str]:
    """Return how many rows there are and the SHA-256 of their values, with types and lengths."""
    found, count = hashlib.sha256(), 0
    for rows in batches:
        for row in rows:
            found.update(b"".join(map(_encoded, row.values())))
        count += len(rows)
        pace.keep()
    return count, found.hexdigest()


def _encoded(value: object) -> bytes:
    """Return a value so that no two rows look alike: floats bit by bit, but for the sign of 0."""
    if value is None:
        return b"n"
    if isinstance(value, float):
        return b"f" + struct.pack(">d", value + 0.0)
    if isinstance(value, int):
        return b"i%d;" % value
    kind, raw = (b"t", value.encode()) if isinstance(value, str) else (b"b", bytes(cast(bytes, value)))
    return b"%s%d:%s" % (kind, len(raw), raw)


class _Reader:
    """Reads tables in the order of their keys, in batches; it knows what the target's texts cannot hold."""

    def __init__(self, target: Engine | None, *, replace_nul: bool) -> None:
        self._no_nul = target is not None and target.dialect.name == "postgresql"
        self._replace = replace_nul

    def batches(
        self, connection: Connection, table: Table, *, after: Row[Any] | None = None
    ) -> Iterator[list[dict[str, Any]]]:
        """Yield rows by column name, those behind a key first, at most `BATCH` at a time."""
        keys = _keys(table, connection)
        query = select(table).order_by(*keys)
        if after is not None:
            query = query.where(tuple_(*keys) > tuple_(*after) if len(keys) > 1 else keys[0] > after[0])
        with connection.execution_options(yield_per=BATCH).execute(query) as result:
            for part in result.mappings().partitions():
                rows = [dict(row) for row in part]
                if self._no_nul:
                    for row in rows:
                        self._heed_nul(table, row)
                yield rows

    def _heed_nul(self, table: Table, row: dict[str, Any]) -> None:
        for name, value in row.items():
            if isinstance(value, str) and NUL in value:
                if not self._replace:
                    key = ", ".join(f"{part.name} {row[part.name]!r}" for part in table.primary_key.columns)
                    raise InvalidInput(
                        f"{name!r} of table {table.name!r} ({key}) holds the character NUL, which texts in "
                        "PostgreSQL cannot: pass --replace-nul to write U+FFFD for it"
                    )
                row[name] = value.replace(NUL, STAND_IN)


def _keys(table: Table, connection: Connection) -> list[ColumnElement[Any]]:
    """Return a table's key; texts by their bytes in UTF-8, which both kinds of databases sort alike."""
    bytewise = connection.dialect.name == "postgresql"
    return [
        collate(column, "C") if bytewise and isinstance(column.type, String) else column
        for column in table.primary_key.columns
    ]


def _count(connection: Connection, table: Table) -> int:
    return int(connection.execute(select(func.count()).select_from(table)).scalar_one())


def _address(engine: Engine) -> str:
    url = engine.url
    if engine.dialect.name == "sqlite" and url.database:
        url = url.set(database=str(Path(url.database).absolute()))
    return url.render_as_string(hide_password=True)
