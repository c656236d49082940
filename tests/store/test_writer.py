"""The ledger's writer: each batch is written once, and none into a file that vanished."""

from __future__ import annotations

import shutil
import sqlite3
import stat
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from fresh_database import EmptiedPostgres
from sqlalchemy import Engine, event, select
from sqlalchemy.exc import OperationalError

from assay.core.errors import Conflict, InvalidInput
from assay.store.engine import DatabaseBusy, Vanished, open_database, writing
from assay.store.rows import Batch, CallRow, GradeRow, MarkRow, SampleRow
from assay.store.schema import calls, grades, marks, samples, writers
from assay.store.unsaved import take_in
from assay.store.writer import LedgerWriter

RUN = 3


def call(position: int) -> CallRow:
    """Return a call with text, bytes and numbers that are hard to store exactly."""
    known: dict[str, Any] = dict.fromkeys(CallRow._fields)
    known |= {"run": RUN, "position": position, "purpose": "subject", "model": 1, "request_hash": b"\x00\xff"}
    known |= {
        "attempt": 1,
        "status": "ok",
        "started_at": 0.1 + position,
        "cost": 1e-17,
        "answer": "a\n\u2028é",
    }
    return CallRow(**known)


def batch(*positions: int) -> Batch:
    """Return a batch with a row of each kind for each position."""
    made = Batch()
    for position in positions:
        made.calls.append(call(position))
        made.samples.append(SampleRow(RUN, position, 1, 0, 0, "ok", 100.0 / 3, 0, 0.5))
        made.grades.append(GradeRow(RUN, position, 0, "exact", 1.0, None, "{}"))
        made.marks.append(MarkRow(RUN, position, 0, 1, "rubric", None, "why", "", "text", b"\x01", 0, 0.5))
    return made


def stored(engine: Engine) -> list[list[tuple[Any, ...]]]:
    """Return all rows of the ledger, without the numbers of calls."""
    with engine.connect() as connection:
        return [
            sorted(tuple(row)[table is calls :] for row in connection.execute(select(table)))
            for table in (calls, samples, grades, marks)
        ]


def expected(*batches: Batch) -> list[list[tuple[Any, ...]]]:
    """Return the rows of the ledger after these batches."""
    tables: Sequence[Callable[[Batch], Sequence[tuple[Any, ...]]]] = (
        lambda committed: committed.calls,
        lambda committed: committed.samples,
        lambda committed: committed.grades,
        lambda committed: committed.marks,
    )
    return [sorted(tuple(row) for committed in batches for row in rows(committed)) for rows in tables]


def test_a_commit_of_unknown_outcome_is_tried_again_and_written_once(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection breaks after the commit, and the second attempt finds the batch in the database."""
    writer, commit, broken = LedgerWriter(engine), engine.dialect.do_commit, [True]

    def break_off(connection: Any) -> None:
        commit(connection)
        if broken:
            broken.pop()
            raise OperationalError(
                "COMMIT", {}, Exception("database is locked: server closed the connection")
            )

    monkeypatch.setattr(engine.dialect, "do_commit", break_off)
    with pytest.raises(DatabaseBusy):
        writer.commit(batch(0, 1))
    writer.commit(batch(0, 1))
    writer.commit(batch(2))
    writer.close()
    assert stored(engine) == expected(batch(0, 1), batch(2))
    with engine.connect() as connection:
        assert connection.execute(select(writers)).first() is None


def test_rows_that_could_not_be_written_are_imported_once(engine: Engine) -> None:
    """Saved rows are imported bit for bit and only once, and only their owner can read them."""
    writer = LedgerWriter(engine)
    writer.commit(batch(0))
    message = writer.keep([batch(1), batch(2, 3)], DatabaseBusy("locked"))
    writer.close()
    path = Path(message.split("'")[1])
    assert f"`assay resume {RUN}`" in message and stat.S_IMODE(path.stat().st_mode) == 0o600
    copy = path.with_suffix(".copy")
    shutil.copy(path, copy)
    assert take_in(engine, RUN + 1) == 0
    assert take_in(engine, RUN) == 2
    assert not path.exists()
    copy.rename(path)  # as if the process had been killed before it could delete the file
    assert take_in(engine, RUN) == 0
    assert not path.exists()
    assert stored(engine) == expected(batch(0), batch(1, 2, 3))


def test_a_batch_that_was_committed_is_not_imported_again(engine: Engine) -> None:
    """A saved batch whose commit had succeeded is recognised by its number."""
    writer = LedgerWriter(engine)
    writer.commit(batch(0))
    writer._number = 0
    writer.keep([batch(0), batch(1)], DatabaseBusy("unknown"))
    assert take_in(engine, RUN) == 1
    assert stored(engine) == expected(batch(0), batch(1))


def test_samples_that_another_process_finished_are_kept(sqlite: Engine) -> None:
    """A newer sample keeps its answer; an older sample is replaced, as by a new grading."""
    LedgerWriter(sqlite).keep([batch(0, 1), batch(2)], DatabaseBusy("locked"))
    newer, older = batch(0), batch(2)
    newer.samples[0] = newer.samples[0]._replace(score=1.0, finished_at=99.0)
    older.samples[0] = older.samples[0]._replace(score=2.0, finished_at=0.1)
    LedgerWriter(sqlite).commit(newer)
    LedgerWriter(sqlite).commit(older)
    assert take_in(sqlite, RUN) == 2
    answered, scored, *_ = stored(sqlite)
    assert [row[1] for row in answered] == [0, 1, 2, 2]
    assert [(row[1], row[6]) for row in scored] == [(0, 1.0), (1, 100.0 / 3), (2, 100.0 / 3)]


def test_complete_lines_of_a_file_that_was_cut_off_are_imported(sqlite: Engine) -> None:
    """Lines after the first damaged one are left out; no sample comes without its grades."""
    message = LedgerWriter(sqlite).keep([batch(0, 1)], DatabaseBusy("full"))
    path = Path(message.split("'")[1])
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:-1], lines[-1][:-9]]))
    assert take_in(sqlite, RUN) == 1
    assert [len(rows) for rows in stored(sqlite)] == [2, 1, 2, 2]


def test_a_file_of_another_version_is_refused(sqlite: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not deleted, and the message says what to do."""
    message = LedgerWriter(sqlite).keep([batch(0)], DatabaseBusy("full"))
    monkeypatch.setitem(__import__("assay.store.unsaved", fromlist=["KINDS"]).KINDS, "calls", SampleRow)
    with pytest.raises(Conflict, match="another version"):
        take_in(sqlite, RUN)
    assert Path(message.split("'")[1]).exists()


@pytest.mark.parametrize("fate", ["deleted", "moved", "replaced"])
def test_a_file_that_vanished_is_an_error_and_its_rows_are_saved(sqlite: Engine, fate: str) -> None:
    """The next commit is refused; the rescued file, moved back, holds every row once."""
    path = Path(str(sqlite.url.database))
    writer = LedgerWriter(sqlite)
    writer.commit(batch(0))
    if fate == "deleted":
        path.unlink()
    else:
        path.rename(path.with_name("moved.db"))
    if fate == "replaced":
        sqlite3.connect(path).close()
        path.touch()
    with pytest.raises(Vanished, match=r"deleted, moved or replaced") as caught:
        writer.commit(batch(1))
    message = writer.keep([batch(1), batch(2)], caught.value)
    writer.close()
    sqlite.dispose()
    rescued = Path(message.split("'")[1])
    assert f"move that file to {str(path)!r}" in message
    for left in path.parent.glob("assay.db*"):
        if left != rescued:
            left.unlink()
    rescued.rename(path)
    again = open_database(str(path))
    assert take_in(again, RUN) == 1
    assert stored(again) == expected(batch(0), batch(1), batch(2))
    again.dispose()


def test_a_vanished_file_is_not_replaced_by_an_empty_one(sqlite: Engine) -> None:
    """No empty database replaces it."""
    path = Path(str(sqlite.url.database))
    sqlite.dispose()
    path.unlink()
    with pytest.raises(InvalidInput, match="cannot be opened"), writing(sqlite):
        pass
    assert not path.exists()


def test_a_write_into_a_vanished_file_is_an_error(sqlite: Engine) -> None:
    """A status or verdict that was written into it does not count as written."""
    with pytest.raises(Vanished), writing(sqlite) as connection:
        connection.execute(writers.insert().values(writer="x", number=1))
        Path(str(sqlite.url.database)).unlink()


def test_a_locked_database_is_unavailable_soon(sqlite: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """The writer waits only briefly for a lock, and the batch can be written later."""
    monkeypatch.setattr("assay.store.writer.BUSY_SECONDS", 0.05)
    writer = LedgerWriter(sqlite)
    holder = sqlite3.connect(str(sqlite.url.database), isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(DatabaseBusy, match="locked by another process"):
        writer.commit(batch(0))
    holder.execute("ROLLBACK")
    holder.close()
    writer.commit(batch(0))
    writer.close()
    assert stored(sqlite) == expected(batch(0))


@pytest.mark.postgres
def test_a_connection_that_broke_is_unavailable(postgres: EmptiedPostgres) -> None:
    """PostgreSQL ends the connection during a transaction; the batch is written over the next connection."""
    engine = postgres.open()
    writer = LedgerWriter(engine)
    writer.commit(batch(0))

    @event.listens_for(engine, "commit", once=True)
    def end(connection: Any) -> None:
        with engine.connect() as other:
            pid = connection.connection.driver_connection.info.backend_pid
            other.exec_driver_sql(f"SELECT pg_terminate_backend({pid})")

    with pytest.raises(DatabaseBusy):
        writer.commit(batch(1))
    writer.commit(batch(1))
    writer.close()
    assert stored(engine) == expected(batch(0), batch(1))
    postgres.empty(engine)
    engine.dispose()
