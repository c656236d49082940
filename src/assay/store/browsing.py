"""Samples of all runs, newest first, a bounded number of them at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, Engine, Select, and_, exists, func, or_, select

from assay.store.engine import reading
from assay.store.schema import calls, cases, grades, models, run_models, runs, samples, suites
from assay.store.sealing import filled

EXAMINED: Final = 30_000
"""The most samples that one request examines."""
EXAMINED_TEXTS: Final = 6_000
"""The same if texts or grades are read, which takes longer."""


class SamplePlace(NamedTuple):
    """A sample's place in the order of samples."""

    run: int
    position: int


@dataclass(frozen=True, slots=True)
class SampleFilter:
    """Conditions on samples; None and empty ones hold for all.

    `status` is `ok` (graded), `invalid`, `error` or `ungraded`. A `grader` gave a mark, of at most `below` if
    that is given (0-1). `text` stands in the answer, in any case of letters. `case` and `text` find only
    samples of public suites, unless `reveal`.
    """

    run: int | None = None
    model: str | None = None
    suite: str | None = None
    first_day: str | None = None
    last_day: str | None = None
    use_case: str | None = None
    case: str | None = None
    status: str | None = None
    grader: str | None = None
    below: float | None = None
    text: str | None = None
    reveal: bool = False

    @property
    def examined(self) -> int:
        """How many samples a request with this filter examines."""
        return EXAMINED_TEXTS if self.text or self.grader else EXAMINED


class BrowsedSample(NamedTuple):
    """One sample in the list; `score` is 0-100, None without one or if it is sealed."""

    run: int
    position: int
    day: str | None
    suite: str
    visibility: str
    model: str
    model_row: int
    case_ordinal: int
    use_case: str
    case: str
    epoch: int
    status: str
    score: float | None
    sealed: bool
    simulated: bool
    finished_at: float


@dataclass(frozen=True, slots=True)
class SampleWindow:
    """The samples that meet a filter in a stretch of the history, newest first.

    `continued` is the place from which an older stretch begins; None at the end of the history. `back_to` is
    the day of the oldest run that was examined.
    """

    samples: tuple[BrowsedSample, ...]
    continued: SamplePlace | None
    examined: int
    back_to: str | None


def browse(
    engine: Engine, chosen: SampleFilter, before: SamplePlace | None = None, limit: int | None = 50
) -> SampleWindow:
    """Return samples older than `before`, at most `limit` of them (None for all in the stretch)."""
    with reading(engine) as connection:
        stretch = _stretch(connection, chosen, before)
        if not stretch:
            return SampleWindow((), None, 0, None)
        query = _matching(chosen).where(or_(*(_within(part) for part in stretch)))
        if limit is not None:
            query = query.limit(limit + 1)
        rows = [BrowsedSample(*row) for row in connection.execute(query)]
    last = stretch[-1]
    following = SamplePlace(last.run, last.low) if last.low > 0 else SamplePlace(last.run - 1, -1)
    continued: SamplePlace | None = following if last.more else None
    if limit is not None and len(rows) > limit:
        rows = rows[:limit]
        continued = SamplePlace(rows[-1].run, rows[-1].position)
    return SampleWindow(tuple(rows), continued, sum(part.size for part in stretch), last.day)


class _Part(NamedTuple):
    """A stretch of one run's positions, `low` to below `high`; `more` is whether older samples follow it."""

    run: int
    low: int
    high: int
    day: str | None
    more: bool

    @property
    def size(self) -> int:
        return self.high - self.low


def _stretch(connection: Connection, chosen: SampleFilter, before: SamplePlace | None) -> list[_Part]:
    """Return the newest parts of runs that may be examined, in a bounded number of samples.

    A place with the position -1 stands for the whole of its run.
    """
    query = _runs(chosen)
    if before is not None:
        query = query.where(runs.c.id <= before.run)
    left, parts = chosen.examined, list[_Part]()
    for row in connection.execute(query):
        highest = connection.execute(
            select(func.max(samples.c.position)).where(samples.c.run == row.id)
        ).scalar()
        high = 0 if highest is None else int(highest) + 1
        if before is not None and row.id == before.run and before.position >= 0:
            high = min(high, before.position)
        if high == 0:
            continue
        if left <= 0:
            parts[-1] = parts[-1]._replace(more=True)
            break
        low = max(0, high - left)
        parts.append(_Part(row.id, low, high, row.day, more=low > 0))
        left -= high - low
        if low > 0:
            break
    return parts


def _runs(chosen: SampleFilter) -> Select[tuple[int, str | None]]:
    query = select(runs.c.id, runs.c.day).order_by(runs.c.id.desc())
    if chosen.run is not None:
        query = query.where(runs.c.id == chosen.run)
    if chosen.first_day:
        query = query.where(runs.c.day >= chosen.first_day)
    if chosen.last_day:
        query = query.where(runs.c.day <= chosen.last_day)
    if chosen.suite or chosen.case or chosen.text:
        query = query.join(suites, suites.c.digest == runs.c.suite)
        if chosen.suite:
            query = query.where(suites.c.name == chosen.suite)
        if (chosen.case or chosen.text) and not chosen.reveal:
            query = query.where(suites.c.visibility == "public")
    if chosen.model:
        named = select(models.c.id).where(models.c.name == chosen.model)
        query = query.where(exists().where(run_models.c.run == runs.c.id, run_models.c.model.in_(named)))
    return query


def _within(part: _Part) -> ColumnElement[bool]:
    return and_(samples.c.run == part.run, samples.c.position >= part.low, samples.c.position < part.high)


def _matching(chosen: SampleFilter) -> Select[Any]:
    """Return the query for samples that meet a filter, in all of the database."""
    query = (
        select(
            samples.c.run,
            samples.c.position,
            runs.c.day,
            suites.c.name,
            suites.c.visibility,
            models.c.name,
            samples.c.model,
            samples.c.case_ordinal,
            cases.c.use_case,
            cases.c.case_id,
            samples.c.epoch,
            samples.c.status,
            samples.c.score,
            samples.c.sealed.is_not(None),
            runs.c.simulated,
            samples.c.finished_at,
        )
        .join(runs, runs.c.id == samples.c.run)
        .join(suites, suites.c.digest == runs.c.suite)
        .join(models, models.c.id == samples.c.model)
        .join(cases, and_(cases.c.suite == runs.c.suite, cases.c.ordinal == samples.c.case_ordinal))
        .order_by(samples.c.run.desc(), samples.c.position.desc())
    )
    if chosen.model:
        query = query.where(models.c.name == chosen.model)
    if chosen.use_case:
        query = query.where(cases.c.use_case == chosen.use_case)
    if chosen.case:
        query = query.where(cases.c.case_id == chosen.case)
    if chosen.status in ("ok", "ungraded"):
        graded = filled(samples, "score")
        query = query.where(samples.c.status == "ok", graded if chosen.status == "ok" else ~graded)
    elif chosen.status:
        query = query.where(samples.c.status == chosen.status)
    if chosen.grader:
        given = exists().where(
            grades.c.run == samples.c.run,
            grades.c.position == samples.c.position,
            grades.c.grader == chosen.grader,
        )
        query = query.where(given if chosen.below is None else given.where(grades.c.value <= chosen.below))
    if chosen.text:
        query = query.where(
            exists().where(
                calls.c.run == samples.c.run,
                calls.c.position == samples.c.position,
                calls.c.purpose == "subject",
                calls.c.answer.icontains(chosen.text, autoescape=True),
            )
        )
    return query


class FilterChoices(NamedTuple):
    """What filters can be set to: names of models, suites, use cases and graders."""

    models: tuple[str, ...]
    suites: tuple[str, ...]
    use_cases: tuple[str, ...]
    graders: tuple[str, ...]


def filter_choices(engine: Engine) -> FilterChoices:
    """Return the names that filters can be set to; graders are those of the last run's first samples."""
    with reading(engine) as connection:

        def names(query: Select[tuple[str]]) -> tuple[str, ...]:
            return tuple(connection.execute(query).scalars())

        subjects = select(run_models.c.model).distinct()
        last = connection.execute(select(func.max(grades.c.run))).scalar()
        return FilterChoices(
            names(select(models.c.name).where(models.c.id.in_(subjects)).distinct().order_by(models.c.name)),
            names(select(suites.c.name).distinct().order_by(suites.c.name)),
            names(select(cases.c.use_case).distinct().order_by(cases.c.use_case)),
            names(select(grades.c.grader).where(grades.c.run == last).distinct().order_by(grades.c.grader)),
        )


def errors_by_kind(engine: Engine, run: int) -> list[tuple[str, int]]:
    """Return the numbers of a run's failed attempts by kind of error, the most frequent first."""
    query = (
        select(calls.c.error, func.count().label("n"))
        .where(calls.c.run == run, calls.c.error.is_not(None))
        .group_by(calls.c.error)
        .order_by(func.count().desc(), calls.c.error)
    )
    with reading(engine) as connection:
        return [(row.error, row.n) for row in connection.execute(query)]
