"""`assay notify`: the log of notifications to webhooks, and sending failed ones again."""

from __future__ import annotations

import asyncio

import typer

from assay.cli.app import new_app
from assay.cli.output import OutputFormat, notes, print_listed, print_rows, prints
from assay.cli.session import open_session
from assay.core.errors import ExitStatus
from assay.core.notification import DeliveryStatus
from assay.core.wording import counted
from assay.results.watch import DELIVERIES
from assay.store.verdicts import list_deliveries

app = new_app(no_args_is_help=True)


@app.callback()
def notify() -> None:
    """List notifications of webhooks, and send failed ones again."""


@app.command("list")
@prints("one row per notification and webhook")
def list_(
    ctx: typer.Context,
    output: OutputFormat,
    status: DeliveryStatus | None = typer.Option(None, help="Show only notifications with this status."),
    limit: int = typer.Option(20, min=0, metavar="N", help="Number of rows, the newest first; 0 shows all."),
) -> None:
    """List notifications, the newest first, with the outcome of each delivery."""
    engine = open_session(ctx, existing=True).engine
    print_listed(DELIVERIES, list_deliveries(engine, status=status, limit=limit or None), output)


@app.command()
@prints("one row per notification that was sent")
def retry(
    ctx: typer.Context,
    output: OutputFormat,
    hook: str | None = typer.Option(None, metavar="NAME", help="Webhook (default: all of the workspace)."),
) -> None:
    """Send failed and unfinished notifications again, as they were written."""
    sent = asyncio.run(open_session(ctx, existing=True).retry_notifications(hook))
    failed = sum(delivery.status is DeliveryStatus.FAILED for delivery in sent)
    print_listed(DELIVERIES, sent, output, text=lambda: print_rows(DELIVERIES, sent) if sent else None)
    if not sent:
        notes().print("no notification is waiting: all were delivered")
    if failed:
        notes().print(f"{counted(failed, 'notification')} failed again: correct `notify` in the workspace")
        raise typer.Exit(ExitStatus.UPSTREAM)
