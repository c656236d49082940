"""`assay runs`: list runs."""

from __future__ import annotations

import typer

from assay.cli.app import new_app
from assay.cli.output import OutputFormat, print_listed, prints
from assay.cli.session import open_session
from assay.results.runs import RUNS, RunKind
from assay.runs.run_pages import run_summary
from assay.store.runs import count_runs, list_runs

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
