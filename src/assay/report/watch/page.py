"""The watch's page: one file that shows a suite's verdicts and their evidence, and fetches nothing.

A view holds values that the template draws as they are.
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
from assay.report.inline import code_spans, inline_page, simulation_notice
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
from assay.watch.wording import describe_change

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

    `made` (UTC) is when it says that it was made. `models` are positions (`Verdicts.of`), else all;
    `day` is the last day shown, else the history's. Raises InvalidInput for a day outside the history and
    where the charts' JavaScript was not built.
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
    return inline_page(
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
    """Write the watch's page whole or not at all, and return its address."""
    return write_page(path, lambda now: watch_page(verdicts, made=made, models=models, day=day))


@dataclass(frozen=True, slots=True)
class UseCaseView:
    """A use case of a model: its title, its verdict on the last day, whether there is a chart of it."""

    place: int
    title: str
    verdict: UseCaseVerdict
    charted: bool

    @property
    def fell(self) -> int:
        """How many cases flipped from better to worse since the previous scored day."""
        return sum(flip.after < flip.before for flip in self.verdict.flips)

    @property
    def rose(self) -> int:
        """How many cases flipped from worse to better since the previous scored day."""
        return len(self.verdict.flips) - self.fell


@dataclass(frozen=True, slots=True)
class ModelView:
    """A model on the page. `number` names it in addresses; `label` tells settings of one name apart.

    `alarm` is the report of the day of the sequential test's latest alarm, None without one. `reasons`
    holds each reason for which use cases have no state of their own on the last day, with their titles.
    Of `snapshots`, a few days too far apart for a baseline, there is no strip and no list of unscored days.
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
        return tuple(each for each in self.use_cases if not each.charted)


@dataclass(frozen=True, slots=True)
class SuiteView:
    """The whole page.

    `simulation` says what is simulated, None if nothing is; `made` is in UTC. `judge` is who marks
    judged use cases, None without one. `counts` are the judged samples of all days and models shown;
    `left_out` those of runs that the gap rule took, of which too many errored. `weekly` says that a
    mark of a strip is a week.
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
        """Calendar days covered, both ends included."""
        return (self.last - self.first).days + 1

    @property
    def notes(self) -> tuple[StateReason | VerdictMark | ConditionKind, ...]:
        """The reasons, marks and changed conditions that the page shows of the last day, to be explained."""
        shown: list[StateReason | VerdictMark | ConditionKind | None] = []
        for model in self.models:
            verdict, report = model.verdict, model.report
            shown += [verdict.reason_kind, *(each.reason_kind for each in verdict.use_cases)]
            shown += [change.kind for change in verdict.conditions_changed]
            marks = {
                VerdictMark.CARRIED_OVER: bool(verdict.held),
                VerdictMark.DOWN: verdict.down,
                VerdictMark.ALARM: report.sequential.alarm or report.fleet.alarm,
                VerdictMark.ROUTING_CHANGED: verdict.routing_changed > 0,
                VerdictMark.PROVIDER_FALL: verdict.provider_fall is not None,
            }
            shown += [mark for mark, is_shown in marks.items() if is_shown]
        return tuple(dict.fromkeys(name for name in shown if name is not None))

    @property
    def tally(self) -> tuple[tuple[ModelState, int], ...]:
        """How many models are in each state on the last day, gravest first; states of none left out."""
        found = Counter(model.verdict.state for model in self.models)
        gravest = (
            ModelState.COOKED,
            ModelState.SUSPICIOUS,
            ModelState.OK,
            ModelState.CALIBRATING,
            ModelState.GAP,
        )
        return tuple((state, found[state]) for state in gravest if found[state])


def suite_view(verdicts: Verdicts, models: Sequence[int], last: date, made: datetime) -> SuiteView:
    """Return what the page shows of some models, by position, up to a day.

    InvalidInput when the history does not hold that day.
    """
    stored, judged = verdicts.stored, verdicts.judgement
    history, suite = stored.history, stored.suite
    place = history.day_of(last)
    daily = judged.daily
    shown = list(models)
    statuses = (daily.ok, daily.invalid, daily.error, daily.ungraded)
    counts = StatusCounts(*(int(column[shown, :, : place + 1].sum()) for column in statuses))
    labels = _labels(verdicts.names())
    views = tuple(_model(verdicts, model, labels[model], last) for model in models)
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
        simulation=_simulation(verdicts, models),
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
    titles = {each.name: each.title for each in verdicts.stored.suite.use_cases}
    charted = scored_use_cases(judged, model, place)
    raised = last_alarm(verdicts, model, place)
    told = reasons(verdicts, model, place)
    snapshots = verdicts.snapshots(model)
    by_reason: dict[str, list[str]] = {}
    for each in report.verdict.use_cases:
        if each.reason:
            by_reason.setdefault(each.reason, []).append(titles[each.use_case])
    return ModelView(
        number=model,
        label=label,
        report=report,
        alarm=None if raised is None else verdicts.day(model, judged.history.date_of(raised)),
        strip=() if snapshots else strip(judged, model, place, told),
        use_cases=tuple(
            UseCaseView(number, titles[each.use_case], each, number in charted)
            for number, each in enumerate(report.verdict.use_cases)
        ),
        reasons=tuple((reason, tuple(names)) for reason, names in by_reason.items()),
        unjudged=() if snapshots else stretches(verdicts, model, place, told),
        snapshots=snapshots,
    )


def _labels(names: Sequence[str]) -> list[str]:
    """Return the models' names; a name with several settings is numbered by them."""
    total, seen = Counter(names), Counter[str]()
    labels = []
    for name in names:
        seen[name] += 1
        labels.append(name if total[name] == 1 else f"{name} (settings {seen[name]} of {total[name]})")
    return labels


def _simulation(verdicts: Verdicts, models: Iterable[int]) -> str | None:
    """Return the notice on simulated data; None when no run behind the verdicts was simulated."""
    if not verdicts.stored.simulated:
        return None
    subjects = [verdicts.stored.history.subjects[model] for model in models]
    return simulation_notice(
        [subject.name for subject in subjects if subject.provider == SIMULATED],
        [subject.name for subject in subjects],
    )


@dataclass(frozen=True, slots=True)
class UnjudgedDays:
    """Consecutive days with one reason. `use_cases` are those it holds for, empty for the whole model."""

    first: date
    last: date
    reason: str
    use_cases: tuple[str, ...] = ()

    @property
    def days(self) -> int:
        """How many days it lasts."""
        return (self.last - self.first).days + 1


def reasons(verdicts: Verdicts, model: int, last: int) -> dict[int, str]:
    """Return why a model's days, by position, could not be judged as a whole.

    Days that only lack a baseline all have one reason, so it is worded once.
    """
    judged = verdicts.judgement
    states = judged.states[model, : last + 1]
    moved = judged.daily.barred[model, :, : last + 1].any(axis=0)
    odd = (states == State.GAP) | moved
    found: dict[int, str] = {}
    calibrating: str | None = None
    for day in range(first_day(judged, model), last + 1):
        plain = states[day] == State.CALIBRATING and not odd[day]
        if plain and calibrating is not None:
            found[day] = calibrating
        elif plain or odd[day]:
            told = verdicts.day(model, judged.history.date_of(day)).verdict.reason
            if told is not None:
                found[day] = told
            if plain:
                calibrating = told
    return found


def stretches(
    verdicts: Verdicts, model: int, last: int, whole: Mapping[int, str]
) -> tuple[UnjudgedDays, ...]:
    """Return what could not be judged, newest first: whole days, and use cases left as they were."""
    history = verdicts.judgement.history
    told: list[UnjudgedDays] = []
    for day, reason in sorted(whole.items()):
        when = history.date_of(day)
        before = told[-1] if told else None
        if before is not None and before.reason == reason and before.last == when - timedelta(days=1):
            told[-1] = UnjudgedDays(before.first, when, reason)
        else:
            told.append(UnjudgedDays(when, when, reason))
    told += _thin(verdicts, model, last)
    return tuple(sorted(told, key=lambda each: (each.last, each.first), reverse=True))


def _thin(verdicts: Verdicts, model: int, last: int) -> list[UnjudgedDays]:
    """Return the days on which a use case looked suspicious without the evidence to say so."""
    judged = verdicts.judgement
    found = []
    for day in np.flatnonzero(judged.evidence.underpowered[model, :, : last + 1].any(axis=0)):
        when = judged.history.date_of(int(day))
        by_reason: dict[str, list[str]] = {}
        for each, thin in zip(
            verdicts.day(model, when).verdict.use_cases,
            judged.evidence.underpowered[model, :, day],
            strict=True,
        ):
            if thin and each.reason is not None:
                by_reason.setdefault(each.reason, []).append(each.use_case)
        found += [UnjudgedDays(when, when, reason, tuple(names)) for reason, names in by_reason.items()]
    return found
