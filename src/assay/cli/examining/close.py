"""`assay exam close`: end a session."""

from __future__ import annotations

import typer


def close(
    ctx: typer.Context,
    session: str = typer.Argument(metavar="SESSION", help="The session, by its id."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """End a session: it takes no more answers.

    A pending question counts as timed out. Questions that were never served can be drawn again.
    """
    import time

    from assay.cli.examining.session_document import session_document
    from assay.cli.output import notes, print_json
    from assay.cli.session import open_session
    from assay.exams.opening import close_by_hand

    work = open_session(ctx, existing=True)
    view = close_by_hand(work.engine, session, now=time.time())
    if as_json:
        print_json(session_document(view))
    else:
        notes().print(f"{view.id} is {view.state.value} with {view.completed} of {view.quota} questions done")
