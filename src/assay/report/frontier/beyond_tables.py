"""Tables beyond the paper: who carries the frontier, the cheapest set, plans with early return, judges."""

from __future__ import annotations

from assay.report.frontier.table import CellKind, ReportColumn, ReportTable, Value
from assay.report.frontier.tables import quality_kind, quality_unit
from assay.studies.frontier.report_result import FrontierReport

STEPS_SHOWN = (1, 2, 3, 5, 10, 20, 50, 100, 200, 400)


def carriers_table(report: FrontierReport) -> ReportTable:
    """Return who carries the oracle's quality."""
    kind, unit = quality_kind(report), quality_unit(report)
    found = report.carriers
    columns = (
        ReportColumn("model", "model"),
        ReportColumn("shapley", f"Shapley value{unit}", kind, bounds=True),
        ReportColumn("share", "share of the oracle, %", CellKind.SHARE, bounds=True),
        ReportColumn("leave_one_out", f"oracle loses without it{unit}", kind, bounds=True),
        ReportColumn("alone", "alone at the top, % of prompts", CellKind.SHARE, bounds=True),
    )
    rows = tuple(
        (each.model, each.shapley, each.share, each.leave_one_out, each.alone) for each in found.models
    )
    notes = (
        f"By {found.method}; {found.prompts:,} prompts. Shapley values add to the oracle's quality; alone at "
        f"the top: better than every other by more than {100 * found.margin:g} points.",
    )
    return ReportTable("carriers", "Who carries the frontier", columns, rows, notes)


def cheapest_table(report: FrontierReport) -> ReportTable:
    """Return the best sets of models and the one that keeps most of the gain."""
    kind, unit = quality_kind(report), quality_unit(report)
    found = report.cheapest
    columns = (
        ReportColumn("set", "set"),
        ReportColumn("size", "models", CellKind.COUNT),
        ReportColumn("kept", "gain kept, %", CellKind.SHARE, bounds=True),
        ReportColumn("quality", f"oracle within it{unit}", kind, bounds=True),
        ReportColumn("cost", f"its choices' cost, {report.whole.frontier.unit}", CellKind.COST, bounds=True),
        ReportColumn("models", "which"),
    )
    rows = tuple(
        (name, len(each.models), each.kept, each.quality, each.cost, ", ".join(each.models))
        for name, each in (
            ("cheapest that keeps enough", found.chosen),
            *((f"best of {len(each.models)}", each) for each in found.sets),
        )
    )
    held = found.held_out.value
    notes = [
        f"The gain is over the best single model, {found.single}; enough is {100 * found.share:g} % of it, "
        f"for which no fewer than {found.least_size} models can do."
    ]
    if held is not None:
        notes.append(f"Sets chosen so on half of the prompts keep {100 * held:.1f} % on the other half.")
    return ReportTable("sets", "The cheapest set of models", columns, rows, tuple(notes))


def sequential_table(report: FrontierReport) -> ReportTable:
    """Return what asking one model after the other reaches and costs."""
    found = report.sequential
    assert found is not None
    kind, unit = quality_kind(report), quality_unit(report)
    columns = (
        ReportColumn("plan", "plan"),
        ReportColumn("quality", f"quality{unit}", kind, bounds=True),
        ReportColumn("cost", f"cost, {found.unit} a prompt", CellKind.COST, bounds=True),
        ReportColumn("answers", "answers made", CellKind.NUMBER, bounds=True),
        ReportColumn("latency", "seconds", CellKind.NUMBER, bounds=True),
    )
    steps = [each for each in found.points if each.steps in STEPS_SHOWN or each is found.points[-1]]
    rows: list[tuple[Value, ...]] = [
        (f"best single, {found.single}", found.single_quality, found.single_cost, 1.0, None)
    ]
    rows += [
        (f"at most {each.steps} answers", each.quality, each.cost, each.answers, each.latency)
        for each in steps
    ]
    last = found.everybody
    rows.append((f"everybody, all {last.steps} answers", last.quality, last.cost, last.answers, last.latency))
    notes = [
        "Models are asked one after the other until a perfect, free judge accepts; only what was made is "
        "paid. The plan is "
        + ("made on one half of the prompts and valued on the other." if found.cross_fitted else "given.")
    ]
    if found.saving.value is not None:
        notes.append(f"The whole plan saves {100 * found.saving.value:.1f} % of what asking everybody costs.")
    if found.matched_saving.value is not None and found.matched_saving.value > 0.0005:
        notes.append(
            f"The best single model's quality is reached for {100 * found.matched_saving.value:.1f} % less."
        )
    notes += [f"{each[0].upper()}{each[1:]}." for each in found.notes]
    return ReportTable(
        "sequential", "Sequential prompting with early return", columns, tuple(rows), tuple(notes)
    )


def judges_table(report: FrontierReport) -> ReportTable:
    """Return what selection among all models' answers reaches when the judge errs."""
    kind, unit = quality_kind(report), quality_unit(report)
    last = report.judged[0].posthoc.points[-1].k
    columns = [
        ReportColumn("error", "judge's error, %", CellKind.SHARE),
        ReportColumn("k_1", f"all models, k = 1{unit}", kind, bounds=True),
    ]
    if last > 1:
        columns.append(ReportColumn("k_most", f"k = {last}{unit}", kind, bounds=True))
    columns += [
        ReportColumn("limit", f"endless answers{unit}", kind, bounds=True),
        ReportColumn("best_k", "best k", CellKind.COUNT),
        ReportColumn("worse_after", "worse from k on", CellKind.COUNT),
    ]
    rows = []
    for each in report.judged:
        points = each.posthoc.points
        ends = [points[0].quality, *([points[-1].quality] if last > 1 else [])]
        rows.append((each.error, *ends, each.posthoc.limit, each.posthoc.best_k, each.posthoc.worse_after))
    single = report.judged[0].posthoc
    value = single.single_quality.value
    notes = [
        "The judge errs as often on right as on wrong answers and picks uniformly among those it accepts; "
        "errors are taken to be independent, and judging is free."
    ]
    if value is not None:
        notes.append(
            f"One answer of the best single model, {single.single}, is right in {100 * value:.1f} %."
        )
    if report.break_even is not None and report.break_even.error.value is not None:
        notes.append(
            f"Selection among one answer of every model stops paying when the judge errs more than "
            f"{100 * report.break_even.error.value:.1f} % of the time."
        )
    return ReportTable("judges", "Selection by a judge that errs", tuple(columns), tuple(rows), tuple(notes))
