"""`assay exam token`: issue, revoke and list tokens."""

from __future__ import annotations

import sys
import time

import typer

from assay.cli.app import new_app
from assay.cli.output import OutputFormat, notes, print_listed, print_result, prints
from assay.cli.session import open_session
from assay.core.errors import InvalidInput
from assay.core.wording import counted
from assay.exam import issuing
from assay.exam.keys import Keyring
from assay.exam.people import find_user
from assay.files.sealing import bank_sealer
from assay.results.exam_service import TOKENS, NewToken
from assay.results.figure import utc
from assay.store.exam.tokens import list_tokens

app = new_app(no_args_is_help=True)


@app.callback()
def token() -> None:
    """Issue, revoke and list tokens."""


@app.command()
def issue(
    ctx: typer.Context,
    named: str = typer.Argument(metavar="USER", help="User id, or ORGANISATION/NAME."),
    session: str | None = typer.Option(None, metavar="ID", help="Session that the token is valid for."),
    hours: float = typer.Option(1.0, metavar="H", help="Lifetime in hours."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Issue a token as the operator; it is printed once."""
    work = open_session(ctx, existing=True)
    keyring = Keyring(work.engine, bank_sealer(work.environment))
    issued = issuing.issue(work.engine, keyring, named, session, now=time.time(), life=hours * 3600)
    claims, permissions = issued.claims, tuple(issued.claims.permissions)
    if as_json:
        print_result(
            NewToken(issued.token, claims.jti, claims.user_id, claims.session_id, permissions, claims.exp)
        )
        return
    sys.stdout.write(f"{issued.token}\n")
    notes().print(f"token {claims.jti}, valid until {utc(claims.exp)}; it is not stored")


@app.command()
def revoke(
    ctx: typer.Context,
    jti: str | None = typer.Argument(None, metavar="JTI", help="Token id, as shown by `list`."),
    named: str | None = typer.Option(
        None, "--user", metavar="USER", help="Revoke all tokens of this user instead."
    ),
) -> None:
    """Revoke a token, or all tokens of a user, at once."""
    if (jti is None) == (named is None):
        raise InvalidInput("no tokens to revoke: give either the token's JTI or --user USER")
    engine = open_session(ctx, existing=True).engine
    if jti is not None:
        issuing.revoke(engine, jti, now=time.time())
        notes().print(f"revoked token {jti}")
    else:
        assert named is not None
        revoked = issuing.revoke_all(engine, named, now=time.time())
        notes().print(f"revoked {counted(revoked, 'token')} of {named}")


@app.command("list")
@prints("one row per token")
def list_(
    ctx: typer.Context,
    output: OutputFormat,
    named: str | None = typer.Option(None, "--user", metavar="USER", help="Show only this user."),
    session: str | None = typer.Option(None, metavar="ID", help="Show only this session."),
    everything: bool = typer.Option(False, "--all", help="Include expired tokens."),
) -> None:
    """List tokens by id; the tokens themselves are not stored."""
    engine = open_session(ctx, existing=True).engine
    user = None if named is None else find_user(engine, named).id
    listed = list_tokens(engine, now=time.time(), user=user, session=session, expired=everything)
    print_listed(TOKENS, listed, output)
