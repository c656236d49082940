"""`assay runs`: list runs."""

from __future__ import annotations

import typer

from assay.cli.app import new_app
from assay.cli.output import OutputFormat, print_listed, prints
from assay.cli.session import open_session
from assay.results.runs import RUNS, RunCounts, RunKind, RunModel, RunSummary, SuiteKey
from assay.runs.resume_command import unfinished
from assay.store.runs import StoredRun, count_runs, list_runs

app = new_app()


@app.command()
@prints("one row per run")
def runs(
    ctx: typer.Context,
    output: OutputFormat,
    kind: RunKind | None = typer.Option(
        None, metavar="KIND", help=f"Kind of the runs to list: {', '.join(RunKind)}."
    ),
    limit: int = typer.Option(20, min=0, metavar="N", help="Number of rows, the newest first; 0 shows all."),
) -> None:
    """List runs, the newest first, with samples by status and cost.

    A run whose process ended unexpectedly is `dead`; the list shows the command that resumes it.
    """
    engine = open_session(ctx, existing=True).engine
    listed = list_runs(engine, kind=None if kind is None else kind.value, limit=limit or None)
    counts = count_runs(engine, [run.id for run in listed])
    print_listed(RUNS, [run_summary(run, counts[run.id]) for run in listed], output)


def run_summary(run: StoredRun, counts: RunCounts) -> RunSummary:
    """Return the published form of a stored run."""
    return RunSummary(
        run=run.id,
        kind=RunKind(run.kind),
        suite=SuiteKey(run.suite_name, run.suite_version, run.suite),
        day=run.day,
        status=run.status,
        reason=run.reason,
        simulated=run.simulated,
        created_at=run.created_at,
        finished_at=run.finished_at,
        holder=None if run.holder is None else str(run.holder),
        resume=unfinished(run),
        models=tuple(RunModel(model.name, model.fingerprint) for _, model in run.models),
        counts=counts,
    )
