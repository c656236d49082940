"""The other tables of a frontier's report: gains, models, methods, k-shot, decisions at new prices."""

from __future__ import annotations

from assay.report.frontier.beyond_tables import (
    carriers_table,
    cheapest_table,
    judges_table,
    sequential_table,
)
from assay.report.frontier.table import CellKind, ReportColumn, ReportTable, Value
from assay.report.frontier.tables import ROWS, group_name, groups, quality_kind, quality_unit
from assay.results.frontier_report import FrontierGains, Gain, Way
from assay.studies.frontier.report_result import FrontierReport

ROUNDING = 1e-9


def more_tables(report: FrontierReport) -> tuple[ReportTable, ...]:
    """Return the tables that the paper does not have, those that these data allow."""
    found = [gains_table(report), singles_table(report), methods_table(report), shots_by_k_table(report)]
    found += [carriers_table(report), cheapest_table(report)]
    if report.sequential is not None:
        found.append(sequential_table(report))
    if report.judged:
        found.append(judges_table(report))
    if report.settings.repriced and report.whole.frontier.old_decisions is not None:
        found.append(repriced_table(report))
    return tuple(found)


def gains_table(report: FrontierReport) -> ReportTable:
    """Return what the frontier gains over the best single model, each kind apart."""
    columns = (
        *ROWS,
        ReportColumn("error_reduction", "error reduction at any cost, %", CellKind.SHARE, bounds=True),
        ReportColumn(
            "matched_cost_error_reduction", "at the best single's cost, %", CellKind.SHARE, bounds=True
        ),
        ReportColumn("saving", "saving at its quality, %", CellKind.SHARE, bounds=True),
        ReportColumn("aiq", "AIQ of the frontier", CellKind.SHARE, bounds=True),
        ReportColumn("aiq_singles", "AIQ of single models", CellKind.SHARE, bounds=True),
        ReportColumn("height", "height above theirs, points", CellKind.SHARE, bounds=True),
        ReportColumn("same_best", "same best single, % of replicates", CellKind.SHARE),
    )
    rows = []
    told: dict[str, list[str]] = {}
    for group in groups(report):
        gains = group.frontier.gains
        named = _gains(gains)
        rows.append(
            (
                group_name(group),
                group.counted.prompts,
                *(each.estimate for each in named.values()),
                gains.same_best,
            )
        )
        for name, each in named.items():
            if each.reason is not None and name not in told.setdefault(each.reason, []):
                told[each.reason].append(name)
    notes = ["AIQ is the mean height of the upper hull of quality over its own range of costs, in per cent."]
    notes += [f"No {', '.join(names)} where {text}." for text, names in told.items()]
    return ReportTable(
        "gains", "What the frontier gains, each kind apart", columns, tuple(rows), tuple(notes)
    )


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
    """Return every model alone, the best first."""
    found = report.whole.frontier
    kind, unit = quality_kind(report), quality_unit(report)
    columns = (
        ReportColumn("model", "model"),
        ReportColumn("coverage", "of the prompts, %", CellKind.SHARE),
        ReportColumn("quality", f"quality{unit}", kind, bounds=True),
        ReportColumn("cost", f"cost, {found.unit} a prompt", CellKind.COST, bounds=True),
        ReportColumn("level", f"on all prompts{unit}", kind, bounds=True),
        ReportColumn("share_at_alpha_1", "chosen by the oracle, %", CellKind.SHARE),
        ReportColumn("latency_p95", "P95 latency, s", CellKind.NUMBER),
        ReportColumn("optimal", "on the models' Pareto front"),
    )
    order = sorted(
        range(len(found.singles)), key=lambda place: -(found.singles[place].level.value or float("-inf"))
    )
    rows = tuple(
        (
            each.model,
            each.coverage,
            each.quality,
            each.cost,
            each.level,
            float(found.share[-1, place]),
            each.latency_p95,
            "yes" if each.optimal else "no",
        )
        for place, each in ((place, found.singles[place]) for place in order)
    )
    notes = ["Chosen: the share of prompts on which the model is the oracle's choice at alpha = 1."]
    if any(single.coverage < 1.0 for single in found.singles):
        notes.append(
            "On all prompts: a fit by prompt and model fills the empty cells, so that models compare."
        )
    return ReportTable("models", "Single models", columns, rows, tuple(notes))


def methods_table(report: FrontierReport) -> ReportTable:
    """Return the oracle by several methods beside one another."""
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
            each.method,
            each.quality,
            each.lower,
            each.upper,
            each.gain,
            each.error_reduction,
            each.cost,
            each.cost_estimator,
        )
        for each in report.methods
    )
    shared = set(report.main.notes).intersection(*(each.notes for each in report.methods))
    notes = [
        f"{each.method}: {note}." for each in report.methods for note in each.notes if note not in shared
    ]
    return ReportTable("methods", "The oracle by several methods", columns, rows, tuple(notes))


def shots_by_k_table(report: FrontierReport) -> ReportTable:
    """Return the k-shot quantities at every k of the report, recorded and debiased."""
    kind, unit = quality_kind(report), quality_unit(report)
    names = {
        "per_prompt_best_k": "per_prompt_best_k",
        "all_models_k": "all_models_k",
        "fixed_best_k": "fixed_best_k",
    }
    columns = [ReportColumn("k", "k", CellKind.COUNT)]
    for key, title in names.items():
        columns += [
            ReportColumn(key, f"{title}{unit}", kind, bounds=True),
            ReportColumn(f"{key}_recorded", f"recorded{unit}", kind, bounds=True),
            ReportColumn(f"{key}_debiased", f"debiased{unit}", kind, bounds=True),
        ]
    columns += [
        ReportColumn("all_models_k_plug_in", f"all, eq. 23 with shares{unit}", kind),
        ReportColumn("all_models_generations", "all models pay, generations", CellKind.COUNT),
        ReportColumn("fixed_model", "fixed model"),
    ]

    def three(way: Way) -> tuple[Value, ...]:
        return way.value, way.recorded, way.debiased

    rows = tuple(
        (
            shot.k,
            *three(shot.per_prompt_best),
            *three(shot.all_models),
            *three(shot.fixed_best),
            shot.plug_in,
            shot.all_models.answers.value,
            shot.fixed_model,
        )
        for shot in report.whole.shots
    )
    notes = [
        "Recorded: closed forms of the recorded answers; per_prompt_best_k is then a maximum of noisy rates "
        "and biased upwards. Debiased: of the posterior. The first of each three is the one to read.",
    ]
    over = [
        shot.k
        for shot in report.whole.shots
        if (shot.per_prompt_best.value.value or 0.0) > (shot.all_models.value.value or 0.0) + ROUNDING
    ]
    if over:
        notes.append(
            f"At k = {', '.join(map(str, over))} the debiased per_prompt_best_k exceeds the recorded "
            "all_models_k, which of the truth it cannot: the one may be too generous to prompts that nobody "
            "solved, the other has the luck of these answers."
        )
    return ReportTable("k-shot", "k-shot selection for every k", tuple(columns), rows, tuple(notes))


def repriced_table(report: FrontierReport) -> ReportTable:
    """Return what decisions made at the recorded prices cost at the new ones, beside new decisions."""
    found = report.whole.frontier
    kind, unit = quality_kind(report), quality_unit(report)
    columns = (
        ReportColumn("alpha", "alpha", CellKind.NUMBER),
        ReportColumn("quality", f"quality{unit}", kind, bounds=True),
        ReportColumn("cost", f"cost, {found.unit} a prompt", CellKind.COST, bounds=True),
        ReportColumn("old_quality", f"decided at recorded prices{unit}", kind, bounds=True),
        ReportColumn("old_cost", f"its cost now, {found.unit}", CellKind.COST, bounds=True),
    )
    rows = tuple(
        (now.alpha, now.quality, now.cost, old.quality, old.cost)
        for now, old in zip(found.points, found.old_decisions or (), strict=True)
        if now.on_hull or now is found.points[-1]
    )
    return ReportTable(
        "prices", "Decisions at new prices", columns, rows, ("Corners of the frontier's hull.",)
    )
