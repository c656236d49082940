"""`assay bank reviewer`: who reviews, within which disciplines and caps, for how many hours and dollars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from assay.cli.app import new_app
from assay.cli.output import counted, dollars, moment, notes, print_json, print_table
from assay.cli.session import open_session

if TYPE_CHECKING:
    from assay.store.bank.reviewers import Reviewer, ReviewWork

app = new_app(no_args_is_help=True)
CAP = 100
"""The experts of seed 003 had 34 to 68 questions a day each: 78,009 among 38, over 30 to 60 days."""


@app.callback()
def reviewer() -> None:
    """Add and list the bank's reviewers."""


@app.command()
def add(
    ctx: typer.Context,
    name: str = typer.Argument(metavar="NAME", help="As the reviews shall show it."),
    discipline: list[str] = typer.Option(
        [], "--discipline", metavar="NAME", help="May be given several times; none means all."
    ),
    daily_cap: int = typer.Option(CAP, min=1, metavar="N", help="Most questions a day (UTC)."),
    hourly_rate: float | None = typer.Option(None, min=0, metavar="USD", help="What an hour costs."),
) -> None:
    """Add a reviewer, with disciplines and a daily cap."""
    import time

    from assay.bank.review import check_name
    from assay.questions.taxonomy import find_discipline
    from assay.store.bank.reviewers import add_reviewer

    codes = list(dict.fromkeys(find_discipline(one).code for one in discipline))
    found = add_reviewer(
        open_session(ctx).engine,
        name=check_name(name),
        disciplines=codes,
        daily_cap=daily_cap,
        hourly_rate=hourly_rate,
        now=time.time(),
    )
    typer.echo(
        f"{found.name} reviews {', '.join(found.disciplines) or 'every discipline'}, "
        f"at most {counted(found.daily_cap, 'question')} a day"
    )


@app.command()
def leave(ctx: typer.Context, name: str = typer.Argument(metavar="NAME", help="A reviewer's name.")) -> None:
    """Record that a reviewer has left; decisions stay."""
    import time

    from assay.store.bank.reviewers import leave as leave_bank

    found = leave_bank(open_session(ctx, existing=True).engine, name, time.time())
    typer.echo(f"{found.name} left on {(moment(found.left_at) or '')[:10]}")


@app.command("list")
def list_(
    ctx: typer.Context,
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """List reviewers with their decisions, hours and cost."""
    import time

    from assay.bank.review import today
    from assay.questions.screen import MECHANICAL
    from assay.store.bank.reviewers import ReviewWork, list_reviewers, review_work

    engine = open_session(ctx, existing=True).engine
    done = review_work(engine, since=today(time.time()), mechanical=MECHANICAL)
    found = [(each, done.get(each.id, ReviewWork())) for each in list_reviewers(engine)]
    if as_json:
        print_json({"reviewers": [document(*each) for each in found]})
        return
    if not found:
        notes().print("the bank has no reviewers: `assay bank reviewer add NAME` makes one")
        return
    print_table(
        None,
        ("reviewer", "disciplines", "cap", "today", "accepted", "rejected", "mechanical", "hours", "cost"),
        [
            (
                each.name + ("" if each.left_at is None else " (left)"),
                ", ".join(each.disciplines) or "all",
                f"{each.daily_cap:,}",
                f"{work.today:,}",
                f"{work.accepted:,}",
                f"{work.rejected:,}",
                f"{work.mechanical:,}",
                f"{work.hours:,.1f}" + (f" (+{work.untimed:,} untimed)" if work.untimed else ""),
                dollars(cost(each, work)),
            )
            for each, work in found
        ],
        right=("cap", "today", "accepted", "rejected", "mechanical", "hours", "cost"),
    )


def cost(who: Reviewer, work: ReviewWork) -> float | None:
    """Return what the timed reading cost in US dollars; None without an hourly rate."""
    return None if who.hourly_rate is None else who.hourly_rate * work.hours


def document(who: Reviewer, work: ReviewWork) -> dict[str, Any]:
    """Return a reviewer and the work done as a JSON document."""
    return {
        "name": who.name,
        "disciplines": [{"code": code} for code in who.disciplines],
        "daily_cap": who.daily_cap,
        "hourly_rate": who.hourly_rate,
        "created_at": moment(who.created_at),
        "left_at": moment(who.left_at),
        "today": work.today,
        "accepted": work.accepted,
        "rejected": work.rejected,
        "mechanical": work.mechanical,
        "hours": work.hours,
        "untimed": work.untimed,
        "cost": cost(who, work),
    }
