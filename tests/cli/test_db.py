"""`assay db`: upgrade and backup."""

from __future__ import annotations

import sqlite3
import threading
import time
from pathlib import Path

from alembic import command
from alembic.config import Config
from command_line import Assay, Served

from assay.store.engine import MIGRATIONS, connect, head


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
    assert assay("db", "backup", "copy.db").status == 0
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
            assert assay("db", "backup", f"copy{number}.db").status == 0
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
    assert assay("db", "backup", "copy.db").status == 2
    assert (folder / "copy.db").read_text() == "mine"
    ended = assay("db", "backup", "nowhere/copy.db")
    assert (ended.status, "Traceback" in ended.err) == (3, False)


def test_without_a_database_there_is_nothing_to_upgrade(folder: Path, assay: Assay) -> None:
    """A mistyped name is told, and no file is begun."""
    assert assay("--database", "nope.db", "db", "upgrade").status == 2
    assert not (folder / "nope.db").exists()
