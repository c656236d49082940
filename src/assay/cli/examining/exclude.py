"""`assay exam exclude`: take faulty questions out of the denominator."""

from __future__ import annotations

import typer


def exclude(
    ctx: typer.Context,
    session: str | None = typer.Argument(None, metavar="[SESSION]", help="The session, by its id."),
    position: list[int] = typer.Argument(None, metavar="[POSITION]...", help="Its questions, by number."),
    question: str | None = typer.Option(
        None, "--question", metavar="UUID", help="This question, in every session that was served it."
    ),
    reason: str = typer.Option(..., "--reason", metavar="TEXT", help="What is wrong with the question."),
    by: str | None = typer.Option(
        None, "--by", metavar="NAME", help="Who excludes it; else the user who is logged in."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Exclude faulty questions from scores, with the reason.

    They leave the denominator and stay in the manifest. Prefer --question, which treats all models alike.
    """
    import time

    from assay.cli.examining.named import user_name
    from assay.cli.output import counted, notes, print_json
    from assay.cli.session import open_session
    from assay.core.errors import InvalidInput
    from assay.exams.exclude import exclude_positions, exclude_question

    if (question is None) == (session is None):
        raise InvalidInput("name a SESSION with its POSITIONs, or one --question UUID")
    engine, name = open_session(ctx, existing=True).engine, user_name(by)
    if question is not None:
        made = exclude_question(engine, question, reason=reason, by=name, now=time.time())
    else:
        assert session is not None
        made = exclude_positions(engine, session, position or (), reason=reason, by=name, now=time.time())
    if as_json:
        rows = [
            {"session": one.session, "position": one.position, "reason": one.reason, "by": one.by}
            for one in made
        ]
        print_json({"excluded": rows})
        return
    sessions = len({one.session for one in made})
    notes().print(f"{counted(len(made), 'answer')} excluded, in {counted(sessions, 'session')}")
