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
    """List notifications and their outcomes, the newest first."""
    engine = open_session(ctx, existing=True).engine
    print_listed(DELIVERIES, list_deliveries(engine, status=status, limit=limit or None), output)


@app.command()
@prints("one row per notification that was sent")
def retry(
    ctx: typer.Context,
    output: OutputFormat,
    hook: str | None = typer.Option(None, metavar="NAME", help="Webhook (default: all of the workspace)."),
) -> None:
    """Send failed and unfinished notifications again.

    They are sent as they were written. The exit status is 3 if one fails again.
    """
    work = open_session(ctx, existing=True)
    sent = asyncio.run(work.retry_notifications(hook))
    failed = sum(delivery.status is DeliveryStatus.FAILED for delivery in sent)
    print_listed(DELIVERIES, sent, output, text=lambda: print_rows(DELIVERIES, sent) if sent else None)
    if not work.workspace.notify:
        notes().print("the workspace has no webhooks: list them under `notify` in assay.yaml")
    elif not sent:
        notes().print("no notification is waiting for its delivery")
    if failed:
        notes().print(f"{counted(failed, 'notification')} failed again: correct `notify` in the workspace")
        raise typer.Exit(ExitStatus.UPSTREAM)
