"""Opening databases."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Engine, text

from assay.core.errors import AssayError, Conflict, InvalidInput, Upstream
from assay.store import schema_bank, schema_exam  # noqa: F401 (their tables join the metadata)
from assay.store.engine import (
    backup,
    connect,
    head,
    insert_new,
    open_database,
    reading,
    revision,
    writing,
)
from assay.store.schema import metadata, models


def test_a_new_database_has_the_schema_of_this_version(engine: Engine) -> None:
    """An empty database is migrated to the newest revision, on SQLite and on PostgreSQL."""
    assert revision(engine) == head()


def test_the_migrations_make_the_declared_tables(engine: Engine) -> None:
    """Comparing the migrated database with the declared tables finds no difference."""
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_a_database_from_a_newer_version_is_refused(tmp_path: Path) -> None:
    """The error for an unknown revision has both remedies, and the file is not changed."""
    path = tmp_path / "assay.db"
    with writing(open_database(str(path))) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(Conflict, match=r"9999.*newer"):
        open_database(str(path))
    assert revision(connect(str(path))) == "9999"


@pytest.mark.parametrize("url", ["mysql://host/name", "nonsense://x"])
def test_other_databases_are_refused_by_name(url: str) -> None:
    """The error for another kind of URL says what to give instead."""
    with pytest.raises(InvalidInput):
        open_database(url)


def test_a_password_is_never_in_a_message() -> None:
    """The error for an unreachable server has no password."""
    with pytest.raises(AssayError) as caught:
        open_database("postgresql://user:sesame@127.0.0.1:1/none")
    assert "sesame" not in str(caught.value)


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    """A path in a missing folder is invalid input."""
    with pytest.raises(InvalidInput, match="folder"):
        open_database(str(tmp_path / "missing" / "assay.db"))


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    """A text file is refused and not changed."""
    path = tmp_path / "notes.txt"
    path.write_text("not a database, but long enough to have a header\n" * 50)
    with pytest.raises(InvalidInput, match="not an SQLite database"):
        open_database(str(path))
    assert path.read_text().startswith("not a database")


def test_a_locked_database_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While another process writes, a writer waits, and then says what to do."""
    monkeypatch.setattr("assay.store.engine.BUSY_SECONDS", 0.1)
    path = tmp_path / "assay.db"
    engine = open_database(str(path))
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(Upstream, match="locked"), writing(engine) as connection:
        connection.execute(text("DELETE FROM locks"))
    holder.execute("ROLLBACK")
    holder.close()


def test_a_full_disk_is_an_error(sqlite: Engine) -> None:
    """If the file cannot grow, the message says so, and committed rows stay readable."""
    with sqlite.connect() as connection:
        connection.execute(text("PRAGMA max_page_count = 1"))
        with pytest.raises(Upstream, match="full"), writing(sqlite) as other:
            other.execute(text("PRAGMA max_page_count = 1"))
            other.execute(text("CREATE TABLE big (x)"))
            other.execute(text("INSERT INTO big VALUES (zeroblob(10000000))"))
    with reading(sqlite) as connection:
        assert connection.execute(text("SELECT count(*) FROM runs")).scalar() == 0


def test_a_backup_is_a_complete_database_and_overwrites_nothing(sqlite: Engine, tmp_path: Path) -> None:
    """The copy opens as a database of this version; a second backup to the same file is refused."""
    target = tmp_path / "copy.db"
    backup(sqlite, target)
    assert revision(connect(str(target))) == head()
    with pytest.raises(Conflict, match="exists"):
        backup(sqlite, target)


def test_a_row_is_inserted_once(engine: Engine) -> None:
    """A row is new the first time and known the second time, also in a table that numbers its rows."""
    with writing(engine) as connection:
        values = {"fingerprint": "f" * 64, "name": "a/b", "spec": "{}"}
        assert [insert_new(connection, models, values) for _ in range(2)] == [True, False]


def test_a_new_database_is_its_owners_alone(tmp_path: Path) -> None:
    """A new file is private, because it holds answers and secrets; an existing file keeps its mode."""
    path = tmp_path / "assay.db"
    with writing(open_database(str(path))) as connection:
        connection.execute(text("SELECT 1"))
        assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}
    path.chmod(0o640)
    open_database(str(path)).dispose()
    assert path.stat().st_mode & 0o777 == 0o640
