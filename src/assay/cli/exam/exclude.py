"""`assay exam exclude`: exclude faulty questions from scores."""

from __future__ import annotations

import time

import typer

from assay.cli.exam.named import user_name
from assay.cli.output import notes, print_result
from assay.cli.session import open_session
from assay.core.errors import InvalidInput
from assay.core.wording import counted
from assay.exam.tally import exclude_positions, exclude_question
from assay.results.exam_marking import EXCLUSIONS


def exclude(
    ctx: typer.Context,
    session: str | None = typer.Argument(None, metavar="[SESSION]", help="Session id."),
    position: list[int] = typer.Argument(
        None, metavar="[POSITION]...", help="Question numbers in the session."
    ),
    question: str | None = typer.Option(
        None,
        "--question",
        metavar="UUID",
        help="Question to exclude in every session in which it was served.",
    ),
    reason: str = typer.Option(..., "--reason", metavar="TEXT", help="Reason: the fault of the question."),
    by: str | None = typer.Option(
        None, "--by", metavar="NAME", help="Name to record (default: your user name)."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Exclude faulty questions from scores, with a reason.

    Excluded questions leave the denominator and stay in the manifest. Prefer --question, which treats
    all models alike.
    """
    if (question is None) == (session is None):
        raise InvalidInput("no questions to exclude: give SESSION and POSITION, or --question UUID")
    engine, name = open_session(ctx, existing=True).engine, user_name(by)
    if question is not None:
        exclusions = exclude_question(engine, question, reason=reason, by=name, now=time.time())
    else:
        assert session is not None
        positions = position or ()
        exclusions = exclude_positions(engine, session, positions, reason=reason, by=name, now=time.time())
    if as_json:
        print_result({EXCLUSIONS.name: exclusions})
        return
    sessions = len({exclusion.session for exclusion in exclusions})
    notes().print(f"{counted(len(exclusions), 'answer')} excluded, in {counted(sessions, 'session')}")
