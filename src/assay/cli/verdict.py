"""`assay verdict`: show verdicts with their evidence."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

import typer

from assay.cli.app import new_app
from assay.cli.days import parse_day
from assay.cli.output import notes, print_json
from assay.cli.session import open_session
from assay.cli.verdicts import (
    SIMULATED,
    print_evidence,
    print_history,
    print_models,
    report_document,
    snapshots_document,
)
from assay.core.verdict import ModelState

app = new_app()


class FailOn(StrEnum):
    """The state from which the command ends with status 1."""

    SUSPICIOUS = "suspicious"
    COOKED = "cooked"


FAILING = {
    FailOn.SUSPICIOUS: {ModelState.SUSPICIOUS, ModelState.COOKED},
    FailOn.COOKED: {ModelState.COOKED},
}


@app.command()
def verdict(
    ctx: typer.Context,
    model: str | None = typer.Argument(
        None, metavar="[PROVIDER/MODEL]", help="One model, with its evidence; else all."
    ),
    day: str | None = typer.Option(
        None, metavar="DAY", help="The day (UTC), as 2026-11-20 or `yesterday`; else the last."
    ),
    history: bool = typer.Option(False, "--history", help="Every day, not only one."),
    suite: str | None = typer.Option(
        None, metavar="SUITE", help="The suite; else the workspace's `watch.suite`, else `daily`."
    ),
    suite_version: str | None = typer.Option(
        None, metavar="VERSION", help="Its version; else the one stored last."
    ),
    fail_on: FailOn | None = typer.Option(
        None, metavar="suspicious|cooked", help="End with status 1 from this state on."
    ),
    html: Path | None = typer.Option(None, metavar="FILE", help="Write a page with charts as well."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Say for each model whether it got worse than itself, and on what evidence."""
    work = open_session(ctx, existing=True)
    chosen = None if day is None else parse_day(day, work.today())
    suite = suite or work.watched_suite
    judged = work.verdicts(suite, suite_version)
    last = chosen or judged.last_day
    if history:
        courses = [list(judged.history(place)) for place in judged.of(model)]
        kept = [[each for each in days if chosen is None or each.verdict.day <= chosen] for days in courses]
    else:
        kept = [[judged.day(place, last)] for place in judged.of(model)]
    reports = [report for days in kept for report in days]
    snapshots = [found for found in map(judged.snapshots, judged.of(model)) if found is not None]
    if as_json:
        print_json(
            {
                "suite": suite,
                "verdicts": [report_document(report) for report in reports],
                "snapshots": [snapshots_document(found) for found in snapshots],
            }
        )
    elif history:
        print_history(reports)
    elif len(reports) == 1:
        print_evidence(reports[0])
    else:
        print_models([report.verdict for report in reports], title=f"Verdicts on {last}")
    for found in [] if as_json else snapshots:
        typer.echo(f"{found.model}: {found.explanation}; compare them case by case: {found.compare}")
    if any(report.simulated for report in reports) and not as_json and (history or len(reports) != 1):
        typer.echo(SIMULATED)
    if html is not None:
        from assay.report.save import save_verdicts

        address = save_verdicts(judged, html, made=datetime.now(UTC), models=judged.of(model), day=last)
        notes().print(f"page: {address}")
    latest = {days[-1].verdict.state for days in kept if days}
    if fail_on is not None and latest & FAILING[fail_on]:
        raise typer.Exit(1)
