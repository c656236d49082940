"""`assay exam access`: the access log."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import typer

from assay.cli.dates import parse_day
from assay.cli.output import OutputFormat, notes, print_listed, prints
from assay.cli.session import open_session
from assay.core.errors import InvalidInput
from assay.core.wording import counted
from assay.exam.desk import delete_accesses_before
from assay.exam.people import find_user
from assay.results.exam_service import ACCESSES
from assay.runs.work import Work
from assay.store.exam.access import list_accesses


@prints("one row per request")
def access(
    ctx: typer.Context,
    output: OutputFormat,
    session: str | None = typer.Option(None, metavar="ID", help="Show only this session."),
    named: str | None = typer.Option(None, "--user", metavar="USER", help="Show only this user."),
    limit: int = typer.Option(50, min=0, metavar="N", help="Number of rows, the newest first; 0 shows all."),
    delete_before: str | None = typer.Option(
        None, metavar="DATE", help="Delete requests older than this day (UTC), except those of open sessions."
    ),
) -> None:
    """List requests, including refused ones, or delete old ones."""
    work = open_session(ctx, existing=True)
    if delete_before is not None:
        _check_alone(ctx)
        _delete(work, delete_before)
        return
    user = None if named is None else find_user(work.engine, named).id
    listed = list_accesses(work.engine, session=session, user=user, limit=limit or None)
    print_listed(ACCESSES, listed, output)


def _check_alone(ctx: typer.Context) -> None:
    """Raise InvalidInput if `--delete-before` is combined with an option for listing."""
    for parameter in ctx.command.params:
        source = ctx.get_parameter_source(parameter.name or "")
        if parameter.name != "delete_before" and source is not None and source.name == "COMMANDLINE":
            option = parameter.opts[0]
            raise InvalidInput(f"{option} is only for listing: leave it out with --delete-before")


def _delete(work: Work, day: str) -> None:
    """Delete the entries from before a day and print their number."""
    first = parse_day(day, work.today())
    if first > work.today():
        raise InvalidInput(f"invalid --delete-before {first}: give today or an earlier day")
    before = datetime(first.year, first.month, first.day, tzinfo=UTC).timestamp()
    count = delete_accesses_before(work.engine, before, now=time.time())
    notes().print(f"deleted {counted(count, 'entry', 'entries')} from before {first}")
