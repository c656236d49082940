"""Tables of asking one model after the other, in a study of selection."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from assay.frontier.selection.sequential import Sequential
from assay.report.frontier.table import Column, Kind, Table, Value, cell_text, ends_text, value_text
from assay.studies.frontier.posthoc_result import PosthocStudy, Selected

UNCOSTED = "generations"
"""The unit of a source without costs."""

EACH = 20
"""So many steps are shown one by one."""

PLAN_SHOWN = 10
"""So many steps of a plan are named; the rest are counted."""


def shown_steps(steps: int) -> tuple[int, ...]:
    """Return each step to 20, then 1, 2 and 5 of each power of ten, and the last."""
    grid = [lead * 10**power for power in range(1, 6) for lead in (1, 2, 5)]
    kept = {*range(1, min(steps, EACH) + 1), *(each for each in grid if each < steps), steps}
    return tuple(sorted(kept))


def sequences_table(study: PosthocStudy) -> Table:
    """Return what asking one model after the other reaches and pays, by judge, beside asking everybody."""
    unit = study.main.sequential.unit
    costed = unit != UNCOSTED
    columns = (
        Column("judge", "judge"),
        Column("quality", "sequence, %", Kind.SHARE, bounds=True),
        Column("answers", "answers", _many(study), bounds=True),
        Column("cost", f"cost, {unit}", Kind.COST, bounds=True),
        Column("latency", "seconds", Kind.COST, bounds=True),
        Column("everybody_quality", "everybody, %", Kind.SHARE, bounds=True),
        Column("everybody_answers", "its answers", Kind.COUNT),
        Column("everybody_cost", f"its cost, {unit}", Kind.COST, bounds=True),
        Column("saving", "saved, %", Kind.SHARE, bounds=True),
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
    return Table("sequences", "One after the other, with early return", columns, tuple(rows), tuple(notes))


def _matched(found: Selected) -> str:
    """Return what a sequence reaches at the best single's price, and what its quality costs by it."""
    plan = found.sequential
    own = f"its {value_text(plan.single_quality, Kind.SHARE)} %"
    at, saved = plan.at_single_cost, plan.matched_saving
    reached = f"reaches {cell_text(at, Kind.SHARE)} %" if at.value is not None else "is not cut"
    head = f"{found.judge.label}: for the price of one answer of {plan.single} the sequence {reached}"
    if saved.value is None:
        return f"{head}; it does not come to {own}."
    share, ends = 100.0 * saved.value, ends_text(saved.over_prompts, Kind.SHARE)
    spread = f" (saving {ends} %)" if ends else ""
    return (
        f"{head}; {own} cost {abs(share):.1f} % {'less' if share >= 0 else 'more'} than that price{spread}."
    )


def steps_table(study: PosthocStudy) -> Table:
    """Return the plan for the judge that is meant, cut after so many answers."""
    found, label = study.main.sequential, study.main.judge.label
    columns = (
        Column("step", "at most", Kind.COUNT),
        Column("model", "the next to be asked"),
        Column("quality", "quality, %", Kind.SHARE, bounds=True),
        Column("answers", "answers made", _many(study), bounds=True),
        Column("cost", f"cost, {found.unit}", Kind.COST, bounds=True),
        Column("latency", "seconds", Kind.COST, bounds=True),
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
    notes = [f"The plan: {', '.join(told_plan(found))}."]
    if found.cross_fitted:
        notes.append("Names are those chosen on all prompts; figures are of plans valued on other prompts.")
    return Table("steps", f"The sequence step by step: judge {label}", columns, tuple(rows), tuple(notes))


def _many(study: PosthocStudy) -> Kind:
    """Return how expected numbers of answers are written: never in powers of ten."""
    return Kind.NUMBER if study.most * len(study.models) < 1000 else Kind.COST


def told_plan(found: Sequential, shown: int = PLAN_SHOWN) -> Iterator[str]:
    """Yield the plan's models in order, repeats of one counted, and how many more steps there are."""
    told = 0
    for number, (name, run) in enumerate(groupby(found.plan)):
        if number == shown:
            yield f"and {len(found.plan) - told} more"
            return
        times = len(list(run))
        told += times
        yield name if times == 1 else f"{name} x {times}"
