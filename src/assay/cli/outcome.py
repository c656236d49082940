"""How a run ended: what is printed, and with which status the command ends."""

from __future__ import annotations

from typing import Any

import typer

from assay.cli.live import INTERRUPTED
from assay.cli.output import notes
from assay.runs.conduct import Outcome


def outcome_document(outcome: Outcome) -> dict[str, Any]:
    """Return a run's end as a JSON document."""
    counts = outcome.counts
    return {
        "run": outcome.run,
        "status": outcome.status,
        "reason": outcome.reason,
        "n": counts.samples,
        "ok": counts.ok,
        "invalid": counts.invalid,
        "error": counts.error,
        "ungraded": counts.ungraded,
        "calls": counts.calls,
        "cost": counts.cost,
        "unknown_costs": counts.unknown_costs,
    }


def tell_outcome(outcome: Outcome) -> None:
    """Say on stderr what a run came to, with its denominators, and how to resume it when it stopped."""
    counts = outcome.counts
    cost = f"${counts.cost:.4f}" if counts.unknown_costs < max(1, counts.calls) else "cost unknown"
    if 0 < counts.unknown_costs < counts.calls:
        cost += f" + {counts.unknown_costs} calls of unknown cost"
    notes().print(
        f"run {outcome.run} {outcome.status}: {counts.samples} samples ({counts.ok} ok, "
        f"{counts.invalid} invalid, {counts.error} error; {counts.ungraded} ungraded), {cost}"
    )
    if outcome.status != "finished":
        why = f" ({outcome.reason})" if outcome.reason else ""
        notes().print(f"stopped{why}; what came back is kept. Go on with: assay resume {outcome.run}")
    elif counts.error:
        notes().print(f"{counts.error} samples errored; ask for them again with: assay resume {outcome.run}")


def end(outcome: Outcome) -> None:
    """End the command: 0 when the run finished, 130 interrupted, 3 when upstream or the budget failed."""
    counts = outcome.counts
    if outcome.reason == INTERRUPTED:
        raise typer.Exit(130)
    if outcome.status != "finished" or (counts.samples and counts.error == counts.samples):
        raise typer.Exit(3)
