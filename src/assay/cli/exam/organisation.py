"""`assay exam organisation`: the organisations that take part."""

from __future__ import annotations

import time

import typer

from assay.cli.app import new_app
from assay.cli.output import OutputFormat, notes, print_listed, prints
from assay.cli.session import open_session
from assay.exam.people import add_organisation
from assay.results.exam_service import ORGANISATIONS
from assay.store.engine import reading
from assay.store.exam.people import list_organisations

app = new_app(no_args_is_help=True)


@app.callback()
def organisation() -> None:
    """Add and list the organisations that take part."""


@app.command()
def add(
    ctx: typer.Context,
    name: str = typer.Argument(metavar="NAME", help="Name of the organisation."),
    operator: bool = typer.Option(
        False, "--operator", help="Mark it as the organisation that runs this service."
    ),
) -> None:
    """Add an organisation; its members never get a question twice.

    The operator's own candidates may repeat a named draw. Only the operator's people review questions.
    """
    added = add_organisation(open_session(ctx).engine, name, operator=operator, now=time.time())
    notes().print(f"added {added.name!r}{', the operator' if operator else ''}")


@app.command("list")
@prints("one row per organisation")
def list_(
    ctx: typer.Context,
    output: OutputFormat,
) -> None:
    """List organisations with their enabled users."""
    with reading(open_session(ctx, existing=True).engine) as connection:
        print_listed(ORGANISATIONS, list_organisations(connection), output)
