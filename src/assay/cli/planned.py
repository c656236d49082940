"""Printing a plan before anything is sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.cli.output import dollars, notes, print_json, print_table
from assay.runs.estimate import Estimate, Part, estimate
from assay.runs.measured import Measured
from assay.runs.plan import Plan


def print_plan(
    plan: Plan, *, as_json: bool, watched: bool = False, measured: Sequence[Measured] = ()
) -> None:
    """Print calls, tokens and cost of a plan, part by part, with totals; an unknown price is said, never $0.

    A plan that is `watched` calibrates its judges and may top up. `measured` are models that the plan leaves
    out because the day has measured them.
    """
    needs = estimate(plan, calibrated=watched)
    if as_json:
        print_json(_document(plan, needs, measured))
        return
    title = f"Plan: {plan.suite.name} {plan.suite.version}, {needs.calls} calls; nothing is sent"
    rows = [row for part in needs.expected for row in _rows(part)]
    rows.append(("total", "", f"{needs.calls:,}", "", "", _cost(needs.cost)))
    rows += [
        (f"up to: {part.name}", "", f"{part.calls:,}", "", "", _cost(part.cost)) for part in needs.possible
    ]
    if needs.possible:
        rows.append(("total, at most", "", f"{needs.most_calls:,}", "", "", _cost(needs.most_cost)))
    numbers = ("calls", "tokens in", "tokens out", "cost")
    print_table(title, ("part", "model", *numbers), rows, right=numbers)
    if watched:
        notes().print("Top-ups are made where a score looks suspicious, re-asks where a mark cannot be read.")
    notes().print(
        "Tokens are estimated at four characters each; reasoning is not foreseen and may cost more, nor are "
        "attempts that fail."
    )
    unpriced = dict.fromkeys(
        model.model for part in needs.expected for model in part.models if model.cost is None
    )
    if unpriced:
        notes().print(f"No prices are known for {', '.join(unpriced)}: try `assay model prices`.")


def _rows(part: Part) -> list[tuple[str, ...]]:
    return [
        (
            part.name,
            model.model,
            f"{model.calls:,}",
            f"{model.prompt_tokens:,}",
            f"{model.completion_tokens:,}",
            _cost(model.cost),
        )
        for model in part.models
    ]


def _cost(cost: float | None) -> str:
    return "unknown" if cost is None else dollars(cost)


def _document(plan: Plan, needs: Estimate, measured: Sequence[Measured]) -> dict[str, Any]:
    parts = [(part, False) for part in needs.expected] + [(part, True) for part in needs.possible]
    return {
        "suite": plan.suite.name,
        "version": plan.suite.version,
        "digest": plan.suite.digest,
        "sampling": plan.sampling,
        "calls": needs.calls,
        "cost": needs.cost,
        "most_calls": needs.most_calls,
        "most_cost": needs.most_cost,
        "parts": [
            {
                "part": part.name,
                "up_to": up_to,
                "calls": part.calls,
                "cost": part.cost,
                "models": [
                    {
                        "model": model.model,
                        "calls": model.calls,
                        "prompt_tokens": model.prompt_tokens,
                        "completion_tokens": model.completion_tokens,
                        "cost": model.cost,
                    }
                    for model in part.models
                ],
            }
            for part, up_to in parts
        ],
        "already_measured": [{"model": known.model, "run": known.run} for known in measured],
    }
