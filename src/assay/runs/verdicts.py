"""Reading verdicts from the store: one day or the whole history, with the sequential test beside."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np
import numpy.typing as npt
from sqlalchemy import Engine

from assay.core.errors import NotFound
from assay.core.suite import Thresholds
from assay.runs.history import StoredHistory, stored_history
from assay.watch import sequential
from assay.watch.evidence import ModelVerdict
from assay.watch.history import Subject
from assay.watch.judgement import Judgement, judge
from assay.watch.wording import verdict_on


@dataclass(frozen=True, slots=True)
class SequentialState:
    """The sequential test on one day: money as a share of what raises an alarm, and the fall's first day.

    `false_alarms` is the promised rate a model-year; `since` is None without an alarm. `days` counts the
    scored days up to this one; the first bet comes after `least_days` of them.
    """

    level: float
    alarm: bool
    since: date | None
    false_alarms: float
    days: int
    least_days: int


@dataclass(frozen=True, slots=True)
class DayReport:
    """One model on one day: the seed's verdict, and beside it the sequential test."""

    verdict: ModelVerdict
    sequential: SequentialState
    simulated: bool


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
        self.stored: StoredHistory = stored_history(engine, digest, until=until)
        self.judgement: Judgement = judge(self.stored.history, thresholds or self.stored.suite.thresholds)
        base = base_scores(self.stored, self.judgement)
        self.course = _follow(self.stored, base)
        self._scored: npt.NDArray[np.bool_] = np.logical_or.reduce(~np.isnan(base), axis=1)

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
        return DayReport(
            verdict_on(self.judgement, model, place),
            SequentialState(
                float(self.course.level[model, place]),
                bool(self.course.alarm[model, place]),
                None if since < 0 else self.stored.history.date_of(since),
                sequential.FALSE_ALARMS,
                int(self._scored[model, : place + 1].sum()),
                sequential.LEAST_DAYS,
            ),
            self.stored.simulated,
        )

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


def _follow(stored: StoredHistory, scores: npt.NDArray[np.float64]) -> sequential.Course:
    history = stored.history
    ties = _ties(history.subjects, history.first, history.days)
    return sequential.follow(scores, _use_case_of(stored), ties)


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
