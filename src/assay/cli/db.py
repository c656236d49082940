"""`assay db`: upgrade, back up and copy the database."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import typer

from assay.cli.app import new_app
from assay.cli.output import notes, print_result
from assay.cli.session import open_session
from assay.core.errors import NotFound
from assay.results.workspace import DatabaseCopy, SchemaUpgrade
from assay.store.copying import copy_database
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
    """Upgrade an older database to this version's schema. Back it up first."""
    url = _existing(ctx)
    engine = connect(url)
    with spoken_errors(engine):
        before = revision(engine)
        migrate(engine)
    engine.dispose()
    shown = engine.url.render_as_string(hide_password=True)
    if as_json:
        print_result(SchemaUpgrade(shown, before, head()))
    elif before == head():
        typer.echo(f"{shown} already has this version's schema {head()}")
    else:
        typer.echo(f"{shown}: schema {before or 'none'} -> {head()}")


@app.command("backup")
def back_up(
    ctx: typer.Context,
    out: Path = typer.Option(..., metavar="FILE", help="New file for the copy."),
) -> None:
    """Copy an SQLite database into a new file. The copy is consistent even while others write."""
    engine = connect(_existing(ctx))
    backup(engine, out)
    engine.dispose()
    typer.echo(f"wrote {out}, {out.stat().st_size:,} bytes")


@app.command("copy")
def copy(
    source: str = typer.Argument(metavar="SOURCE", help="SQLite file or PostgreSQL URL."),
    target: str = typer.Argument(metavar="TARGET", help="Empty database, or a new file."),
    replace_nul: bool = typer.Option(
        False, "--replace-nul", help="Replace the character NUL, which PostgreSQL cannot store, with U+FFFD."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Copy a database from SQLite to PostgreSQL or back.

    Every row is compared afterwards. Copying between two files works as well.

    Stop all runs first. To continue a copy that was killed, repeat the command; the new database cannot be
    used until all rows have been compared.
    """
    if not database_exists(source):
        raise NotFound(f"there is no database at {source!r}: give a file or a postgresql:// URL")
    first, second = connect(source), connect(target)
    try:
        tables = copy_database(first, second, replace_nul=replace_nul, progress=_progress())
    finally:
        first.dispose()
        second.dispose()
    shown = [engine.url.render_as_string(hide_password=True) for engine in (first, second)]
    copied = DatabaseCopy(shown[0], shown[1], tuple(tables))
    if as_json:
        print_result(copied)
        return
    typer.echo(
        f"{copied.target} holds all {copied.rows:,} rows of {copied.source}: "
        f"{len(copied.tables)} tables are equal row by row"
    )


def _progress() -> Callable[[str, int, int], None]:
    """Return a function that prints the progress of a table on stderr, at most once a second."""
    last = [float("-inf")]

    def show(table: str, done: int, rows: int) -> None:
        now = time.monotonic()
        if now - last[0] >= 1.0:
            notes().print(f"{table}: {done:,} of {rows:,} rows")
            last[0] = now

    return show


def _existing(ctx: typer.Context) -> str:
    url = open_session(ctx).workspace.database
    if not database_exists(url):
        raise NotFound(f"there is no database at {url!r}: name one with --database FILE")
    return url
