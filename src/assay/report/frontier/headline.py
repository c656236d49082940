"""The headline of a frontier report: two sentences on the quality reached and the cost saved."""

from __future__ import annotations

from assay.core.wording import counted
from assay.report.frontier.table import CellKind, cost_text, ends_text, value_text
from assay.report.frontier.tables import quality_kind
from assay.results.frontier import Estimate
from assay.results.frontier_report import FrontierReportResult
from assay.results.note import NoteKind, of_kind
from assay.studies.frontier.report_result import FrontierReport

ROUNDING = 1e-6


def headline(report: FrontierReport) -> tuple[str, str]:
    """Return two sentences: best single model, oracle and error reduction; the saving at equal quality."""
    return _reached(report), _saved(report)


def cautions(report: FrontierReport) -> tuple[str, ...]:
    """Return warnings for the headline: another method was used, or the method contradicts the data."""
    if len(report.whole.frontier.models) == 1:
        return ()
    warnings = []
    if report.settings.method != report.settings.asked:
        warnings = [*of_kind(report.notes, NoteKind.OTHER_METHOD, NoteKind.LUCK)]
    main, methods = report.main, {estimate.method: estimate for estimate in report.methods}
    naive = methods.get("naive")
    value = main.quality.value
    if value is not None and naive is not None and naive.quality.value is not None:
        excess = value - naive.quality.value
        if excess > ROUNDING:
            warnings.append(
                f"{main.method} is {_points(excess)} above the naive oracle, which is itself too high on "
                "average: its model does not fit these data, so do not rely on its figures"
            )
    if value is not None and main.gain.value is not None and main.gain.value < -ROUNDING:
        warnings.append(
            f"{main.method} is {_points(-main.gain.value)} below the best single model, which is impossible "
            "for an oracle: the method fails on these data"
        )
    return tuple(warnings)


def _points(distance: float) -> str:
    return f"{100.0 * distance:.2f} points"


def denominators(report: FrontierReport) -> str:
    """Return the denominators: prompts, models, generations, answers and missing cells."""
    size = report.whole.counted
    cells = size.generations
    least = "" if cells.least == cells.most else f"{cells.least} to "
    missing = f"{size.missing:,} of {size.cells:,} cells missing"
    generations = least + counted(cells.most, "generation")
    return (
        f"{size.prompts:,} prompts x {counted(size.models, 'model')} x {generations}: "
        f"{size.answers:,} answers, {missing}"
    )


def _reached(report: FrontierReport) -> str:
    frontier, kind = report.whole.frontier, quality_kind(report)
    single, top = frontier.singles[frontier.best_single], frontier.points[-1].quality
    unit = " %" if kind is CellKind.SHARE else ""
    alone = f"the best single model, {single.model}, reaches {_with_interval(single.level, kind, unit)}"
    if len(frontier.models) == 1:
        return (
            f"There is one model, {single.model}, and it reaches {_with_interval(single.level, kind, unit)}."
        )
    how = "naive and so biased upwards" if report.settings.method == "naive" else report.settings.method
    reached = f"the best model for every prompt would reach {_with_interval(top, kind, unit)} ({how})"
    gain = frontier.gains.error_reduction.estimate
    less = "" if gain.value is None else f", {_with_interval(gain, CellKind.SHARE, ' %')} fewer errors"
    return f"{alone[0].upper()}{alone[1:]}; {reached}{less}."


def _saved(report: FrontierReport) -> str:
    frontier = report.whole.frontier
    if len(frontier.models) == 1:
        return "There is no choice among models, so there is no saving."
    gains, unit = frontier.gains, frontier.unit
    if gains.saving.estimate.value is None:
        return f"The saving is unknown: {gains.saving.reason}."
    spent, paid = (
        gains.cost_for_quality.estimate.value,
        frontier.singles[frontier.best_single].level_cost.value,
    )
    assert spent is not None and paid is not None
    matched = gains.matched_cost.estimate
    bought = (
        ""
        if matched.value is None
        else f"; at its cost there would be {_with_interval(matched, CellKind.SHARE, ' %')} fewer errors"
    )
    return (
        f"The same quality would cost {cost_text(spent)} instead of {cost_text(paid)} {unit} a prompt, "
        f"{_with_interval(gains.saving.estimate, CellKind.SHARE, ' %')} less{bought}."
    )


def _with_interval(estimate: Estimate, kind: CellKind, unit: str) -> str:
    ends = ends_text(estimate.over_prompts, kind)
    return f"{value_text(estimate, kind)}{unit}" + (f" ({ends})" if ends else "")


def published(report: FrontierReport) -> FrontierReportResult:
    """Return the published result of a report."""
    return FrontierReportResult(
        source=report.read.summary,
        settings=report.settings,
        headline=headline(report),
        whole=report.whole,
        groups=report.groups,
        few=report.few,
        methods=report.methods,
        decay=report.decay,
        reliability=report.reliability,
        carriers=report.carriers,
        cheapest=report.cheapest,
        sequential=report.sequential,
        judged=report.judged,
        break_even=None if report.break_even is None else report.break_even.error,
        uplift=report.uplift,
        notes=report.notes,
        caveats=report.caveats,
    )
