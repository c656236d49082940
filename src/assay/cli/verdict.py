"""`assay verdict`: show verdicts with their evidence."""

from __future__ import annotations

from enum import StrEnum

import typer

from assay.cli.app import new_app
from assay.cli.days import parse_day
from assay.cli.output import print_json, print_table
from assay.cli.session import open_session
from assay.cli.verdicts import SIMULATED, coloured, print_evidence, print_models, report_document
from assay.core.verdict import ModelState
from assay.runs.verdicts import DayReport

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
    suite: str = typer.Option("daily", metavar="SUITE", help="The suite whose verdicts are meant."),
    suite_version: str | None = typer.Option(
        None, metavar="VERSION", help="Its version; else the one stored last."
    ),
    fail_on: FailOn | None = typer.Option(
        None, metavar="suspicious|cooked", help="End with status 1 from this state on."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Say for each model whether it got worse than itself, and on what evidence."""
    work = open_session(ctx, existing=True)
    chosen = None if day is None else parse_day(day, work.today())
    judged = work.verdicts(suite, suite_version)
    last = chosen or judged.last_day
    places = judged.of(model)
    if history:
        reports = [
            report
            for place in places
            for report in judged.history(place)
            if chosen is None or report.verdict.day <= chosen
        ]
    else:
        reports = [judged.day(place, last) for place in places]
    if as_json:
        print_json({"suite": suite, "verdicts": [report_document(report) for report in reports]})
    elif history:
        _print_history(reports)
    elif len(reports) == 1:
        print_evidence(reports[0])
    else:
        print_models([report.verdict for report in reports], title=f"Verdicts on {last}")
        if any(report.simulated for report in reports):
            typer.echo(SIMULATED)
    latest = {report.verdict.model: report.verdict.state for report in reports}
    if fail_on is not None and any(state in FAILING[fail_on] for state in latest.values()):
        raise typer.Exit(1)


def _print_history(reports: list[DayReport]) -> None:
    print_table(
        "Verdicts day by day",
        ("model", "day", "state", "cooked", "suspicious", "sequential", "note"),
        [
            (
                report.verdict.model,
                report.verdict.day,
                coloured(report.verdict.state),
                ", ".join(report.verdict.cooked) or "-",
                ", ".join(report.verdict.suspicious) or "-",
                "ALARM" if report.sequential.alarm else f"{100 * min(report.sequential.level, 9.99):.0f} %",
                report.verdict.reason or "",
            )
            for report in reports
        ],
    )
    if any(report.simulated for report in reports):
        typer.echo(SIMULATED)
