"""`assay exam sessions`: list sessions."""

from __future__ import annotations

import time

import typer

from assay.cli.output import OutputFormat, print_listed, prints
from assay.cli.session import open_session
from assay.core.exam import SessionState
from assay.exam.opening import list_for_operator
from assay.results.exam_service import SESSIONS


@prints("one row per session")
def sessions(
    ctx: typer.Context,
    output: OutputFormat,
    state: SessionState | None = typer.Option(None, help="Show only sessions with this status."),
    organisation: str | None = typer.Option(None, metavar="NAME", help="Show only this organisation."),
) -> None:
    """List sessions, the newest first; overdue ones are ended."""
    work = open_session(ctx, existing=True)
    listed = list_for_operator(work.engine, now=time.time(), state=state, organisation=organisation)
    print_listed(SESSIONS, listed, output)
