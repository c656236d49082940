"""`assay watch`: run today's suite, judge it, and do so every day when asked."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import typer

from assay.calls.steering import Steering
from assay.cli import judging
from assay.cli.app import new_app
from assay.cli.days import parse_day
from assay.cli.live import INTERRUPTED, run_live
from assay.cli.outcome import end, tell_outcome
from assay.cli.output import notes, print_json
from assay.cli.planned import print_plan
from assay.cli.schedule import every_day
from assay.cli.session import open_session
from assay.cli.verdicts import explain_spending, print_watch_day, tell_measured, watch_document
from assay.cli.watch_operating import simulate, tune
from assay.core.errors import AssayError, InvalidInput
from assay.runs.daily import WatchDay, check_pins
from assay.runs.measured import Measured, explain_measured, without_measured

app = new_app(no_args_is_help=False)
app.command("simulate")(simulate)
app.command("tune")(tune)


@app.callback(invoke_without_command=True)
def watch(
    ctx: typer.Context,
    model: list[str] = typer.Option(
        [],
        "--model",
        "-m",
        metavar="PROVIDER/MODEL",
        help="May be given several times; else the workspace's.",
    ),
    suite: str | None = typer.Option(
        None, metavar="SUITE", help="The suite; else the workspace's, else `daily`."
    ),
    day: str | None = typer.Option(
        None, metavar="DAY", help="The day (UTC) the samples count for, as 2026-11-20; else today."
    ),
    schedule: str | None = typer.Option(None, metavar="HH:MM", help="Run every day at this time (UTC)."),
    daily: bool = typer.Option(False, "--daily", help="Run every day at the workspace's `schedule`."),
    judge: list[str] = judging.JUDGE,
    substitute: str | None = judging.SUBSTITUTE,
    max_cost: float | None = typer.Option(None, metavar="USD", help="Stop at this many US dollars a day."),
    concurrency: int | None = typer.Option(
        None, min=1, metavar="N", help="Most requests in flight to one provider."
    ),
    allow_unpinned: bool = typer.Option(False, help="Watch models that a router may serve from anywhere."),
    again: bool = typer.Option(
        False, "--again", help="Measure a day once more; its runs are pooled by sample."
    ),
    dry_run: bool = typer.Option(False, "--dry-run", help="Print the plan with its estimate; send nothing."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document a day."),
) -> None:
    """Run today's suite against models and say which one got worse than itself."""
    if ctx.invoked_subcommand is not None:
        return
    work = open_session(ctx, concurrency=concurrency)
    plan = work.workspace.watch
    if daily and schedule is None and plan.schedule is None:
        raise InvalidInput(
            'no time to watch at: write `schedule: "06:00"` under `watch:`, or pass --schedule'
        )
    if daily:
        schedule = schedule or plan.schedule
    names = model or list(plan.models)
    if not names:
        raise InvalidInput("no model to watch: pass --model PROVIDER/MODEL, or list some under `watch:`")
    loaded, models = work.suite(suite or plan.suite), work.models(names)
    unpinned = allow_unpinned or plan.allow_unpinned
    check_pins(models, work.workspace.providers, allow_unpinned=unpinned)
    judges = judging.said(judge, substitute=substitute)
    if dry_run:
        planned = work.plan(loaded, models, judges=judges)
        measured: tuple[Measured, ...] = ()
        when = work.today() if day is None else parse_day(day, work.today())
        if not again:
            planned, measured = without_measured(work.existing(), planned, when)
        print_plan(planned, as_json=as_json, watched=True, measured=measured)
        if measured:
            notes().print(explain_measured(measured, when))
        return

    def once(when: date | None) -> WatchDay:
        steering = Steering()
        ended = run_live(
            work.watch(
                loaded,
                models,
                day=when,
                max_cost=max_cost,
                allow_unpinned=unpinned,
                steering=steering,
                judges=judges,
                again=again,
            ),
            steering,
            label=f"{loaded.name} {when or work.today()}",
        )
        if as_json:
            print_json(watch_document(ended))
        else:
            print_watch_day(ended)
        tell_measured(ended)
        if ended.asked:
            tell_outcome(ended.outcome, spent=explain_spending(ended))
        return ended

    if schedule is None:
        ended = once(None if day is None else parse_day(day, work.today()))
        if ended.asked:
            end(ended.outcome)
        return
    every_day(schedule, lambda: _scheduled(once))


def _scheduled(once: Callable[[date | None], WatchDay]) -> bool:
    """Watch one day of a schedule; False when it was interrupted. A failure is told, no more."""
    try:
        return once(None).outcome.reason != INTERRUPTED
    except AssayError as error:
        notes().print(f"assay: {error}")
        return True
