"""Verdicts as tables and as JSON documents."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

import typer
from rich.text import Text

from assay.cli.outcome import outcome_document
from assay.cli.output import console, counted, notes, print_table
from assay.core.money import Spend
from assay.core.verdict import ModelState, UseCaseState
from assay.runs.daily import WatchDay
from assay.runs.measured import explain_measured
from assay.runs.verdicts import DayReport, SequentialState, Snapshots
from assay.watch.evidence import ModelVerdict, UseCaseVerdict, plain
from assay.watch.wording import describe_change

COLOURS = {
    "OK": "green",
    "SUSPICIOUS": "yellow",
    "COOKED": "bold red",
    "CALIBRATING": "cyan",
    "GAP": "dim",
}
SIMULATED = "Everything here is simulated: no real model was measured."


def coloured(state: ModelState | UseCaseState) -> Text:
    """Return a state's name in its colour."""
    name = state.name
    return Text(name, style=COLOURS[name])


def state_of(verdict: ModelVerdict) -> Text:
    """Return a model's state in its colour, with the use cases of which it was only carried over."""
    state = coloured(verdict.state)
    if not verdict.held:
        return state
    judged = [each for each in verdict.use_cases if each.state > UseCaseState.CALIBRATING]
    part = "" if len(verdict.held) >= len(judged) else f" in {len(verdict.held)} of {len(judged)} use cases"
    return Text.assemble(state, (f", carried over{part}", "dim"))


def report_document(report: DayReport) -> dict[str, Any]:
    """Return a day's report on a model as a JSON document."""
    return {
        **plain(report.verdict),
        **beside_document(report),
        "issued": plain(report.issued),
        "simulated": report.simulated,
    }


def beside_document(report: DayReport) -> dict[str, Any]:
    """Return the tests that stand beside a day's verdict as JSON documents."""
    return {"sequential": plain(report.sequential), "fleet": plain(report.fleet)}


def snapshots_document(found: Snapshots) -> dict[str, Any]:
    """Return a history of a few snapshots as a JSON document, with the command that compares them."""
    return {
        "model": found.model,
        "days": [
            {"day": day.isoformat(), "run": run} for day, run in zip(found.days, found.runs, strict=True)
        ],
        "compare": found.compare,
    }


def watch_document(ended: WatchDay) -> dict[str, Any]:
    """Return a day's watch as a JSON document."""
    return {
        "day": ended.day.isoformat(),
        "simulated": ended.simulated,
        "run": outcome_document(ended.outcome),
        "already_measured": [{"model": known.model, "run": known.run} for known in ended.measured],
        "spent": {
            **_spend(ended.spent.total),
            "parts": [{"part": part.name, **_spend(part.spend)} for part in ended.spent.parts],
        },
        "topped_up": [{"model": model, "use_case": use_case} for model, use_case in ended.topped],
        "verdicts": [plain(verdict) for verdict in ended.verdicts],
        "beside": [{"model": each.verdict.model, **beside_document(each)} for each in ended.beside],
        "changes": [
            {
                "model": change.verdict.model,
                "before": None if change.before is None else change.before.value,
                "after": change.verdict.state.value,
            }
            for change in ended.changes
        ],
        "deliveries": [
            {
                "event": delivery.event,
                "hook": delivery.hook,
                "status": delivery.status.value,
                "attempts": delivery.attempts,
                "error": delivery.error,
            }
            for delivery in ended.deliveries
        ],
    }


def print_watch_day(ended: WatchDay) -> None:
    """Print the verdicts of a watched day, and what was re-run at full count for them."""
    if ended.verdicts:
        print_models(ended.verdicts, title=f"Verdicts on {ended.day}")
    if ended.topped:
        pairs = ", ".join(f"{use_case} of {model}" for model, use_case in ended.topped)
        notes().print(f"re-run at full count before judging: {pairs}")
    for delivery in ended.deliveries:
        outcome = f"failed: {delivery.error}" if delivery.error else delivery.status.value
        notes().print(f"webhook {delivery.hook}: {outcome} ({delivery.event})")
    if ended.simulated:
        console().print(SIMULATED)


def explain_spending(ended: WatchDay) -> str:
    """Say what the day's runs have spent, with their calibrations, in all and by part."""
    total = ended.spent.total
    if not total.calls:
        return "nothing spent"
    parts = ", ".join(f"{part.name} {part.spend} ({part.spend.calls})" for part in ended.spent.parts)
    return f"{total} spent on {ended.day} in {counted(total.calls, 'call')}: {parts}"


def _spend(spend: Spend) -> dict[str, Any]:
    """Return spending as JSON: the known part in US dollars, null while no call has a known cost."""
    known = spend.calls > spend.unknown
    return {
        "calls": spend.calls,
        "cost": spend.known if known else None,
        "unknown_costs": spend.unknown,
    }


def tell_measured(ended: WatchDay) -> None:
    """Say on stderr which models the day had measured already; where that is all of them, what to type."""
    if ended.measured:
        notes().print(explain_measured(ended.measured, ended.day))
    if ended.asked:
        return
    suite = f" --suite {ended.verdicts[0].suite}" if ended.verdicts else ""
    notes().print(f"nothing was sent; see the evidence: assay verdict{suite} --day {ended.day}")
    notes().print("measure the day once more, pooled by sample: assay watch --again")
    if ended.outcome.counts.error:
        errored = counted(ended.outcome.counts.error, "sample")
        run = ended.outcome.run
        notes().print(f"{errored} of run {run} errored; ask for them again with: assay resume {run}")


def print_models(verdicts: Sequence[ModelVerdict], *, title: str) -> None:
    """Print one line a model with its state and denominators; then what fell, and anything unusual."""
    print_table(
        title,
        ("model", "state", "cooked", "suspicious", "n (ok/inv/err/ungr)"),
        [
            (
                verdict.model,
                state_of(verdict),
                len(verdict.cooked),
                len(verdict.suspicious),
                _denominators(verdict),
            )
            for verdict in verdicts
        ],
        right=("cooked", "suspicious"),
    )
    for verdict in verdicts:
        told = (
            _fallen(verdict)
            + ([verdict.reason] if verdict.reason else [])
            + routed(verdict)
            + changed(verdict)
        )
        if told:
            typer.echo(f"{verdict.model}: {'; '.join(told)}")


def _fallen(verdict: ModelVerdict) -> list[str]:
    """Return which use cases are cooked and which suspicious, in words."""
    parts = (("cooked", verdict.cooked), ("suspicious", verdict.suspicious))
    return [f"{', '.join(names)} {state}" for state, names in parts if names]


def _denominators(verdict: ModelVerdict) -> str:
    """Return what was judged; of a day that is left out, what was attempted and how much errored."""
    counts = verdict.counts
    if not counts.n and verdict.attempted:
        return f"{verdict.attempted} (-/-/{verdict.errored}/-)"
    return f"{counts.n} ({counts.ok}/{counts.invalid}/{counts.error}/{counts.ungraded})"


def print_history(reports: Sequence[DayReport]) -> None:
    """Print one line a day, a table for each model."""
    for place, (model, days) in enumerate(groupby(reports, key=lambda report: report.verdict.model)):
        if place:
            typer.echo("")
        print_table(
            f"{model}, day by day",
            ("day", "state", "sequential", "note"),
            [
                (
                    report.verdict.day,
                    state_of(report.verdict),
                    _level(report),
                    "; ".join(part for part in (_note(report.verdict), *recorded(report)) if part),
                )
                for report in days
            ],
            right=("sequential",),
        )
    typer.echo("sequential: the sequential test's evidence, as a share of what raises its alarm")


def _note(verdict: ModelVerdict) -> str:
    """Return what fell on a day and why it is as it is, where its state does not say so already."""
    reason = None if verdict.state is ModelState.CALIBRATING else verdict.reason
    return "; ".join(_fallen(verdict) + ([reason] if reason else []) + routed(verdict) + changed(verdict))


def routed(verdict: ModelVerdict) -> list[str]:
    """Return a sentence on answers from another provider than the pin; none where there were none."""
    count = verdict.routing_changed
    if not count:
        return []
    answers = "1 answer" if count == 1 else f"{count} answers"
    return [f"routing changed: {answers} came from another provider than the pin and were left out"]


def _level(report: DayReport) -> str:
    test = report.sequential
    return "ALARM" if test.alarm else f"{100 * min(test.level, 9.99):.0f} %"


def print_evidence(report: DayReport) -> None:
    """Print one model's day: every use case with its numbers, then what stands beside the seed's verdict."""
    verdict = report.verdict
    title = f"{verdict.model}  {verdict.day}  {verdict.suite} {verdict.version}  "
    console().print(Text.assemble(title, state_of(verdict)), soft_wrap=True)
    if verdict.reason:
        typer.echo(verdict.reason)
    for line in (*changed(verdict), *recorded(report)):
        typer.echo(line)
    typer.echo("")
    print_table(
        None,
        ("use case", "state", "score", "95 %", "baseline/days", "z", "drop", "cases", "n"),
        [_use_case(each) for each in verdict.use_cases],
        right=("score", "95 %", "baseline/days", "z", "drop", "cases", "n"),
    )
    typer.echo("")
    for line in (*_remarks(verdict.use_cases), *beside(report)):
        typer.echo(line)
    if report.simulated:
        typer.echo(SIMULATED)


def _use_case(each: UseCaseVerdict) -> tuple[object, ...]:
    baseline, interval = each.baseline, each.interval
    return (
        each.use_case,
        Text.assemble(coloured(each.state), (", carried over" if each.held else "", "dim")),
        "-" if each.score is None else f"{each.score:.1f}",
        "-" if interval is None else f"{interval.low:.0f}-{interval.high:.0f}",
        f"-/{each.days_used}"
        if baseline is None
        else f"{baseline.mean:.1f}±{baseline.spread:.1f}/{each.days_used}",
        "-" if baseline is None or baseline.z is None else f"{baseline.z:+.1f}",
        "-" if baseline is None or baseline.drop is None else f"{100 * baseline.drop:+.0f}%",
        str(each.cases),
        str(each.counts.n),
    )


def _remarks(use_cases: Sequence[UseCaseVerdict]) -> list[str]:
    """Return what the table has no room for: reasons (use cases of one together), changed cases, flips."""
    reasons: dict[str, list[str]] = {}
    for each in use_cases:
        if each.reason:
            reasons.setdefault(each.reason, []).append(each.use_case)
    lines = [f"{', '.join(names)}: {reason}" for reason, names in reasons.items()]
    for each in use_cases:
        if each.missing:
            lines.append(f"{each.use_case}, in the baseline but without a score today: {_some(each.missing)}")
        if each.new:
            lines.append(f"{each.use_case}, scored today but not in the baseline: {_some(each.new)}")
    for each in use_cases:
        told = [f"{flip.case} {100 * flip.before:.0f} to {100 * flip.after:.0f}" for flip in each.flips[:3]]
        if len(each.flips) > 3:
            told.append(f"{len(each.flips) - 3} more")
        if told:
            lines.append(f"{each.use_case}, changed since the day before: {', '.join(told)}")
    return lines


def _some(cases: Sequence[str]) -> str:
    """Return the names of a few cases, and the number of further ones."""
    further = [f"{len(cases) - 3} more"] if len(cases) > 3 else []
    return ", ".join([*cases[:3], *further])


def changed(verdict: ModelVerdict) -> list[str]:
    """Return a sentence for each condition that changed since the days of the baseline."""
    return [describe_change(change) for change in verdict.conditions_changed]


def recorded(report: DayReport) -> list[str]:
    """Return a sentence on the verdict as it was issued, where it is judged otherwise now."""
    record = report.issued
    if record is None or not record.differs:
        return []
    return [f"issued as {record.state} on {record.at}; computed anew it differs: {'; '.join(record.differs)}"]


def beside(report: DayReport) -> list[str]:
    """Return what stands beside the seed's verdict, one line each."""
    verdict, test = report.verdict, report.sequential
    lines = []
    if verdict.paired is not None:
        paired = verdict.paired
        lines.append(
            f"paired test over {paired.cases} cases: mean change {paired.difference:+.1f} points, "
            f"p = {paired.p:.3g} (least possible {paired.least_p:.2g})"
        )
    lines += _sequential(test)
    lines.append(f"fleet-adjusted: {report.fleet.explanation}")
    fixed = [each.use_case for each in verdict.use_cases if each.golden_state in _BAD]
    if fixed:
        lines.append(f"against the golden baseline (first full window): down in {', '.join(fixed)}")
    if verdict.down:
        lines.append("still down: a COOKED fall has not recovered to the band from before it")
    lines += routed(verdict)
    if verdict.provider_fall is not None:
        fall = verdict.provider_fall
        lines.append(
            f"{fall.provider}: {len(fall.fell)} of {fall.at_risk} models fell on this day "
            f"(chance if independent: {fall.chance:.2g})"
        )
    return lines


def _sequential(test: SequentialState) -> list[str]:
    if test.days < test.least_days:
        return [f"sequential test: calibrating, {test.days} of {test.least_days} scored days"]
    told = f"ALARM, first day of the fall about {test.since}" if test.alarm else "no alarm"
    share = f"{100 * min(test.level, 9.99):.2g} %"
    return [
        f"sequential test: {told}; after {test.days} scored days the evidence is {share} of what raises one",
        f"its rate: {test.promise.explanation}",
    ]


_BAD = (UseCaseState.SUSPICIOUS, UseCaseState.COOKED)
