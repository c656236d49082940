"""Tables of sequential prompting (one model after the other) in a study of post-hoc selection."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from assay.report.frontier.table import (
    CellKind,
    ReportColumn,
    ReportTable,
    Value,
    cell_text,
    ends_text,
    value_text,
)
from assay.results.frontier_selection import Sequential
from assay.studies.frontier.posthoc_result import PosthocStudy, Selected, shown_steps

UNCOSTED = "generations"
"""The unit of a source without costs."""
PLAN_SHOWN = 10
"""The largest number of steps of a plan that are named; the rest are counted."""


def sequences_table(study: PosthocStudy) -> ReportTable:
    """Return quality and cost of asking one model after the other and of asking all models, by judge."""
    unit = study.main.sequential.unit
    costed = unit != UNCOSTED
    columns = (
        ReportColumn("judge", "judge"),
        ReportColumn("quality", "sequence, %", CellKind.SHARE, bounds=True),
        ReportColumn("answers", "answers", _many(study), bounds=True),
        ReportColumn("cost", f"cost, {unit}", CellKind.COST, bounds=True),
        ReportColumn("latency", "seconds", CellKind.COST, bounds=True),
        ReportColumn("everybody_quality", "all models, %", CellKind.SHARE, bounds=True),
        ReportColumn("everybody_answers", "all models: answers", CellKind.COUNT),
        ReportColumn("everybody_cost", f"all models: cost, {unit}", CellKind.COST, bounds=True),
        ReportColumn("saving", "saved, %", CellKind.SHARE, bounds=True),
    )
    rows = []
    for selected in study.selected:
        sequential = selected.sequential
        last, total = sequential.points[-1], sequential.everybody
        rows.append(
            (
                selected.judge.label,
                last.quality,
                last.answers,
                last.cost if costed else None,
                last.latency,
                total.quality,
                total.answers.value,
                total.cost if costed else None,
                sequential.saving,
            )
        )
    main = study.main.sequential
    notes = [
        "Models are asked one after the other, and the first answer that the judge accepts is returned; only "
        "the answers made and their judgements are paid for.",
        "All models: all answers are made, judged and paid for, and the first accepted answer is returned, "
        "in the order of the best models.",
    ]
    if costed:
        notes += [_matched(selected) for selected in study.selected if selected.judge.kind != "example"]
    if main.cross_fitted:
        notes.append("Plans are made on one half of the prompts and evaluated on the other.")
    if main.saving.value is None and len(main.points) < main.everybody.steps:
        notes.append(
            f"The plan ends after {len(main.points):,} of {main.everybody.steps:,} answers, so the saving "
            "over asking all models is unknown."
        )
    return ReportTable(
        "sequences", "One model after the other, with early return", columns, tuple(rows), tuple(notes)
    )


def _matched(selected: Selected) -> str:
    """Describe the quality at the best single model's price, and the price of that model's quality."""
    plan = selected.sequential
    own_quality = f"{value_text(plan.single_quality, CellKind.SHARE)} %"
    at, saved = plan.at_single_cost, plan.matched_saving
    reached = f"reaches {cell_text(at, CellKind.SHARE)} %" if at.value is not None else "need not stop early"
    head = f"{selected.judge.label}: for the price of one answer of {plan.single} the sequence {reached}"
    if saved.value is None:
        return f"{head}; it does not reach that model's {own_quality}."
    share, ends = 100.0 * saved.value, ends_text(saved.over_prompts, CellKind.SHARE)
    spread = f" (saving {ends} %)" if ends else ""
    return (
        f"{head}; that model's {own_quality} cost {abs(share):.1f} % {'less' if share >= 0 else 'more'} than "
        f"this price{spread}."
    )


def steps_table(study: PosthocStudy) -> ReportTable:
    """Return the plan for the main judge, stopped after each number of answers."""
    sequential, label = study.main.sequential, study.main.judge.label
    columns = (
        ReportColumn("step", "at most", CellKind.COUNT),
        ReportColumn("model", "next model"),
        ReportColumn("quality", "quality, %", CellKind.SHARE, bounds=True),
        ReportColumn("answers", "answers made", _many(study), bounds=True),
        ReportColumn("cost", f"cost, {sequential.unit}", CellKind.COST, bounds=True),
        ReportColumn("latency", "seconds", CellKind.COST, bounds=True),
    )
    costed = sequential.unit != UNCOSTED
    rows: list[tuple[Value, ...]] = [
        (
            budget.steps,
            sequential.plan[budget.steps - 1],
            budget.quality,
            budget.answers,
            budget.cost if costed else None,
            budget.latency,
        )
        for budget in (sequential.points[step - 1] for step in shown_steps(len(sequential.points)))
    ]
    notes = [f"The plan: {', '.join(spell_plan(sequential))}."]
    if sequential.cross_fitted:
        notes.append(
            "The names are of the plan made on all prompts; the figures are of plans evaluated on other "
            "prompts."
        )
    return ReportTable(
        "steps", f"The sequence step by step: judge {label}", columns, tuple(rows), tuple(notes)
    )


def _many(study: PosthocStudy) -> CellKind:
    """Return the format of expected numbers of answers: never in powers of ten."""
    return CellKind.NUMBER if study.most * len(study.models) < 1000 else CellKind.COST


def spell_plan(sequential: Sequential, shown: int = PLAN_SHOWN) -> Iterator[str]:
    """Yield the plan's models in order, repeats counted, and the number of steps that are not named."""
    named = 0
    for number, (name, run) in enumerate(groupby(sequential.plan)):
        if number == shown:
            yield f"and {len(sequential.plan) - named} more"
            return
        times = len(list(run))
        named += times
        yield name if times == 1 else f"{name} x {times}"
