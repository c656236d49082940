"""`assay sit`: take an exam with a model as a candidate, over the exam service's public interface."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import typer

from assay.calls.control import RunControl
from assay.cli.app import new_app
from assay.cli.live import run_live
from assay.cli.options import MAX_COST_OF_RUN
from assay.cli.outcome import end_asked_run, print_asked_run
from assay.cli.output import notes, print_result
from assay.cli.session import open_session
from assay.core.errors import InvalidInput
from assay.core.wording import counted
from assay.exam.service_client import Credentials, SessionAccess
from assay.exam.sit import sit as sit_exam
from assay.results.exam_marking import SittingProgress

app = new_app()
SECRET, TOKEN = "ASSAY_EXAM_SECRET", "ASSAY_EXAM_TOKEN"


@app.command()
def sit(
    ctx: typer.Context,
    url: str = typer.Argument(
        metavar="URL", help="Address of the exam service, such as https://exam.example."
    ),
    session: str = typer.Option(..., "--session", metavar="ID", help="Session that was opened for you."),
    model: str = typer.Option(
        ..., "--model", "-m", metavar="PROVIDER/MODEL", help="Model that takes the exam."
    ),
    user: str | None = typer.Option(
        None, "--user", metavar="ID", help="Your user id; the secret is read from ASSAY_EXAM_SECRET."
    ),
    max_cost: float | None = MAX_COST_OF_RUN,
    allow_retention: bool = typer.Option(
        False, "--allow-retention", help="Allow a router to use endpoints that store the questions."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Take an exam with a model, which answers one question after the other.

    Your secret is read from ASSAY_EXAM_SECRET, or a token from ASSAY_EXAM_TOKEN. To continue a stopped
    sitting, repeat the command; paid calls are never repeated. Through OpenRouter, only endpoints that store
    nothing are used.
    """
    work = open_session(ctx)
    (subject,) = work.models([model])
    subject = replace(subject, unretained=not allow_retention)
    credentials = credentials_of(work.environment, user)
    control = RunControl()
    sitting = run_live(
        sit_exam(
            work.asking_context(),
            SessionAccess(url, session, credentials),
            subject,
            max_cost=work.limit(max_cost),
            control=control,
            say=lambda line: notes().print(line),
        ),
        control,
        label="sitting",
    )
    if as_json:
        print_result(sitting)
    print_sitting(sitting)
    end_asked_run(sitting)


def credentials_of(environment: Mapping[str, str], user: str | None) -> Credentials:
    """Read the candidate's credentials from the environment. Raises InvalidInput if they are missing."""
    secret, token = (environment.get(name, "").strip() or None for name in (SECRET, TOKEN))
    if secret is not None and user is None and token is None:
        raise InvalidInput(f"{SECRET} is set, but no user is given: give --user ID")
    if secret is None and token is None:
        raise InvalidInput(
            f"no credentials found: set {SECRET} to your user's secret and give --user ID, or set {TOKEN} to "
            "a valid token (not on the command line, where others could read it)"
        )
    return Credentials(user, secret if user is not None else None, token)


def print_sitting(sitting: SittingProgress) -> None:
    """Print on stderr the progress of a sitting, its cost, and how to continue it."""
    standing, tally = sitting.standing, sitting.tally
    for count, what in (
        (tally.reused, "taken from the ledger, without a new call"),
        (tally.invalid, "submitted empty: the model gave no visible answer"),
        (tally.cut, "cut to the longest text that the exam service accepts"),
        (tally.refused, "refused because of the time limit"),
    ):
        if count:
            notes().print(f"  {counted(count, 'answer')} {what}")
    print_asked_run(
        sitting,
        str(sitting.again),
        simulated="The model is simulated: its answers say nothing about a real model.",
        done=f": {standing.completed:,} of {counted(standing.quota, 'question')} done, "
        f"{counted(len(tally.receipts), 'receipt')}",
    )
