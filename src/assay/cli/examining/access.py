"""`assay exam access`: the access log."""

from __future__ import annotations

import typer


def access(
    ctx: typer.Context,
    session: str | None = typer.Option(None, metavar="ID", help="Only requests for that session."),
    named: str | None = typer.Option(None, "--user", metavar="USER", help="Only that user's."),
    limit: int = typer.Option(50, min=0, metavar="N", help="The newest N; 0 for all."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """List requests with user, time and session, refused ones too."""
    from assay.cli.output import moment, print_json, print_table
    from assay.cli.session import open_session
    from assay.exams.people import find_user
    from assay.store.exam.access import list_accesses

    engine = open_session(ctx, existing=True).engine
    whose = None if named is None else find_user(engine, named).id
    found = list_accesses(engine, session=session, user=whose, limit=limit or None)
    if as_json:
        rows = [
            {
                "at": moment(each.access.at),
                "user_id": each.access.user_id,
                "user": None if each.user is None else f"{each.organisation}/{each.user}",
                "session": each.access.session,
                "jti": each.access.jti,
                "method": each.access.method,
                "path": each.access.path,
                "status": each.access.status,
                "told": each.access.told,
            }
            for each in found
        ]
        print_json({"accesses": rows})
        return
    shown = (
        (
            moment(each.access.at),
            f"{each.organisation}/{each.user}" if each.user else each.access.user_id or "",
            each.access.session or "",
            f"{each.access.method} {each.access.path}",
            each.access.status,
            each.access.told or "",
        )
        for each in found
    )
    print_table(None, ("time", "user", "session", "request", "status", "told"), shown, right=("status",))
