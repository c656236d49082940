"""The tables 1 to 6 of a frontier's report, as the paper has them: a row a source or category."""

from __future__ import annotations

from collections.abc import Callable

from assay.report.frontier.table import CellKind, ReportColumn, ReportTable, Value
from assay.results.frontier_report import Correlation, FrontierGroup, KShot
from assay.studies.frontier.report_result import FrontierReport

WHOLE = "all prompts"
ROWS = (ReportColumn("rows", "prompts"), ReportColumn("prompts", "n", CellKind.COUNT))
SIZES = (
    ReportColumn("models", "models", CellKind.COUNT),
    ReportColumn("generations", "G", CellKind.COUNT),
    ReportColumn("missing_cells", "missing cells", CellKind.COUNT),
)


def paper_tables(report: FrontierReport) -> tuple[ReportTable, ...]:
    """Return tables 1 to 6; without costs table 2 holds dashes, without 0/1 quality table 3 no row."""
    ks = sorted({1, report.settings.ks[-1]})
    return (
        quality_table(report),
        cost_table(report),
        reliability_table(report),
        shots_table(report, "table-4", ks[0]),
        shots_table(report, "table-5", ks[-1]),
        bias_table(report),
    )


def groups(report: FrontierReport) -> tuple[FrontierGroup, ...]:
    """Return the rows: all prompts, then each category."""
    return (report.whole, *report.groups)


def group_name(group: FrontierGroup) -> str:
    """Return how a row is called."""
    return WHOLE if group.name is None else group.name


def quality_kind(report: FrontierReport) -> CellKind:
    """Return how qualities are written: per cent where they lie on 0-1."""
    curve = report.main.curve
    return CellKind.SHARE if float(curve.min()) >= 0.0 and float(curve.max()) <= 1.0 else CellKind.NUMBER


def quality_unit(report: FrontierReport) -> str:
    """Return the unit of qualities as a title's end."""
    return ", %" if quality_kind(report) is CellKind.SHARE else ""


def quality_table(report: FrontierReport) -> ReportTable:
    """Return table 1: the best single model, the oracle at alpha = 1, and the error that goes."""
    kind, unit = quality_kind(report), quality_unit(report)
    columns = (
        *ROWS,
        *SIZES,
        ReportColumn("best_single", "best single model"),
        ReportColumn("best_single_quality", f"its quality{unit}", kind, bounds=True),
        ReportColumn("oracle_quality", f"oracle at alpha = 1{unit}", kind, bounds=True),
        ReportColumn("error_reduction", "error reduction, %", CellKind.SHARE, bounds=True),
    )

    def row(group: FrontierGroup) -> tuple[Value, ...]:
        single, found = group.frontier.singles[group.frontier.best_single], group.frontier
        top = found.points[-1].quality
        return (*_sizes(group), single.model, single.level, top, found.gains.error_reduction.estimate)

    notes = _reasons(report, lambda group: group.frontier.gains.error_reduction.reason, "error reduction")
    return ReportTable(
        "table-1", f"Table 1. Quality, by {report.settings.method}", columns, _rows(report, row), notes
    )


def cost_table(report: FrontierReport) -> ReportTable:
    """Return table 2: what the best single model costs, and what its quality costs on the frontier."""
    unit = report.whole.frontier.unit
    columns = (
        *ROWS,
        ReportColumn("best_single", "best single model"),
        ReportColumn("best_single_cost", f"its cost, {unit} a prompt", CellKind.COST, bounds=True),
        ReportColumn("alpha_star", "alpha*", CellKind.NUMBER),
        ReportColumn("cost_at_alpha_star", f"cost at alpha*, {unit} a prompt", CellKind.COST, bounds=True),
        ReportColumn("saving", "saving, %", CellKind.SHARE, bounds=True),
    )

    def row(group: FrontierGroup) -> tuple[Value, ...]:
        found = group.frontier
        single, gains = found.singles[found.best_single], found.gains
        spent = gains.cost_for_quality.estimate
        few = (group_name(group), group.counted.prompts, single.model)
        return (*few, single.level_cost, gains.alpha_star, spent, gains.saving.estimate)

    title = "Table 2. Cost at the best single model's quality"
    if report.whole.frontier.points[-1].cost.value is None:
        return ReportTable("table-2", title, columns, (), ("Not there: no costs were recorded.",))
    notes = _reasons(report, lambda group: group.frontier.gains.saving.reason, "saving")
    if report.whole.frontier.cost_estimator:
        notes = (f"Costs by {report.settings.method}: {report.whole.frontier.cost_estimator}.", *notes)
    return ReportTable("table-2", title, columns, _rows(report, row), notes)


def reliability_table(report: FrontierReport) -> ReportTable:
    """Return table 3: each model's reliability as measured, its upward bias, and what remains."""
    unit = report.whole.frontier.unit
    columns = (
        ReportColumn("model", "model"),
        ReportColumn("prompts", "n", CellKind.COUNT),
        ReportColumn("measured", "measured (eq. 24)", CellKind.FIXED, bounds=True),
        ReportColumn("remaining", "what remains", CellKind.FIXED, bounds=True),
        ReportColumn("bias", "upward bias", CellKind.FIXED),
        ReportColumn("coin", "a fair coin measures", CellKind.FIXED),
        ReportColumn("quality", "quality, %", CellKind.SHARE),
        ReportColumn("cost", f"cost, {unit}", CellKind.COST),
    )
    title = "Table 3. Reliability by model"
    found = report.reliability
    if found is None:
        told = next((note for note in report.notes if "reliability" in note), "reliability was left out")
        return ReportTable("table-3", title, columns, (), (f"Not there: {told}.",))
    rows = tuple(
        (
            each.model,
            each.prompts,
            each.measured,
            each.remaining,
            each.bias,
            each.coin,
            each.quality,
            each.cost,
        )
        for each in found.models
    )
    notes = ["1: right on all generations of a prompt or on none; 0: right on half of them."]
    for of, pair in (
        ("what remains", (found.remaining_with_quality, found.remaining_with_cost)),
        ("measured", (found.with_quality, found.with_cost)),
    ):
        over = [
            f"{_correlated(each)} with {name}"
            for each, name in zip(pair, ("quality", "cost"), strict=True)
            if each is not None
        ]
        if over:
            notes.append(f"Over models, {of} correlates {'; '.join(over)}.")
    return ReportTable("table-3", title, columns, rows, tuple(notes))


def shots_table(report: FrontierReport, key: str, k: int) -> ReportTable:
    """Return table 4 or 5: the three ways to ask k times, against one answer of the best single model."""
    kind, unit = quality_kind(report), quality_unit(report)
    columns = (
        *ROWS,
        ReportColumn("best_single_quality", f"best single, one answer{unit}", kind, bounds=True),
        ReportColumn("per_prompt_best_k", f"per_prompt_best_k{unit}", kind, bounds=True),
        ReportColumn("per_prompt_best_k_recorded", f"recorded{unit}", kind, bounds=True),
        ReportColumn("all_models_k", f"all_models_k{unit}", kind, bounds=True),
        ReportColumn("all_models_k_debiased", f"debiased{unit}", kind, bounds=True),
        ReportColumn("all_models_error_reduction", "error reduction, %", CellKind.SHARE, bounds=True),
        ReportColumn("fixed_best_k", f"fixed_best_k{unit}", kind, bounds=True),
        ReportColumn("fixed_model", "of model"),
        ReportColumn("generations_paid", "generations paid", CellKind.COUNT),
    )

    def row(group: FrontierGroup) -> tuple[Value, ...] | None:
        shot = _at(group, k)
        if shot is None:
            return None
        best, every, fixed = shot.per_prompt_best, shot.all_models, shot.fixed_best
        single = group.frontier.singles[group.frontier.best_single].level
        return (
            group_name(group),
            group.counted.prompts,
            single,
            best.value,
            best.recorded,
            every.value,
            every.debiased,
            every.error_reduction,
            fixed.value,
            shot.fixed_model,
            every.answers.value,
        )

    notes = [
        "per_prompt_best_k (eq. 22): k answers of the model that is best on the prompt; all_models_k "
        "(eq. 23): k of every model, which is what is paid; fixed_best_k: pass@k of one model. A perfect, "
        "free judge picks.",
    ]
    shot = _at(report.whole, k)
    if shot is not None:
        notes.append(
            f"Shown: per_prompt_best_k {_spell_way(shot.per_prompt_best.told)}, all_models_k "
            f"{_spell_way(shot.all_models.told)}, fixed_best_k {_spell_way(shot.fixed_best.told)}."
        )
        if shot.short:
            notes.append(
                f"{shot.short:,} cells have fewer than {k} generations: all of theirs are used, no more."
            )
    if key == "table-5" and k == 1:
        notes.append("With one generation recorded, k = 1 is the most: this is table 4 again.")
    rows = tuple(found for found in map(row, groups(report)) if found is not None)
    number = key.rpartition("-")[2]
    return ReportTable(key, f"Table {number}. {k}-shot selection", columns, rows, tuple(notes))


def bias_table(report: FrontierReport) -> ReportTable:
    """Return table 6: what the naive oracle overstates, by the report's method and by the paper's own."""
    method = report.settings.method
    columns = (
        *ROWS,
        ReportColumn(
            "naive_quality", f"naive quality{quality_unit(report)}", quality_kind(report), bounds=True
        ),
        ReportColumn("quality_bias", f"bias by {method}, points", CellKind.POINTS, bounds=True),
        ReportColumn("quality_bias_equation_12", "bias by equation 12, points", CellKind.POINTS, bounds=True),
        ReportColumn("naive_cost", "naive cost", CellKind.COST, bounds=True),
        ReportColumn("cost_bias", f"cost bias by {method}, %", CellKind.POINTS, bounds=True),
        ReportColumn("cost_bias_equation_12", "cost bias by equation 12, %", CellKind.POINTS, bounds=True),
    )

    def row(group: FrontierGroup) -> tuple[Value, ...]:
        found, plain = group.frontier, group.frontier.naive[-1]
        paper = found.paper_bias
        return (
            group_name(group),
            group.counted.prompts,
            plain.quality,
            None if method == "naive" else found.bias.quality,
            None if paper is None else paper.quality,
            plain.cost,
            None if method == "naive" else found.bias.cost,
            None if paper is None else paper.cost,
        )

    notes = ["Bias: naive less debiased, at alpha = 1; of costs in per cent of the debiased."]
    if report.whole.frontier.paper_bias is None:
        generations = report.whole.counted.generations.most
        notes.append(f"Equation 12 has 5 parameters and is not fitted at G = {generations}.")
    if method == "naive":
        notes.append(
            "Naive is what the others are held against: its own bias does not show here, at G = 1 nowhere."
        )
    return ReportTable(
        "table-6", "Table 6. Naive against debiased", columns, _rows(report, row), tuple(notes)
    )


def _rows(
    report: FrontierReport, row: Callable[[FrontierGroup], tuple[Value, ...]]
) -> tuple[tuple[Value, ...], ...]:
    return tuple(row(group) for group in groups(report))


def _sizes(group: FrontierGroup) -> tuple[Value, ...]:
    counted = group.counted
    return (group_name(group), counted.prompts, counted.models, counted.generations.most, counted.missing)


def _at(group: FrontierGroup, k: int) -> KShot | None:
    return next((each for each in group.shots if each.k == k), None)


def _spell_way(way: str) -> str:
    return "debiased" if way == "debiased" else "as recorded"


def _reasons(
    report: FrontierReport, reason: Callable[[FrontierGroup], str | None], what: str
) -> tuple[str, ...]:
    found: dict[str, list[str]] = {}
    for group in groups(report):
        told = reason(group)
        if told is not None:
            found.setdefault(told, []).append(group_name(group))
    return tuple(f"No {what} of {', '.join(names)}: {told}." for told, names in found.items())


def _correlated(found: Correlation) -> str:
    if found.pearson is None or found.pearson_p is None:
        return f"in no way that {found.n} models could show"
    return f"r = {found.pearson:.2f} (p = {found.pearson_p:.2g}, {found.n} models)"
