"""`assay exam user`: people and programs of an organisation, their roles and secrets."""

from __future__ import annotations

import sys
import time

import typer

from assay.cli.app import new_app
from assay.cli.output import AS_JSON, OutputFormat, notes, print_listed, print_result, prints
from assay.cli.session import open_session
from assay.core.exam import Role
from assay.core.wording import counted
from assay.exam.people import add_user, disable_user, enable_user, renew_secret
from assay.results.exam_service import USERS, NewUser
from assay.store.exam.people import list_users

app = new_app(no_args_is_help=True)
USER = typer.Argument(metavar="USER", help="User id, or ORGANISATION/NAME.")


@app.callback()
def user() -> None:
    """Add, list, disable and enable users of every role."""


@app.command()
def add(
    ctx: typer.Context,
    name: str = typer.Argument(metavar="NAME", help="Name of the user."),
    organisation: str = typer.Option(..., metavar="NAME", help="Organisation of the user."),
    role: Role = typer.Option(..., help="Role of the user."),
    reviewer: str | None = typer.Option(
        None, metavar="NAME", help="With role reviewer: the bank's reviewer whose account this is."
    ),
    as_json: bool = AS_JSON,
) -> None:
    """Add a user; the secret is printed once and not stored."""
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
    engine = open_session(ctx).engine
    print_new(
        add_user(engine, name, organisation=organisation, role=role, reviewer=reviewer, now=time.time()),
        as_json=as_json,
    )


@app.command()
def renew(ctx: typer.Context, named: str = USER, as_json: bool = AS_JSON) -> None:
    """Give a user a new secret; the old one stops working."""
    print_new(renew_secret(open_session(ctx, existing=True).engine, named, now=time.time()), as_json=as_json)


@app.command()
def disable(ctx: typer.Context, named: str = USER) -> None:
    """Disable a user and all of its tokens at once."""
    disabled, revoked = disable_user(open_session(ctx, existing=True).engine, named, now=time.time())
    notes().print(
        f"disabled {disabled.organisation_name}/{disabled.name}, {counted(revoked, 'token')} revoked"
    )


@app.command()
def enable(ctx: typer.Context, named: str = USER) -> None:
    """Enable a disabled user again."""
    user = enable_user(open_session(ctx, existing=True).engine, named)
    notes().print(f"enabled {user.organisation_name}/{user.name}; old tokens stay revoked")


@app.command("list")
@prints("one row per user")
def list_(
    ctx: typer.Context,
    output: OutputFormat,
    organisation: str | None = typer.Option(None, metavar="NAME", help="Show only this organisation."),
    role: Role | None = typer.Option(None, help="Show only this role."),
) -> None:
    """List users, without secrets."""
    list_as(ctx, organisation, role, output)


def list_as(ctx: typer.Context, organisation: str | None, role: Role | None, output: OutputFormat) -> None:
    """List users of an organisation and a role; None for all."""
    users = list_users(open_session(ctx, existing=True).engine, organisation=organisation, role=role)
    print_listed(USERS, users, output)


def print_new(new: NewUser, *, as_json: bool) -> None:
    """Print a user's id and secret. The secret is not shown again."""
    if as_json:
        print_result(new)
        return
    sys.stdout.write(f"user    {new.user.id}\nsecret  {new.secret}\n")
    notes().print("the secret is shown once and not stored: send it to the user over a private channel")
