"""`assay bank reviewer`: the bank's reviewers, with their disciplines, daily caps, hours and cost."""

from __future__ import annotations

import time

import typer

from assay.bank.review import check_name, day_start
from assay.cli.app import new_app
from assay.cli.output import OutputFormat, notes, print_listed, prints
from assay.cli.session import open_session
from assay.core.wording import counted
from assay.questions.taxonomy import find_discipline
from assay.results.figure import utc
from assay.results.review import REVIEWERS, ReviewerWork, ReviewWork
from assay.store.bank.reviewers import add_reviewer, list_reviewers, review_work
from assay.store.bank.reviewers import leave as leave_bank

app = new_app(no_args_is_help=True)
CAP = 100
"""The default daily cap.

In seed 003 each expert had 34 to 68 questions a day: 78,009 questions for 38 experts in 30 to 60 days.
"""


@app.callback()
def reviewer() -> None:
    """Add and list the bank's reviewers."""


@app.command()
def add(
    ctx: typer.Context,
    name: str = typer.Argument(metavar="NAME", help="Display name shown in reviews."),
    discipline: list[str] = typer.Option(
        [], "--discipline", metavar="NAME", help="Discipline; repeatable (default: all)."
    ),
    daily_cap: int = typer.Option(CAP, min=1, metavar="N", help="Largest number of questions per day (UTC)."),
    hourly_rate: float | None = typer.Option(
        None, min=0, metavar="USD", help="Cost of an hour, in US dollars."
    ),
) -> None:
    """Add a reviewer, with disciplines and a daily cap."""
    codes = list(dict.fromkeys(find_discipline(text).code for text in discipline))
    added = add_reviewer(
        open_session(ctx).engine,
        name=check_name(name),
        disciplines=codes,
        daily_cap=daily_cap,
        hourly_rate=hourly_rate,
        now=time.time(),
    )
    typer.echo(
        f"{added.name} reviews {', '.join(added.disciplines) or 'every discipline'}, "
        f"at most {counted(added.daily_cap, 'question')} a day"
    )


@app.command()
def leave(
    ctx: typer.Context, name: str = typer.Argument(metavar="NAME", help="Name of the reviewer.")
) -> None:
    """Record that a reviewer has left; earlier decisions remain."""
    left = leave_bank(open_session(ctx, existing=True).engine, name, time.time())
    typer.echo(f"{left.name} left on {utc(left.left_at or 0.0)[:10]}")


@app.command("list")
@prints("one row per reviewer")
def list_(
    ctx: typer.Context,
    output: OutputFormat,
) -> None:
    """List reviewers with their decisions, hours and cost."""
    engine = open_session(ctx, existing=True).engine
    work_done = review_work(engine, since=day_start(time.time()))
    reviewers = [
        ReviewerWork(reviewer, work_done.get(reviewer.id, ReviewWork()))
        for reviewer in list_reviewers(engine)
    ]
    if reviewers or output is not OutputFormat.TEXT:
        print_listed(REVIEWERS, reviewers, output)
    else:
        notes().print("the bank has no reviewers: add one with `assay bank reviewer add NAME`")
