"""The front page: every watched model with its verdict and its last days, and what changed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from assay.core.verdict import ModelState
from assay.core.verdict import UseCaseState as State
from assay.report.frame import SiteFrame
from assay.report.inline import simulation_notice
from assay.report.site.style import site_page
from assay.report.watch.page import labels
from assay.report.watch.strip import StripMark, first_day
from assay.results.watch import DayReport
from assay.runs.site.source import Overview, SuiteToday
from assay.runs.site.watched import Watched

DAYS = 30
"""Days that the front page shows of each model."""


BY_SEVERITY = (
    ModelState.COOKED,
    ModelState.SUSPICIOUS,
    ModelState.OK,
    ModelState.CALIBRATING,
    ModelState.GAP,
)


@dataclass(frozen=True, slots=True)
class ModelLine:
    """A model on the front page: its row in addresses, its report, its last days, and whether it changed."""

    row: int
    label: str
    report: DayReport
    marks: tuple[tuple[date, StripMark], ...]
    changed: bool

    @property
    def before(self) -> str:
        """The state of the day before, as the strip shows it."""
        return self.marks[-2][1].name.partition(" ")[0].upper() if len(self.marks) > 1 else ""


@dataclass(frozen=True, slots=True)
class SuiteSection:
    """A watched suite on the front page. `problem` says why there is nothing else to show of it."""

    name: str
    title: str
    version: str
    last: date | None
    lines: tuple[ModelLine, ...]
    tally: tuple[tuple[ModelState, int], ...]
    judge: str | None
    moved: tuple[str, ...]
    problem: str = ""

    @property
    def changed(self) -> tuple[ModelLine, ...]:
        """The models whose state changed since the day before."""
        return tuple(line for line in self.lines if line.changed)

    @property
    def day_before(self) -> date | None:
        """The day before the last one."""
        return None if self.last is None else self.last - timedelta(days=1)


@dataclass(frozen=True, slots=True)
class TodayView:
    """The front page. `simulation` is the notice of simulated data; None without any."""

    suites: tuple[SuiteSection, ...]
    overview: Overview
    simulation: str | None

    @property
    def made(self) -> datetime | None:
        """When the database last changed."""
        return self.overview.changed_at


def today_page(overview: Overview, site: SiteFrame) -> str:
    """Return the front page."""
    sections = tuple(_section(suite) for suite in overview.suites)
    view = TodayView(sections, overview, simulation_of(overview))
    return site_page("site_today.html", view, site)


def _section(suite: SuiteToday) -> SuiteSection:
    if suite.watched is None:
        return SuiteSection(suite.name, suite.name, "", None, (), (), None, (), suite.problem)
    watched, verdicts = suite.watched, suite.watched.verdicts
    stored = verdicts.stored
    named = labels(verdicts.names())
    lines = [
        ModelLine(row, named[place], report, last_days(watched, place), place in suite.changed)
        for place, (row, report) in enumerate(zip(stored.models, suite.reports, strict=True))
    ]
    lines.sort(key=lambda line: (BY_SEVERITY.index(line.report.verdict.state), line.label))
    numbers = Counter(line.report.verdict.state for line in lines)
    return SuiteSection(
        name=suite.name,
        title=stored.suite.title,
        version=stored.suite.version,
        last=verdicts.last_day,
        lines=tuple(
            sorted(lines, key=lambda line: (BY_SEVERITY.index(line.report.verdict.state), line.label))
        ),
        tally=tuple((state, numbers[state]) for state in BY_SEVERITY if numbers[state]),
        judge=stored.judge,
        moved=tuple(line.label for line in lines if line.report.verdict.judge_moved),
    )


def last_days(watched: Watched, place: int, days: int = DAYS) -> tuple[tuple[date, StripMark], ...]:
    """Return the marks of a model's last days, oldest first."""
    judged = watched.verdicts.judgement
    begun = first_day(judged, place)
    marks = []
    for day in range(max(0, judged.history.days - days), judged.history.days):
        when = judged.history.date_of(day)
        if day < begun:
            marks.append((when, StripMark(None, f"{when}: not measured yet")))
            continue
        state = State(judged.states[place, day])
        held = bool(judged.evidence.held[place, :, day].any()) and state > State.CALIBRATING
        marks.append(
            (when, StripMark(state, f"{when}: {state.name}{', carried over' if held else ''}", held))
        )
    return tuple(marks)


def simulation_of(overview: Overview) -> str | None:
    """Return the notice of simulated models among all watched ones; None without any."""
    shown = [suite.watched.verdicts for suite in overview.suites if suite.watched is not None]
    if not any(verdicts.stored.simulated for verdicts in shown):
        return None
    subjects = [subject for verdicts in shown for subject in verdicts.stored.history.subjects]
    return simulation_notice(
        [subject.name for subject in subjects if subject.provider == "simulated"],
        [subject.name for subject in subjects],
    )
