"""`assay judge`: list, calibrate and choose judges, measure their agreement, and correct their marks."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

import typer

from assay.calls.control import RunControl
from assay.cli.app import new_app
from assay.cli.dates import parse_day
from assay.cli.judge.agreement import PAIRS, print_agreement
from assay.cli.judge.choose import choose
from assay.cli.judge.correct import correct, plan
from assay.cli.judge.pairs import pairs
from assay.cli.judge.panel import panel
from assay.cli.live import run_live
from assay.cli.options import CONCURRENCY, MAX_COST
from assay.cli.output import OutputFormat, notes, print_listed, print_rows, prints
from assay.cli.session import open_session
from assay.core.errors import ExitStatus, InvalidInput
from assay.core.wording import counted
from assay.results.figure import dollars
from assay.results.judges import JUDGES, SHIFTS, Calibration
from assay.runs.calibrating.judge_list import list_judges
from assay.studies.judges import file_agreement, run_agreement

app = new_app(no_args_is_help=True)


class CalibrationFailure(StrEnum):
    """The result of a calibration with which the command ends with status 1."""

    DRIFT = "drift"


@app.callback()
def judge() -> None:
    """List, calibrate and choose judges, measure agreement, correct marks, and compare answers in pairs."""


@app.command("list")
@prints("one row per judge and suite")
def list_(
    ctx: typer.Context,
    output: OutputFormat,
    suite: list[str] = typer.Option(
        [],
        "--suite",
        metavar="SUITE",
        help="Suite whose judges to list; repeatable (default: the built-in suites).",
    ),
) -> None:
    """List judges with their roles, marks and last calibration."""
    print_listed(JUDGES, list_judges(open_session(ctx), suite), output)


@app.command()
@prints("one row per use case")
def calibrate(
    ctx: typer.Context,
    output: OutputFormat,
    suite: str = typer.Option("daily", metavar="SUITE", help="Suite whose exemplars the judge marks."),
    judge: str | None = typer.Option(
        None, metavar="PROVIDER/MODEL", help="Judge to calibrate (default: the suite's pinned judge)."
    ),
    freeze: bool = typer.Option(
        False, "--freeze", help="Store today's marks as the reference for later days."
    ),
    day: str | None = typer.Option(None, metavar="DAY", help="Day (UTC), as 2026-11-20 (default: today)."),
    max_cost: float | None = MAX_COST,
    concurrency: int | None = CONCURRENCY,
    fail_on: CalibrationFailure | None = typer.Option(
        None, metavar="drift", help="Exit with status 1 if the judge has drifted in a use case."
    ),
) -> None:
    """Measure how far a judge has drifted.

    The judge marks the suite's exemplars again, and the marks are compared with its frozen marks. If it has
    drifted too far in a use case, that use case's verdicts are frozen for the day.
    """
    work = open_session(ctx, concurrency=concurrency)
    control = RunControl()
    chosen = None if day is None else parse_day(day, work.today())
    calibration = run_live(
        work.calibrate(
            work.suite(suite),
            judge,
            freeze=freeze,
            day=chosen,
            max_cost=max_cost,
            control=control,
        ),
        control,
        label=suite,
    )
    print_listed(
        SHIFTS, calibration.shifts, output, result=calibration, text=lambda: print_calibration(calibration)
    )
    if fail_on is not None and calibration.moved:
        raise typer.Exit(ExitStatus.BAD_NEWS)


@app.command()
@prints("one row per pair of judges")
def agreement(
    ctx: typer.Context,
    output: OutputFormat,
    source: str = typer.Argument(
        metavar="FILE|RUN", help="Table of marks (.csv, .jsonl, .parquet), or a run number."
    ),
    judge: list[str] = typer.Option(
        [],
        "--judge",
        metavar="JUDGE",
        help="Judge to include; repeatable. For a table without a judge column: the judge's own column.",
    ),
    metric: str | None = typer.Option(
        None,
        metavar="METRIC",
        help="Metric of a run, such as rubric (default: the one that most judges marked).",
    ),
    category: list[str] = typer.Option(
        [], "--category", metavar="MARK", help="Possible mark of a table; repeatable, the worst mark first."
    ),
    reference: str | None = typer.Option(
        None,
        metavar="JUDGE",
        help="Judge of pairwise verdicts, such as a person, that the others are compared with.",
    ),
) -> None:
    """Measure the agreement of judges, and the preferences of each.

    A table has one row for each mark (with the columns item, judge and mark, and optionally model, length and
    order), or one column for each judge.
    """
    path = Path(source)
    if source.isascii() and source.isdigit() and not path.is_file():
        if category:
            raise InvalidInput("--category is for tables (a run's graders declare their scale): leave it out")
        if reference is not None:
            raise InvalidInput("--reference is for tables of pairwise verdicts: leave it out for runs")
        work = open_session(ctx, existing=True)
        result = run_agreement(work.engine, int(source), judges=judge, metric=metric)
    else:
        if metric is not None:
            raise InvalidInput("--metric is for runs: leave it out, and give a table with one metric's marks")
        result = file_agreement(path, judges=judge, categories=category, reference=reference)
    print_listed(PAIRS, result.figures.pairs, output, result=result, text=lambda: print_agreement(result))


for study in (choose, panel, correct, plan, pairs):
    app.command()(study)


def print_calibration(calibration: Calibration) -> None:
    """Print a calibration as a table, with its remarks and cost on stderr."""
    against = f", compared with run {calibration.reference}"
    if calibration.reference is None:
        against = ": too few marks to freeze"
    elif calibration.reference == calibration.run:
        against = ": these marks are frozen as the reference"
    title = f"{calibration.judge} on {calibration.suite}, {calibration.day}{against}"
    print_rows(SHIFTS, calibration.shifts, title)
    for line in calibration.remarks:
        notes().print(line)
    unknown = counted(calibration.unknown_costs, "call")
    more = f" + {unknown} of unknown cost" if calibration.unknown_costs else ""
    notes().print(f"run {calibration.run}, {dollars(calibration.cost)}{more}")
    if calibration.simulated:
        notes().print("The judge is simulated: no real model was measured.")
