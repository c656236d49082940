"""The watch's page: a suite's verdicts and their evidence, in one file without network requests.

The views have the values that the template shows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path

import numpy as np

from assay.core.case import SampleStatus
from assay.core.verdict import ModelState, StateReason, VerdictMark
from assay.core.verdict import UseCaseState as State
from assay.core.wording import counted
from assay.report import numerals
from assay.report.inline import code_spans, render_page, simulation_notice
from assay.report.save import write_page
from assay.report.watch.charts import (
    last_alarm,
    model_columns,
    scored_use_cases,
    scores_chart,
    sequential_chart,
)
from assay.report.watch.strip import LETTERS, MOST_DAYS, SEVERITY, Strip, first_day, strip
from assay.results.runs import StatusCounts
from assay.results.watch import ConditionKind, DayReport, ModelVerdict, Snapshots, UseCaseVerdict
from assay.runs.watch.verdicts import Verdicts
from assay.watch.wording import describe_change, model_reason, use_case_reason

SIMULATED = "simulated"
FILTERS = (
    numerals.points,
    numerals.signed,
    numerals.percent,
    numerals.probability,
    numerals.level,
    numerals.thousands,
    describe_change,
    code_spans,
    counted,
)


def watch_page(
    verdicts: Verdicts,
    *,
    made: datetime,
    models: Sequence[int] | None = None,
    day: date | None = None,
) -> str:
    """Return the page as HTML that needs no other file and no network.

    The page shows `made` (UTC) as its time. `models` are positions (`Verdicts.of`) and default to all; `day`
    is the last day shown and defaults to the history's last. Raises InvalidInput for a day outside the
    history, or if the charts' JavaScript was not built.
    """
    shown = tuple(range(len(verdicts.names()))) if models is None else tuple(models)
    last = day or verdicts.last_day
    view = suite_view(verdicts, shown, last, made)
    place = verdicts.stored.history.day_of(last)
    data = {
        "first": view.first,
        "titles": [use_case.title for use_case in verdicts.stored.suite.use_cases],
        "specs": {"scores": scores_chart(), "sequential": sequential_chart()},
        "models": {str(model): model_columns(verdicts, model, place) for model in shown},
    }
    return render_page(
        "watch.html",
        view,
        data,
        styles=("page.css", "watch.css"),
        scripts=("page.js", "watch.js"),
        filters=FILTERS,
        letters=[(state.name.lower(), LETTERS[state]) for state in reversed(SEVERITY)],
        states=tuple(ModelState),
        use_case_states=tuple(State),
        statuses=tuple(SampleStatus),
    )


def save_verdicts(
    verdicts: Verdicts,
    path: Path,
    *,
    made: datetime,
    models: Sequence[int] | None = None,
    day: date | None = None,
) -> str:
    """Write the watch's page, completely or not at all, and return its address."""
    return write_page(path, lambda now: watch_page(verdicts, made=made, models=models, day=day))


@dataclass(frozen=True, slots=True)
class UseCaseView:
    """A use case of a model: its position, title and verdict on the last day.

    `charted` is true if it ever had a score.
    """

    place: int
    title: str
    verdict: UseCaseVerdict
    charted: bool

    @property
    def fell(self) -> int:
        """Number of cases that flipped from better to worse since the previous scored day."""
        return sum(flip.after < flip.before for flip in self.verdict.flips)

    @property
    def rose(self) -> int:
        """Number of cases that flipped from worse to better since the previous scored day."""
        return len(self.verdict.flips) - self.fell


@dataclass(frozen=True, slots=True)
class ModelView:
    """A model on the page.

    `number` identifies it in addresses; `label` distinguishes several settings of one name. `alarm` is the
    report of the day of the sequential test's latest alarm, None without one. `reasons` has each reason why
    use cases have no state of their own on the last day, with the titles of these use cases. A model with
    `snapshots` has only a few days, too far apart for a baseline: `strip` and `unjudged` are then empty.
    """

    number: int
    label: str
    report: DayReport
    alarm: DayReport | None
    strip: Strip
    use_cases: tuple[UseCaseView, ...]
    reasons: tuple[tuple[str, tuple[str, ...]], ...]
    unjudged: tuple[UnjudgedDays, ...]
    snapshots: Snapshots | None = None

    @property
    def verdict(self) -> ModelVerdict:
        """The model's verdict on the last day."""
        return self.report.verdict

    @property
    def uncharted(self) -> tuple[UseCaseView, ...]:
        """The use cases that never had a score."""
        return tuple(use_case for use_case in self.use_cases if not use_case.charted)


@dataclass(frozen=True, slots=True)
class SuiteView:
    """The whole page.

    `simulation` says what is simulated, None if nothing is; `made` is in UTC. `judge` marks the judged use
    cases; None without one. `counts` are the judged samples of all days and models shown; `left_out` is the
    number of samples in runs that the gap rule left out, because too many of their samples errored. `weekly`
    is true if each mark of a strip is a week.
    """

    name: str
    title: str
    version: str
    digest: str
    private: bool
    cases: int
    first: date
    last: date
    made: datetime
    simulation: str | None
    judge: str | None
    counts: StatusCounts
    left_out: int
    recovery_days: int
    false_alarms: float
    weekly: bool
    models: tuple[ModelView, ...]

    @property
    def days(self) -> int:
        """Number of calendar days, both ends included."""
        return (self.last - self.first).days + 1

    @property
    def notes(self) -> tuple[StateReason | VerdictMark | ConditionKind, ...]:
        """The reasons, marks and changed conditions of the last day, which the page explains."""
        shown: list[StateReason | VerdictMark | ConditionKind | None] = []
        for model in self.models:
            verdict, report = model.verdict, model.report
            shown += [verdict.reason_kind, *(use_case.reason_kind for use_case in verdict.use_cases)]
            shown += [change.kind for change in verdict.conditions_changed]
            marks = {
                VerdictMark.CARRIED_OVER: bool(verdict.held),
                VerdictMark.DOWN: verdict.down,
                VerdictMark.ALARM: report.sequential.alarm or report.fleet.alarm,
                VerdictMark.ROUTING_CHANGED: verdict.routing_changed > 0,
                VerdictMark.PROVIDER_FALL: verdict.provider_fall is not None,
            }
            shown += [mark for mark, is_shown in marks.items() if is_shown]
        return tuple(dict.fromkeys(note for note in shown if note is not None))

    @property
    def tally(self) -> tuple[tuple[ModelState, int], ...]:
        """Number of models in each state on the last day, most serious first; empty states are left out."""
        numbers = Counter(model.verdict.state for model in self.models)
        by_severity = (
            ModelState.COOKED,
            ModelState.SUSPICIOUS,
            ModelState.OK,
            ModelState.CALIBRATING,
            ModelState.GAP,
        )
        return tuple((state, numbers[state]) for state in by_severity if numbers[state])


def suite_view(verdicts: Verdicts, models: Sequence[int], last: date, made: datetime) -> SuiteView:
    """Return the view of some models, by position, up to the day `last`.

    Raises InvalidInput for a day outside the history.
    """
    stored, judged = verdicts.stored, verdicts.judgement
    history, suite = stored.history, stored.suite
    place = history.day_of(last)
    daily = judged.daily
    shown = list(models)
    statuses = (daily.ok, daily.invalid, daily.error, daily.ungraded)
    counts = StatusCounts(*(int(column[shown, :, : place + 1].sum()) for column in statuses))
    named = labels(verdicts.names())
    views = tuple(_model(verdicts, model, named[model], last) for model in models)
    return SuiteView(
        name=history.suite,
        title=suite.title,
        version=history.version,
        digest=suite.digest,
        private=suite.visibility == "private",
        cases=len(history.cases),
        first=history.first,
        last=last,
        made=made,
        simulation=simulation_of(verdicts, models),
        judge=verdicts.stored.judge,
        counts=counts,
        left_out=int(daily.gaps.attempted[shown, : place + 1].sum()) - counts.n,
        recovery_days=judged.thresholds.recovery_days,
        false_alarms=views[0].report.sequential.false_alarms,
        weekly=place + 1 > MOST_DAYS,
        models=views,
    )


def _model(verdicts: Verdicts, model: int, label: str, last: date) -> ModelView:
    judged = verdicts.judgement
    place = judged.history.day_of(last)
    report = verdicts.day(model, last)
    titles = {use_case.name: use_case.title for use_case in verdicts.stored.suite.use_cases}
    charted = scored_use_cases(judged, model, place)
    alarm = last_alarm(verdicts, model, place)
    day_reasons = reasons(verdicts, model, place)
    snapshots = verdicts.snapshots(model)
    by_reason: dict[str, list[str]] = {}
    for use_case in report.verdict.use_cases:
        if use_case.reason:
            by_reason.setdefault(use_case.reason, []).append(titles[use_case.use_case])
    return ModelView(
        number=model,
        label=label,
        report=report,
        alarm=None if alarm is None else verdicts.day(model, judged.history.date_of(alarm)),
        strip=() if snapshots else strip(judged, model, place, day_reasons),
        use_cases=tuple(
            UseCaseView(number, titles[use_case.use_case], use_case, number in charted)
            for number, use_case in enumerate(report.verdict.use_cases)
        ),
        reasons=tuple((reason, tuple(names)) for reason, names in by_reason.items()),
        unjudged=() if snapshots else unjudged_days(verdicts, model, place, day_reasons),
        snapshots=snapshots,
    )


def labels(names: Sequence[str]) -> list[str]:
    """Return the models' names; a name with several settings is numbered."""
    total, seen = Counter(names), Counter[str]()
    numbered = []
    for name in names:
        seen[name] += 1
        numbered.append(name if total[name] == 1 else f"{name} (settings {seen[name]} of {total[name]})")
    return numbered


def simulation_of(verdicts: Verdicts, models: Iterable[int]) -> str | None:
    """Return the notice about simulated data, or None if no run behind the verdicts was simulated."""
    if not verdicts.stored.simulated:
        return None
    subjects = [verdicts.stored.history.subjects[model] for model in models]
    return simulation_notice(
        [subject.name for subject in subjects if subject.provider == SIMULATED],
        [subject.name for subject in subjects],
    )


@dataclass(frozen=True, slots=True)
class UnjudgedDays:
    """Consecutive days with the same reason.

    `use_cases` are the affected use cases; empty if the whole model is affected.
    """

    first: date
    last: date
    reason: str
    use_cases: tuple[str, ...] = ()

    @property
    def days(self) -> int:
        """Number of days."""
        return (self.last - self.first).days + 1


def reasons(verdicts: Verdicts, model: int, last: int) -> dict[int, str]:
    """Return the reasons why whole days of a model could not be judged, by the days' positions.

    Days that only lack a baseline share one reason, so it is computed once.
    """
    judged = verdicts.judgement
    states = judged.states[model, : last + 1]
    barred = judged.daily.barred[model, :, : last + 1].any(axis=0)
    special = (states == State.GAP) | barred
    by_day: dict[int, str] = {}
    calibrating: str | None = None
    for day in range(first_day(judged, model), last + 1):
        lacks_baseline = states[day] == State.CALIBRATING and not special[day]
        if lacks_baseline and calibrating is not None:
            by_day[day] = calibrating
        elif lacks_baseline or special[day]:
            _, reason = model_reason(judged, model, day)
            if reason is not None:
                by_day[day] = reason
            if lacks_baseline:
                calibrating = reason
    return by_day


def unjudged_days(
    verdicts: Verdicts, model: int, last: int, whole: Mapping[int, str]
) -> tuple[UnjudgedDays, ...]:
    """Return the days that could not be judged, newest first.

    These are the days in `whole` with their reasons, and days on which single use cases were underpowered.
    """
    history = verdicts.judgement.history
    unjudged: list[UnjudgedDays] = []
    for day, reason in sorted(whole.items()):
        when = history.date_of(day)
        before = unjudged[-1] if unjudged else None
        if before is not None and before.reason == reason and before.last == when - timedelta(days=1):
            unjudged[-1] = UnjudgedDays(before.first, when, reason)
        else:
            unjudged.append(UnjudgedDays(when, when, reason))
    unjudged += _underpowered_days(verdicts, model, last)
    return tuple(sorted(unjudged, key=lambda days: (days.last, days.first), reverse=True))


def _underpowered_days(verdicts: Verdicts, model: int, last: int) -> list[UnjudgedDays]:
    """Return the days on which a use case looked suspicious but had too few samples."""
    judged = verdicts.judgement
    unjudged = []
    for day in np.flatnonzero(judged.evidence.underpowered[model, :, : last + 1].any(axis=0)):
        when = judged.history.date_of(int(day))
        by_reason: dict[str, list[str]] = {}
        for use_case in np.flatnonzero(judged.evidence.underpowered[model, :, day]).tolist():
            _, reason = use_case_reason(judged, model, use_case, int(day))
            if reason is not None:
                by_reason.setdefault(reason, []).append(judged.history.use_cases[use_case].name)
        unjudged += [UnjudgedDays(when, when, reason, tuple(names)) for reason, names in by_reason.items()]
    return unjudged
