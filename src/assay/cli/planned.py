"""Printing the plan of a run before anything is sent."""

from __future__ import annotations

from collections.abc import Sequence

from assay.cli.output import OutputFormat, notes, print_csv, print_output, print_table
from assay.results.figure import dollars
from assay.results.plans import NEEDS, MeasuredModel, PlanEstimate
from assay.runs.estimate import estimate
from assay.runs.plan import Plan


def print_plan(
    plan: Plan, output: OutputFormat, *, watched: bool = False, measured: Sequence[MeasuredModel] = ()
) -> None:
    """Print the calls, tokens and cost of each part of a plan, with totals. An unknown price is never $0.

    A plan of the watch (`watched`) calibrates its judges and may need top-ups. `measured` are the models that
    the plan leaves out because they were measured on the same day.
    """
    print_estimate(estimate(plan, calibrated=watched, measured=measured), output, watched=watched)


def print_estimate(needs: PlanEstimate, output: OutputFormat, *, watched: bool = False) -> None:
    """Print the calls, tokens and cost of each part of an estimate, with totals."""
    expected = [part for part in needs.expected for _ in part.models]
    models = [model for part in needs.expected for model in part.models]
    records = [{"part": part.name, **row} for part, row in zip(expected, NEEDS.records(models), strict=True)]
    print_output(
        output,
        result=needs,
        csv=lambda: print_csv(records, ("part", *NEEDS.names)),
        text=lambda: _print(needs, watched),
    )


def _print(needs: PlanEstimate, watched: bool) -> None:
    title = f"Plan: {needs.suite.suite} {needs.suite.version}, {needs.calls} calls; nothing is sent"
    rows = [(part.name, *cells) for part in needs.expected for cells in NEEDS.cells(part.models)]
    rows.append(_total("total", needs.calls, needs.cost))
    rows += [_total(f"up to: {part.name}", part.calls, part.cost) for part in needs.possible]
    if needs.possible:
        rows.append(_total("total, at most", needs.most_calls, needs.most_cost))
    print_table(title, ("part", *NEEDS.headings), rows, right=NEEDS.right)
    if watched:
        notes().print(
            "Top-ups follow if a score looks suspicious; a judge is asked again if its mark cannot be parsed."
        )
    notes().print(
        "Tokens are estimated at four characters each. Reasoning tokens and failed attempts are not included "
        "and may cost more."
    )
    unpriced = dict.fromkeys(
        model.model for part in needs.expected for model in part.models if model.cost is None
    )
    if unpriced:
        notes().print(f"No prices are known for {', '.join(unpriced)}: try `assay model prices`.")


def _total(name: str, calls: int, cost: float | None) -> tuple[str, ...]:
    return name, "", f"{calls:,}", "", "", dollars(cost)
