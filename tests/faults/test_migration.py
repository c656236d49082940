"""A schema is brought up to date whole or not at all, by one process at a time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import Engine, event, inspect, text

from assay.store.engine import connect, head, migrate, open_database, revision

OPEN = "import sys; from assay.store.engine import open_database; open_database(sys.argv[1])"


def emptied(engine: Engine, tmp_path: Path) -> str:
    """Return the address of an empty database of the same kind."""
    if engine.dialect.name == "sqlite":
        return str(tmp_path / "new.db")
    with engine.begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    return engine.url.render_as_string(hide_password=False)


def test_a_migration_that_is_broken_off_leaves_nothing_behind(engine: Engine, tmp_path: Path) -> None:
    """Killed at its fifth table, the database is as empty as before, and the next process sets it up."""
    address = emptied(engine, tmp_path)
    broken, tables = connect(address), []

    @event.listens_for(broken, "before_cursor_execute")
    def kill(*told: object) -> None:
        if str(told[2]).lstrip().startswith("CREATE TABLE"):
            tables.append(told[2])
            if len(tables) == 5:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        migrate(broken)
    broken.dispose()
    again = connect(address)
    assert inspect(again).get_table_names() == []
    again.dispose()
    opened = open_database(address)
    assert revision(opened) == head()
    opened.dispose()


@pytest.mark.slow
def test_processes_that_begin_a_database_at_once_all_get_it(engine: Engine, tmp_path: Path) -> None:
    """Four processes open the same empty database; each finds the schema made once."""
    address = emptied(engine, tmp_path)
    started = [
        subprocess.Popen([sys.executable, "-c", OPEN, address], stderr=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    told = [process.communicate(timeout=60)[1] for process in started]
    assert [process.returncode for process in started] == [0] * 4, told
    opened = connect(address)
    assert revision(opened) == head()
    opened.dispose()
