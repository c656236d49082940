"""What the watch page shows of one suite: values that the template draws as they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from assay.core.verdict import ModelState
from assay.report.chart_rows import last_alarm, scored_use_cases
from assay.report.strip import MOST_DAYS, Strip, strip
from assay.report.unjudged import Stretch, reasons, stretches
from assay.runs.verdicts import DayReport, Snapshots, Verdicts
from assay.watch.evidence import Counts, ModelVerdict, UseCaseVerdict

SIMULATED = "simulated"


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
    unjudged: tuple[Stretch, ...]
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
    counts: Counts
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
    ok, invalid, error, ungraded = (
        int(column[shown, :, : place + 1].sum())
        for column in (daily.ok, daily.invalid, daily.error, daily.ungraded)
    )
    counts = Counts(ok + invalid + error + ungraded, ok, invalid, error, ungraded)
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
    """Say what is simulated; None when no run behind the verdicts was."""
    if not verdicts.stored.simulated:
        return None
    subjects = [verdicts.stored.history.subjects[model] for model in models]
    named = [subject.name for subject in subjects if subject.provider == SIMULATED]
    if len(named) == len(subjects):
        return "Everything here is simulated: no real model was measured."
    if named:
        return f"Some of this is simulated, no real model was measured as {', '.join(dict.fromkeys(named))}."
    return "Some of this is simulated: at least one run of this suite did not measure real models."
