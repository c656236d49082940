"""`assay import`: take in history recorded elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from assay.cli.app import new_app
from assay.cli.imported_workbench import print_workbench, workbench_document
from assay.cli.output import counted, notes, print_json
from assay.cli.session import open_session

if TYPE_CHECKING:
    from assay.runs.imports.import_table import ImportReport

app = new_app(no_args_is_help=True)


@app.callback()
def import_() -> None:
    """Take in history recorded elsewhere."""


@app.command()
def table(
    ctx: typer.Context,
    file: Path = typer.Argument(metavar="FILE", help="A long-form table: .csv, .parquet or .jsonl."),
    suite: str = typer.Option(..., metavar="NAME", help="The suite's name under which it is judged."),
    version: str = typer.Option(..., metavar="V", help="Its version; scores of two versions never mix."),
    simulated: bool = typer.Option(False, "--simulated", help="No real model was measured."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Import a long-form table with times.

    `assay verdict --suite NAME` then judges it. Rows that were imported before are passed over.
    """
    report = open_session(ctx).import_table(file, suite=suite, version=version, simulated=simulated)
    if as_json:
        print_json(import_document(report))
        return
    known = f", {counted(report.known, 'row')} known already" if report.known else ""
    typer.echo(
        f"{report.suite} {report.version}: {counted(report.added, 'row')} added{known}; "
        f"{counted(report.runs, 'run')}, {counted(len(report.models), 'model')}, "
        f"{counted(report.cases, 'case')}, {report.first} to {report.last}"
    )
    typer.echo(f"{report.ok} ok, {report.invalid} invalid, {report.error} error, {report.ungraded} ungraded")
    if report.ignored:
        notes().print(f"columns not read: {', '.join(report.ignored)}")
    for model in report.rerouted:
        notes().print(f"{model} was served by more than one provider: those days are flagged, not blamed")
    notes().print(f"judge it: assay verdict --suite {report.suite} --history")


@app.command()
def workbench(
    ctx: typer.Context,
    file: Path = typer.Argument(
        metavar="FILE", help="Results: rows (.jsonl) or one model's own layout (.json); also .gz or .zst."
    ),
    suite: str | None = typer.Option(
        None, metavar="NAME", help="The suite's name, and NAME-causal; else generalist, causal-workbench."
    ),
    recordings: Path | None = typer.Option(
        None, metavar="OUT.jsonl", help="Write them for the recorded provider too, with the suite beside."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Import results and marks of the seed-002 project.

    Answers to its causal questions become a suite of their own. `assay board` then shows them. Wrong rows are
    told, good ones kept; rows imported before are passed over.
    """
    report = open_session(ctx).import_workbench(file, suite=suite, recordings=recordings)
    if as_json:
        print_json(workbench_document(report))
    else:
        print_workbench(report)


def import_document(report: ImportReport) -> dict[str, Any]:
    """Return an import's report as a JSON document."""
    return {
        "suite": report.suite,
        "version": report.version,
        "digest": report.digest,
        "rows": report.rows,
        "added": report.added,
        "known": report.known,
        "runs": report.runs,
        "models": [{"model": model} for model in report.models],
        "cases": report.cases,
        "ok": report.ok,
        "invalid": report.invalid,
        "error": report.error,
        "ungraded": report.ungraded,
        "first": report.first.isoformat(),
        "last": report.last.isoformat(),
        "ignored": [{"column": name} for name in report.ignored],
        "rerouted": [{"model": model} for model in report.rerouted],
        "simulated": report.simulated,
    }
