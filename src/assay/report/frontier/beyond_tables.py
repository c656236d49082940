"""Tables that the paper does not have: carriers, the cheapest set, sequential prompting, erring judges."""

from __future__ import annotations

from assay.core.wording import counted
from assay.report.frontier.table import CellKind, ReportColumn, ReportTable, Value, value_text
from assay.report.frontier.tables import quality_kind, quality_unit
from assay.results.frontier_selection import Carriers, Cheapest
from assay.studies.frontier.report_result import FrontierReport

STEPS_SHOWN = (1, 2, 3, 5, 10, 20, 50, 100, 200, 400)


def carriers_table(
    carriers: Carriers, *, kind: CellKind = CellKind.SHARE, groups: bool = False
) -> ReportTable:
    """Return the contribution of each model or group, the greatest Shapley value first."""
    share = kind is CellKind.SHARE
    unit = ", points" if share else ""
    columns = (
        ReportColumn("model", "group" if groups else "model"),
        ReportColumn("shapley", f"Shapley value{unit}", kind, bounds=True),
        ReportColumn("share", "share of the oracle, %", CellKind.SHARE, bounds=True),
        ReportColumn("leave_one_out", f"lost without it{unit}", kind, bounds=True),
        ReportColumn("alone", "clearly best, % of prompts", CellKind.SHARE, bounds=True),
    )
    rows = tuple(
        (carrier.model, carrier.shapley, carrier.share, carrier.leave_one_out, carrier.alone)
        for carrier in carriers.models
    )
    oracle = value_text(carriers.oracle, kind) + (" %" if share else "")
    notes = (
        f"By {carriers.method}; {carriers.prompts:,} prompts. The Shapley values add up to the oracle's "
        f"{oracle}. Clearly best: better than every other by more than {100 * carriers.margin:g} points; on "
        f"{value_text(carriers.nobody, CellKind.SHARE)} % of the prompts there is no such "
        f"{'group' if groups else 'model'}.",
    )
    title = "Models that carry the frontier" + (", by group of arms" if groups else "")
    return ReportTable("groups" if groups else "carriers", title, columns, rows, notes)


def sets_table(
    cheapest: Cheapest, unit: str, *, kind: CellKind = CellKind.SHARE, most: int | None = None
) -> ReportTable:
    """Return the cheapest set of models that keeps enough of the gain, and at most `most` best sets by size.

    `unit` is that of costs.
    """
    share = kind is CellKind.SHARE
    columns = (
        ReportColumn("set", "set"),
        ReportColumn("size", "models", CellKind.COUNT),
        ReportColumn("kept", "gain kept, %", CellKind.SHARE, bounds=True),
        ReportColumn("quality", f"oracle within it{', %' if share else ''}", kind, bounds=True),
        ReportColumn("cost", f"cost of its choices, {unit}", CellKind.COST, bounds=True),
        ReportColumn("models", "which models"),
    )
    sets = [("cheapest that keeps enough", cheapest.chosen)]
    sets += [(f"best of {len(model_set.models)}", model_set) for model_set in cheapest.sets[:most]]
    rows = tuple(
        (name, len(best.models), best.kept, best.quality, best.cost, ", ".join(best.models))
        for name, best in sets
    )
    gain = value_text(cheapest.gain, kind) + (" points" if share else "")
    notes = [
        f"By {cheapest.method}. The gain of the oracle over the best single model, {cheapest.single}, is "
        f"{gain}. Enough is {100 * cheapest.share:g} % of it: "
        f"{counted(len(cheapest.chosen.models), 'model')} {_describe_size(cheapest)}."
    ]
    if cheapest.held_out.value is not None:
        least, largest = cheapest.sizes[0], cheapest.sizes[-1]
        sizes = counted(largest, "model") if least == largest else f"{least} to {counted(largest, 'model')}"
        notes.append(
            f"Sets chosen in this way on half of the prompts ({sizes}) keep "
            f"{100 * cheapest.held_out.value:.1f} % of the gain on the other half; expect this on new "
            "prompts."
        )
    return ReportTable("sets", "The cheapest set of models", columns, rows, tuple(notes))


def _describe_size(cheapest: Cheapest) -> str:
    """Say whether fewer models could suffice, as far as it is known."""
    size = len(cheapest.chosen.models)
    if cheapest.least_size >= size:
        return "are enough, and no fewer" if size > 1 else "is enough"
    return f"are enough, chosen greedily with swaps; fewer than {cheapest.least_size} are not"


def sequential_table(report: FrontierReport) -> ReportTable:
    """Return quality and cost of asking one model after the other."""
    sequential = report.sequential
    assert sequential is not None
    kind, unit = quality_kind(report), quality_unit(report)
    columns = (
        ReportColumn("plan", "plan"),
        ReportColumn("quality", f"quality{unit}", kind, bounds=True),
        ReportColumn("cost", f"cost, {sequential.unit} a prompt", CellKind.COST, bounds=True),
        ReportColumn("answers", "answers made", CellKind.NUMBER, bounds=True),
        ReportColumn("latency", "seconds", CellKind.NUMBER, bounds=True),
    )
    steps = [
        budget
        for budget in sequential.points
        if budget.steps in STEPS_SHOWN or budget is sequential.points[-1]
    ]
    rows: list[tuple[Value, ...]] = [
        (f"best single, {sequential.single}", sequential.single_quality, sequential.single_cost, 1.0, None)
    ]
    rows += [
        (
            f"at most {counted(budget.steps, 'answer')}",
            budget.quality,
            budget.cost,
            budget.answers,
            budget.latency,
        )
        for budget in steps
    ]
    last = sequential.everybody
    rows.append(
        (
            f"all models, all {counted(last.steps, 'answer')}",
            last.quality,
            last.cost,
            last.answers,
            last.latency,
        )
    )
    notes = [
        "Models are asked one after the other until a perfect, free judge accepts an answer; only the "
        "answers made are paid for. The plan is "
        + (
            "made on one half of the prompts and evaluated on the other."
            if sequential.cross_fitted
            else "given."
        )
    ]
    if sequential.saving.value is not None:
        notes.append(
            f"The whole plan saves {100 * sequential.saving.value:.1f} % of the cost of asking all models."
        )
    if sequential.matched_saving.value is not None and sequential.matched_saving.value > 0.0005:
        notes.append(
            f"The best single model's quality is reached for {100 * sequential.matched_saving.value:.1f} % "
            "less."
        )
    notes += [f"{note[0].upper()}{note[1:]}." for note in sequential.notes]
    return ReportTable(
        "sequential", "Sequential prompting with early return", columns, tuple(rows), tuple(notes)
    )


def judges_table(report: FrontierReport) -> ReportTable:
    """Return the quality of selection among all models' answers by judges that err."""
    kind, unit = quality_kind(report), quality_unit(report)
    last = report.judged[0].posthoc.points[-1].k
    columns = [
        ReportColumn("error", "judge's error rate, %", CellKind.SHARE),
        ReportColumn("k_1", f"all models, k = 1{unit}", kind, bounds=True),
    ]
    if last > 1:
        columns.append(ReportColumn("k_most", f"k = {last}{unit}", kind, bounds=True))
    columns += [
        ReportColumn("limit", f"infinitely many{unit}", kind, bounds=True),
        ReportColumn("best_k", "best k", CellKind.COUNT),
        ReportColumn("worse_after", "worse from k on", CellKind.COUNT),
    ]
    rows = []
    for judged in report.judged:
        points = judged.posthoc.points
        ends = [points[0].quality, *([points[-1].quality] if last > 1 else [])]
        rows.append(
            (judged.error, *ends, judged.posthoc.limit, judged.posthoc.best_k, judged.posthoc.worse_after)
        )
    single = report.judged[0].posthoc
    value = single.single_quality.value
    notes = [
        "The judge errs equally often on right and wrong answers, and one of the answers it accepts is "
        "picked at random. Errors are assumed to be independent, and judging is free."
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
