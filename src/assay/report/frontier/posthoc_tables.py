"""Tables of a study of post-hoc selection."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assay.core.wording import counted
from assay.frontier.carriers.cheapest import SHOWN as SETS
from assay.report.frontier.beyond_tables import carriers_table, sets_table
from assay.report.frontier.posthoc_sequences import UNCOSTED, sequences_table, steps_table
from assay.report.frontier.table import CellKind, ReportColumn, ReportTable, Value, ends_text
from assay.results.frontier import Estimate
from assay.results.frontier_selection import PosthocPoint
from assay.studies.frontier.posthoc_result import PosthocStudy, Selected, shown_steps

HALF = 0.4995
"""A judge with at least this error rate gives no information."""
SEEN = 0.0005
"""Smaller losses of quality are ignored."""


def posthoc_tables(study: PosthocStudy) -> tuple[ReportTable, ...]:
    """Return the tables: selection by k, sequences by judge, the plan's steps, carriers, sets of models."""
    tables = [
        selection_table(study),
        sequences_table(study),
        steps_table(study),
        carriers_table(study.carriers),
    ]
    if study.groups is not None:
        tables.append(carriers_table(study.groups, groups=True))
    return (*tables, sets_table(study.cheapest, study.main.posthoc.unit, most=SETS))


def selection_table(study: PosthocStudy) -> ReportTable:
    """Return quality by k for every judge, the gain of the main judge, and the cost."""
    main, first = study.main, study.selected[0].posthoc
    costed = first.unit != UNCOSTED
    priced = [selected for selected in study.selected if costed]
    shown = [selected for selected in priced if selected.judge.kind != "example"] or priced[:1]
    doubted = main.posthoc.points[0].quality.these_prompts is not None
    columns = [ReportColumn("k", "k", CellKind.COUNT)]
    columns += [
        ReportColumn(
            f"quality_{_key(selected.judge.label)}", selected.judge.label, CellKind.SHARE, bounds=True
        )
        for selected in study.selected
    ]
    columns.append(ReportColumn("gain", f"gain, {main.judge.label}", CellKind.SHARE, bounds=True))
    if doubted:
        columns.append(ReportColumn("doubt", "its quality on these prompts"))
    columns.append(ReportColumn("answers", "answers paid", CellKind.COUNT))
    for selected in shown:
        name = f"{first.unit} paid" if len(shown) == 1 else f"{first.unit} paid, {selected.judge.label}"
        columns.append(ReportColumn(f"cost_{_key(selected.judge.label)}", name, CellKind.COST, bounds=True))

    def row(k: int, points: Sequence[PosthocPoint]) -> tuple[Value, ...]:
        own = points[study.selected.index(main)]
        doubt = (ends_text(own.quality.these_prompts, CellKind.SHARE),) if doubted else ()
        costs = (points[study.selected.index(selected)].cost for selected in shown)
        return (k, *(point.quality for point in points), own.gain, *doubt, own.answers.value, *costs)

    one = PosthocPoint(0, first.single_quality, Estimate(None), first.single_cost, Estimate(1.0))
    rows = [row(0, [one] * len(study.selected))]
    rows += [
        row(k, [selected.posthoc.points[k - 1] for selected in study.selected])
        for k in shown_steps(study.most)
    ]
    notes = [
        f"k = 0: one answer of the best single model, {first.single}, not judged; gains are relative to it.",
        _scope(study),
        *(_describe_curve(selected) for selected in study.selected if study.most > 1),
    ]
    if doubted:
        notes.insert(
            1,
            "On these prompts: the uncertainty from few answers, and of the rates of a measured judge.",
        )
    title = "All answers are made, the judge selects: quality, %"
    return ReportTable("selection", title, tuple(columns), tuple(rows), tuple(notes))


def _key(label: str) -> str:
    return "_".join(re.findall(r"[a-z0-9]+", label.lower()))


def _scope(study: PosthocStudy) -> str:
    rule = "a random one" if study.wish.rule == "uniform" else "the first (best models first)"
    among = {
        "all_models": "k answers of every model",
        "per_prompt_best": "k answers of the model that is best for the prompt (known to an oracle)",
        "fixed_best": "k answers of the best single model",
    }[study.wish.scope]
    basis = (
        "from counts, unbiased up to the number of recorded answers"
        if study.basis == "counts"
        else f"from draws of {study.basis}"
    )
    return (
        f"The judge selects among {among}: {rule} of the accepted answers is returned; if none is accepted, "
        f"the first answer of the best single model. Computed {basis}."
    )


def _describe_curve(selected: Selected) -> str:
    curve = selected.posthoc
    best = curve.points[curve.best_k - 1].quality.value or 0.0
    head = f"{selected.judge.label}: best at k = {curve.best_k} ({100 * best:.1f} %)"
    if curve.worse_after is None:
        return f"{head}; more answers do not reduce quality."
    if (curve.fall.value or 0.0) < SEEN:
        return f"{head}; more answers make no visible difference."
    loss, interval = 100 * (curve.fall.value or 0.0), curve.fall.over_prompts
    spread = "" if interval is None else f" ({ends_text(interval, CellKind.SHARE)})"
    return (
        f"{head}; from k = {curve.worse_after} on more answers reduce quality, by {loss:.1f} points{spread} "
        f"at k = {curve.points[-1].k}."
    )


def break_even_lines(study: PosthocStudy) -> Sequence[str]:
    """Return a sentence for each k on the judge's error rate at which selection stops paying."""
    lines = []
    for break_even in study.break_even:
        source = "per model" if study.wish.scope == "all_models" else f"of {break_even.single}"
        head = f"Selection among {counted(break_even.k, 'answer')} {source}"
        value, interval = break_even.error.value, break_even.error.over_prompts
        if value is None or value > HALF:
            text = "pays at every error rate up to 50 %, where a judge gives no information"
        elif value == 0.0:
            text = "does not pay even without errors"
        else:
            spread = "" if interval is None else f" ({100 * interval.low:.1f} to {100 * interval.high:.1f})"
            text = (
                f"pays while a free judge errs on less than {100 * value:.1f} %{spread} of the right and of "
                "the wrong answers"
            )
        lines.append(f"{head} {text}.")
    return lines
