"""`assay db`: upgrade, backup and copy."""

from __future__ import annotations

import gc
import sqlite3
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from command_line import Assay, Served, served, write_workspace
from fresh_database import EmptiedPostgres
from schemas import valid

from assay.store.engine import MIGRATIONS, connect, head

TODAY = datetime.now(UTC).date()
pytestmark = pytest.mark.usefixtures("no_database")


def old_database(path: Path) -> None:
    """Make a database as the first version of Assay left it."""
    engine = connect(str(path))
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
    engine.dispose()


def test_an_older_database_is_refused_then_upgraded(folder: Path, assay: Assay) -> None:
    """Commands refuse it with what to do; `db upgrade` brings it to this version, and they work."""
    old_database(folder / "assay.db")
    refused = assay("runs")
    assert (refused.status, "assay db upgrade" in refused.err) == (2, True)
    assert assay("db", "upgrade", "--json").json["before"] == "0001"
    assert assay("runs").status == 0
    assert head() in assay("db", "upgrade").out


def test_a_backup_holds_everything(upstream: Served, folder: Path, assay: Assay) -> None:
    """The copy is a database of its own with every run of the first."""
    assay("run", "small", "-m", "mine/a/b")
    assert assay("db", "backup", "--out", "copy.db").status == 0
    page = assay("--database", "copy.db", "show", "1", "--json").json
    assert page == assay("show", "1", "--json").json


def test_a_backup_is_whole_while_others_write(folder: Path, assay: Assay) -> None:
    """Rows that are written in pairs come out in pairs, whenever the copy is made."""
    writer = sqlite3.connect(folder / "assay.db", check_same_thread=False)
    writer.execute("PRAGMA journal_mode=WAL")
    writer.execute("CREATE TABLE pair (number INTEGER, half TEXT)")
    stop = threading.Event()

    def write() -> None:
        number = 0
        while not stop.is_set():
            with writer:
                writer.execute("INSERT INTO pair VALUES (?, 'left')", (number,))
                writer.execute("INSERT INTO pair VALUES (?, 'right')", (number,))
            number += 1

    thread = threading.Thread(target=write)
    thread.start()
    while writer.total_changes < 10:
        time.sleep(0.01)
    try:
        for number in range(3):
            assert assay("db", "backup", "--out", f"copy{number}.db").status == 0
    finally:
        stop.set()
        thread.join()
        writer.close()
    for number in range(3):
        copy = sqlite3.connect(folder / f"copy{number}.db")
        assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        halves = dict(copy.execute("SELECT half, count(*) FROM pair GROUP BY half").fetchall())
        assert halves.get("left", 0) == halves.get("right", 0)
        copy.close()


def test_a_backup_never_overwrites(folder: Path, assay: Assay) -> None:
    """An existing file is left as it is; so is a folder that is not there."""
    old_database(folder / "assay.db")
    (folder / "copy.db").write_text("mine")
    assert assay("db", "backup", "--out", "copy.db").status == 2
    assert (folder / "copy.db").read_text() == "mine"
    ended = assay("db", "backup", "--out", "nowhere/copy.db")
    assert (ended.status, "Traceback" in ended.err) == (3, False)


def test_without_a_database_there_is_nothing_to_upgrade(folder: Path, assay: Assay) -> None:
    """A mistyped name is an error, and no file is created."""
    assert assay("--database", "nope.db", "db", "upgrade").status == 2
    assert not (folder / "nope.db").exists()


@pytest.mark.postgres
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_verdicts_are_the_same_in_postgresql_and_back(
    folder: Path, assay: Assay, postgres: EmptiedPostgres
) -> None:
    """Who outgrows SQLite keeps every baseline: verdicts, runs and samples read alike in all three."""
    with served() as upstream:
        write_workspace(folder, upstream, "watch: {suite: small, models: [mine/a/b]}\n")
        for ago in range(6, -1, -1):
            assert assay("watch", "--day", (TODAY - timedelta(days=ago)).isoformat()).status == 0
        copied = assay("db", "copy", "assay.db", postgres.address, "--json")
        assert assay("db", "copy", postgres.address, "back.db").status == 0
    engine = postgres.open()
    try:
        tables = {each["table"]: each["rows"] for each in valid("db-copy", copied)["tables"]}
        assert (tables["runs"], tables["samples"]) == (7, 70)
        for command in (
            ("verdict", "--suite", "small", "--history", "--json"),
            ("verdict", "mine/a/b", "--suite", "small", "--json"),
            ("runs", "--json"),
            ("show", "7", "--json"),
            ("show", "7.3", "--json"),
        ):
            before = assay(*command)
            assert before.status == 0
            for database in (postgres.address, "back.db"):
                assert assay("--database", database, *command).json == before.json
    finally:
        gc.collect()
        postgres.empty(engine)
        engine.dispose()


def test_a_copy_says_what_it_refuses(upstream: Served, folder: Path, assay: Assay) -> None:
    """A missing source, a target with data, a database that is copied onto itself: each ends with 2."""
    assay("run", "small", "-m", "mine/a/b", "--limit", "1")
    assert "no database at 'nope.db'" in assay("db", "copy", "nope.db", "new.db").err
    assert not (folder / "nope.db").exists()
    assert "holds all" in assay("db", "copy", "assay.db", "new.db").out
    assert "holds data already" in assay("db", "copy", "assay.db", "new.db").err
    assert "same database" in assay("db", "copy", "assay.db", "./assay.db").err
    assert assay("--database", "new.db", "show", "1", "--json").json == assay("show", "1", "--json").json
