"""`assay exam sessions`: list sessions."""

from __future__ import annotations

import typer

from assay.core.exam import SessionState


def sessions(
    ctx: typer.Context,
    state: SessionState | None = typer.Option(None, help="Only those that stand so."),
    organisation: str | None = typer.Option(None, metavar="NAME", help="Only that organisation's."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """List sessions, the newest first; overdue ones are ended."""
    import time

    from assay.cli.examining.session_document import COLUMNS, session_document, session_row
    from assay.cli.output import print_json, print_table
    from assay.cli.session import open_session
    from assay.exams.opening import list_by_hand
    from assay.exams.view import session_view

    work = open_session(ctx, existing=True)
    found = list_by_hand(work.engine, now=time.time(), state=state, organisation=organisation)
    if as_json:
        rows = [
            {
                **session_document(session_view(each)),
                "candidate_name": each.candidate_name,
                "organisation": each.organisation_name,
                "draw": each.draw_name,
            }
            for each in found
        ]
        print_json({"sessions": rows})
        return
    shown = (
        (f"{each.organisation_name}/{each.candidate_name}", *session_row(session_view(each)))
        for each in found
    )
    print_table(None, ("candidate", *COLUMNS), shown, right=("done", "of"))
