"""Printing verdicts: models of a day, the days of a model, and one day with its evidence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

import typer
from rich.text import Text

from assay.cli.output import OutputFormat, console, notes, print_help_hint, print_listed, print_rows
from assay.core.verdict import ModelState, StateReason, UseCaseState, VerdictMark
from assay.core.wording import counted
from assay.results.runs import StatusCounts
from assay.results.table import Column, Table, legend_of
from assay.results.watch import (
    BaselineComparison,
    DayReport,
    ModelVerdict,
    SequentialState,
    UseCaseVerdict,
    WatchDay,
)
from assay.runs.watch.measured import explain_measured
from assay.watch.wording import describe_change

COLOURS = {
    "OK": "green",
    "SUSPICIOUS": "yellow",
    "COOKED": "bold red",
    "CALIBRATING": "cyan",
    "GAP": "dim",
}
SIMULATED = "These results are simulated: no real model was measured."


def coloured(state: ModelState | UseCaseState) -> Text:
    """Return a state's name in its colour."""
    name = state.name
    return Text(name, style=COLOURS[name])


def state_of(verdict: ModelVerdict) -> Text:
    """Return a model's state in its colour, and in how many use cases it was only carried over."""
    state = coloured(verdict.state)
    if not verdict.held:
        return state
    judged = [use_case for use_case in verdict.use_cases if use_case.state > UseCaseState.CALIBRATING]
    part = "" if len(verdict.held) >= len(judged) else f" in {len(verdict.held)} of {len(judged)} use cases"
    return Text.assemble(state, (f", {VerdictMark.CARRIED_OVER}{part}", "dim"))


def print_watch_day(ended: WatchDay, output: OutputFormat) -> None:
    """Print the verdicts of a watched day, its top-ups and its notifications."""
    print_listed(MODELS, ended.verdicts, output, result=ended, text=lambda: _print_watch_day(ended))


def _print_watch_day(ended: WatchDay) -> None:
    if ended.verdicts:
        print_models(ended.verdicts, title=f"Verdicts on {ended.day}")
    if ended.topped:
        pairs = ", ".join(f"{use_case} of {model}" for model, use_case in ended.topped)
        notes().print(f"topped up before judging: {pairs}")
    for delivery in ended.deliveries:
        outcome = f"failed: {delivery.error}" if delivery.error else delivery.status.value
        notes().print(f"webhook {delivery.hook}: {outcome} ({delivery.event})")
    if ended.simulated:
        console().print(SIMULATED)


def explain_spending(ended: WatchDay) -> str:
    """Return the cost of the day's runs and calibrations as text, in total and by part."""
    total = ended.spent.total
    if not total.calls:
        return str(total)
    parts = ", ".join(f"{part.name} {part.spend} ({part.spend.calls})" for part in ended.spent.parts)
    spent = "" if total.unknown == total.calls else " spent"
    return f"{total}{spent} on {ended.day} in {counted(total.calls, 'call')}: {parts}"


def print_measured(ended: WatchDay) -> None:
    """Print on stderr which models were already measured that day; if all were, print the next commands."""
    if ended.measured:
        notes().print(explain_measured(ended.measured, ended.day))
    if ended.asked:
        return
    suite = f" --suite {ended.verdicts[0].suite}" if ended.verdicts else ""
    notes().print(f"nothing was sent; show the evidence: assay verdict{suite} --day {ended.day}")
    notes().print("measure the day again, and pool the samples: assay watch --again")
    if ended.outcome.counts.error:
        errors = counted(ended.outcome.counts.error, "sample")
        run = ended.outcome.run
        notes().print(f"{errors} of run {run} ended in an error; try again with: assay resume {run}")


def print_models(verdicts: Sequence[ModelVerdict], *, title: str) -> None:
    """Print one line for each model with its state and denominators; then remarks on falls and changes."""
    print_rows(MODELS, verdicts, title)
    for verdict in verdicts:
        remarks = _remarks_on(verdict, verdict.reason)
        if remarks:
            typer.echo(f"{verdict.model}: {'; '.join(remarks)}")
    _print_help_hint(name for verdict in verdicts for name in (verdict.state, verdict.reason_kind))


def _remarks_on(verdict: ModelVerdict, reason: str | None) -> list[str]:
    return [*_fallen(verdict), *([reason] if reason else []), *routed(verdict), *changed(verdict)]


def _fallen(verdict: ModelVerdict) -> list[str]:
    """Return which use cases are cooked and which suspicious, in words."""
    parts = (("cooked", verdict.cooked), ("suspicious", verdict.suspicious))
    return [f"{', '.join(names)} {state}" for state, names in parts if names]


def _denominators(verdict: ModelVerdict) -> str:
    """Return the counts of judged samples; for a day that is left out, the attempted samples and errors."""
    counts = verdict.counts
    if not counts.n and verdict.attempted:
        return f"{verdict.attempted} (-/-/{verdict.errored}/-)"
    return str(counts)


def print_history(reports: Sequence[DayReport]) -> None:
    """Print one line for each day, in a table for each model."""
    for place, (model, days) in enumerate(groupby(reports, key=lambda report: report.verdict.model)):
        if place:
            typer.echo("")
        print_rows(DAYS, days, f"{model}, day by day")
    typer.echo("sequential = evidence of the sequential test, as a share of what raises its alarm")


def _note(report: DayReport) -> str:
    """Return remarks on a day: falls, changes and the state's reason, unless the state says it already."""
    verdict = report.verdict
    reason = None if verdict.state is ModelState.CALIBRATING else verdict.reason
    return "; ".join([*_remarks_on(verdict, reason), *recorded(report)])


def routed(verdict: ModelVerdict) -> list[str]:
    """Return a sentence on answers from another provider than the pin; empty if there are no such answers."""
    count = verdict.routing_changed
    if not count:
        return []
    answers = counted(count, "answer")
    return [f"{VerdictMark.ROUTING_CHANGED}: {answers} came from another provider than the pin: left out"]


def _level(report: DayReport) -> str:
    test = report.sequential
    return VerdictMark.ALARM if test.alarm else f"{100 * min(test.level, 9.99):.0f} %"


def print_evidence(report: DayReport) -> None:
    """Print one model's day: every use case with its figures, then the evidence beside the seed's verdict."""
    verdict = report.verdict
    title = f"{verdict.model}  {verdict.day}  {verdict.suite} {verdict.version}  "
    console().print(Text.assemble(title, state_of(verdict)), soft_wrap=True)
    if verdict.reason:
        typer.echo(verdict.reason)
    for line in (*changed(verdict), *recorded(report)):
        typer.echo(line)
    typer.echo("")
    print_rows(USE_CASES, verdict.use_cases)
    typer.echo("")
    for line in (*_remarks(verdict.use_cases), *beside(report)):
        typer.echo(line)
    if report.simulated:
        typer.echo(SIMULATED)
    alarm = report.sequential.alarm or report.fleet.alarm
    _print_help_hint(
        (
            verdict.state,
            verdict.reason_kind,
            *(use_case.reason_kind for use_case in verdict.use_cases),
            VerdictMark.ALARM if alarm else None,
            VerdictMark.DOWN if verdict.down else None,
        )
    )


def _print_help_hint(names: Iterable[ModelState | StateReason | VerdictMark | None]) -> None:
    """Print the commands that explain a verdict's names, apart from OK."""
    print_help_hint(name for name in names if name not in (None, ModelState.OK))


def _state(use_case: UseCaseVerdict) -> Text:
    carried_over = f", {VerdictMark.CARRIED_OVER}" if use_case.held else ""
    return Text.assemble(coloured(use_case.state), (carried_over, "dim"))


def _interval(use_case: UseCaseVerdict) -> str:
    interval = use_case.interval
    return "-" if interval is None else f"{interval.low:.0f}-{interval.high:.0f}"


def _baseline(use_case: UseCaseVerdict) -> str:
    baseline = use_case.baseline
    shown = "-" if baseline is None else f"{baseline.mean:.1f}±{baseline.spread:.1f}"
    return f"{shown}/{use_case.days_used}"


def _z(use_case: UseCaseVerdict) -> str:
    baseline = use_case.baseline
    return "-" if baseline is None or baseline.z is None else f"{baseline.z:+.1f}"


def _drop(use_case: UseCaseVerdict) -> str:
    baseline = use_case.baseline
    return "-" if baseline is None or baseline.drop is None else f"{baseline.drop:+.0%}"


def _remarks(use_cases: Sequence[UseCaseVerdict]) -> list[str]:
    """Return remarks below the table: reasons with their use cases, differing cases, and changed scores."""
    reasons: dict[str, list[str]] = {}
    for use_case in use_cases:
        if use_case.reason:
            reasons.setdefault(use_case.reason, []).append(use_case.use_case)
    lines = [f"{', '.join(names)}: {reason}" for reason, names in reasons.items()]
    for use_case in use_cases:
        name = use_case.use_case
        if use_case.missing:
            lines.append(f"{name}, in the baseline but without a score today: {_some(use_case.missing)}")
        if use_case.new:
            lines.append(f"{name}, scored today but not in the baseline: {_some(use_case.new)}")
    for use_case in use_cases:
        flips = [f"{flip.case} {100 * flip.before:.0f} to {100 * flip.after:.0f}" for flip in use_case.flips]
        if flips:
            lines.append(f"{use_case.use_case}, changed since the day before: {_some(flips)}")
    return lines


def _some(cases: Sequence[str]) -> str:
    """Return the first three cases and the number of further ones."""
    further = [f"{len(cases) - 3} more"] if len(cases) > 3 else []
    return ", ".join([*cases[:3], *further])


def changed(verdict: ModelVerdict) -> list[str]:
    """Return a sentence for each condition that changed since the days of the baseline."""
    return [describe_change(change) for change in verdict.conditions_changed]


def recorded(report: DayReport) -> list[str]:
    """Return a sentence on the verdict as it was issued, if the day is judged differently now."""
    record = report.issued
    return [record.explanation] if record is not None and record.differs else []


def beside(report: DayReport) -> list[str]:
    """Return the evidence beside the seed's verdict, one line for each kind."""
    verdict, test = report.verdict, report.sequential
    lines = []
    paired, fall = verdict.paired, verdict.provider_fall
    if paired is not None:
        lines.append(
            f"paired test over {paired.cases} cases: mean change {paired.difference:+.1f} points, "
            f"p = {paired.p:.3g} (smallest possible {paired.least_p:.2g})"
        )
    lines += _sequential(test)
    lines.append(f"fleet-adjusted: {report.fleet.explanation}")
    low = [use_case.use_case for use_case in verdict.use_cases if use_case.golden_state in _BAD]
    if low:
        lines.append(f"below the golden baseline (first full window) in {', '.join(low)}")
    if verdict.down:
        lines.append(
            f"{VerdictMark.DOWN}: scores have not returned to the baseline band from before a COOKED fall"
        )
    lines += routed(verdict)
    if fall is not None:
        lines.append(
            f"{fall.provider}: {len(fall.fell)} of {fall.at_risk} models {VerdictMark.PROVIDER_FALL} "
            f"(chance if independent: {fall.chance:.2g})"
        )
    return lines


def _sequential(test: SequentialState) -> list[str]:
    if test.days < test.least_days:
        return [f"sequential test: calibrating, {test.days} of {test.least_days} scored days"]
    alarm = f"{VerdictMark.ALARM}, first day of the fall about {test.since}" if test.alarm else "no alarm"
    share = f"{100 * min(test.level, 9.99):.2g} %"
    return [
        f"sequential test: {alarm}; after {test.days} scored days the evidence is {share} of what raises an "
        "alarm",
        f"false alarm rate: {test.promise.explanation}",
    ]


_BAD = (UseCaseState.SUSPICIOUS, UseCaseState.COOKED)

MODELS = Table(
    ModelVerdict,
    (
        "model",
        Column("state", state_of),
        Column("cooked", lambda verdict: len(verdict.cooked), right=True),
        Column("suspicious", lambda verdict: len(verdict.suspicious), right=True),
        Column("n (ok/inv/err/ungr)", _denominators, legend=legend_of(StatusCounts, "n")),
    ),
)
DAYS = Table(
    DayReport,
    (
        "day",
        Column("state", lambda report: state_of(report.verdict)),
        Column("sequential", _level, right=True),
        Column("note", _note),
    ),
)
USE_CASES = Table(
    UseCaseVerdict,
    (
        "use_case",
        Column("state", _state),
        "score",
        Column("95 %", _interval, right=True),
        Column("baseline/days", _baseline, right=True),
        Column("z", _z, right=True, legend=legend_of(BaselineComparison, "z")),
        Column("drop", _drop, right=True),
        "cases",
        Column("n", lambda use_case: use_case.counts.n, right=True, legend=legend_of(StatusCounts, "n")),
    ),
)
