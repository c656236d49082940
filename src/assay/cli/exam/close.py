"""`assay exam close`: end a session."""

from __future__ import annotations

import time

import typer

from assay.cli.output import notes, print_result
from assay.cli.session import open_session
from assay.exam.opening import close_by_operator


def close(
    ctx: typer.Context,
    session: str = typer.Argument(metavar="SESSION", help="Session id."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """End a session; it accepts no more answers.

    A pending question counts as timed out. Questions that were not served can be drawn again.
    """
    work = open_session(ctx, existing=True)
    view = close_by_operator(work.engine, session, now=time.time())
    if as_json:
        print_result(view)
    else:
        notes().print(
            f"session {view.id} is {view.state.value}: {view.completed} of {view.quota} questions done"
        )
