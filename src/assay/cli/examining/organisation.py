"""`assay exam organisation`: who takes part."""

from __future__ import annotations

import typer

from assay.cli.app import new_app
from assay.cli.output import moment, notes, print_json, print_table
from assay.cli.session import open_session

app = new_app(no_args_is_help=True)


@app.callback()
def organisation() -> None:
    """Add and list the organisations that take part."""


@app.command()
def add(
    ctx: typer.Context,
    name: str = typer.Argument(metavar="NAME"),
    operator: bool = typer.Option(False, "--operator", help="The one that runs this service."),
) -> None:
    """Add an organisation; nobody of it meets a question twice.

    The operator's own candidates may sit a named draw again, and only its people review.
    """
    import time

    from assay.exams.people import add_organisation

    added = add_organisation(open_session(ctx).engine, name, operator=operator, now=time.time())
    notes().print(f"added {added.name!r}{', the operator' if operator else ''}")


@app.command("list")
def list_(
    ctx: typer.Context,
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """List organisations with their enabled users."""
    from assay.store.engine import reading
    from assay.store.exam.people import list_organisations

    with reading(open_session(ctx, existing=True).engine) as connection:
        found = list_organisations(connection)
    if as_json:
        rows = [
            {
                "name": each.name,
                "operator": bool(each.operator),
                "users": each.users,
                "created_at": moment(each.created_at),
            }
            for each in found
        ]
        print_json({"organisations": rows})
        return
    shown = (
        (each.name, "yes" if each.operator else "", each.users, moment(each.created_at)) for each in found
    )
    print_table(None, ("organisation", "operator", "users", "since"), shown, right=("users",))
