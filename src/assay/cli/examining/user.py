"""`assay exam user`: people and programs of an organisation, their roles and secrets."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import typer

from assay.cli.app import new_app
from assay.cli.output import counted, moment, notes, print_json, print_table
from assay.cli.session import open_session
from assay.core.exam import Role

if TYPE_CHECKING:
    from assay.exams.people import NewUser
    from assay.store.exam.people import User

app = new_app(no_args_is_help=True)
USER = typer.Argument(metavar="USER", help="Its id, or ORGANISATION/NAME.")
AS_JSON = typer.Option(False, "--json", help="Print one JSON document.")


@app.callback()
def user() -> None:
    """Add, list, disable and enable users of every role."""


@app.command()
def add(
    ctx: typer.Context,
    name: str = typer.Argument(metavar="NAME"),
    organisation: str = typer.Option(..., metavar="NAME", help="Whose user it is."),
    role: Role = typer.Option(..., help="What it may do there."),
    reviewer: str | None = typer.Option(
        None, metavar="NAME", help="For role reviewer: which of the bank's reviewers it is."
    ),
    as_json: bool = AS_JSON,
) -> None:
    """Add a user; its secret is printed once and kept nowhere."""
    add_as(ctx, name, organisation, role, reviewer, as_json=as_json)


def add_as(
    ctx: typer.Context,
    name: str,
    organisation: str,
    role: Role,
    reviewer: str | None = None,
    *,
    as_json: bool,
) -> None:
    """Add a user of a role and print its id and secret."""
    import time

    from assay.exams.people import add_user

    engine = open_session(ctx).engine
    print_new(
        add_user(engine, name, organisation=organisation, role=role, reviewer=reviewer, now=time.time()),
        as_json=as_json,
    )


@app.command()
def renew(ctx: typer.Context, named: str = USER, as_json: bool = AS_JSON) -> None:
    """Give a user another secret; the old one stops working."""
    import time

    from assay.exams.people import renew_secret

    print_new(renew_secret(open_session(ctx, existing=True).engine, named, now=time.time()), as_json=as_json)


@app.command()
def disable(ctx: typer.Context, named: str = USER) -> None:
    """Disable a user at once, with all of its tokens."""
    import time

    from assay.exams.people import disable_user

    found, revoked = disable_user(open_session(ctx, existing=True).engine, named, now=time.time())
    notes().print(f"disabled {found.organisation_name}/{found.name}, {counted(revoked, 'token')} revoked")


@app.command()
def enable(ctx: typer.Context, named: str = USER) -> None:
    """Let a disabled user take part again."""
    from assay.exams.people import enable_user

    found = enable_user(open_session(ctx, existing=True).engine, named)
    notes().print(f"enabled {found.organisation_name}/{found.name}: it needs new tokens")


@app.command("list")
def list_(
    ctx: typer.Context,
    organisation: str | None = typer.Option(None, metavar="NAME", help="Only that organisation's."),
    role: Role | None = typer.Option(None, help="Only of that role."),
    as_json: bool = AS_JSON,
) -> None:
    """List users, without secrets."""
    list_as(ctx, organisation, role, as_json=as_json)


def list_as(ctx: typer.Context, organisation: str | None, role: Role | None, *, as_json: bool) -> None:
    """List users of an organisation and a role; None for all."""
    from assay.store.exam.people import list_users

    found = list_users(open_session(ctx, existing=True).engine, organisation=organisation, role=role)
    if as_json:
        print_json({"users": [document(each) for each in found]})
        return
    shown = (
        (f"{each.organisation_name}/{each.name}", each.role.value, each.id, moment(each.disabled_at) or "")
        for each in found
    )
    print_table(None, ("user", "role", "id", "disabled"), shown)


def document(found: User) -> dict[str, Any]:
    """Return a user as a JSON document."""
    return {
        "id": found.id,
        "name": found.name,
        "organisation": found.organisation_name,
        "role": found.role.value,
        "created_at": moment(found.created_at),
        "disabled_at": moment(found.disabled_at),
    }


def print_new(made: NewUser, *, as_json: bool) -> None:
    """Print a user's id and secret: the only time that it is shown."""
    if as_json:
        print_json({**document(made.user), "secret": made.secret})
        return
    sys.stdout.write(f"user    {made.user.id}\nsecret  {made.secret}\n")
    notes().print("the secret is shown once and kept nowhere: hand it over where nobody else reads it")
