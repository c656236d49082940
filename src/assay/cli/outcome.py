"""The ends of runs and studies: a summary on stderr, and the exit status of the command."""

from __future__ import annotations

import re

import typer

from assay.cli.adaptive import explain_adaptive
from assay.cli.live import INTERRUPTED
from assay.cli.output import notes, print_help_hint
from assay.core.ask import ErrorKind
from assay.core.case import SampleStatus
from assay.core.errors import ExitStatus
from assay.core.wording import counted
from assay.results.contamination import Contamination
from assay.results.exam_marking import SittingProgress
from assay.results.pairs import PairStudy
from assay.results.runs import RunOutcome, StatusCounts
from assay.results.study_errors import ErrorStudy

CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")
AskedRun = Contamination | ErrorStudy | PairStudy | SittingProgress
"""The result of a run that asks models outside a suite."""


def describe_counts(counts: StatusCounts) -> str:
    """Return a run's counts by status in words."""
    return (
        f"{counted(counts.n, 'sample')} ({counts.ok} ok, {counts.invalid} invalid, {counts.error} error, "
        f"{counts.ungraded} ungraded)"
    )


def print_outcome(outcome: RunOutcome, *, spent: str | None = None) -> None:
    """Print on stderr how a run ended, with its counts, and how to resume it if it was stopped.

    `spent` describes the cost if it covers more than the run itself.
    """
    counts = outcome.counts
    cost = outcome.spend if spent is None else spent
    notes().print(f"run {outcome.run} {outcome.status}: {describe_counts(counts)}, {cost}")
    for remark in outcome.remarks:
        notes().print(f"  {CONTROLS.sub(' ', remark)}")
    kinds = [remark.partition(" (")[0] for remark in outcome.remarks]
    print_help_hint(kind for kind in kinds if kind in {*ErrorKind, SampleStatus.UNGRADED})
    if outcome.status == "finished":
        for sentence in explain_adaptive(outcome.adaptive, outcome.run):
            notes().print(sentence)
    if counts.n:
        notes().print(f"show the run: assay show {outcome.run}")
    if outcome.status != "finished":
        why = f" ({outcome.reason})" if outcome.reason else ""
        notes().print(f"stopped{why}; all replies are kept. Continue with: assay resume {outcome.run}")
    elif outcome.unmarked:
        answers = counted(outcome.unmarked, "answer")
        notes().print(
            f"{answers} without a judge's mark; try again with: assay grade {outcome.run} --only ungraded"
        )
    elif counts.error:
        errors = counted(counts.error, "sample")
        notes().print(f"{errors} ended in an error; try again with: assay resume {outcome.run}")


def end(outcome: RunOutcome) -> None:
    """End the command: with 0 if the run finished, 130 if it was interrupted, 3 if it failed.

    It has failed if it was stopped (by the budget, for example), if every sample is an error, or if judges
    marked none of the answers.
    """
    counts = outcome.counts
    if outcome.reason == INTERRUPTED:
        raise typer.Exit(ExitStatus.INTERRUPTED)
    unjudged = outcome.unmarked and outcome.unmarked == counts.ok + counts.ungraded
    if outcome.status != "finished" or unjudged or (counts.n and counts.error == counts.n):
        raise typer.Exit(ExitStatus.UPSTREAM)


def print_asked_run(run: AskedRun, again: str, *, simulated: str, done: str = "") -> None:
    """Print on stderr how such a run ended: `done`, its cost, and the command `again` that continues it.

    `simulated` is the sentence on results of simulated models.
    """
    notes().print(f"run {run.run} {run.status}{done}, {run.spend}")
    if run.simulated:
        notes().print(simulated)
    if run.status != "finished":
        why = f" ({CONTROLS.sub(' ', run.reason)})" if run.reason else ""
        notes().print(f"stopped{why}; all answers are kept. Continue with: {again}")


def end_asked_run(run: AskedRun) -> None:
    """End the command: with 0 if the run finished, with the error's status, or 130 if it was interrupted."""
    if run.error is not None:
        raise typer.Exit(run.error.exit_status)
    if run.status != "finished":
        raise typer.Exit(ExitStatus.INTERRUPTED)
