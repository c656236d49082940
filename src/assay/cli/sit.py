"""`assay sit`: sit an exam with a model, as a candidate does, over the examiner's public interface."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from assay.cli.app import new_app
from assay.cli.output import counted, notes, print_json
from assay.cli.session import open_session

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assay.exams.examiner_line import Credentials
    from assay.exams.sitting import Sitting

app = new_app()
SECRET, TOKEN = "ASSAY_EXAM_SECRET", "ASSAY_EXAM_TOKEN"


@app.command()
def sit(
    ctx: typer.Context,
    url: str = typer.Argument(metavar="URL", help="The examiner's address, as https://exam.example."),
    session: str = typer.Option(..., "--session", metavar="ID", help="The session that was opened for you."),
    model: str = typer.Option(..., "--model", "-m", metavar="PROVIDER/MODEL", help="The model that sits."),
    user: str | None = typer.Option(
        None, "--user", metavar="ID", help="Your user id; its secret stands in ASSAY_EXAM_SECRET."
    ),
    max_cost: float | None = typer.Option(
        None, metavar="USD", help="Stop when the whole sitting reaches this many US dollars."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Sit an exam with a model: questions come one by one, answers go in.

    Your secret is read from ASSAY_EXAM_SECRET (or a ready token from ASSAY_EXAM_TOKEN). A sitting that was
    stopped goes on with the same command: what was answered is not paid for again.
    """
    from assay.calls.asking import Place
    from assay.calls.steering import Steering
    from assay.cli.live import run_live
    from assay.exams.sit import sit as sit_exam

    work = open_session(ctx)
    (subject,) = work.models([model])
    credentials = credentials_of(work.environment, user)
    place = Place(work.engine, work.workspace.providers, work.environment)
    steering = Steering()
    limit = work.workspace.budget.max_cost if max_cost is None else max_cost
    ended = run_live(
        sit_exam(
            place,
            url,
            session,
            subject,
            credentials,
            max_cost=limit,
            steering=steering,
            say=lambda told: notes().print(told),
        ),
        steering,
        label="sitting",
    )
    if as_json:
        print_json(sitting_document(ended))
    tell_sitting(ended)
    end_sitting(ended)


def credentials_of(environment: Mapping[str, str], user: str | None) -> Credentials:
    """Return who sits, from the environment; InvalidInput where nothing there proves it."""
    from assay.core.errors import InvalidInput
    from assay.exams.examiner_line import Credentials

    secret, token = (environment.get(name, "").strip() or None for name in (SECRET, TOKEN))
    if secret is not None and user is None and token is None:
        raise InvalidInput(f"{SECRET} is set but not whose it is: give --user ID")
    if secret is None and token is None:
        raise InvalidInput(
            f"nothing proves who sits: set {SECRET} to your user's secret and give --user ID, or set {TOKEN} "
            "to a token that is ready (never on the command line, where others could read it)"
        )
    return Credentials(user, secret if user is not None else None, token)


def tell_sitting(sitting: Sitting) -> None:
    """Say on stderr how a sitting stands, what it cost, and how to go on."""
    from assay.cli.outcome import CONTROLS, told_cost

    standing, tally = sitting.standing, sitting.tally
    out = notes()
    out.print(
        f"run {sitting.run} {sitting.status}: {standing.completed:,} of "
        f"{counted(standing.quota, 'question')} done, {counted(len(tally.receipts), 'receipt')}, "
        f"{told_cost(sitting.counts)}"
    )
    for count, told in (
        (tally.reused, "delivered from the ledger, without asking again"),
        (tally.invalid, "handed in empty: the model gave no visible answer"),
        (tally.cut, "cut to the longest text that the examiner takes"),
        (tally.refused, "came too late to be taken"),
    ):
        if count:
            out.print(f"  {counted(count, 'answer')} {told}")
    if sitting.simulated:
        out.print("The model is simulated: its answers are made up.")
    if sitting.status != "finished":
        why = f" ({CONTROLS.sub(' ', sitting.reason)})" if sitting.reason else ""
        out.print(f"stopped{why}; what was answered is kept. Go on with: {sitting.again}")


def end_sitting(sitting: Sitting) -> None:
    """End the command: 0 when nothing is left, 130 interrupted, else as what stopped it demands."""
    if sitting.error is not None:
        raise typer.Exit(sitting.error.exit_status)
    if sitting.status != "finished":
        raise typer.Exit(130)


def sitting_document(sitting: Sitting) -> dict[str, Any]:
    """Return a sitting as one JSON document; no question and no answer is in it."""
    counts, tally = sitting.counts, sitting.tally
    return {
        "run": sitting.run,
        "session": sitting.session,
        "model": sitting.model,
        "simulated": sitting.simulated,
        "status": sitting.status,
        "reason": sitting.reason,
        "state": sitting.standing.state,
        "quota": sitting.standing.quota,
        "completed": sitting.standing.completed,
        "asked": tally.asked,
        "reused": tally.reused,
        "invalid": tally.invalid,
        "cut": tally.cut,
        "refused": tally.refused,
        "calls": counts.calls,
        "cost": counts.cost if counts.calls > counts.unknown_costs else None,
        "unknown_costs": counts.unknown_costs,
        "receipts": [
            {"position": each.position, "receipt": each.receipt, "status": each.status}
            for _, each in sorted(tally.receipts.items())
        ],
        "again": None if sitting.status == "finished" else sitting.again,
    }
