"""The progress of a run, as its page shows it and as it is sent while the run goes on."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Engine

from assay.results.runs import RunSummary
from assay.runs.plan import stored_plan
from assay.runs.run_pages import run_summary
from assay.store.browsing import errors_by_kind
from assay.store.runs import count_runs, list_runs, read_run
from assay.store.suites import read_suite


@dataclass(frozen=True, slots=True)
class RunProgress:
    """A run with its counts, its errors by kind, and the number of planned samples (None if unknown)."""

    run: RunSummary
    errors: tuple[tuple[str, int], ...]
    planned: int | None

    @property
    def going_on(self) -> bool:
        """Whether the run may still change."""
        return self.run.status == "running"

    def message(self) -> dict[str, object]:
        """Return what changes while the run goes on, as a document for the page's script."""
        counts, spend = self.run.counts.samples, self.run.counts.spend
        return {
            "status": self.run.status,
            "done": counts.n,
            "planned": self.planned,
            "ok": counts.ok,
            "invalid": counts.invalid,
            "error": counts.error,
            "ungraded": counts.ungraded,
            "cost": spend.cost,
            "unknown": spend.unknown,
            "errors": dict(self.errors),
        }


def run_progress(engine: Engine, number: int) -> RunProgress:
    """Return the progress of a run. Raises NotFound for an unknown one."""
    run = read_run(engine, number)
    summary = run_summary(run, count_runs(engine, [number])[number])
    planned = None
    if run.kind in ("run", "watch"):
        suite = read_suite(engine, run.suite)
        planned = stored_plan(suite, [model for _, model in run.models], run.plan).size
    return RunProgress(summary, tuple(errors_by_kind(engine, number)), planned)


@dataclass(frozen=True, slots=True)
class ListedRuns:
    """A page of runs, newest first; `older` is the number below which older ones begin, None at the end."""

    runs: tuple[RunSummary, ...]
    older: int | None


RUNS_LISTED = 30


def list_page(engine: Engine, before: int | None) -> ListedRuns:
    """Return the runs with numbers below `before`, newest first."""
    listed = list_runs(engine, before=before, limit=RUNS_LISTED + 1)
    shown = listed[:RUNS_LISTED]
    counts = count_runs(engine, [run.id for run in shown])
    older = shown[-1].id if len(listed) > RUNS_LISTED else None
    return ListedRuns(tuple(run_summary(run, counts[run.id]) for run in shown), older)
