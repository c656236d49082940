"""`assay runs`: list runs."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import typer

from assay.cli.app import new_app
from assay.cli.outcome import counts_document, told_cost
from assay.cli.output import moment, print_json, print_table
from assay.cli.session import open_session
from assay.runs.resuming import resume_command, unfinished
from assay.store.runs import RunCounts, StoredRun, count_runs, list_runs

app = new_app()
MOST_NAMES = 4


class Kind(StrEnum):
    """What made a run."""

    RUN = "run"
    WATCH = "watch"
    IMPORT = "import"
    CALIBRATE = "calibrate"
    EXPAND = "expand"
    SIT = "sit"
    MARK = "mark"
    CONTAMINATION = "contamination"


@app.command()
def runs(
    ctx: typer.Context,
    kind: Kind | None = typer.Option(
        None, metavar="KIND", help="run, watch, import, calibrate, expand, sit, mark, contamination."
    ),
    limit: int = typer.Option(20, min=0, metavar="N", help="The newest N; 0 for all."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """List runs, the newest first, with their samples by status and what they cost.

    A run whose process ended without saying so is `dead`, with the command that goes on with it.
    """
    engine = open_session(ctx, existing=True).engine
    found = list_runs(engine, kind=None if kind is None else kind.value, limit=limit or None)
    counts = count_runs(engine, [run.id for run in found])
    if as_json:
        print_json({"runs": [run_document(run, counts[run.id]) for run in found]})
        return
    print_table(
        None,
        ("run", "what", "models", "day", "n (ok/inv/err/ungr)\nand cost"),
        [_row(run, counts[run.id]) for run in found],
        right=("run",),
    )


def run_document(run: StoredRun, counts: RunCounts) -> dict[str, Any]:
    """Return a run's head and counts as a JSON document."""
    return {
        "run": run.id,
        "kind": run.kind,
        "suite": run.suite_name,
        "version": run.suite_version,
        "digest": run.suite,
        "day": run.day,
        "status": run.status,
        "reason": run.reason,
        "simulated": run.simulated,
        "created_at": moment(run.created_at),
        "finished_at": moment(run.finished_at),
        "holder": None if run.holder is None else str(run.holder),
        "resume": unfinished(run),
        "models": [{"model": model.name, "fingerprint": model.fingerprint} for _, model in run.models],
        **counts_document(counts),
    }


def _row(run: StoredRun, counts: RunCounts) -> tuple[object, ...]:
    names = [model.name for _, model in run.models]
    more = len(names) - MOST_NAMES + 1
    shown = names if more < 2 else [*names[:-more], f"and {more} more"]
    status = f"{run.status}, simulated" if run.simulated else run.status
    if run.status == "dead":
        status += f": its process ended; go on with\n{resume_command(run)}"
    graded = counts.ok - counts.ungraded
    return (
        run.id,
        f"{run.kind} {run.suite_name} {run.suite_version}\n{status}",
        "\n".join(shown),
        run.day or (moment(run.created_at) or "")[:10],
        f"{counts.samples} ({graded}/{counts.invalid}/{counts.error}/{counts.ungraded})\n{told_cost(counts)}",
    )
