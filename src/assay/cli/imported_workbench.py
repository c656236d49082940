"""Showing what an import of workbench results came to."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

import typer

from assay.cli.output import counted, notes

if TYPE_CHECKING:
    from assay.runs.imports.import_workbench import SuiteImport, WorkbenchReport


def print_workbench(report: WorkbenchReport) -> None:
    """Print the report; wrong rows and what to do next go to stderr."""
    for each in report.suites:
        _print_suite(each)
    if report.earlier:
        typer.echo(f"{counted(report.earlier, 'earlier attempt')} left out: the last one counts")
    for problem in report.problems:
        notes().print(f"refused: {problem}")
    if report.problems:
        typer.echo(f"{counted(len(report.problems), 'row')} refused of {report.rows}")
    for each in report.suites:
        notes().print(f"see them: assay board {each.suite}")
    for each in report.suites:
        if each.replay is not None:
            notes().print(
                f"{counted(each.replay.lines, 'recording')} in {each.replay.recordings}; replay them:"
            )
            notes().print(replay_command(each))


def _print_suite(report: SuiteImport) -> None:
    known = f", {counted(report.known, 'row')} known already" if report.known else ""
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
            f"graded here; in {counted(report.differing, 'answer')} the project had read another letter"
        )


def replay_command(report: SuiteImport) -> str | None:
    """Return the command that repeats what was written for a replay; None where nothing was."""
    if report.replay is None:
        return None
    folder = str(report.replay.suite)
    suite = folder if "/" in folder else f"./{folder}"
    models = " ".join(f"-m {shlex.quote(model)}" for model in report.replay.models)
    named = f"ASSAY_RECORDED_RECORDINGS={shlex.quote(str(report.replay.recordings))}"
    return f"{named} assay run {shlex.quote(suite)} {models}"


def workbench_document(report: WorkbenchReport) -> dict[str, Any]:
    """Return the report as a JSON document."""
    return {
        "rows": report.rows,
        "earlier": report.earlier,
        "refused": len(report.problems),
        "problems": [
            {"file": problem.file, "line": problem.line, "text": problem.text} for problem in report.problems
        ],
        "suites": [_suite_document(each) for each in report.suites],
    }


def _suite_document(report: SuiteImport) -> dict[str, Any]:
    replay = report.replay
    return {
        "suite": report.suite,
        "version": report.version,
        "digest": report.digest,
        "added": report.added,
        "known": report.known,
        "runs": report.runs,
        "models": [{"model": model} for model in report.models],
        "judges": [{"judge": judge} for judge in report.judges],
        "cases": report.cases,
        "ok": report.ok,
        "invalid": report.invalid,
        "error": report.error,
        "ungraded": report.ungraded,
        "marks": report.marks,
        "unread": report.unread,
        "differing": report.differing,
        "replay": None
        if replay is None
        else {
            "recordings": str(replay.recordings),
            "suite": str(replay.suite),
            "models": [{"model": model} for model in replay.models],
            "lines": replay.lines,
            "command": replay_command(report),
        },
    }
