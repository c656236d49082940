"""Printing a plan before anything is sent."""

from __future__ import annotations

from collections.abc import Sequence

from assay.cli.output import dollars, notes, print_json, print_table
from assay.runs.estimate import ModelEstimate, estimate
from assay.runs.measured import Measured
from assay.runs.plan import Plan


def print_plan(plan: Plan, *, as_json: bool, measured: Sequence[Measured] = ()) -> None:
    """Print calls, tokens and cost of a plan, model by model; an unknown price is said, never $0.

    `measured` are models that the plan leaves out because the day has measured them.
    """
    found = estimate(plan)
    if as_json:
        print_json(
            {
                "suite": plan.suite.name,
                "version": plan.suite.version,
                "digest": plan.suite.digest,
                "sampling": plan.sampling,
                "calls": found.calls,
                "most_topped_calls": found.most_topped_calls,
                "cost": found.cost,
                "models": [_part(part) for part in found.models],
                "judges": [_part(part) for part in found.judges],
                "already_measured": [{"model": known.model, "run": known.run} for known in measured],
            }
        )
        return
    print_table(
        f"Plan: {plan.suite.name} {plan.suite.version}, {found.calls} calls; nothing is sent",
        ("model", "calls", "prompt tokens", "answer tokens", "estimated cost"),
        [
            (
                part.model if part in found.models else f"{part.model} (judge)",
                f"{part.calls:,}",
                f"{part.prompt_tokens:,}",
                f"{part.completion_tokens:,}",
                "unknown: no prices" if part.cost is None else dollars(part.cost),
            )
            for part in (*found.models, *found.judges)
        ],
        right=("calls", "prompt tokens", "answer tokens", "estimated cost"),
    )
    if found.most_topped_calls:
        notes().print(
            f"A watch may add up to {found.most_topped_calls} calls where a score looks suspicious."
        )
    notes().print(
        "Tokens are estimated at four characters each; reasoning is not foreseen and may cost more."
    )
    unpriced = [part.model for part in (*found.models, *found.judges) if part.cost is None]
    if unpriced:
        notes().print(f"No prices are known for {', '.join(unpriced)}: try `assay model prices`.")


def _part(part: ModelEstimate) -> dict[str, object]:
    return {
        "model": part.model,
        "calls": part.calls,
        "prompt_tokens": part.prompt_tokens,
        "completion_tokens": part.completion_tokens,
        "cost": part.cost,
    }
