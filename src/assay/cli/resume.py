"""`assay resume`: finish a run that was stopped."""

from __future__ import annotations

import shlex
from typing import NoReturn

import typer

from assay.calls.asking import ASKED
from assay.calls.control import RunControl
from assay.cli.app import new_app
from assay.cli.live import run_live
from assay.cli.options import CONCURRENCY
from assay.cli.outcome import end, print_outcome
from assay.cli.output import OutputFormat, notes, prints
from assay.cli.session import Place, open_session
from assay.cli.shown_run import print_run_scores
from assay.cli.watch.verdicts import explain_spending, print_watch_day
from assay.core.errors import InvalidInput
from assay.results.watch import WatchDay
from assay.runs.resume_command import resume_command
from assay.store.runs import StoredRun, read_run

app = new_app()
FLAGS = {OutputFormat.TEXT: (), OutputFormat.JSON: ("--json",), OutputFormat.CSV: ("--csv",)}


def call_again(ctx: typer.Context, run: StoredRun, options: list[str]) -> NoReturn:
    """Repeat the command that made a run without a suite, in the same workspace, to resume the run."""
    command = resume_command(run)
    notes().print(f"resuming run {run.id} with `{command}`")
    places = {"--workspace": ctx.obj["workspace"], "--database": ctx.obj["database"]}
    words = [word for name, value in places.items() if value is not None for word in (name, str(value))]
    root = ctx.find_root().command
    status = root.main(
        [*words, *shlex.split(command)[1:], *options], prog_name="assay", standalone_mode=False
    )
    raise typer.Exit(status if isinstance(status, int) else 0)


@app.command()
@prints("one row per model and use case, or per model for a watch")
def resume(
    ctx: typer.Context,
    output: OutputFormat,
    run: int = typer.Argument(metavar="RUN", help="Run number, as listed by `assay runs`."),
    max_cost: float | None = typer.Option(
        None,
        metavar="USD",
        help="Spending limit for the whole run, in US dollars; for a watch, for all runs of its day.",
    ),
    concurrency: int | None = CONCURRENCY,
    on: Place = typer.Option(
        Place.HERE,
        metavar="here|ray",
        help="Place of execution: this process, or the Ray cluster at RAY_ADDRESS.",
    ),
    complete: bool = typer.Option(
        False, "--complete", help="Ask for the samples that an adaptive run left out, too."
    ),
) -> None:
    """Resume a run of any kind.

    Recorded calls are not repeated; failed ones are sent again. A calibration starts again.
    """
    work = open_session(ctx, concurrency=concurrency, existing=True, on=on)
    stored = read_run(work.engine, run)
    if complete and stored.kind != "run":
        raise InvalidInput(f"run {run} is not adaptive: resume it without --complete")
    if stored.kind in ("calibrate", *ASKED):
        options = {"--max-cost": max_cost, "--concurrency": None if stored.kind == "sit" else concurrency}
        words = [word for name, value in options.items() if value is not None for word in (name, str(value))]
        call_again(ctx, stored, [*words, *FLAGS[output]])
    control = RunControl()
    resumed = work.resume(run, max_cost=max_cost, control=control, complete=complete)
    ended = run_live(resumed, control, label=f"run {run}")
    outcome = ended.outcome if isinstance(ended, WatchDay) else ended
    if isinstance(ended, WatchDay):
        print_watch_day(ended, output)
    else:
        print_run_scores(work, outcome, output)
    print_outcome(outcome, spent=explain_spending(ended) if isinstance(ended, WatchDay) else None)
    end(outcome)
