"""`assay db`: upgrade and back up the database."""

from __future__ import annotations

from pathlib import Path

import typer

from assay.cli.app import new_app
from assay.cli.output import print_json
from assay.cli.session import open_session
from assay.core.errors import NotFound
from assay.store.engine import backup, connect, database_exists, head, migrate, revision, spoken_errors

app = new_app(no_args_is_help=True)


@app.callback()
def db() -> None:
    """Upgrade or back up the database."""


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


def _existing(ctx: typer.Context) -> str:
    url = open_session(ctx).workspace.database
    if not database_exists(url):
        raise NotFound(f"there is no database at {url!r}: name one with --database FILE")
    return url
