"""`assay exam token`: issue, revoke and list tokens."""

from __future__ import annotations

import sys
from typing import Any

import typer

from assay.cli.app import new_app
from assay.cli.output import counted, moment, notes, print_json, print_table
from assay.cli.session import open_session
from assay.core.errors import InvalidInput

app = new_app(no_args_is_help=True)


@app.callback()
def token() -> None:
    """Issue, revoke and list tokens."""


@app.command()
def issue(
    ctx: typer.Context,
    named: str = typer.Argument(metavar="USER", help="Its id, or ORGANISATION/NAME."),
    session: str | None = typer.Option(None, metavar="ID", help="The session it holds for."),
    hours: float = typer.Option(1.0, metavar="H", help="How long it holds."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Issue a token by the operator's will; it is printed once."""
    import time

    from assay.exams.issuing import issue as issue_token
    from assay.exams.keys import Keyring
    from assay.files.sealing import bank_sealer

    work = open_session(ctx, existing=True)
    keyring = Keyring(work.engine, bank_sealer(work.environment))
    issued = issue_token(work.engine, keyring, named, session, now=time.time(), life=hours * 3600)
    if as_json:
        claims = issued.claims
        print_json(
            {
                "token": issued.token,
                "jti": claims.jti,
                "user": claims.user_id,
                "session": claims.session_id,
                "permissions": list(claims.permissions),
                "expires_at": moment(claims.exp),
            }
        )
        return
    sys.stdout.write(f"{issued.token}\n")
    notes().print(f"token {issued.claims.jti}, until {moment(issued.claims.exp)}; it is kept nowhere")


@app.command()
def revoke(
    ctx: typer.Context,
    jti: str | None = typer.Argument(None, metavar="JTI", help="The token's id, as `list` shows it."),
    named: str | None = typer.Option(None, "--user", metavar="USER", help="All tokens of this user instead."),
) -> None:
    """Revoke a token, or all of a user, at once."""
    import time

    from assay.exams.issuing import revoke as revoke_one
    from assay.exams.issuing import revoke_all

    if (jti is None) == (named is None):
        raise InvalidInput("name one token by its jti, or one user with --user")
    engine = open_session(ctx, existing=True).engine
    if jti is not None:
        revoke_one(engine, jti, now=time.time())
        notes().print(f"revoked token {jti}")
    else:
        assert named is not None
        notes().print(f"revoked {counted(revoke_all(engine, named, now=time.time()), 'token')} of {named}")


@app.command("list")
def list_(
    ctx: typer.Context,
    named: str | None = typer.Option(None, "--user", metavar="USER", help="Only that user's."),
    session: str | None = typer.Option(None, metavar="ID", help="Only those for that session."),
    everything: bool = typer.Option(False, "--all", help="Expired ones too."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """List tokens by their ids; the tokens are kept nowhere."""
    import time

    from assay.exams.people import find_user
    from assay.store.exam.tokens import ListedToken, list_tokens

    engine = open_session(ctx, existing=True).engine
    whose = None if named is None else find_user(engine, named).id
    found = list_tokens(engine, user=whose, session=session, unexpired=None if everything else time.time())

    def state(each: ListedToken) -> str:
        if each.withdrawn_at is not None:
            return "key withdrawn"
        if each.token.revoked_at is not None:
            return "revoked"
        return "expired" if each.token.expires_at < time.time() else "valid"

    if as_json:
        rows: list[dict[str, Any]] = [
            {
                "jti": each.token.jti,
                "user": f"{each.organisation}/{each.user}",
                "session": each.token.session,
                "kid": each.token.kid,
                "issued_at": moment(each.token.issued_at),
                "expires_at": moment(each.token.expires_at),
                "revoked_at": moment(each.token.revoked_at),
                "state": state(each),
            }
            for each in found
        ]
        print_json({"tokens": rows})
        return
    shown = (
        (
            each.token.jti,
            f"{each.organisation}/{each.user}",
            each.token.session or "",
            each.token.kid,
            moment(each.token.expires_at),
            state(each),
        )
        for each in found
    )
    print_table(None, ("token", "user", "session", "key", "expires", "state"), shown)
