"""How a run ended: what is printed, and with which status the command ends."""

from __future__ import annotations

import re
from typing import Any

import typer

from assay.cli.live import INTERRUPTED
from assay.cli.output import counted, dollars, notes
from assay.runs.conduct import Outcome
from assay.store.runs import RunCounts

CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def outcome_document(outcome: Outcome) -> dict[str, Any]:
    """Return a run's end as a JSON document."""
    return {
        "run": outcome.run,
        "status": outcome.status,
        "reason": outcome.reason,
        **counts_document(outcome.counts),
        "remarks": [{"text": remark} for remark in outcome.remarks],
    }


def counts_document(counts: RunCounts) -> dict[str, Any]:
    """Return a run's denominators and spending: n = ok + invalid + error + ungraded.

    `cost` is the known part in US dollars, null while no call has a known cost.
    """
    known = counts.calls > counts.unknown_costs
    return {
        "n": counts.samples,
        "ok": counts.ok - counts.ungraded,
        "invalid": counts.invalid,
        "error": counts.error,
        "ungraded": counts.ungraded,
        "calls": counts.calls,
        "cost": counts.cost if known else None,
        "unknown_costs": counts.unknown_costs,
    }


def told_counts(counts: RunCounts) -> str:
    """Return a run's denominators in words."""
    return (
        f"{counted(counts.samples, 'sample')} ({counts.ok - counts.ungraded} ok, {counts.invalid} invalid, "
        f"{counts.error} error, {counts.ungraded} ungraded)"
    )


def told_cost(counts: RunCounts) -> str:
    """Return what a run cost; what is unknown is said, never $0."""
    if not counts.calls:
        return "nothing spent"
    if counts.unknown_costs == counts.calls:
        return "cost unknown"
    more = f" + {counted(counts.unknown_costs, 'call')} of unknown cost" if counts.unknown_costs else ""
    return dollars(counts.cost) + more


def tell_outcome(outcome: Outcome, *, spent: str | None = None) -> None:
    """Say on stderr what a run came to, with its denominators, and how to resume it when it stopped.

    `spent` says what was spent where that is more than the run's own cost.
    """
    counts = outcome.counts
    cost = told_cost(counts) if spent is None else spent
    notes().print(f"run {outcome.run} {outcome.status}: {told_counts(counts)}, {cost}")
    for remark in outcome.remarks:
        notes().print(f"  {CONTROLS.sub(' ', remark)}")
    if counts.samples:
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


def end(outcome: Outcome) -> None:
    """End the command: 0 when the run finished, 130 interrupted, 3 when upstream or the budget failed.

    Upstream has failed where every sample errored, and where the judges marked none of the answers.
    """
    counts = outcome.counts
    if outcome.reason == INTERRUPTED:
        raise typer.Exit(130)
    unjudged = outcome.unmarked and outcome.unmarked == counts.ok
    if outcome.status != "finished" or unjudged or (counts.samples and counts.error == counts.samples):
        raise typer.Exit(3)
