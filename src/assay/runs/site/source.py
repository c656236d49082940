"""What the pages of a site are read from: one workspace's database, with its histories kept in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache, partial

from sqlalchemy import Engine

from assay.calls.stand_ins import SIMULATED
from assay.core.errors import AssayError, NotFound
from assay.core.suite import Suite
from assay.ranking.findings import report_on
from assay.ranking.fragility import rank_fragility
from assay.ranking.items import report_items
from assay.ranking.relative_scores import rank_scores
from assay.ranking.score_table import ScoreSource
from assay.ranking.stability import measure_stability
from assay.results.exam import ExamResults, SeriesResult
from assay.results.rank_report import RankReport, RankReportParts
from assay.results.run_pages import SamplePage
from assay.results.watch import DayReport
from assay.runs.board.scores import scores_of
from assay.runs.board.source import BoardSource, find_runs, find_suite
from assay.runs.board.stored import StoredBoard, StoredKeyedBoard
from assay.runs.run_pages import published_samples, sample_page
from assay.runs.site.boards import BoardLine, ComparedModels, board_line, compare_models, exam_line
from assay.runs.site.feeds import RunMeasures
from assay.runs.site.fresh import Fresh
from assay.runs.site.watched import Watched
from assay.runs.work import Work
from assay.store.browsing import BrowsedSample, FilterChoices, filter_choices
from assay.store.engine import reading
from assay.store.exam.series import exams_state
from assay.store.overview import (
    CaseSample,
    Spending,
    board_suites,
    database_state,
    run_days,
    spending_apart,
    spending_since,
    watched_suites,
)
from assay.store.runs import count_by_status, last_finished, read_run
from assay.store.samples import read_samples
from assay.store.suites import read_suite

SUITES, RUNS = 64, 1024
"""Suites and runs that are kept in memory; what samples need of them never changes."""


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
    """One workspace, as the pages of a site read it. It can be used by several threads.

    `read_exams` reads the results of exams from a database, or raises NotFound.
    """

    def __init__(self, work: Work, read_exams: Callable[[Engine], ExamResults] | None = None) -> None:
        self.work = work
        self.engine = work.engine
        self._exam_reader = read_exams
        self._watched = Fresh(self.engine, self._read_watched, large=True)
        self._today = Fresh(self.engine, self._read_today)
        self._suite = lru_cache(SUITES)(partial(read_suite, self.engine))
        self._choices: Fresh[str, FilterChoices] = Fresh(self.engine, lambda _: filter_choices(self.engine))
        self._board: Fresh[str, StoredBoard | StoredKeyedBoard] = Fresh(self.engine, work.board)
        self._boards: Fresh[str, tuple[BoardLine, ...]] = Fresh(
            self.engine,
            lambda _: self._read_boards(),
            lambda engine: (database_state(engine), _read_exams_state(engine)),
        )
        self._scored = Fresh(self.engine, self._read_scores)
        self._reports = Fresh(self.engine, self._read_report)
        self._exams: Fresh[str, ExamResults] = Fresh(
            self.engine, lambda _: self._read_exams(), _read_exams_state
        )
        self._run = lru_cache(RUNS)(partial(read_run, self.engine))
        self._overview: Fresh[str, Overview] = Fresh(self.engine, lambda _: self._read_overview())
        self._spending: Fresh[date, dict[bool, Spending]] = Fresh(
            self.engine, lambda month: spending_apart(self.engine, _begin(month))
        )

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

    def samples(
        self, chosen: Sequence[CaseSample | BrowsedSample], *, reveal: bool = False
    ) -> dict[str, SamplePage]:
        """Return samples by their ids, in the given order; the texts of private suites only with `reveal`."""
        positions: dict[int, list[int]] = {}
        for sample in chosen:
            positions.setdefault(sample.run, []).append(sample.position)
        found = {}
        for number, wanted in positions.items():
            run = self._run(number)
            stored = read_samples(self.engine, number, positions=wanted)
            providers = self.work.workspace.providers
            for page in published_samples(run, self.suite(run.suite), providers, stored, reveal=reveal):
                found[page.sample.id] = page
        return {name: found[name] for name in (f"{one.run}.{one.position}" for one in chosen)}

    def simulated(self, names: Iterable[str]) -> list[str]:
        """Return those of the names of models in simulated runs that are not real, in order."""
        providers = self.work.workspace.providers
        known = {name: providers.get(name.partition("/")[0]) for name in sorted(set(names))}
        return [name for name, provider in known.items() if provider is None or provider.dialect == SIMULATED]

    def suite(self, digest: str) -> Suite:
        """Return a stored suite. Raises NotFound, and Denied for a sealed suite without its key."""
        return self._suite(digest)

    def watched_names(self) -> list[str]:
        """Return the names of watched suites, the one that was watched last first. Raises NotFound."""
        names = watched_suites(self.engine)
        if not names:
            raise NotFound("no suite is watched here: run `assay watch`")
        return names

    def filter_choices(self) -> FilterChoices:
        """Return what filters of samples can be set to."""
        return self._choices.get("")

    def boards(self) -> tuple[BoardLine, ...]:
        """Return the boards of all suites and exam series; those that cannot be made have the reason."""
        return self._boards.get("")

    def board(self, suite: str) -> StoredBoard | StoredKeyedBoard:
        """Return a suite's board. Raises NotFound and InvalidInput as the board does."""
        return self._board.get(suite)

    def board_scores(self, suite: str) -> ScoreSource:
        """Return the scores of a suite's board by model and prompt."""
        return self._scored.get(suite)[1]

    def compared_models(self, suite: str, names: tuple[str, str]) -> ComparedModels:
        """Return two models of a suite's board prompt by prompt. Raises NotFound and InvalidInput."""
        return compare_models(self.engine, *self._scored.get(suite), names)

    def rank_report(self, suite: str) -> RankReport:
        """Return what is known about the ranking of a suite's board."""
        return self._reports.get(suite)

    def exam_results(self) -> ExamResults:
        """Return all exams under the judge that gave most marks. Raises NotFound without a mark."""
        return self._exams.get("")

    def exam_series(self, name: str) -> SeriesResult:
        """Return one exam series. Raises NotFound for an unknown one."""
        for series in self.exam_results().series:
            if series.series.name == name:
                return series
        raise NotFound(f"there is no exam series {name!r}")

    def changed_at(self) -> datetime:
        """Return when a run last ended (UTC)."""
        return datetime.fromtimestamp(int(database_state(self.engine).finished_at), UTC)

    def days_of(self, run_ids: Sequence[int]) -> dict[int, str]:
        """Return the ISO day that each of these runs counts for; runs without a day are left out."""
        return run_days(self.engine, run_ids)

    def run_measures(self) -> RunMeasures:
        """Return the numbers of runs by status, and the spending of this month."""
        month = self.work.today().replace(day=1)
        counts, finished = count_by_status(self.engine), last_finished(self.engine)
        return RunMeasures(month, counts, finished, self._spending.get(month))

    def _read_watched(self, suite: str) -> Watched:
        if suite not in watched_suites(self.engine):
            raise NotFound(f"suite {suite!r} is not watched here")
        verdicts = self.work.verdicts(suite)
        _ = verdicts.fleet_course, verdicts.promises
        return Watched(self.engine, verdicts, self.changed_at())

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

    def _read_boards(self) -> tuple[BoardLine, ...]:
        lines = []
        for suite in board_suites(self.engine):
            try:
                lines.append(board_line(self.engine, self._board.latest(suite)))
            except AssayError as error:
                lines.append(BoardLine(suite, suite, "judged", problem=str(error)))
        with suppress(NotFound):
            results = self._exams.latest("")
            lines += [exam_line(results, series) for series in results.series]
        return tuple(lines)

    def _read_exams(self) -> ExamResults:
        if self._exam_reader is None:
            raise NotFound("no exams are read here")
        return self._exam_reader(self.engine)

    def _read_scores(self, suite: str) -> tuple[BoardSource, ScoreSource]:
        source = find_runs(self.engine, find_suite(self.engine, suite, None, None))
        return source, scores_of(self.engine, source)

    def _read_report(self, suite: str) -> RankReport:
        _, scores = self._scored.latest(suite)
        return report_on(
            RankReportParts(
                rank_scores(scores), measure_stability(scores), report_items(scores), rank_fragility(scores)
            )
        )

    def _read_overview(self) -> Overview:
        suites = []
        for name in watched_suites(self.engine):
            try:
                suites.append(self._today.latest(name))
            except AssayError as error:
                suites.append(SuiteToday(name, None, problem=str(error)))
        month = self.work.today().replace(day=1)
        settings = self.work.workspace
        return Overview(
            suites=tuple(suites),
            changed_at=self.changed_at() if database_state(self.engine).runs else None,
            month=month,
            spending=spending_since(self.engine, _begin(month)),
            budget=settings.budget.max_cost,
            schedule=settings.watch.schedule,
            next_run=_next_run(settings.watch.schedule, self.work.now()),
        )


def _read_exams_state(engine: Engine) -> tuple[int, ...]:
    with reading(engine) as connection:
        return exams_state(connection)


def _begin(month: date) -> float:
    """Return the beginning of a month in UTC, in seconds since 1970."""
    return datetime(month.year, month.month, 1, tzinfo=UTC).timestamp()


def _next_run(schedule: str | None, now: datetime) -> datetime | None:
    """Return the next time of a daily schedule `HH:MM` in UTC; None without one."""
    if schedule is None:
        return None
    hour, minute = (int(part) for part in schedule.split(":"))
    due = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    return due if due > now else due + timedelta(days=1)
