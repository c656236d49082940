"""What the pages of a site are read from: one workspace's database, with its histories kept in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache, partial

from assay.core.errors import AssayError, NotFound
from assay.results.run_pages import SamplePage
from assay.results.watch import DayReport
from assay.runs.run_pages import published_sample, sample_page
from assay.runs.site.fresh import Fresh
from assay.runs.site.watched import Watched
from assay.runs.work import Work
from assay.store.overview import (
    CaseSample,
    Spending,
    database_state,
    run_days,
    spending_since,
    watched_suites,
)
from assay.store.runs import read_run
from assay.store.samples import read_samples
from assay.store.suites import read_suite

SUITES = 64
"""Suites that are kept in memory; a stored suite never changes."""


@dataclass(frozen=True, slots=True)
class SuiteToday:
    """A watched suite on its last day: the report on each model, and the models whose state changed.

    `changed` are the positions of models whose state differs from that of the day before. `problem` says why
    a suite cannot be shown; the rest is then empty.
    """

    name: str
    watched: Watched | None
    reports: tuple[DayReport, ...] = ()
    changed: tuple[int, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Overview:
    """The front page: watched suites, and spending since the month began with the limit of a run (USD)."""

    suites: tuple[SuiteToday, ...]
    changed_at: datetime | None
    month: date
    spending: Spending
    budget: float | None
    schedule: str | None
    next_run: datetime | None


class SiteSource:
    """One workspace, as the pages of a site read it. It can be used by several threads."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.engine = work.engine
        self._watched = Fresh(self.engine, self._read_watched)
        self._today = Fresh(self.engine, self._read_today)
        self._suite = lru_cache(SUITES)(partial(read_suite, self.engine))
        self._overview: Fresh[str, Overview] = Fresh(self.engine, lambda _: self._read_overview())

    def watched(self, suite: str) -> Watched:
        """Return the history of a watched suite. Raises NotFound for a suite that is not watched."""
        return self._watched.get(suite)

    def overview(self) -> Overview:
        """Return what the front page shows."""
        return self._overview.get("")

    def today(self, suite: str) -> SuiteToday:
        """Return a watched suite on its last day. Raises NotFound for a suite that is not watched."""
        return self._today.get(suite)

    def sample(self, run: int, position: int, *, reveal: bool) -> SamplePage:
        """Return one sample; the texts of a private suite only with `reveal`. Raises NotFound."""
        return sample_page(self.engine, self.work.workspace.providers, run, position, reveal=reveal)

    def samples(self, chosen: Sequence[CaseSample]) -> dict[str, SamplePage]:
        """Return samples by their ids, in the given order; the texts of private suites are left out."""
        positions: dict[int, list[int]] = {}
        for sample in chosen:
            positions.setdefault(sample.run, []).append(sample.position)
        found = {}
        for number, wanted in positions.items():
            run = read_run(self.engine, number)
            suite = self._suite(run.suite)
            for stored in read_samples(self.engine, number, positions=wanted):
                page = published_sample(run, suite, self.work.workspace.providers, stored, reveal=False)
                found[page.sample.id] = page
        return {name: found[name] for name in (f"{one.run}.{one.position}" for one in chosen)}

    def days_of(self, run_ids: Sequence[int]) -> dict[int, str]:
        """Return the ISO day that each of these runs counts for; runs without a day are left out."""
        return run_days(self.engine, run_ids)

    def _read_watched(self, suite: str) -> Watched:
        if suite not in watched_suites(self.engine):
            raise NotFound(f"suite {suite!r} is not watched here")
        verdicts = self.work.verdicts(suite)
        _ = verdicts.fleet_course, verdicts.promises
        return Watched(self.engine, verdicts, self._changed_at())

    def _read_today(self, suite: str) -> SuiteToday:
        watched = self._watched.latest(suite)
        verdicts = watched.verdicts
        judged, last = verdicts.judgement, verdicts.last_day
        place = verdicts.stored.history.day_of(last)
        states = judged.states
        models = range(len(verdicts.names()))
        changed = [model for model in models if place and states[model, place] != states[model, place - 1]]
        return SuiteToday(
            suite, watched, tuple(verdicts.day(model, last) for model in models), tuple(changed)
        )

    def _read_overview(self) -> Overview:
        suites = []
        for name in watched_suites(self.engine):
            try:
                suites.append(self._today.latest(name))
            except AssayError as error:
                suites.append(SuiteToday(name, None, problem=str(error)))
        today = self.work.today()
        month = today.replace(day=1)
        start = datetime(month.year, month.month, 1, tzinfo=UTC).timestamp()
        settings = self.work.workspace
        return Overview(
            suites=tuple(suites),
            changed_at=self._changed_at() if database_state(self.engine).runs else None,
            month=month,
            spending=spending_since(self.engine, start),
            budget=settings.budget.max_cost,
            schedule=settings.watch.schedule,
            next_run=_next_run(settings.watch.schedule, self.work.now()),
        )

    def _changed_at(self) -> datetime:
        return datetime.fromtimestamp(int(database_state(self.engine).finished_at), UTC)


def _next_run(schedule: str | None, now: datetime) -> datetime | None:
    """Return the next time of a daily schedule `HH:MM` in UTC; None without one."""
    if schedule is None:
        return None
    hour, minute = (int(part) for part in schedule.split(":"))
    due = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    return due if due > now else due + timedelta(days=1)
