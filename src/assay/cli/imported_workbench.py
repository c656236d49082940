"""Showing what an import of workbench results came to."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

import typer

from assay.cli.output import counted, notes

if TYPE_CHECKING:
    from assay.runs.imports.import_workbench import WorkbenchReport


def print_workbench(report: WorkbenchReport) -> None:
    """Print the report; wrong rows and what to do next go to stderr."""
    told = f"{report.suite} {report.version}: {counted(report.added, 'row')} added"
    known = f", {counted(report.known, 'row')} known already" if report.known else ""
    typer.echo(
        f"{told}{known}; {counted(len(report.models), 'model')}, {counted(report.cases, 'case')}, "
        f"{counted(len(report.judges), 'judge')}"
    )
    typer.echo(f"{report.ok} ok, {report.invalid} invalid, {report.ungraded} ungraded")
    typer.echo(f"{counted(report.marks, 'mark')}, {report.unread} of them without a value")
    if report.earlier:
        typer.echo(f"{counted(report.earlier, 'earlier attempt')} left out: the last one counts")
    if report.causal:
        typer.echo(f"{counted(report.causal, 'causal answer')} left out: multiple choice, no judge marks it")
    for problem in report.problems:
        notes().print(f"refused: {problem}")
    if report.problems:
        typer.echo(f"{counted(len(report.problems), 'row')} refused of {report.rows}")
    notes().print(f"see them: assay board {report.suite}")
    if report.replay is not None:
        notes().print(
            f"{counted(report.replay.lines, 'recording')} in {report.replay.recordings}; replay them:"
        )
        notes().print(replay_command(report))


def replay_command(report: WorkbenchReport) -> str | None:
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
    replay = report.replay
    return {
        "suite": report.suite,
        "version": report.version,
        "digest": report.digest,
        "rows": report.rows,
        "added": report.added,
        "known": report.known,
        "earlier": report.earlier,
        "causal": report.causal,
        "refused": len(report.problems),
        "problems": [
            {"file": problem.file, "line": problem.line, "text": problem.text} for problem in report.problems
        ],
        "runs": report.runs,
        "models": [{"model": model} for model in report.models],
        "judges": [{"judge": judge} for judge in report.judges],
        "cases": report.cases,
        "ok": report.ok,
        "invalid": report.invalid,
        "ungraded": report.ungraded,
        "marks": report.marks,
        "unread": report.unread,
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
