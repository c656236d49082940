"""The other tables of a frontier report: gains, models, methods, k-shot, decisions at new prices."""

from __future__ import annotations

from assay.report.frontier.beyond_tables import (
    carriers_table,
    judges_table,
    sequential_table,
    sets_table,
)
from assay.report.frontier.table import CellKind, ReportColumn, ReportTable, Value
from assay.report.frontier.tables import ROWS, group_name, groups, quality_kind, quality_unit
from assay.results.frontier_report import FrontierGains, Gain, Way
from assay.studies.frontier.report_result import FrontierReport

ROUNDING = 1e-9


def more_tables(report: FrontierReport) -> tuple[ReportTable, ...]:
    """Return the tables that the paper does not have, as far as these data allow them."""
    tables = [gains_table(report), singles_table(report), methods_table(report), shots_by_k_table(report)]
    kind, unit = quality_kind(report), report.whole.frontier.unit
    tables += [carriers_table(report.carriers, kind=kind), sets_table(report.cheapest, unit, kind=kind)]
    if report.sequential is not None:
        tables.append(sequential_table(report))
    if report.judged:
        tables.append(judges_table(report))
    if report.settings.repriced and report.whole.frontier.old_decisions is not None:
        tables.append(repriced_table(report))
    return tuple(tables)


def gains_table(report: FrontierReport) -> ReportTable:
    """Return the frontier's gains over the best single model, by kind."""
    columns = (
        *ROWS,
        ReportColumn("error_reduction", "error reduction at any cost, %", CellKind.SHARE, bounds=True),
        ReportColumn(
            "matched_cost_error_reduction", "at the best single's cost, %", CellKind.SHARE, bounds=True
        ),
        ReportColumn("saving", "saving at its quality, %", CellKind.SHARE, bounds=True),
        ReportColumn("aiq", "AIQ of the frontier", CellKind.SHARE, bounds=True),
        ReportColumn("aiq_singles", "AIQ of single models", CellKind.SHARE, bounds=True),
        ReportColumn("height", "height above them, points", CellKind.SHARE, bounds=True),
        ReportColumn("same_best", "same best single, % of replicates", CellKind.SHARE),
    )
    rows = []
    reasons: dict[str, list[str]] = {}
    for group in groups(report):
        gains = group.frontier.gains
        by_kind = _gains(gains)
        rows.append(
            (
                group_name(group),
                group.counted.prompts,
                *(gain.estimate for gain in by_kind.values()),
                gains.same_best,
            )
        )
        for name, gain in by_kind.items():
            if gain.reason is not None and name not in reasons.setdefault(gain.reason, []):
                reasons[gain.reason].append(name)
    notes = ["AIQ is the mean height of the upper hull of quality over its own range of costs, in per cent."]
    notes += [f"No {', '.join(names)}, because {text}." for text, names in reasons.items()]
    return ReportTable("gains", "Gains of the frontier, by kind", columns, tuple(rows), tuple(notes))


def _gains(gains: FrontierGains) -> dict[str, Gain]:
    return {
        "error reduction": gains.error_reduction,
        "matched cost": gains.matched_cost,
        "saving": gains.saving,
        "AIQ": gains.aiq,
        "AIQ of singles": gains.aiq_singles,
        "height": gains.height,
    }


def singles_table(report: FrontierReport) -> ReportTable:
    """Return each single model, the best first."""
    frontier = report.whole.frontier
    kind, unit = quality_kind(report), quality_unit(report)
    columns = (
        ReportColumn("model", "model"),
        ReportColumn("coverage", "prompts covered, %", CellKind.SHARE),
        ReportColumn("quality", f"quality{unit}", kind, bounds=True),
        ReportColumn("cost", f"cost, {frontier.unit} a prompt", CellKind.COST, bounds=True),
        ReportColumn("level", f"on all prompts{unit}", kind, bounds=True),
        ReportColumn("share_at_alpha_1", "chosen by the oracle, %", CellKind.SHARE),
        ReportColumn("latency_p95", "P95 latency, s", CellKind.NUMBER),
        ReportColumn("optimal", "on the models' Pareto front"),
    )
    order = sorted(
        range(len(frontier.singles)),
        key=lambda place: -(frontier.singles[place].level.value or float("-inf")),
    )
    rows = tuple(
        (
            single.model,
            single.coverage,
            single.quality,
            single.cost,
            single.level,
            float(frontier.share[-1, place]),
            single.latency_p95,
            "yes" if single.optimal else "no",
        )
        for place, single in ((place, frontier.singles[place]) for place in order)
    )
    notes = ["Chosen: share of the prompts on which the oracle chooses the model at alpha = 1."]
    if any(single.coverage < 1.0 for single in frontier.singles):
        notes.append(
            "On all prompts: a fit by prompt and model fills the empty cells, so that models can be compared."
        )
    return ReportTable("models", "Single models", columns, rows, tuple(notes))


def methods_table(report: FrontierReport) -> ReportTable:
    """Return the oracle by several methods."""
    kind, unit = quality_kind(report), quality_unit(report)
    costs = report.whole.frontier.unit
    columns = (
        ReportColumn("method", "method"),
        ReportColumn("quality", f"oracle{unit}", kind, bounds=True),
        ReportColumn("lower", f"lower end{unit}", kind, bounds=True),
        ReportColumn("upper", f"upper end{unit}", kind, bounds=True),
        ReportColumn("gain", f"gain over the best single{unit}", kind, bounds=True),
        ReportColumn("error_reduction", "error reduction, %", CellKind.SHARE, bounds=True),
        ReportColumn("cost", f"cost, {costs} a prompt", CellKind.COST, bounds=True),
        ReportColumn("cost_estimator", "how its cost is estimated"),
    )
    rows = tuple(
        (
            method.method,
            method.quality,
            method.lower,
            method.upper,
            method.gain,
            method.error_reduction,
            method.cost,
            method.cost_estimator,
        )
        for method in report.methods
    )
    shared = set(report.main.notes).intersection(*(method.notes for method in report.methods))
    notes = [
        f"{method.method}: {note}."
        for method in report.methods
        for note in method.notes
        if note not in shared
    ]
    return ReportTable("methods", "The oracle by several methods", columns, rows, tuple(notes))


def shots_by_k_table(report: FrontierReport) -> ReportTable:
    """Return the k-shot quantities at every k of the report, recorded and debiased."""
    kind, unit = quality_kind(report), quality_unit(report)
    columns = [ReportColumn("k", "k", CellKind.COUNT)]
    for key in ("per_prompt_best_k", "all_models_k", "fixed_best_k"):
        columns += [
            ReportColumn(key, f"{key}{unit}", kind, bounds=True),
            ReportColumn(f"{key}_recorded", f"recorded{unit}", kind, bounds=True),
            ReportColumn(f"{key}_debiased", f"debiased{unit}", kind, bounds=True),
        ]
    columns += [
        ReportColumn("all_models_k_plug_in", f"all models, eq. 23 with observed shares{unit}", kind),
        ReportColumn("all_models_generations", "generations paid for all models", CellKind.COUNT),
        ReportColumn("fixed_model", "fixed model"),
    ]

    def estimates_of(way: Way) -> tuple[Value, ...]:
        return way.value, way.recorded, way.debiased

    rows = tuple(
        (
            shot.k,
            *estimates_of(shot.per_prompt_best),
            *estimates_of(shot.all_models),
            *estimates_of(shot.fixed_best),
            shot.plug_in,
            shot.all_models.answers.value,
            shot.fixed_model,
        )
        for shot in report.whole.shots
    )
    notes = [
        "Recorded: closed forms on the recorded answers; per_prompt_best_k is then a maximum of noisy rates "
        "and biased upwards. Debiased: from the posterior. Use the first of each three columns.",
    ]
    over = [
        shot.k
        for shot in report.whole.shots
        if (shot.per_prompt_best.value.value or 0.0) > (shot.all_models.value.value or 0.0) + ROUNDING
    ]
    if over:
        notes.append(
            f"At k = {', '.join(map(str, over))} the debiased per_prompt_best_k exceeds the recorded "
            "all_models_k, although the true value cannot: the former may be too high on prompts that no "
            "model solved, and the latter contains the luck of these answers."
        )
    return ReportTable("k-shot", "k-shot selection for every k", tuple(columns), rows, tuple(notes))


def repriced_table(report: FrontierReport) -> ReportTable:
    """Return new decisions at the new prices, and decisions at the recorded prices at their new cost."""
    frontier = report.whole.frontier
    kind, unit = quality_kind(report), quality_unit(report)
    columns = (
        ReportColumn("alpha", "alpha", CellKind.NUMBER),
        ReportColumn("quality", f"quality{unit}", kind, bounds=True),
        ReportColumn("cost", f"cost, {frontier.unit} a prompt", CellKind.COST, bounds=True),
        ReportColumn("old_quality", f"quality decided at recorded prices{unit}", kind, bounds=True),
        ReportColumn("old_cost", f"its cost at new prices, {frontier.unit}", CellKind.COST, bounds=True),
    )
    rows = tuple(
        (now.alpha, now.quality, now.cost, old.quality, old.cost)
        for now, old in zip(frontier.points, frontier.old_decisions or (), strict=True)
        if now.on_hull or now is frontier.points[-1]
    )
    return ReportTable(
        "prices",
        "Decisions at new prices",
        columns,
        rows,
        ("Only the corners of the frontier's hull are shown.",),
    )
