"""`assay exam key`: the keys that sign tokens."""

from __future__ import annotations

import typer

from assay.cli.app import new_app
from assay.cli.output import moment, notes, print_json, print_table
from assay.cli.session import open_session

app = new_app(no_args_is_help=True)


@app.callback()
def key() -> None:
    """Rotate, withdraw and list the keys that sign tokens."""


@app.command()
def rotate(ctx: typer.Context) -> None:
    """Sign with a new key; older tokens hold until they expire."""
    import time

    from assay.exams.keys import rotate as rotate_keys
    from assay.files.sealing import bank_sealer

    work = open_session(ctx)
    kid = rotate_keys(work.engine, bank_sealer(work.environment), now=time.time())
    notes().print(f"key {kid} signs from now on")


@app.command()
def withdraw(ctx: typer.Context, kid: str = typer.Argument(metavar="KID")) -> None:
    """Refuse every token that a key has signed, at once."""
    import time

    from assay.exams.keys import withdraw as withdraw_one

    withdraw_one(open_session(ctx, existing=True).engine, kid, now=time.time())
    notes().print(f"key {kid} is withdrawn: its tokens are refused from the next request on")


@app.command("list")
def list_(
    ctx: typer.Context,
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """List signing keys by their ids, without secrets."""
    import time

    from assay.store.engine import reading
    from assay.store.exam.keys import list_keys, live_tokens

    with reading(open_session(ctx, existing=True).engine) as connection:
        found, live = list_keys(connection), live_tokens(connection, time.time())
    rows = [
        {
            "kid": each.kid,
            "state": "withdrawn" if each.withdrawn_at else "retired" if each.retired_at else "signs",
            "live_tokens": live.get(each.kid, 0),
            "created_at": moment(each.created_at),
            "retired_at": moment(each.retired_at),
            "withdrawn_at": moment(each.withdrawn_at),
        }
        for each in found
    ]
    if as_json:
        print_json({"keys": rows})
        return
    columns = ("kid", "state", "live_tokens", "created_at")
    shown = ([row[name] for name in columns] for row in rows)
    print_table(None, ("key", "state", "live tokens", "since"), shown, right=("live tokens",))
