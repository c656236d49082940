"""Reading verdicts from the store: one day or the whole history, with the sequential test beside."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property

import numpy as np
import numpy.typing as npt
from sqlalchemy import Engine

from assay.core.errors import NotFound
from assay.core.suite import Thresholds
from assay.core.verdict import UseCaseState as State
from assay.runs.history import StoredHistory, stored_history
from assay.runs.issued import Issued, issued
from assay.watch import fleet, sequential
from assay.watch.dependence import Promise, promises
from assay.watch.evidence import ModelVerdict
from assay.watch.history import Subject
from assay.watch.judgement import Judgement, judge
from assay.watch.wording import verdict_on


@dataclass(frozen=True, slots=True)
class SequentialState:
    """The sequential test on one day: money as a share of what raises an alarm, and the fall's first day.

    `false_alarms` is the rate a model-year that it is set for, `promise` what can be said of that rate, given
    how far days hang together; `since` is None without an alarm. `days` counts the scored days up to this
    one; the first bet comes after `least_days` of them.
    """

    level: float
    alarm: bool
    since: date | None
    false_alarms: float
    days: int
    least_days: int
    promise: Promise


@dataclass(frozen=True, slots=True)
class FleetState:
    """The fleet-adjusted test on one day: `level`, `alarm` and `since` as in `SequentialState`.

    `controls` other models were compared with, over `days` days in common; the first bet comes after
    `least_days`. `difference` is by how many points (0-100) the model changed more than they did on the same
    cases since the baseline's window. `reason` says why there is no test on this day; None where there is.
    """

    level: float
    alarm: bool
    since: date | None
    controls: int
    days: int
    least_days: int
    difference: float | None
    reason: str | None

    @property
    def explanation(self) -> str:
        """Say what the test says of this day, with the number of controls, or why it cannot."""
        if self.reason is not None:
            return f"withheld, {self.reason}"
        controls = "1 control" if self.controls == 1 else f"{self.controls} controls"
        told = f"ALARM, first day of the fall about {self.since}" if self.alarm else "no alarm"
        share = f"{100 * min(self.level, 9.99):.2g} %"
        change = (
            "" if self.difference is None else f"; {self.difference:+.1f} points relative to their change"
        )
        return f"{told}; {controls}, {self.days} days in common, evidence {share} of an alarm{change}"


@dataclass(frozen=True, slots=True)
class DayReport:
    """One model on one day: the seed's verdict as computed now, and beside it both tests and the record.

    `issued` is what the day's verdict was when it was issued, None for days without a record (imported ones).
    """

    verdict: ModelVerdict
    sequential: SequentialState
    fleet: FleetState
    simulated: bool
    issued: Issued | None = None


@dataclass(frozen=True, slots=True)
class Snapshots:
    """A history of a few days too far apart for a baseline: its days, and a run of each of them.

    A baseline needs `least_days` scored days within `window_days`.
    """

    model: str
    days: tuple[date, ...]
    runs: tuple[int, ...]
    least_days: int
    window_days: int

    @property
    def compare(self) -> str:
        """The command that compares the first day with the last, case by case."""
        return f"assay compare {self.runs[0]} {self.runs[-1]} --model {self.model}"

    @property
    def explanation(self) -> str:
        """Say in one sentence why there is no verdict on these days."""
        days = " and ".join((", ".join(map(str, self.days[:-1])), str(self.days[-1])))
        return (
            f"{len(self.days)} days ({days}) can have no baseline, which needs {self.least_days} scored days "
            f"within {self.window_days}"
        )


class Verdicts:
    """A suite's whole history, judged; every day of every model can be read from it.

    `thresholds` stand in for those the suite was stored with.
    """

    def __init__(
        self,
        engine: Engine,
        digest: str,
        *,
        until: date | None = None,
        thresholds: Thresholds | None = None,
    ) -> None:
        self._engine, self._digest = engine, digest
        self.stored: StoredHistory = stored_history(engine, digest, until=until)
        self.judgement: Judgement = judge(self.stored.history, thresholds or self.stored.suite.thresholds)
        self._base = base_scores(self.stored, self.judgement)
        history = self.stored.history
        self._ties = _ties(history.subjects, history.first, history.days)
        self.course = sequential.follow(self._base, _use_case_of(self.stored), self._ties)
        self._scored: npt.NDArray[np.bool_] = np.logical_or.reduce(~np.isnan(self._base), axis=1)

    @cached_property
    def fleet_course(self) -> fleet.FleetCourse:
        """The fleet-adjusted test's course over the whole history."""
        return fleet.follow(self._base, _use_case_of(self.stored), self._ties, related(self.names()))

    @cached_property
    def promises(self) -> tuple[Promise, ...]:
        """What can be promised of each model's sequential test, from all days of the history.

        Days on which a model was SUSPICIOUS, COOKED or still down are left out.
        """
        calm = (self.judgement.states < State.SUSPICIOUS) & ~self.judgement.down
        return promises(self._base, _use_case_of(self.stored), calm)

    @property
    def last_day(self) -> date:
        """The last day of the history."""
        history = self.stored.history
        return history.date_of(history.days - 1)

    def names(self) -> tuple[str, ...]:
        """Return the models' names, in the order that `day` and `history` count them."""
        return tuple(subject.name for subject in self.stored.history.subjects)

    def of(self, name: str | None) -> tuple[int, ...]:
        """Return the positions of the models of that name, or of all; NotFound when there is none.

        A model whose pin or parameters changed has one position for each of its settings.
        """
        found = tuple(place for place, known in enumerate(self.names()) if name in (None, known))
        if not found:
            known = ", ".join(dict.fromkeys(self.names()))
            raise NotFound(f"nothing was measured of model {name!r} with this suite: there are {known}")
        return found

    def day(self, model: int, day: date) -> DayReport:
        """Return one model's report on a day; InvalidInput for a day outside the history."""
        place = self.stored.history.day_of(day)
        since = int(self.course.since[model, place])
        verdict = verdict_on(self.judgement, model, place)
        row, thresholds = self.stored.models[model], self.judgement.thresholds
        return DayReport(
            verdict,
            SequentialState(
                float(self.course.level[model, place]),
                bool(self.course.alarm[model, place]),
                None if since < 0 else self.stored.history.date_of(since),
                sequential.FALSE_ALARMS,
                int(self._scored[model, : place + 1].sum()),
                sequential.LEAST_DAYS,
                self.promises[model],
            ),
            self._fleet(model, place),
            self.stored.simulated,
            issued(self._engine, self._digest, row, verdict, thresholds),
        )

    def _fleet(self, model: int, place: int) -> FleetState:
        course, history = self.fleet_course, self.stored.history
        since, controls = int(course.since[model, place]), int(course.controls[model, place])
        days = int(course.days[model, place])
        others = ~related(self.names())[model] & self._scored[:, place]
        window = self.judgement.thresholds.window_days
        return FleetState(
            level=float(course.level[model, place]),
            alarm=bool(course.alarm[model, place]),
            since=None if since < 0 else history.date_of(since),
            controls=controls,
            days=days,
            least_days=sequential.LEAST_DAYS,
            difference=fleet.relative_change(self._base, others, model, place, window=window)
            if controls
            else None,
            reason=self._no_fleet(model, place, int(others.sum()), days),
        )

    def _no_fleet(self, model: int, place: int, others: int, days: int) -> str | None:
        """Say why the fleet-adjusted test cannot speak on a day; None when it can."""
        least = sequential.LEAST_DAYS
        if not self._scored[model, place]:
            return "the model has no score on this day"
        if not others:
            return "no other model was scored on this day"
        if not self.fleet_course.controls[model, place]:
            return f"no other model has more than {least} days in common with it, in the same use cases"
        if days <= least:
            return f"{days} days in common with other models, more than {least} are needed"
        return None

    def history(self, model: int) -> Iterator[DayReport]:
        """Yield one model's reports from its first day with samples to the last day.

        Of `snapshots` the days without samples are left out.
        """
        ran = np.flatnonzero(self.judgement.daily.gaps.attempted[model])
        days = range(int(ran[0]) if ran.size else 0, self.stored.history.days)
        for place in days if self.snapshots(model) is None else ran.tolist():
            yield self.day(model, self.stored.history.date_of(place))

    def snapshots(self, model: int) -> Snapshots | None:
        """Return the days of a history that is a few snapshots; None for one that is watched day by day.

        It is snapshots when it has at least two days and fewer than a baseline needs, and they span more than
        the baseline's window: such days can never be compared with a baseline.
        """
        history, thresholds = self.stored.history, self.judgement.thresholds
        ran = np.flatnonzero(self.judgement.daily.gaps.attempted[model]).tolist()
        if not 2 <= len(ran) < thresholds.least_days or ran[-1] - ran[0] <= thresholds.window_days:
            return None
        used = np.unique(history.rows.run[history.rows.model == model]).tolist()
        runs = {history.runs[place].day: history.runs[place].id for place in used}
        return Snapshots(
            self.names()[model],
            tuple(history.date_of(day) for day in ran),
            tuple(runs[day] for day in ran),
            thresholds.least_days,
            thresholds.window_days,
        )


def reports_on(engine: Engine, digest: str, day: date, rows: Collection[int]) -> tuple[DayReport, ...]:
    """Return the reports on a day of the models in some rows of the store, in the order of the verdicts."""
    judged = Verdicts(engine, digest, until=day)
    return tuple(judged.day(place, day) for place, row in enumerate(judged.stored.models) if row in rows)


def base_scores(stored: StoredHistory, judged: Judgement) -> npt.NDArray[np.float64]:
    """Return the means of base samples, 0-1, shape (models, cases, days); NaN where a day is not fit.

    Topped-up samples are left out: a day that was looked at again because it looked bad is not like
    the others.
    """
    history, rows = stored.history, stored.base
    shape = (len(history.subjects), len(history.cases), history.days)
    graded, total = np.zeros(shape), np.zeros(shape)
    days = np.array([run.day for run in history.runs], dtype=np.int64)
    at = (rows.model, rows.case, days[rows.run])
    np.add.at(graded, at, rows.ok + rows.invalid)
    np.add.at(total, at, rows.total / 100.0)
    scores = np.full(shape, np.nan)
    np.divide(total, graded, out=scores, where=graded > 0)
    scores[~judged.daily.fit[:, _use_case_of(stored), :]] = np.nan
    clipped: npt.NDArray[np.float64] = np.clip(scores, 0.0, 1.0)
    return clipped


def _use_case_of(stored: StoredHistory) -> npt.NDArray[np.int64]:
    sizes = np.diff(stored.history.starts)
    return np.repeat(np.arange(len(sizes)), sizes)


def related(names: tuple[str, ...]) -> npt.NDArray[np.bool_]:
    """Return which models are no control of each other, shape (models, models).

    That is a model with itself, under other settings or behind another provider: a fall hits both.
    """
    upstream = np.array([name.rpartition("/")[2] for name in names])
    same: npt.NDArray[np.bool_] = upstream[:, None] == upstream[None, :]
    return same


def _ties(subjects: tuple[Subject, ...], first: date, days: int) -> npt.NDArray[np.float64]:
    """Return the numbers that break ties: fixed for a name and a date, so that a verdict never changes.

    That holds when days before the first are watched or imported later, too: every year is drawn by itself.
    """
    dates = [first + timedelta(days=day) for day in range(days)]
    years = range(first.year, dates[-1].year + 1)
    at = [(when.year - first.year) * 366 + when.timetuple().tm_yday - 1 for when in dates]
    table = np.empty((len(subjects), days))
    for place, subject in enumerate(subjects):
        name = int.from_bytes(hashlib.sha256(subject.name.encode()).digest()[:8])
        drawn = np.concatenate([np.random.default_rng([name, year]).random(366) for year in years])
        table[place] = drawn[at]
    return 1.0 - table
