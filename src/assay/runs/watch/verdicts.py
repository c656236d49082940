"""Verdicts on a stored history: one day or the whole history, with the sequential tests."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator
from datetime import date, timedelta
from functools import cached_property

import numpy as np
import numpy.typing as npt
from sqlalchemy import Engine

from assay.core.errors import NotFound
from assay.core.suite import Thresholds
from assay.core.verdict import UseCaseState as State
from assay.results.watch import DayReport, FleetState, Promise, SequentialState, Snapshots
from assay.runs.watch.history import StoredHistory, stored_history
from assay.runs.watch.issued import issued
from assay.watch import fleet, sequential
from assay.watch.dependence import promises
from assay.watch.history import WatchedModel
from assay.watch.judgement import Judgement, judge
from assay.watch.wording import verdict_on


class Verdicts:
    """The verdicts on a suite's whole history: every day of every model.

    `thresholds` replace those that the suite was stored with.
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
        self._related = related(self.names())
        self._scored: npt.NDArray[np.bool_] = np.logical_or.reduce(~np.isnan(self._base), axis=1)

    @cached_property
    def fleet_course(self) -> fleet.FleetCourse:
        """The fleet-adjusted test's course over the whole history."""
        return fleet.follow(self._base, _use_case_of(self.stored), self._ties, self._related)

    @cached_property
    def promises(self) -> tuple[Promise, ...]:
        """The guarantees of each model's sequential test, from all days of the history.

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
        """Return the models' names, in the order of the positions that `day` and `history` take."""
        return tuple(subject.name for subject in self.stored.history.subjects)

    def of(self, name: str | None) -> tuple[int, ...]:
        """Return the positions of the models of that name, or of all; NotFound if there is none.

        A model whose pin or parameters changed has one position for each of its settings.
        """
        positions = tuple(position for position, own in enumerate(self.names()) if name in (None, own))
        if not positions:
            known = ", ".join(dict.fromkeys(self.names()))
            raise NotFound(f"model {name!r} was not measured with this suite: use one of {known}")
        return positions

    def day(self, model: int, day: date) -> DayReport:
        """Return one model's report on a day; InvalidInput for a day outside the history."""
        number = self.stored.history.day_of(day)
        since = int(self.course.since[model, number])
        verdict = verdict_on(self.judgement, model, number)
        row, thresholds = self.stored.models[model], self.judgement.thresholds
        return DayReport(
            verdict,
            SequentialState(
                float(self.course.level[model, number]),
                bool(self.course.alarm[model, number]),
                None if since < 0 else self.stored.history.date_of(since),
                sequential.FALSE_ALARMS,
                int(self._scored[model, : number + 1].sum()),
                sequential.LEAST_DAYS,
                self.promises[model],
            ),
            self._fleet(model, number),
            self.stored.simulated,
            issued(self._engine, self._digest, row, verdict, thresholds),
        )

    def _fleet(self, model: int, day: int) -> FleetState:
        course, history = self.fleet_course, self.stored.history
        since, controls = int(course.since[model, day]), int(course.controls[model, day])
        days = int(course.days[model, day])
        others = ~self._related[model] & self._scored[:, day]
        window = self.judgement.thresholds.window_days
        return FleetState(
            level=float(course.level[model, day]),
            alarm=bool(course.alarm[model, day]),
            since=None if since < 0 else history.date_of(since),
            controls=controls,
            days=days,
            least_days=sequential.LEAST_DAYS,
            difference=fleet.relative_change(self._base, others, model, day, window=window)
            if controls
            else None,
            reason=self._explain_no_fleet(model, day, int(others.sum()), days),
        )

    def _explain_no_fleet(self, model: int, day: int, others: int, days: int) -> str | None:
        """Return the reason why the fleet-adjusted test has no result on a day; None if it has one."""
        least = sequential.LEAST_DAYS
        if not self._scored[model, day]:
            return "the model has no score on this day"
        if not others:
            return "no other model was scored on this day"
        if not self.fleet_course.controls[model, day]:
            return f"no other model has more than {least} days in common with it, in the same use cases"
        if days <= least:
            return f"{days} days in common with other models; more than {least} are needed"
        return None

    def history(self, model: int) -> Iterator[DayReport]:
        """Yield one model's reports from its first day with samples to the last day.

        If the history is a few `snapshots`, days without samples are left out.
        """
        ran = np.flatnonzero(self.judgement.daily.gaps.attempted[model])
        days = range(int(ran[0]) if ran.size else 0, self.stored.history.days)
        for day in days if self.snapshots(model) is None else ran.tolist():
            yield self.day(model, self.stored.history.date_of(day))

    def snapshots(self, model: int) -> Snapshots | None:
        """Return the days of a history that is a few snapshots; None if the model is watched day by day.

        Snapshots are at least two days and fewer than a baseline needs that span more than the baseline's
        window, so that they can never be compared with a baseline.
        """
        history, thresholds = self.stored.history, self.judgement.thresholds
        ran = np.flatnonzero(self.judgement.daily.gaps.attempted[model]).tolist()
        if not 2 <= len(ran) < thresholds.least_days or ran[-1] - ran[0] <= thresholds.window_days:
            return None
        used = np.unique(history.rows.run[history.rows.model == model]).tolist()
        runs = {history.runs[number].day: history.runs[number].id for number in used}
        return Snapshots(
            self.names()[model],
            tuple((history.date_of(day), runs[day]) for day in ran),
            thresholds.least_days,
            thresholds.window_days,
        )


def reports_on(engine: Engine, digest: str, day: date, rows: Collection[int]) -> tuple[DayReport, ...]:
    """Return the reports on a day of the models with these rows, in the order of the verdicts."""
    verdicts = Verdicts(engine, digest, until=day)
    models = enumerate(verdicts.stored.models)
    return tuple(verdicts.day(position, day) for position, row in models if row in rows)


def base_scores(stored: StoredHistory, judged: Judgement) -> npt.NDArray[np.float64]:
    """Return the means of base samples, 0-1, shape (models, cases, days); NaN on days that are not scored.

    Top-ups are left out, because days are topped up only if they look bad.
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
    """Return whether two models cannot be controls of each other, shape (models, models).

    These are a model and itself, with other settings or behind another provider: a fall affects both.
    """
    upstream = np.array([name.rpartition("/")[2] for name in names])
    same: npt.NDArray[np.bool_] = upstream[:, None] == upstream[None, :]
    return same


def _ties(subjects: tuple[WatchedModel, ...], first: date, days: int) -> npt.NDArray[np.float64]:
    """Return the random numbers that break ties, fixed for a name and a date so that verdicts never change.

    Every year is drawn separately, so that this also holds if earlier days are imported later.
    """
    dates = [first + timedelta(days=day) for day in range(days)]
    years = range(first.year, dates[-1].year + 1)
    indices = [(day.year - first.year) * 366 + day.timetuple().tm_yday - 1 for day in dates]
    table = np.empty((len(subjects), days))
    for model, subject in enumerate(subjects):
        name = int.from_bytes(hashlib.sha256(subject.name.encode()).digest()[:8])
        drawn = np.concatenate([np.random.default_rng([name, year]).random(366) for year in years])
        table[model] = drawn[indices]
    return 1.0 - table
