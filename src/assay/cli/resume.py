"""`assay resume`: finish a run that was stopped."""

from __future__ import annotations

import typer

from assay.calls.steering import Steering
from assay.cli.app import new_app
from assay.cli.live import run_live
from assay.cli.outcome import end, outcome_document, tell_outcome
from assay.cli.output import print_json
from assay.cli.session import Place, open_session
from assay.cli.shown_run import print_run_scores
from assay.cli.verdicts import explain_spending, print_watch_day, watch_document
from assay.runs.daily import WatchDay

app = new_app()


@app.command()
def resume(
    ctx: typer.Context,
    run: int = typer.Argument(metavar="RUN", help="The run's number, as `assay runs` lists it."),
    max_cost: float | None = typer.Option(
        None,
        metavar="USD",
        help="Stop when the whole run reaches this many US dollars; of a watch, all runs of its day.",
    ),
    concurrency: int | None = typer.Option(
        None, min=1, metavar="N", help="Most requests in flight to one provider."
    ),
    on: Place = typer.Option(
        Place.HERE, metavar="here|ray", help="Execute in this process, or on the Ray cluster of RAY_ADDRESS."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Finish a run: what is recorded is not paid for again, what errored is asked for again."""
    work = open_session(ctx, concurrency=concurrency, existing=True, on=on)
    steering = Steering()
    ended = run_live(work.resume(run, max_cost=max_cost, steering=steering), steering, label=f"run {run}")
    outcome = ended.outcome if isinstance(ended, WatchDay) else ended
    if as_json:
        print_json(watch_document(ended) if isinstance(ended, WatchDay) else outcome_document(outcome))
    elif isinstance(ended, WatchDay):
        print_watch_day(ended)
    else:
        print_run_scores(work, outcome.run)
    tell_outcome(outcome, spent=explain_spending(ended) if isinstance(ended, WatchDay) else None)
    end(outcome)
