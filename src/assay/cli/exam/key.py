"""`assay exam key`: the keys that sign tokens."""

from __future__ import annotations

import time

import typer

from assay.cli.app import new_app
from assay.cli.output import OutputFormat, notes, print_listed, prints
from assay.cli.session import open_session
from assay.exam import keys
from assay.files.sealing import bank_sealer
from assay.results.exam_service import KEYS

app = new_app(no_args_is_help=True)


@app.callback()
def key() -> None:
    """Rotate, withdraw and list the keys that sign tokens."""


@app.command()
def rotate(ctx: typer.Context) -> None:
    """Sign with a new key; older tokens stay valid until they expire."""
    work = open_session(ctx)
    kid = keys.rotate(work.engine, bank_sealer(work.environment), now=time.time())
    notes().print(f"key {kid} signs from now on")


@app.command()
def withdraw(
    ctx: typer.Context, kid: str = typer.Argument(metavar="KID", help="Key id, as shown by `list`.")
) -> None:
    """Withdraw a key; all tokens that it signed are refused at once."""
    keys.withdraw(open_session(ctx, existing=True).engine, kid, now=time.time())
    notes().print(f"key {kid} is withdrawn: its tokens are refused from the next request on")


@app.command("list")
@prints("one row per key")
def list_(
    ctx: typer.Context,
    output: OutputFormat,
) -> None:
    """List signing keys by id, without secrets."""
    listed = keys.list_signing_keys(open_session(ctx, existing=True).engine, now=time.time())
    print_listed(KEYS, listed, output)
