"""`assay exam candidate`: users who take exams."""

from __future__ import annotations

import typer

from assay.cli.app import new_app
from assay.cli.exam.user import add_as, disable, list_as
from assay.cli.output import AS_JSON, OutputFormat, prints
from assay.core.exam import Role

app = new_app(no_args_is_help=True)


@app.callback()
def candidate() -> None:
    """Add, list and disable candidates."""


@app.command()
def add(
    ctx: typer.Context,
    name: str = typer.Argument(metavar="NAME", help="Name of the candidate."),
    organisation: str = typer.Option(..., metavar="NAME", help="Organisation of the candidate."),
    as_json: bool = AS_JSON,
) -> None:
    """Add a candidate; the secret is printed once."""
    add_as(ctx, name, organisation, Role.CANDIDATE, as_json=as_json)


@app.command("list")
@prints("one row per candidate")
def list_(
    ctx: typer.Context,
    output: OutputFormat,
    organisation: str | None = typer.Option(None, metavar="NAME", help="Show only this organisation."),
) -> None:
    """List candidates, without secrets."""
    list_as(ctx, organisation, Role.CANDIDATE, output)


app.command()(disable)
