"""The progress of a run, as its page shows it and as it is sent while the run goes on."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Engine

from assay.core.errors import Denied
from assay.core.suite import Suite
from assay.results.run_pages import RunPage
from assay.results.runs import RunStatus, RunSummary
from assay.runs.plan import stored_plan
from assay.runs.resume_command import resume_command
from assay.runs.run_pages import run_page, run_summary
from assay.store.browsing import errors_by_kind
from assay.store.overview import database_state
from assay.store.runs import count_runs, list_runs, read_run

RUNS_LISTED: Final = 20
"""Runs on one page."""
PLANNED: Final = ("run", "watch")
"""The kinds of runs whose plan says how many samples they will have."""


@dataclass(frozen=True, slots=True)
class RunProgress:
    """A run with its failed attempts by kind, and the number of planned samples (None if unknown)."""

    run: RunSummary
    errors: tuple[tuple[str, int], ...]
    planned: int | None

    @property
    def going_on(self) -> bool:
        """Whether a process executes the run."""
        return self.run.status is RunStatus.RUNNING

    def message(self) -> dict[str, object]:
        """Return what changes while the run goes on, for the page's script: texts as the page shows them."""
        counts = self.run.counts.samples
        return {
            "status": self.run.status.value,
            "done": counts.n,
            "planned": self.planned,
            "texts": {
                "status": self.run.status.value,
                "done": f"{counts.n:,}",
                "planned": "" if self.planned is None else f"{self.planned:,}",
                "ok": f"{counts.ok:,}",
                "invalid": f"{counts.invalid:,}",
                "error": f"{counts.error:,}",
                "ungraded": f"{counts.ungraded:,}",
                "cost": str(self.run.counts.spend),
                "errors": ", ".join(f"{kind}: {number:,}" for kind, number in self.errors) or "none",
            },
        }


def run_progress(engine: Engine, number: int, suite_of: Callable[[str], Suite]) -> RunProgress:
    """Return the progress of a run, whose suite is read by `suite_of`. Raises NotFound for an unknown run."""
    run = read_run(engine, number)
    summary = run_summary(run, count_runs(engine, [number])[number])
    planned = None
    if run.kind in PLANNED:
        with suppress(Denied):
            subjects = [model for _, model in run.models]
            planned = stored_plan(suite_of(run.suite), subjects, run.plan).size
    return RunProgress(summary, tuple(errors_by_kind(engine, number)), planned)


@dataclass(frozen=True, slots=True)
class ShownRun:
    """A run's page: its progress, the command that continues it once it has stopped, and what else is stored.

    `stored` is None for a run of a sealed suite without its key.
    """

    progress: RunProgress
    resume: str | None
    stored: RunPage | None


def shown_run(engine: Engine, number: int, suite_of: Callable[[str], Suite]) -> ShownRun:
    """Return what a run's page shows. Raises NotFound for an unknown run."""
    try:
        stored = run_page(engine, number, only=None, limit=0)
        planned = stored.plan.samples if stored.plan and stored.run.kind in PLANNED else None
        progress = RunProgress(stored.run, tuple(errors_by_kind(engine, number)), planned)
    except Denied:
        stored, progress = None, run_progress(engine, number, suite_of)
    resume = resume_command(read_run(engine, number)) if progress.going_on else progress.run.resume
    return ShownRun(progress, resume, stored)


@dataclass(frozen=True, slots=True)
class ListedRuns:
    """A page of runs, newest first.

    Older runs have numbers below `older`, None at the end; the page of newer ones begins below `newer`, None
    on the first page.
    """

    runs: tuple[RunSummary, ...]
    older: int | None
    newer: int | None


def list_page(engine: Engine, before: int | None) -> ListedRuns:
    """Return the runs with numbers below `before`, newest first."""
    listed = list_runs(engine, before=before, limit=RUNS_LISTED + 1)
    shown = listed[:RUNS_LISTED]
    counts = count_runs(engine, [run.id for run in shown])
    newest = database_state(engine).last_run
    first = shown[0].id if shown else 0
    return ListedRuns(
        tuple(run_summary(run, counts[run.id]) for run in shown),
        older=shown[-1].id if len(listed) > RUNS_LISTED else None,
        newer=None if before is None or first >= newest else first + RUNS_LISTED + 1,
    )
