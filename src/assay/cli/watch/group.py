"""`assay watch`: run today's suite and judge it, once or every day."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date

import typer

from assay.calls.control import RunControl
from assay.cli.app import new_app
from assay.cli.dates import parse_day
from assay.cli.judge import options as judging
from assay.cli.live import INTERRUPTED, run_live
from assay.cli.options import CONCURRENCY
from assay.cli.outcome import end, print_outcome
from assay.cli.output import OutputFormat, notes, prints
from assay.cli.planned import print_plan
from assay.cli.session import open_session
from assay.cli.watch.simulate import simulate, tune
from assay.cli.watch.verdicts import explain_spending, print_measured, print_watch_day
from assay.core.errors import AssayError, InvalidInput
from assay.results.plans import MeasuredModel
from assay.results.watch import WatchDay
from assay.runs.watch.daily import check_pins
from assay.runs.watch.measured import explain_measured, without_measured

app = new_app(no_args_is_help=False)
app.command("simulate")(simulate)
app.command("tune")(tune)
TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")


@app.callback(invoke_without_command=True)
@prints("one row per model and day")
def watch(
    ctx: typer.Context,
    output: OutputFormat,
    model: list[str] = typer.Option(
        [],
        "--model",
        "-m",
        metavar="PROVIDER/MODEL",
        help="Model to measure; repeatable (default: the workspace's models).",
    ),
    suite: str | None = typer.Option(
        None, metavar="SUITE", help="Suite to run (default: the workspace's, else `daily`)."
    ),
    day: str | None = typer.Option(
        None, metavar="DAY", help="Day (UTC) that the samples count for, as 2026-11-20 (default: today)."
    ),
    schedule: str | None = typer.Option(None, metavar="HH:MM", help="Time (UTC) at which to run every day."),
    daily: bool = typer.Option(False, "--daily", help="Run every day at the workspace's `schedule`."),
    judge: list[str] = judging.JUDGE,
    substitute: str | None = judging.SUBSTITUTE,
    max_cost: float | None = typer.Option(
        None, metavar="USD", help="Spending limit for a day, in US dollars."
    ),
    concurrency: int | None = CONCURRENCY,
    allow_unpinned: bool = typer.Option(
        False, help="Watch models without a pin, whose provider a router may change."
    ),
    again: bool = typer.Option(
        False, "--again", help="Measure the day again, and pool the samples of its runs."
    ),
    dry_run: bool = typer.Option(
        False, "--dry-run", help="Print the plan and its estimated cost; send nothing."
    ),
) -> None:
    """Run today's suite on models and report which ones got worse than before."""
    if ctx.invoked_subcommand is not None:
        return
    work = open_session(ctx, concurrency=concurrency)
    plan = work.workspace.watch
    if daily and schedule is None and plan.schedule is None:
        raise InvalidInput(
            '--daily needs a time: write `schedule: "06:00"` under `watch:`, or give --schedule HH:MM'
        )
    if daily:
        schedule = schedule or plan.schedule
    names = model or list(plan.models)
    if not names:
        raise InvalidInput("no model to watch: give --model PROVIDER/MODEL, or list models under `watch:`")
    loaded, models = work.suite(suite or plan.suite), work.models(names)
    unpinned = allow_unpinned or plan.allow_unpinned
    check_pins(models, work.workspace.providers, allow_unpinned=unpinned)
    judges = judging.judge_choice(judge, substitute=substitute)
    if dry_run:
        planned = work.plan(loaded, models, judges=judges)
        measured: tuple[MeasuredModel, ...] = ()
        when = work.today() if day is None else parse_day(day, work.today())
        if not again:
            planned, measured = without_measured(work.existing(), planned, when)
        print_plan(planned, output, watched=True, measured=measured)
        if measured:
            notes().print(explain_measured(measured, when))
        return

    def watch_day(when: date | None) -> WatchDay:
        control = RunControl()
        ended = run_live(
            work.watch(
                loaded,
                models,
                day=when,
                max_cost=max_cost,
                allow_unpinned=unpinned,
                control=control,
                judges=judges,
                again=again,
            ),
            control,
            label=f"{loaded.name} {when or work.today()}",
        )
        print_watch_day(ended, output)
        print_measured(ended)
        if ended.asked:
            print_outcome(ended.outcome, spent=explain_spending(ended))
        return ended

    if schedule is None:
        ended = watch_day(None if day is None else parse_day(day, work.today()))
        if ended.asked:
            end(ended.outcome)
        return
    _repeat_daily(schedule, lambda: _watch_today(watch_day))


def _watch_today(watch_day: Callable[[date | None], WatchDay]) -> bool:
    """Watch one day of a schedule; return False if it was interrupted. An error is printed, not raised."""
    try:
        return watch_day(None).outcome.reason != INTERRUPTED
    except AssayError as error:
        notes().print(f"assay: {error}")
        return True


def _repeat_daily(time: str, work: Callable[[], bool]) -> None:
    """Run `work` every day at a time (`HH:MM`, UTC) until interrupted, or until it returns False.

    Missed days are skipped. Everything runs in this thread, so `work` handles Ctrl-C itself.
    """
    from apscheduler.schedulers.blocking import BlockingScheduler
    from apscheduler.triggers.cron import CronTrigger

    match = TIME.fullmatch(time.strip())
    if match is None:
        raise InvalidInput(f"invalid time {time!r}: use HH:MM in UTC, such as 06:00")
    hour, minute = int(match[1]), int(match[2])
    scheduler = BlockingScheduler(timezone=UTC)
    scheduler.add_executor("debug", "here")

    def run_job() -> None:
        if not work():
            scheduler.shutdown(wait=False)

    scheduler.add_job(
        run_job,
        CronTrigger(hour=hour, minute=minute, timezone=UTC),
        executor="here",
        coalesce=True,
        misfire_grace_time=3600,
        max_instances=1,
    )
    notes().print(f"watching every day at {hour:02}:{minute:02} UTC; press Ctrl-C to stop")
    try:
        scheduler.start()
    except (KeyboardInterrupt, SystemExit):
        scheduler.shutdown(wait=False)
