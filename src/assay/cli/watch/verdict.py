"""`assay verdict`: show verdicts with their evidence."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from enum import StrEnum
from pathlib import Path

import typer

from assay.cli.app import new_app
from assay.cli.dates import parse_day
from assay.cli.out import write_out
from assay.cli.output import OutputFormat, notes, print_listed, prints
from assay.cli.session import open_session
from assay.cli.watch.verdicts import (
    MODELS,
    SIMULATED,
    print_evidence,
    print_history,
    print_models,
)
from assay.core.errors import ExitStatus
from assay.core.verdict import ModelState
from assay.results.table import record
from assay.results.watch import VerdictReports
from assay.runs.watch.verdicts import Verdicts

app = new_app()


class FailOn(StrEnum):
    """The least severe state that makes the command end with status 1."""

    SUSPICIOUS = "suspicious"
    COOKED = "cooked"


FAILING = {
    FailOn.SUSPICIOUS: {ModelState.SUSPICIOUS, ModelState.COOKED},
    FailOn.COOKED: {ModelState.COOKED},
}


@app.command()
@prints("one row per model and day")
def verdict(
    ctx: typer.Context,
    output: OutputFormat,
    model: str | None = typer.Argument(
        None, metavar="[PROVIDER/MODEL]", help="Model to show with its evidence (default: all models)."
    ),
    day: str | None = typer.Option(
        None, metavar="DAY", help="Day (UTC), as 2026-11-20 or `yesterday` (default: the last day)."
    ),
    history: bool = typer.Option(False, "--history", help="Show every day instead of one."),
    suite: str | None = typer.Option(
        None, metavar="SUITE", help="Suite (default: the workspace's `watch.suite`, else `daily`)."
    ),
    suite_version: str | None = typer.Option(
        None, metavar="VERSION", help="Suite version (default: the one stored last)."
    ),
    fail_on: FailOn | None = typer.Option(
        None, metavar="suspicious|cooked", help="Least severe state at which to exit with status 1."
    ),
    out: Path | None = typer.Option(
        None,
        metavar="FILE",
        help="File for the verdicts: a page (.html), a table (.csv, .parquet) or a document (.json).",
    ),
) -> None:
    """Show for each model whether it got worse than before, with the evidence."""
    work = open_session(ctx, existing=True)
    until = None if day is None else parse_day(day, work.today())
    suite = suite or work.watched_suite
    judged = work.verdicts(suite, suite_version)
    last = until or judged.last_day
    if history:
        by_model = [
            [report for report in judged.history(place) if until is None or report.verdict.day <= until]
            for place in judged.of(model)
        ]
    else:
        by_model = [[judged.day(place, last)] for place in judged.of(model)]
    reports = [report for days in by_model for report in days]
    snapshots = [snapshot for snapshot in map(judged.snapshots, judged.of(model)) if snapshot is not None]
    result = VerdictReports(suite, tuple(reports), tuple(snapshots))
    verdicts = [report.verdict for report in reports]

    def print_text() -> None:
        if history:
            print_history(reports)
        elif len(reports) == 1:
            print_evidence(reports[0])
        else:
            print_models(verdicts, title=f"Verdicts on {last}")
        for snapshot in snapshots:
            typer.echo(
                f"{snapshot.model}: {snapshot.explanation}; compare them case by case: {snapshot.compare}"
            )
        if any(report.simulated for report in reports) and (history or len(reports) != 1):
            typer.echo(SIMULATED)

    print_listed(MODELS, verdicts, output, result=result, text=print_text)
    if out is not None:
        written = write_out(
            out,
            result=lambda: result,
            records=lambda: map(record, verdicts),
            page=lambda path: write_page(judged, path, judged.of(model), last),
        )
        notes().print(f"wrote {written}")
    latest = {days[-1].verdict.state for days in by_model if days}
    if fail_on is not None and latest & FAILING[fail_on]:
        raise typer.Exit(ExitStatus.BAD_NEWS)


def write_page(judged: Verdicts, path: Path, models: Sequence[int], day: date) -> None:
    """Write the watch's page. The chart library is imported here because that takes a second."""
    from assay.report.watch.page import save_verdicts

    save_verdicts(judged, path, made=datetime.now(UTC), models=models, day=day)
