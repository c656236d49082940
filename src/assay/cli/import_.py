"""`assay import`: import results that were recorded elsewhere."""

from __future__ import annotations

from pathlib import Path

import typer

from assay.cli.app import new_app
from assay.cli.output import notes, print_result
from assay.cli.session import open_session
from assay.core.people import HUMAN
from assay.core.wording import counted
from assay.results.imports import SuiteImport, WorkbenchReport

app = new_app(no_args_is_help=True)


@app.callback()
def import_() -> None:
    """Import results that were recorded elsewhere."""


@app.command()
def table(
    ctx: typer.Context,
    file: Path = typer.Argument(metavar="FILE", help="Long-form table: .csv, .parquet or .jsonl."),
    suite: str = typer.Option(..., metavar="NAME", help="Name of the suite to store it under."),
    version: str = typer.Option(
        ..., metavar="V", help="Version of the suite; scores of different versions are never mixed."
    ),
    simulated: bool = typer.Option(False, "--simulated", help="Mark the results as simulated."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Import a long-form table of results with times.

    `assay verdict --suite NAME` then shows the verdicts. Rows that were imported before are skipped.
    """
    report = open_session(ctx).import_table(file, suite=suite, version=version, simulated=simulated)
    if as_json:
        print_result(report)
        return
    known = f", {counted(report.known, 'row')} imported before" if report.known else ""
    typer.echo(
        f"{report.suite} {report.version}: {counted(report.added, 'row')} added{known}; "
        f"{counted(report.runs, 'run')}, {counted(len(report.models), 'model')}, "
        f"{counted(report.cases, 'case')}, {report.first} to {report.last}"
    )
    typer.echo(f"{report.ok} ok, {report.invalid} invalid, {report.error} error, {report.ungraded} ungraded")
    if report.ignored:
        notes().print(f"columns not read: {', '.join(report.ignored)}")
    for model in report.rerouted:
        notes().print(
            f"{model} was served by more than one provider: days on which the provider changed are flagged "
            "as rerouted and not counted as degradation"
        )
    notes().print(f"show the verdicts: assay verdict --suite {report.suite} --history")


@app.command()
def marks(
    ctx: typer.Context,
    file: Path = typer.Argument(
        metavar="FILE", help="Filled sheet of `assay export marks`: .xlsx, .csv or another table."
    ),
    run: int = typer.Option(..., "--run", metavar="RUN", help="Run whose answers were marked."),
    judge: str = typer.Option(HUMAN, "--judge", metavar="human[:NAME]", help="Person who gave the marks."),
    replace: bool = typer.Option(False, "--replace", help="Replace marks of this person that differ."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Import marks of people on a run's answers.

    They are stored beside the judges' marks and do not change scores. `assay judge` compares judges with
    them. Marks that were imported before are skipped.
    """
    work = open_session(ctx, existing=True)
    result = work.import_marks(file, run, judge=judge, replace=replace)
    if as_json:
        print_result(result)
        return
    replaced = f", {result.replaced:,} replaced" if result.replaced else ""
    typer.echo(
        f"{counted(result.added, 'mark')} of {result.judge} added to run {result.run}{replaced}, "
        f"{result.known:,} imported before, {result.blank:,} blank"
    )
    notes().print(
        f"compare the judges with them: assay judge choose {result.run}, assay judge panel {result.run}"
    )


@app.command()
def workbench(
    ctx: typer.Context,
    file: Path = typer.Argument(
        metavar="FILE", help="Results: rows (.jsonl) or one model's own layout (.json); also .gz or .zst."
    ),
    suite: str | None = typer.Option(
        None,
        metavar="NAME",
        help="Name of the suites NAME and NAME-causal (default: generalist, causal-workbench).",
    ),
    recordings: Path | None = typer.Option(
        None,
        metavar="OUT.jsonl",
        help="Also write recordings for replay to this file, with the suite beside it.",
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Import results and marks of the seed-002 project.

    Answers to its causal questions become a separate suite. `assay board` then shows both. Bad rows are
    reported and the others imported; rows that were imported before are skipped.
    """
    report = open_session(ctx).import_workbench(file, suite=suite, recordings=recordings)
    if as_json:
        print_result(report)
    else:
        _print_workbench(report)


def _print_workbench(report: WorkbenchReport) -> None:
    """Print the report; bad rows and the next commands go to stderr."""
    for suite in report.suites:
        _print_suite(suite)
    if report.earlier:
        typer.echo(f"{counted(report.earlier, 'earlier attempt')} left out: the last one counts")
    for problem in report.problems:
        notes().print(f"refused: {problem}")
    if report.problems:
        typer.echo(f"{len(report.problems):,} of {counted(report.rows, 'row')} refused")
    for suite in report.suites:
        notes().print(f"show them: assay board {suite.suite}")
    for suite in report.suites:
        if suite.replay is not None:
            notes().print(
                f"{counted(suite.replay.lines, 'recording')} in {suite.replay.recordings}; replay them with:"
            )
            notes().print(suite.replay.command)


def _print_suite(report: SuiteImport) -> None:
    known = f", {counted(report.known, 'row')} imported before" if report.known else ""
    judges = "" if report.differing is not None else f", {counted(len(report.judges), 'judge')}"
    typer.echo(
        f"{report.suite} {report.version}: {counted(report.added, 'row')} added{known}; "
        f"{counted(len(report.models), 'model')}, {counted(report.cases, 'case')}{judges}"
    )
    error = f", {report.error} error" if report.differing is not None else ""
    typer.echo(f"{report.ok} ok, {report.invalid} invalid{error}, {report.ungraded} ungraded")
    if report.differing is None:
        typer.echo(f"{counted(report.marks, 'mark')}, {report.unread} of them without a value")
    else:
        typer.echo(
            f"graded by Assay, which read another letter than the project in "
            f"{counted(report.differing, 'answer')}"
        )
