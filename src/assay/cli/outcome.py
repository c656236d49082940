"""How a run ended: what is printed, and with which status the command ends."""

from __future__ import annotations

import re

import typer

from assay.cli.live import INTERRUPTED
from assay.cli.output import notes, tell_help
from assay.core.ask import ErrorKind
from assay.core.case import SampleStatus
from assay.core.errors import ExitStatus
from assay.core.wording import counted
from assay.results.runs import RunOutcome, StatusCounts

CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def describe_counts(counts: StatusCounts) -> str:
    """Return a run's denominators in words."""
    return (
        f"{counted(counts.n, 'sample')} ({counts.ok} ok, {counts.invalid} invalid, {counts.error} error, "
        f"{counts.ungraded} ungraded)"
    )


def tell_outcome(outcome: RunOutcome, *, spent: str | None = None) -> None:
    """Say on stderr what a run came to, with its denominators, and how to resume it when it stopped.

    `spent` says what was spent where that is more than the run's own cost.
    """
    counts = outcome.counts
    cost = outcome.spend if spent is None else spent
    notes().print(f"run {outcome.run} {outcome.status}: {describe_counts(counts)}, {cost}")
    for remark in outcome.remarks:
        notes().print(f"  {CONTROLS.sub(' ', remark)}")
    kinds = [remark.partition(" (")[0] for remark in outcome.remarks]
    tell_help(kind for kind in kinds if kind in {*ErrorKind, SampleStatus.UNGRADED})
    if counts.n:
        notes().print(f"look closer: assay show {outcome.run}")
    if outcome.status != "finished":
        why = f" ({outcome.reason})" if outcome.reason else ""
        notes().print(f"stopped{why}; what came back is kept. Go on with: assay resume {outcome.run}")
    elif outcome.unmarked:
        answers = counted(outcome.unmarked, "answer")
        notes().print(
            f"no judge has marked {answers}; ask again with: assay grade {outcome.run} --only ungraded"
        )
    elif counts.error:
        errored = counted(counts.error, "sample")
        notes().print(f"{errored} errored; ask for them again with: assay resume {outcome.run}")


def end(outcome: RunOutcome) -> None:
    """End the command: 0 when the run finished, 130 interrupted, 3 when upstream or the budget failed.

    Upstream has failed where every sample errored, and where the judges marked none of the answers.
    """
    counts = outcome.counts
    if outcome.reason == INTERRUPTED:
        raise typer.Exit(ExitStatus.INTERRUPTED)
    unjudged = outcome.unmarked and outcome.unmarked == counts.ok + counts.ungraded
    if outcome.status != "finished" or unjudged or (counts.n and counts.error == counts.n):
        raise typer.Exit(ExitStatus.UPSTREAM)
