"""A watched suite as the pages show it: its verdicts, and the rows of its models, which addresses name."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
from sqlalchemy import Engine

from assay.core.errors import NotFound
from assay.results.watch import ModelVerdict
from assay.runs.watch.verdicts import Verdicts
from assay.store.overview import CaseSample, samples_of_model
from assay.watch.paired import FLIP
from assay.watch.wording import verdict_on

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Watched:
    """The verdicts on a suite's whole history. `changed_at` (UTC) is when the database last changed."""

    engine: Engine
    verdicts: Verdicts
    changed_at: datetime
    _views: dict[Hashable, Any] = field(default_factory=dict, repr=False, compare=False)

    def once(self, key: Hashable, make: Callable[[], V]) -> V:
        """Return a view of this history by its key; it is made once and kept as long as the history."""
        if key not in self._views:
            self._views[key] = make()
        view: V = self._views[key]
        return view

    @property
    def private(self) -> bool:
        """Whether the suite's texts are shown to readers with a role only."""
        return self.verdicts.stored.suite.visibility == "private"

    def position(self, row: int) -> int:
        """Return the position of a model by its row. Raises NotFound for a model that was not measured."""
        rows = self.verdicts.stored.models
        if row not in rows:
            suite = self.verdicts.stored.suite.name
            raise NotFound(f"model {row} was not measured with suite {suite!r}")
        return rows.index(row)

    def day_of(self, text: str) -> date:
        """Return a day of the history from its ISO text. Raises NotFound for any other text."""
        history = self.verdicts.stored.history
        try:
            day = date.fromisoformat(text)
        except ValueError:
            day = date.min
        if not history.first <= day <= self.verdicts.last_day or day.isoformat() != text:
            raise NotFound(
                f"the history has no day {text!r}: it has {history.first} to {self.verdicts.last_day}"
            )
        return day


class DayCase(NamedTuple):
    """One case of a model on a day and on the scored day before it; scores are means of samples, 0-1.

    `before` is None if the case had no score then. `samples` are those of the day, and `earlier` those of
    the day before.
    """

    use_case: str
    case: str
    score: float | None
    before: float | None
    samples: tuple[CaseSample, ...]
    earlier: tuple[CaseSample, ...]

    @property
    def change(self) -> float | None:
        """The change of the mean; None without both."""
        return None if self.score is None or self.before is None else self.score - self.before

    @property
    def flipped(self) -> bool:
        """Whether the mean moved by a half or more."""
        return self.change is not None and abs(self.change) >= FLIP


@dataclass(frozen=True, slots=True)
class ModelDay:
    """One model on one day: the verdict, the days around it, and every case."""

    row: int
    verdict: ModelVerdict
    previous: date | None
    following: date | None
    compared_with: date | None
    cases: tuple[DayCase, ...]


def model_day(watched: Watched, row: int, day: date) -> ModelDay:
    """Return a model's day with its cases, those that changed most first.

    `compared_with` is the scored day before it: that of most use cases, if they differ.
    """
    verdicts = watched.verdicts
    stored, judged = verdicts.stored, verdicts.judgement
    position, place = watched.position(row), stored.history.day_of(day)
    earlier = [
        _scored_before(watched, position, index, place) for index in range(len(stored.history.use_cases))
    ]
    runs_by_day: dict[int, list[int]] = {}
    for run in stored.history.runs:
        runs_by_day.setdefault(run.day, []).append(run.id)
    wanted = {place, *(before for before in earlier if before is not None)}
    samples = {
        when: _by_case(samples_of_model(watched.engine, sorted(set(runs_by_day.get(when, []))), row))
        for when in wanted
    }
    cases: list[DayCase] = []
    ordinal = 0
    for series, before in zip(stored.history.use_cases, earlier, strict=True):
        for case in series.cases:
            scores = judged.daily.case_scores[position, ordinal]
            cases.append(
                DayCase(
                    series.name,
                    case,
                    _known(scores[place]),
                    None if before is None else _known(scores[before]),
                    samples[place].get(ordinal, ()),
                    () if before is None else samples[before].get(ordinal, ()),
                )
            )
            ordinal += 1
    days = [day for day in earlier if day is not None]
    compared = max(days, key=days.count) if days else None
    attempted = np.flatnonzero(judged.daily.gaps.attempted[position])
    return ModelDay(
        row,
        verdict_on(judged, position, place),
        _date(watched, attempted[attempted < place][-1:]),
        _date(watched, attempted[attempted > place][:1]),
        None if compared is None else stored.history.date_of(compared),
        tuple(sorted(cases, key=lambda case: (not case.flipped, -abs(case.change or 0.0)))),
    )


def _scored_before(watched: Watched, position: int, use_case: int, place: int) -> int | None:
    """Return the last day before `place` on which a use case of a model counted."""
    earlier = watched.verdicts.judgement.daily.fit[position, use_case, :place].nonzero()[0]
    return int(earlier[-1]) if earlier.size else None


def _by_case(samples: Sequence[CaseSample]) -> dict[int, tuple[CaseSample, ...]]:
    by_case: dict[int, list[CaseSample]] = {}
    for sample in samples:
        by_case.setdefault(sample.case_ordinal, []).append(sample)
    return {case: tuple(listed) for case, listed in by_case.items()}


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _date(watched: Watched, places: npt.NDArray[np.int64]) -> date | None:
    return watched.verdicts.stored.history.date_of(int(places[0])) if places.size else None


def last_sample(watched: Watched, row: int, case: str) -> CaseSample:
    """Return a model's first sample of a case on the last day on which it has a score.

    Raises NotFound for an unknown model or case, and without a score.
    """
    verdicts = watched.verdicts
    history, position = verdicts.stored.history, watched.position(row)
    ordinal = _ordinal(watched, case)
    scored = np.flatnonzero(~np.isnan(verdicts.judgement.daily.case_scores[position, ordinal]))
    for day in scored[::-1][:1].tolist():
        numbers = sorted({run.id for run in history.runs if run.day == day})
        for sample in samples_of_model(watched.engine, numbers, row):
            if sample.case_ordinal == ordinal:
                return sample
    raise NotFound(f"{verdicts.names()[position]} has no scored answer to case {case!r}")


def _ordinal(watched: Watched, case: str) -> int:
    """Return the place of a case in its suite. Raises NotFound for an unknown one."""
    history = watched.verdicts.stored.history
    if case not in history.cases:
        raise NotFound(f"suite {history.suite!r} has no case {case!r}")
    return history.cases.index(case)


class CaseDay(NamedTuple):
    """A case's mean score (0-1) on a day; None without one."""

    day: date
    score: float | None


@dataclass(frozen=True, slots=True)
class CaseHistory:
    """A case's scores by model, the last days first in time."""

    use_case: str
    case: str
    models: tuple[tuple[int, str, tuple[CaseDay, ...]], ...]


def case_history(watched: Watched, case: str, days: int) -> CaseHistory:
    """Return the scores of a case over the last `days` days. Raises NotFound for an unknown case."""
    verdicts = watched.verdicts
    history, judged = verdicts.stored.history, verdicts.judgement
    ordinal = _ordinal(watched, case)
    use_case = next(series.name for series in history.use_cases if case in series.cases)
    shown = range(max(0, history.days - days), history.days)
    models = tuple(
        (
            row,
            name,
            tuple(
                CaseDay(history.date_of(day), _known(judged.daily.case_scores[place, ordinal, day]))
                for day in shown
            ),
        )
        for place, (row, name) in enumerate(zip(verdicts.stored.models, verdicts.names(), strict=True))
    )
    return CaseHistory(use_case, case, models)
