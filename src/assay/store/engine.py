"""Opening a database: SQLite by default, or PostgreSQL, migrated to this version's schema."""

from __future__ import annotations

import os
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from sqlalchemy import Connection, Engine, Table, create_engine, event, inspect, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, InterfaceError, NoSuchModuleError, OperationalError

from assay.core.errors import AssayError, Conflict, InvalidInput, Upstream
from assay.core.sealed import Sealer

T = TypeVar("T")
MIGRATIONS = Path(__file__).parent / "migrations"
PART = 500
"""The largest number of values that `in_parts` puts into one list."""
BUSY_SECONDS = 30
ALONE = {"sqlite": "BEGIN IMMEDIATE", "postgresql": "SELECT pg_advisory_xact_lock(4119772)"}
"""The statements that exclude other migrations. Python's driver begins no transaction for SQLite's DDL."""


SEALER = "assay_suite_sealer"
"""The option of an engine that holds the key of sealed suites (`store.sealing`)."""
COPYING = "copying"
"""The beginning of the revision of an unfinished copy (`store.copying`), which every command refuses."""
FILE = "assay file"
"""The key of a connection's facts about its SQLite file: path, device and inode."""


class DatabaseBusy(Upstream):
    """The database cannot write at this moment; trying again later may help."""


class Vanished(Upstream):
    """The database's file was deleted, moved or replaced under a process that has it open."""


def open_database(url: str, *, durable: bool = False, sealer: Callable[[], Sealer] | None = None) -> Engine:
    """Return an engine for `url` whose schema is up to date; an empty database is set up.

    `url` is an SQLAlchemy URL or the path of an SQLite file. A killed process loses nothing that
    was committed; with `durable`, SQLite also survives a power cut, at the cost of a disk flush for each
    batch. `sealer` returns the key of sealed suites and is called when the key is first needed.

    Raises InvalidInput for the URL of an unsupported database, Conflict if the database comes from another
    version of Assay, and Upstream if it cannot be reached.
    """
    engine = connect(url, durable=durable)
    try:
        with spoken_errors(engine):
            schema = revision(engine)
            if schema is None:
                migrate(engine)
            elif schema != head():
                _refuse(schema, engine)
    except AssayError:
        engine.dispose()
        raise
    return engine if sealer is None else engine.execution_options(**{SEALER: cache(sealer)})


def connect(url: str, *, durable: bool = False) -> Engine:
    """Return an engine for `url` without checking the schema."""
    if "://" not in url:
        url = f"sqlite:///{Path(url).expanduser()}"
    if url.startswith(("postgresql://", "postgres://")):
        url = "postgresql+psycopg://" + url.split("://", 1)[1]
    try:
        parsed = make_url(url)
        if parsed.get_backend_name() not in ("sqlite", "postgresql"):
            raise InvalidInput(
                f"database {_without_password(url)!r} is not supported: give a file or "
                "postgresql://USER@HOST/NAME"
            )
        if parsed.get_backend_name() == "sqlite":
            options: dict[str, Any] = {"connect_args": {"timeout": BUSY_SECONDS, "check_same_thread": False}}
            _keep_private(parsed.database)
        else:
            options = {"pool_pre_ping": True}
        engine = create_engine(parsed, **options)
    except (ArgumentError, NoSuchModuleError) as error:
        raise InvalidInput(f"database {_without_password(url)!r} cannot be used: {error}") from error
    except ModuleNotFoundError as error:
        raise InvalidInput(
            f"database {_without_password(url)!r} needs a driver that is not installed: run "
            "`pip install 'assay[postgres]'`"
        ) from error
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _sqlite_pragmas(durable))
        if parsed.database not in (None, "", ":memory:"):
            event.listen(engine, "do_connect", _open_existing)
            event.listen(engine, "connect", _note_file(str(parsed.database)))
    return engine


def _keep_private(path: str | None) -> None:
    """Make a new SQLite file that only its owner may read; SQLite gives the files beside it the same mode."""
    if path is None or path in ("", ":memory:"):
        return
    with suppress(OSError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _open_existing(dialect: Any, record: Any, arguments: list[Any], options: dict[str, Any]) -> None:
    """Open an existing file only: `connect` has made new files, and a deleted one must not be replaced."""
    arguments[0] = f"file:{quote(str(Path(arguments[0]).absolute()))}?mode=rw"
    options["uri"] = True


def _note_file(path: str) -> Any:
    def note(_: sqlite3.Connection, record: Any) -> None:
        with suppress(OSError):
            status = Path(path).stat()
            record.info[FILE] = (str(Path(path).absolute()), status.st_dev, status.st_ino)

    return note


def ensure_in_place(connection: Connection) -> None:
    """Raise Vanished if the path of a connection's SQLite file no longer leads to this file."""
    noted = connection.info.get(FILE)
    if noted is None:
        return
    path, device, inode = noted
    with suppress(OSError):
        status = Path(path).stat()
        if (status.st_dev, status.st_ino) == (device, inode):
            return
    raise Vanished(
        f"the database file {path!r} was deleted, moved or replaced while this process wrote to it: "
        "put it back"
    )


def rescue(connection: Connection) -> str:
    """Copy a connection's vanished SQLite file into a new file, and return a sentence with its path."""
    path = Path(connection.info[FILE][0])
    source: Any = connection.connection.dbapi_connection
    for folder in (path.parent, Path(tempfile.gettempdir())):
        target = folder / f"{path.name}.rescued-{os.getpid()}-{int(time.time())}"
        try:
            _keep_private(str(target))
            with closing(sqlite3.connect(target)) as copy:
                source.backup(copy)
        except sqlite3.Error:
            target.unlink(missing_ok=True)
            continue
        return f"its content is saved in {str(target)!r}: move that file to {str(path)!r}; "
    return "its content is lost, except for copies and backups; "


def database_exists(url: str) -> bool:
    """Whether a database exists. Only SQLite files are checked; a server is assumed to exist."""
    if url.startswith("sqlite://"):
        url = url.removeprefix("sqlite:///")
    return "://" in url or Path(url).expanduser().is_file()


def _sqlite_pragmas(durable: bool) -> Any:
    def apply(connection: sqlite3.Connection, _: object) -> None:
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute(f"PRAGMA synchronous={'FULL' if durable else 'NORMAL'}")
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.close()

    return apply


def head() -> str:
    """Return the schema revision that this version of Assay works with."""
    return max(_known_revisions())


def revision(engine: Engine) -> str | None:
    """Return the database's schema revision; None for an empty database."""
    with engine.connect() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return None
        return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def migrate(engine: Engine) -> None:
    """Migrate the schema to this version's revision. Raises Conflict for a database from a newer version.

    It happens in one transaction: a killed process leaves the schema as it was. If two processes open an
    empty database at once, the second waits for the first.
    """
    from alembic import command
    from alembic.config import Config

    schema = revision(engine)
    if schema is not None and schema not in _known_revisions():
        _refuse(schema, engine)
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    with engine.begin() as connection:
        connection.exec_driver_sql(ALONE[engine.dialect.name])
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _known_revisions() -> set[str]:
    """Return the revisions of this version's migrations, with which the names of their files begin."""
    return {path.name.split("_")[0] for path in (MIGRATIONS / "versions").glob("[0-9]*.py")}


def _refuse(schema: str, engine: Engine) -> None:
    place = _without_password(str(engine.url))
    if schema.startswith(COPYING):
        raise Conflict(
            f"database {place!r} is an unfinished copy of another: finish it with `assay db copy SOURCE "
            "TARGET`"
        )
    if schema in _known_revisions():
        raise Conflict(
            f"database {place!r} has schema {schema!r}, older than this version's {head()!r}: "
            "run `assay db backup --out FILE`, then `assay db upgrade`"
        )
    raise Conflict(
        f"database {place!r} has schema {schema!r}, which this version of Assay does not know: "
        "it was written by a newer version; upgrade Assay or give another database"
    )


def address(engine: Engine) -> str:
    """Return a database's address without its password; the path of an SQLite file is absolute."""
    url = engine.url
    if engine.dialect.name == "sqlite" and url.database:
        url = url.set(database=str(Path(url.database).absolute()))
    return url.render_as_string(hide_password=True)


def _without_password(url: str) -> str:
    try:
        return make_url(url).render_as_string(hide_password=True)
    except ArgumentError:
        return url.rsplit("@", 1)[-1]


@contextmanager
def spoken_errors(engine: Engine) -> Iterator[None]:
    """Replace the database's errors by errors that say what to do."""
    try:
        yield
    except DBAPIError as error:
        raise explain(error, engine) from error


def explain(error: DBAPIError, engine: Engine) -> AssayError:
    """Return the error that a user should see for a failure of the database."""
    place = engine.url.render_as_string(hide_password=True)
    text = str(error.orig)
    if "database or disk is full" in text or "No space left" in text:
        return DatabaseBusy(
            f"the disk of database {place!r} is full: free some space; what was committed is safe"
        )
    if "disk I/O error" in text:
        return DatabaseBusy(
            f"the disk of database {place!r} cannot be written to (disk I/O error): check whether it is "
            "full, over a quota or disconnected; what was committed is safe"
        )
    if "database is locked" in text or "database table is locked" in text:
        return DatabaseBusy(f"database {place!r} is locked by another process: wait for it or stop it")
    if "unable to open database file" in text:
        return InvalidInput(
            f"database {place!r} cannot be opened: check that its folder exists and that you may write to it"
        )
    if "file is not a database" in text:
        return InvalidInput(f"{place!r} is not an SQLite database: give another file")
    if "readonly" in text:
        return InvalidInput(f"database {place!r} is read-only: change its permissions or give another file")
    if engine.dialect.name == "postgresql" and isinstance(error, (OperationalError, InterfaceError)):
        return DatabaseBusy(f"database {place!r} failed: {text.strip()}")
    return Upstream(f"database {place!r} failed: {text.strip()}")


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """Open a connection for reading, with errors that say what to do."""
    with spoken_errors(engine), engine.connect() as connection:
        yield connection


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """Open a transaction that commits at the end, with errors that say what to do."""
    with spoken_errors(engine), engine.connect() as connection:
        with connection.begin():
            yield connection
        ensure_in_place(connection)


def insert_new(connection: Connection, table: Table, values: Mapping[str, Any]) -> bool:
    """Insert a row unless one of its unique values exists already; return whether it is new.

    If another process inserts the same row at the same moment, this one waits for it.
    """
    insert = postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)
    statement = insert.values(dict(values)).on_conflict_do_nothing()
    # If the table numbers its rows, PostgreSQL loses the count unless this option is set.
    return connection.execute(statement.execution_options(preserve_rowcount=True)).rowcount > 0


def in_parts(values: Iterable[T]) -> Iterator[list[T]]:
    """Yield the values in lists of at most `PART`, because a database limits a statement's parameters."""
    rest = iter(values)
    while part := list(islice(rest, PART)):
        yield part


@cache
def driver_sql(text: str, dialect: str, count: int = 1) -> str:
    """Return SQL with the driver's placeholder for each `{mark}`, and `count` of them for each `{marks}`."""
    mark = "?" if dialect == "sqlite" else "%s"
    return text.format(mark=mark, marks=",".join([mark] * count))


def backup(engine: Engine, target: Path) -> None:
    """Copy a live SQLite database consistently into a new file, while other processes may write."""
    if engine.dialect.name != "sqlite":
        raise InvalidInput("Assay backs up SQLite databases only: use pg_dump for PostgreSQL")
    if target.exists():
        raise Conflict(f"{str(target)!r} exists: give a new file")
    _keep_private(str(target))
    with spoken_errors(engine), engine.connect() as connection:
        source = connection.connection.driver_connection
        assert isinstance(source, sqlite3.Connection)
        try:
            with closing(sqlite3.connect(target)) as copy:
                source.backup(copy)
        except sqlite3.Error as error:
            target.unlink(missing_ok=True)
            raise Upstream(f"the backup {str(target)!r} cannot be written: {error}") from error
