"""`assay exam open`: open a session for a candidate."""

from __future__ import annotations

import typer

from assay.core.exam import Prompting


def open_(
    ctx: typer.Context,
    candidate: str = typer.Option(..., metavar="USER", help="Its id, or ORGANISATION/NAME."),
    model: str = typer.Option(..., metavar="NAME", help="The model that sits, as results name it."),
    n: int | None = typer.Option(None, "--n", metavar="N", help="Questions; a multiple of 10."),
    prompting: Prompting = typer.Option(Prompting.ZERO_SHOT, help="How questions are put."),
    draw: str | None = typer.Option(
        None, metavar="NAME", help="The operator's own: make or sit again a named draw."
    ),
    like: str | None = typer.Option(
        None, metavar="SESSION", help="The operator's own: sit that session's questions too."
    ),
    hours: float = typer.Option(72.0, metavar="H", help="Time for the whole session."),
    question_minutes: float = typer.Option(10.0, metavar="M", help="Time for each question."),
    allocation: str = typer.Option(
        "ten-subjects", metavar="NAME", help="ten-subjects, proportional, or law=50,medicine=30."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Open a session: draw unseen questions for a candidate.

    The candidate's organisation never meets one of them again. `assay exam token issue` gives the
    candidate a token for the session; with its secret it gets one by itself.
    """
    import time

    from assay.cli.examining.session_document import session_document
    from assay.cli.output import counted, moment, notes, print_json
    from assay.cli.session import open_session
    from assay.exams.opening import Opening, open_by_hand

    work = open_session(ctx, existing=True)
    view = open_by_hand(
        work.engine,
        Opening(
            candidate=candidate,
            model=model,
            n=n,
            prompting=prompting,
            allocation=allocation,
            draw=draw,
            like=like,
            hours=hours,
            question_minutes=question_minutes,
        ),
        now=time.time(),
    )
    if as_json:
        print_json(session_document(view))
        return
    typer.echo(view.id)
    notes().print(
        f"{counted(view.quota, 'question')} for {model}, until {moment(view.deadline)}. The candidate sits "
        f"it with `assay sit URL --session {view.id} --user {view.candidate} --model …` and its secret"
    )
