"""`assay exam open`: open a session for a candidate."""

from __future__ import annotations

import time

import typer

from assay.cli.allocation import ALLOCATION, allocation_of
from assay.cli.output import notes, print_result
from assay.cli.session import open_session
from assay.core.exam import Prompting
from assay.core.wording import counted
from assay.exam.opening import Opening, open_by_operator
from assay.results.figure import utc


def open_(
    ctx: typer.Context,
    candidate: str = typer.Option(..., metavar="USER", help="User id, or ORGANISATION/NAME."),
    model: str = typer.Option(..., metavar="NAME", help="Model that takes the exam, as named in results."),
    n: int | None = typer.Option(None, "--n", metavar="N", help="Number of questions; a multiple of 10."),
    prompting: Prompting = typer.Option(Prompting.ZERO_SHOT, help="Prompting style."),
    draw: str | None = typer.Option(
        None,
        metavar="NAME",
        help="Name of a draw to make or to use again; only for the operator's own candidates.",
    ),
    like: str | None = typer.Option(
        None,
        metavar="SESSION",
        help="Session whose questions to use again; only for the operator's own candidates.",
    ),
    series: str | None = typer.Option(
        None, metavar="NAME", help="Official series; it fixes everything except the candidate."
    ),
    hours: float = typer.Option(72.0, metavar="H", help="Time for the whole session, in hours."),
    question_minutes: float = typer.Option(10.0, metavar="M", help="Time for each question, in minutes."),
    allocation: list[str] = ALLOCATION,
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Open a session: draw unseen questions for a candidate.

    The candidate's organisation never gets these questions again. The candidate needs its secret, or a token
    from `assay exam token issue`.
    """
    work = open_session(ctx, existing=True)
    view = open_by_operator(
        work.engine,
        Opening(
            candidate=candidate,
            model=model,
            n=n,
            prompting=prompting,
            allocation=allocation_of(allocation),
            draw=draw,
            like=like,
            hours=hours,
            question_minutes=question_minutes,
            series=series,
        ),
        now=time.time(),
    )
    if as_json:
        print_result(view)
        return
    typer.echo(view.id)
    notes().print(
        f"{counted(view.quota, 'question')} for {model}, until {utc(view.deadline)}. The candidate takes the "
        f"exam with `assay sit URL --session {view.id} --user {view.candidate} --model …` and its secret"
    )
