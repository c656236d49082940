"""Tables 1 to 6 of a frontier report, as in the paper: one row for all prompts and one per category."""

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
    """Return tables 1 to 6; table 2 has no rows without costs, and table 3 none without 0/1 quality."""
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
    """Return the groups that have a row: all prompts, then each category."""
    return (report.whole, *report.groups)


def group_name(group: FrontierGroup) -> str:
    """Return the name of a row."""
    return WHOLE if group.name is None else group.name


def quality_kind(report: FrontierReport) -> CellKind:
    """Return the format of qualities: per cent if all are 0-1."""
    curve = report.main.curve
    return CellKind.SHARE if float(curve.min()) >= 0.0 and float(curve.max()) <= 1.0 else CellKind.NUMBER


def quality_unit(report: FrontierReport) -> str:
    """Return the unit of qualities as the end of a title."""
    return ", %" if quality_kind(report) is CellKind.SHARE else ""


def quality_table(report: FrontierReport) -> ReportTable:
    """Return table 1: the best single model, the oracle at alpha = 1, and the error reduction."""
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
        frontier = group.frontier
        single = frontier.singles[frontier.best_single]
        top = frontier.points[-1].quality
        return (*_sizes(group), single.model, single.level, top, frontier.gains.error_reduction.estimate)

    notes = _reasons(report, lambda group: group.frontier.gains.error_reduction.reason, "error reduction")
    return ReportTable(
        "table-1", f"Table 1. Quality, by {report.settings.method}", columns, _rows(report, row), notes
    )


def cost_table(report: FrontierReport) -> ReportTable:
    """Return table 2: the cost of the best single model, and of its quality on the frontier."""
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
        frontier = group.frontier
        single, gains = frontier.singles[frontier.best_single], frontier.gains
        spent = gains.cost_for_quality.estimate
        names = (group_name(group), group.counted.prompts, single.model)
        return (*names, single.level_cost, gains.alpha_star, spent, gains.saving.estimate)

    title = "Table 2. Cost at the best single model's quality"
    if report.whole.frontier.points[-1].cost.value is None:
        return ReportTable("table-2", title, columns, (), ("Not available: no costs were recorded.",))
    notes = _reasons(report, lambda group: group.frontier.gains.saving.reason, "saving")
    if report.whole.frontier.cost_estimator:
        notes = (f"Costs by {report.settings.method}: {report.whole.frontier.cost_estimator}.", *notes)
    return ReportTable("table-2", title, columns, _rows(report, row), notes)


def reliability_table(report: FrontierReport) -> ReportTable:
    """Return table 3: each model's measured reliability, its upward bias, and the debiased reliability."""
    unit = report.whole.frontier.unit
    columns = (
        ReportColumn("model", "model"),
        ReportColumn("prompts", "n", CellKind.COUNT),
        ReportColumn("measured", "measured (eq. 24)", CellKind.FIXED, bounds=True),
        ReportColumn("remaining", "debiased", CellKind.FIXED, bounds=True),
        ReportColumn("bias", "upward bias", CellKind.FIXED),
        ReportColumn("coin", "measured for a fair coin", CellKind.FIXED),
        ReportColumn("quality", "quality, %", CellKind.SHARE),
        ReportColumn("cost", f"cost, {unit}", CellKind.COST),
    )
    title = "Table 3. Reliability by model"
    reliability = report.reliability
    if reliability is None:
        reason = next((note for note in report.notes if "reliability" in note), "reliability was left out")
        return ReportTable("table-3", title, columns, (), (f"Not available: {reason}.",))
    rows = tuple(
        (
            model.model,
            model.prompts,
            model.measured,
            model.remaining,
            model.bias,
            model.coin,
            model.quality,
            model.cost,
        )
        for model in reliability.models
    )
    notes = ["1: a model is right on all generations of a prompt or on none; 0: on half of them."]
    for kind, pair in (
        ("debiased", (reliability.remaining_with_quality, reliability.remaining_with_cost)),
        ("measured", (reliability.with_quality, reliability.with_cost)),
    ):
        correlations = [
            f"{_correlated(correlation)} with {name}"
            for correlation, name in zip(pair, ("quality", "cost"), strict=True)
            if correlation is not None
        ]
        if correlations:
            notes.append(f"Correlation of {kind} reliability over models: {'; '.join(correlations)}.")
    return ReportTable("table-3", title, columns, rows, tuple(notes))


def shots_table(report: FrontierReport, key: str, k: int) -> ReportTable:
    """Return table 4 or 5: three ways to ask k times, compared with one answer of the best single model."""
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
        ReportColumn("fixed_model", "fixed model"),
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
        "per_prompt_best_k (eq. 22): k answers of the model that is best on the prompt. all_models_k "
        "(eq. 23): k answers of every model; these are the generations paid. fixed_best_k: pass@k of one "
        "model. A perfect, free judge picks the answer.",
    ]
    shot = _at(report.whole, k)
    if shot is not None:
        notes.append(
            f"Shown: per_prompt_best_k {_spell_way(shot.per_prompt_best.shown)}, all_models_k "
            f"{_spell_way(shot.all_models.shown)}, fixed_best_k {_spell_way(shot.fixed_best.shown)}."
        )
        if shot.short:
            notes.append(
                f"{shot.short:,} cells have fewer than {k} generations; all of their generations are used."
            )
    if key == "table-5" and k == 1:
        notes.append("Only one generation is recorded, so k is at most 1: this table is the same as table 4.")
    rows = tuple(cells for cells in map(row, groups(report)) if cells is not None)
    number = key.rpartition("-")[2]
    return ReportTable(key, f"Table {number}. {k}-shot selection", columns, rows, tuple(notes))


def bias_table(report: FrontierReport) -> ReportTable:
    """Return table 6: the bias of the naive oracle, by the report's method and by the paper's own."""
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
        frontier, naive = group.frontier, group.frontier.naive[-1]
        paper = frontier.paper_bias
        return (
            group_name(group),
            group.counted.prompts,
            naive.quality,
            None if method == "naive" else frontier.bias.quality,
            None if paper is None else paper.quality,
            naive.cost,
            None if method == "naive" else frontier.bias.cost,
            None if paper is None else paper.cost,
        )

    notes = ["Bias: naive minus debiased value at alpha = 1; for costs in per cent of the debiased cost."]
    if report.whole.frontier.paper_bias is None:
        generations = report.whole.counted.generations.most
        notes.append(f"Equation 12 has 5 parameters and cannot be fitted with G = {generations}.")
    if method == "naive":
        notes.append(
            "The method is naive, so its own bias does not appear here. At G = 1 it cannot be measured at "
            "all."
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
    return next((shot for shot in group.shots if shot.k == k), None)


def _spell_way(way: str) -> str:
    return "debiased" if way == "debiased" else "as recorded"


def _reasons(
    report: FrontierReport, reason: Callable[[FrontierGroup], str | None], what: str
) -> tuple[str, ...]:
    names_by_reason: dict[str, list[str]] = {}
    for group in groups(report):
        text = reason(group)
        if text is not None:
            names_by_reason.setdefault(text, []).append(group_name(group))
    return tuple(f"No {what} for {', '.join(names)}: {text}." for text, names in names_by_reason.items())


def _correlated(correlation: Correlation) -> str:
    if correlation.pearson is None or correlation.pearson_p is None:
        return f"unknown from {correlation.n} models"
    return f"r = {correlation.pearson:.2f} (p = {correlation.pearson_p:.2g}, {correlation.n} models)"
