"""Copying a database: every row of every table is copied once, bit for bit, after any interruption."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fresh_database import fresh_sqlite
from sqlalchemy import CheckConstraint, Column, Engine, LargeBinary, String, Table, Text, insert, select, text
from sqlalchemy.types import Double

from assay.core.errors import AssayError, Conflict, InvalidInput
from assay.store import copying
from assay.store.copying import OF_PROCESSES, copied_tables, copy_database
from assay.store.engine import open_database, writing
from assay.store.locks import free_lock, take_lock, this_process
from assay.store.schema import calls, metadata, prices, runs, suites, writers

ROWS = 7
FIXED: dict[str, Callable[[int], Any]] = {
    "sessions.allocated": lambda number: number,
    "sessions.quota": lambda number: number,
    "sessions.pending": lambda number: 0,
    "sessions.completed": lambda number: 0,
    "exam_limits.exposure_rate": lambda number: number / 10,
    "exam_marks.stars": lambda number: 3,
    "human_marks.stars": lambda number: None,
}


def value(table: Table, column: Column[Any], number: int) -> Any:
    """Return a value of a column for a row; a reference has the value that it refers to."""
    fixed = FIXED.get(f"{table.name}.{column.name}")
    if fixed is not None:
        return fixed(number)
    for reference in column.foreign_keys:
        return value(reference.column.table, reference.column, number)
    for check in table.constraints:
        allowed = re.fullmatch(rf"{column.name} IN \((.*)\)", str(getattr(check, "sqltext", "")))
        if isinstance(check, CheckConstraint) and allowed is not None:
            return allowed[1].split(",")[0].strip("'")
    if isinstance(column.type, Double):
        return (1 / 3, 1e300, 5e-324, 0.1, -1e-9, 1e15, 2.5)[number % 7]
    if isinstance(column.type, LargeBinary):
        return bytes([0, 255, number])
    if isinstance(column.type, Text):
        return ("", "a", "B", "Ä", "\u2028\n", "中文", "𝄞")[number % 7] + str(number)
    if isinstance(column.type, String):
        return f"{number:02}"[: column.type.length]
    return number


def fill(engine: Engine) -> None:
    """Write rows into every table; columns that may be NULL are NULL in every third row."""
    with writing(engine) as connection:
        for table in metadata.sorted_tables:
            for number in range(1, ROWS + 1):
                row = {column.name: value(table, column, number) for column in table.columns}
                for column in table.columns:
                    if column.nullable and number % 3 == 0 and not column.foreign_keys:
                        row[column.name] = None
                connection.execute(insert(table).values(row))


def content(engine: Engine) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of all tables that are copied."""
    with engine.connect() as connection:
        return {
            table.name: sorted((tuple(row) for row in connection.execute(select(table))), key=repr)
            for table in copied_tables()
        }


@pytest.fixture
def source(tmp_path: Path) -> Iterator[Engine]:
    """An SQLite database with rows in every table."""
    engine = fresh_sqlite(tmp_path / "source.db")
    fill(engine)
    with writing(engine) as connection:
        connection.execute(text("DELETE FROM locks"))
    yield engine
    engine.dispose()


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches of two rows."""
    monkeypatch.setattr(copying, "BATCH", 2)


def test_every_table_is_copied() -> None:
    """A new table of the schema is copied automatically, unless it is listed as a table of processes."""
    assert {table.name for table in copied_tables()} | OF_PROCESSES == set(metadata.tables)
    assert {"locks", "writers"} == OF_PROCESSES


@pytest.mark.slow
@pytest.mark.usefixtures("small_batches")
def test_all_rows_arrive_as_they_were_and_come_back(source: Engine, engine: Engine, tmp_path: Path) -> None:
    """From SQLite to either kind and back, every value of every table is equal, floats to the last bit."""
    copied = copy_database(source, engine)
    assert {table.table: table.rows for table in copied} == {table.name: ROWS for table in copied_tables()}
    assert content(engine) == content(source)
    back = open_database(str(tmp_path / "back.db"))
    assert copy_database(engine, back) == copied
    assert content(back) == content(source)
    back.dispose()


def test_numbers_go_on_behind_the_last_row(source: Engine, engine: Engine) -> None:
    """The next run and the next call get new numbers."""
    copy_database(source, engine)
    opened = open_database(engine.url.render_as_string(hide_password=False))
    with writing(opened) as connection:
        for table in (runs, calls):
            row = {column.name: value(table, column, 1) for column in table.columns if column.name != "id"}
            made = connection.execute(insert(table).values(row).returning(table.c.id)).scalar_one()
            assert made == ROWS + 1
    opened.dispose()


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("batches", [1, 20, 60])
def test_a_copy_that_was_killed_goes_on(
    source: Engine, engine: Engine, batches: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a kill the target cannot be used; the same command completes it, with each row once."""
    left = [batches]

    def killed(table: str, done: int, rows: int) -> None:
        left[0] -= 1
        if not left[0]:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        copy_database(source, engine, progress=killed)
    address = engine.url.render_as_string(hide_password=False)
    with pytest.raises(Conflict, match=r"unfinished copy.*assay db copy"):
        open_database(address)
    again: list[str] = []
    copy_database(source, engine, progress=lambda table, done, rows: again.append(table))
    assert content(engine) == content(source)
    assert len(again) < 4 * len(copied_tables())
    open_database(address).dispose()


def test_a_target_with_other_data_is_refused(source: Engine, engine: Engine, tmp_path: Path) -> None:
    """Its data stay and it stays usable; an unfinished copy of another database is refused, too."""
    with writing(engine) as connection:
        connection.execute(insert(prices).values(value_row(prices, 1)))
    with pytest.raises(Conflict, match=r"holds data already .table 'prices'"):
        copy_database(source, engine)
    open_database(engine.url.render_as_string(hide_password=False)).dispose()
    with writing(engine) as connection:
        connection.execute(prices.delete())
        connection.execute(text("UPDATE alembic_version SET version_num = 'copying another'"))
    with pytest.raises(Conflict, match="unfinished copy of another"):
        copy_database(source, engine)
    with pytest.raises(InvalidInput, match="the same database"):
        copy_database(source, source)


def value_row(table: Table, number: int) -> dict[str, Any]:
    """Return a row."""
    return {column.name: value(table, column, number) for column in table.columns}


def test_a_source_that_is_used_is_refused(source: Engine, tmp_path: Path) -> None:
    """During a run nothing is copied, and the message names its process."""
    target = open_database(str(tmp_path / "target.db"))
    lease = take_lock(source, "run 1", this_process())
    with pytest.raises(Conflict, match=r"'run 1' is running in .*process \d+ on"):
        copy_database(source, target)
    free_lock(source, lease)
    copy_database(source, target)
    target.dispose()


def test_a_source_that_changed_meanwhile_is_detected(source: Engine, tmp_path: Path) -> None:
    """If a row changed after it was copied, the target cannot be used."""
    target = open_database(str(tmp_path / "target.db"))

    def stop(table: str, done: int, rows: int) -> None:
        if table == "suites":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        copy_database(source, target, progress=stop)
    with writing(source) as connection:
        connection.execute(suites.update().where(suites.c.digest == "01").values(stored_at=0.2500001))
    with pytest.raises(Conflict, match="table 'suites' differs"):
        copy_database(source, target)
    target.dispose()
    with pytest.raises(Conflict, match="unfinished copy"):
        open_database(str(tmp_path / "target.db"))


@pytest.mark.postgres
def test_a_text_with_nul_is_refused_or_replaced(source: Engine, request: pytest.FixtureRequest) -> None:
    """PostgreSQL cannot store it: the message names table, key and column; --replace-nul writes U+FFFD."""
    postgres = request.getfixturevalue("postgres")
    engine = postgres.open()
    try:
        with writing(source) as connection:
            connection.execute(calls.update().where(calls.c.id == 2).values(answer="a\0b"))
        with pytest.raises(InvalidInput, match=r"'answer' of table 'calls' \(id 2\).*--replace-nul"):
            copy_database(source, engine)
        copy_database(source, engine, replace_nul=True)
        with engine.connect() as connection:
            answer = connection.execute(select(calls.c.answer).where(calls.c.id == 2)).scalar_one()
        assert answer == "a\ufffdb"
    finally:
        postgres.empty(engine)
        engine.dispose()


def test_tables_of_processes_are_not_copied(source: Engine, tmp_path: Path) -> None:
    """Records of writers are not copied."""
    target = open_database(str(tmp_path / "target.db"))
    copy_database(source, target)
    with target.connect() as connection:
        assert connection.execute(select(writers)).first() is None
    target.dispose()


def test_an_older_source_is_refused(tmp_path: Path, source: Engine) -> None:
    """It must be upgraded first."""
    with writing(source) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0005'"))
    with pytest.raises(AssayError, match="assay db upgrade"):
        copy_database(source, open_database(str(tmp_path / "target.db")))
