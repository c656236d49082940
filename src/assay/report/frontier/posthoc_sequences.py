"""Tables of asking one model after the other, in a study of selection."""

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
"""So many steps of a plan are named; the rest are counted."""


def sequences_table(study: PosthocStudy) -> ReportTable:
    """Return what asking one model after the other reaches and pays, by judge, beside asking everybody."""
    unit = study.main.sequential.unit
    costed = unit != UNCOSTED
    columns = (
        ReportColumn("judge", "judge"),
        ReportColumn("quality", "sequence, %", CellKind.SHARE, bounds=True),
        ReportColumn("answers", "answers", _many(study), bounds=True),
        ReportColumn("cost", f"cost, {unit}", CellKind.COST, bounds=True),
        ReportColumn("latency", "seconds", CellKind.COST, bounds=True),
        ReportColumn("everybody_quality", "everybody, %", CellKind.SHARE, bounds=True),
        ReportColumn("everybody_answers", "its answers", CellKind.COUNT),
        ReportColumn("everybody_cost", f"its cost, {unit}", CellKind.COST, bounds=True),
        ReportColumn("saving", "saved, %", CellKind.SHARE, bounds=True),
    )
    rows = []
    for each in study.selected:
        found = each.sequential
        last, total = found.points[-1], found.everybody
        rows.append(
            (
                each.judge.label,
                last.quality,
                last.answers,
                last.cost if costed else None,
                last.latency,
                total.quality,
                total.answers.value,
                total.cost if costed else None,
                found.saving,
            )
        )
    main = study.main.sequential
    notes = [
        "Models are asked one after the other, and the first answer that the judge accepts is returned; only "
        "answers that were made are paid, with their judgements.",
        "Everybody: all answers are made, judged and paid, and the first that is accepted is returned, those "
        "of the best models first.",
    ]
    if costed:
        notes += [_matched(each) for each in study.selected if each.judge.kind != "example"]
    if main.cross_fitted:
        notes.append("Plans are made on one half of the prompts and valued on the other.")
    if main.saving.value is None and len(main.points) < main.everybody.steps:
        notes.append(
            f"The plan is cut after {len(main.points):,} of {main.everybody.steps:,} answers: nothing is "
            "said of the saving against asking everybody."
        )
    return ReportTable(
        "sequences", "One after the other, with early return", columns, tuple(rows), tuple(notes)
    )


def _matched(found: Selected) -> str:
    """Return what a sequence reaches at the best single's price, and what its quality costs by it."""
    plan = found.sequential
    own = f"its {value_text(plan.single_quality, CellKind.SHARE)} %"
    at, saved = plan.at_single_cost, plan.matched_saving
    reached = f"reaches {cell_text(at, CellKind.SHARE)} %" if at.value is not None else "is not cut"
    head = f"{found.judge.label}: for the price of one answer of {plan.single} the sequence {reached}"
    if saved.value is None:
        return f"{head}; it does not come to {own}."
    share, ends = 100.0 * saved.value, ends_text(saved.over_prompts, CellKind.SHARE)
    spread = f" (saving {ends} %)" if ends else ""
    return (
        f"{head}; {own} cost {abs(share):.1f} % {'less' if share >= 0 else 'more'} than that price{spread}."
    )


def steps_table(study: PosthocStudy) -> ReportTable:
    """Return the plan for the judge that is meant, cut after so many answers."""
    found, label = study.main.sequential, study.main.judge.label
    columns = (
        ReportColumn("step", "at most", CellKind.COUNT),
        ReportColumn("model", "the next to be asked"),
        ReportColumn("quality", "quality, %", CellKind.SHARE, bounds=True),
        ReportColumn("answers", "answers made", _many(study), bounds=True),
        ReportColumn("cost", f"cost, {found.unit}", CellKind.COST, bounds=True),
        ReportColumn("latency", "seconds", CellKind.COST, bounds=True),
    )
    costed = found.unit != UNCOSTED
    rows: list[tuple[Value, ...]] = [
        (
            each.steps,
            found.plan[each.steps - 1],
            each.quality,
            each.answers,
            each.cost if costed else None,
            each.latency,
        )
        for each in (found.points[step - 1] for step in shown_steps(len(found.points)))
    ]
    notes = [f"The plan: {', '.join(spell_plan(found))}."]
    if found.cross_fitted:
        notes.append("Names are those chosen on all prompts; figures are of plans valued on other prompts.")
    return ReportTable(
        "steps", f"The sequence step by step: judge {label}", columns, tuple(rows), tuple(notes)
    )


def _many(study: PosthocStudy) -> CellKind:
    """Return how expected numbers of answers are written: never in powers of ten."""
    return CellKind.NUMBER if study.most * len(study.models) < 1000 else CellKind.COST


def spell_plan(found: Sequential, shown: int = PLAN_SHOWN) -> Iterator[str]:
    """Yield the plan's models in order, repeats of one counted, and how many more steps there are."""
    told = 0
    for number, (name, run) in enumerate(groupby(found.plan)):
        if number == shown:
            yield f"and {len(found.plan) - told} more"
            return
        times = len(list(run))
        told += times
        yield name if times == 1 else f"{name} x {times}"
