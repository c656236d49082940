"""`assay exam candidate`: users who sit."""

from __future__ import annotations

import typer

from assay.cli.app import new_app
from assay.cli.examining.user import AS_JSON, add_as, disable, list_as
from assay.core.exam import Role

app = new_app(no_args_is_help=True)


@app.callback()
def candidate() -> None:
    """Add, list and disable candidates."""


@app.command()
def add(
    ctx: typer.Context,
    name: str = typer.Argument(metavar="NAME"),
    organisation: str = typer.Option(..., metavar="NAME", help="Whose candidate it is."),
    as_json: bool = AS_JSON,
) -> None:
    """Add a candidate; its secret is printed once."""
    add_as(ctx, name, organisation, Role.CANDIDATE, as_json=as_json)


@app.command("list")
def list_(
    ctx: typer.Context,
    organisation: str | None = typer.Option(None, metavar="NAME", help="Only that organisation's."),
    as_json: bool = AS_JSON,
) -> None:
    """List candidates, without secrets."""
    list_as(ctx, organisation, Role.CANDIDATE, as_json=as_json)


app.command()(disable)
