"""A frontier's report in two sentences: what is reached, and what is saved."""

from __future__ import annotations

from assay.core.wording import counted
from assay.report.frontier.table import CellKind, cost_text, ends_text, value_text
from assay.report.frontier.tables import quality_kind
from assay.results.frontier import Estimate
from assay.results.frontier_report import FrontierReportResult
from assay.studies.frontier.report_result import FrontierReport

ROUNDING = 1e-6


def headline(report: FrontierReport) -> tuple[str, str]:
    """Return two sentences: best single, oracle, error reduction; then the saving at equal quality."""
    return _reached(report), _saved(report)


def cautions(report: FrontierReport) -> tuple[str, ...]:
    """Return what must stand beside the headline: a method given up, or one that contradicts the data."""
    if len(report.whole.frontier.models) == 1:
        return ()
    told = []
    if report.settings.method != report.settings.asked:
        told = [*report.notes[:1], *(note for note in report.notes[1:] if "may be luck" in note)]
    found, methods = report.main, {each.method: each for each in report.methods}
    naive = methods.get("naive")
    value = found.quality.value
    if value is not None and naive is not None and naive.quality.value is not None:
        over = value - naive.quality.value
        if over > ROUNDING:
            told.append(
                f"{found.method} lies {_apart(over)} above the naive oracle, which itself overstates in "
                "expectation: its model does not fit these data, and its figures are not to be relied on"
            )
    if value is not None and found.gain.value is not None and found.gain.value < -ROUNDING:
        told.append(
            f"{found.method} lies {_apart(-found.gain.value)} below the best single model, where no oracle "
            "can be: it fails here"
        )
    return tuple(told)


def _apart(distance: float) -> str:
    return f"{100.0 * distance:.2f} points"


def denominators(report: FrontierReport) -> str:
    """Return what the figures are of: prompts, models, generations, answers, missing cells."""
    found = report.whole.counted
    cells = found.generations
    least = "" if cells.least == cells.most else f"{cells.least} to "
    missing = f"{found.missing:,} of {found.cells:,} cells missing"
    generations = least + counted(cells.most, "generation")
    return (
        f"{found.prompts:,} prompts x {counted(found.models, 'model')} x {generations}: "
        f"{found.answers:,} answers, {missing}"
    )


def _reached(report: FrontierReport) -> str:
    found, kind = report.whole.frontier, quality_kind(report)
    single, top = found.singles[found.best_single], found.points[-1].quality
    unit = " %" if kind is CellKind.SHARE else ""
    alone = f"the best single model, {single.model}, reaches {_with_interval(single.level, kind, unit)}"
    if len(found.models) == 1:
        return (
            f"There is one model, {single.model}, and it reaches {_with_interval(single.level, kind, unit)}."
        )
    how = "naive and so biased upwards" if report.settings.method == "naive" else report.settings.method
    reached = f"the best model for every prompt would reach {_with_interval(top, kind, unit)} ({how})"
    gain = found.gains.error_reduction.estimate
    less = "" if gain.value is None else f", {_with_interval(gain, CellKind.SHARE, ' %')} fewer errors"
    return f"{alone[0].upper()}{alone[1:]}; {reached}{less}."


def _saved(report: FrontierReport) -> str:
    found = report.whole.frontier
    if len(found.models) == 1:
        return "Nothing can be chosen, so there is nothing to save."
    gains, unit = found.gains, found.unit
    if gains.saving.estimate.value is None:
        return f"No saving can be told: {gains.saving.reason}."
    spent, paid = gains.cost_for_quality.estimate.value, found.singles[found.best_single].level_cost.value
    assert spent is not None and paid is not None
    matched = gains.matched_cost.estimate
    also = (
        ""
        if matched.value is None
        else f", and its cost would buy {_with_interval(matched, CellKind.SHARE, ' %')} fewer errors"
    )
    return (
        f"Its quality would cost {cost_text(spent)} in place of {cost_text(paid)} {unit} a prompt, "
        f"{_with_interval(gains.saving.estimate, CellKind.SHARE, ' %')} less{also}."
    )


def _with_interval(found: Estimate, kind: CellKind, unit: str) -> str:
    ends = ends_text(found.over_prompts, kind)
    return f"{value_text(found, kind)}{unit}" + (f" ({ends})" if ends else "")


def published(report: FrontierReport) -> FrontierReportResult:
    """Return the report as it is published."""
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
