"""`assay db`: upgrade, back up and copy the database."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import typer

from assay.cli.app import new_app
from assay.cli.output import notes, print_json
from assay.cli.session import open_session
from assay.core.errors import NotFound
from assay.store.engine import backup, connect, database_exists, head, migrate, revision, spoken_errors

app = new_app(no_args_is_help=True)


@app.callback()
def db() -> None:
    """Upgrade, back up or copy the database."""


@app.command()
def upgrade(
    ctx: typer.Context,
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Bring an older database to this version's schema. Back it up first."""
    url = _existing(ctx)
    engine = connect(url)
    with spoken_errors(engine):
        before = revision(engine)
        migrate(engine)
    engine.dispose()
    shown = engine.url.render_as_string(hide_password=True)
    if as_json:
        print_json({"database": shown, "before": before, "after": head()})
    elif before == head():
        typer.echo(f"{shown} has this version's schema {head()} already")
    else:
        typer.echo(f"{shown}: schema {before or 'none'} -> {head()}")


@app.command("backup")
def back_up(
    ctx: typer.Context,
    file: Path = typer.Argument(metavar="FILE", help="The copy to make; it must not exist yet."),
) -> None:
    """Copy an SQLite database into a new file. Others may go on writing meanwhile: the copy is consistent."""
    engine = connect(_existing(ctx))
    backup(engine, file)
    engine.dispose()
    typer.echo(f"wrote {file}, {file.stat().st_size:,} bytes")


@app.command("copy")
def copy(
    source: str = typer.Argument(metavar="SOURCE", help="An SQLite file or a PostgreSQL URL."),
    target: str = typer.Argument(metavar="TARGET", help="An empty database, or a new file."),
    replace_nul: bool = typer.Option(
        False, "--replace-nul", help="Write U+FFFD for the character NUL, which PostgreSQL cannot hold."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Copy a database from SQLite to PostgreSQL or back.

    Every row is compared afterwards; two files work as well.

    Stop all runs first. A copy that was killed goes on with the same command; until all rows were compared
    no other command works with the new database.
    """
    from assay.store.copying import copy_database

    if not database_exists(source):
        raise NotFound(f"there is no database at {source!r}: give a file or a postgresql:// URL")
    first, second = connect(source), connect(target)
    copied = copy_database(first, second, replace_nul=replace_nul, progress=_told_progress())
    shown = [engine.url.render_as_string(hide_password=True) for engine in (first, second)]
    first.dispose()
    second.dispose()
    rows = sum(table.rows for table in copied)
    if as_json:
        tables = [{"table": each.name, "rows": each.rows, "sha256": each.digest} for each in copied]
        print_json({"source": shown[0], "target": shown[1], "rows": rows, "tables": tables})
        return
    typer.echo(f"{shown[1]} holds all {rows:,} rows of {shown[0]}: {len(copied)} tables are equal row by row")


def _told_progress() -> Callable[[str, int, int], None]:
    """Return what says on stderr, at most once a second, how much of a table is copied."""
    last = [float("-inf")]

    def tell(table: str, done: int, rows: int) -> None:
        now = time.monotonic()
        if now - last[0] >= 1.0:
            notes().print(f"{table}: {done:,} of {rows:,} rows")
            last[0] = now

    return tell


def _existing(ctx: typer.Context) -> str:
    url = open_session(ctx).workspace.database
    if not database_exists(url):
        raise NotFound(f"there is no database at {url!r}: name one with --database FILE")
    return url
