"""Samples of all runs, newest first, a bounded number of them at a time.

A request examines samples in chunks, from a place in their order on, until it has found enough, has examined
enough, or its time is over. It then says where it stopped, and the next request goes on from there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Row,
    Select,
    and_,
    exists,
    func,
    or_,
    select,
    tuple_,
)

from assay.store.engine import PART, in_parts, reading
from assay.store.schema import calls, cases, grades, models, run_models, runs, samples, suites
from assay.store.sealing import filled

EXAMINED: Final = 200_000
"""The most samples that one request examines."""
EXAMINED_TEXTS: Final = 20_000
"""The same if answers or grades are read, which takes longer."""
FIRST_CHUNK: Final = 500
"""Samples that are examined at first; each chunk is twice as large as the last one."""
RUNS: Final = 100
"""Runs that are looked up at once."""
GRADED: Final = 5_000
"""Samples of a suite's last run whose graders can be chosen."""


class SamplePlace(NamedTuple):
    """A sample's place in the order of samples. There need not be a sample."""

    run: int
    position: int


@dataclass(frozen=True, slots=True)
class SampleFilter:
    """Conditions on samples; None and empty ones hold for all.

    `status` is `ok` (graded), `invalid`, `error` or `ungraded`. The `grader`, or any without one, gave a
    grade of at least `least` and at most `most` (0-1). `text` stands in the answer; the letters A to Z match
    in either case, and in PostgreSQL all letters. `case` and `text` find samples of public suites only,
    unless `reveal`; `text` finds none of sealed suites, whose answers the database cannot read.
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
    least: float | None = None
    most: float | None = None
    text: str | None = None
    reveal: bool = False

    @property
    def by_grade(self) -> bool:
        """Whether there is a condition on grades."""
        return self.grader is not None or self.least is not None or self.most is not None

    @property
    def examined(self) -> int:
        """How many samples a request with this filter examines at most."""
        return EXAMINED_TEXTS if self.text or self.by_grade else EXAMINED


class BrowsedSample(NamedTuple):
    """One sample in the list; `score` is 0-100, None without one or if it is sealed."""

    run: int
    position: int
    day: str | None
    suite: str
    visibility: str
    model: str
    use_case: str
    case: str
    epoch: int
    status: str
    score: float | None
    sealed: bool
    simulated: bool

    @property
    def id(self) -> str:
        """The run and the position, such as `12.345`."""
        return f"{self.run}.{self.position}"

    @property
    def place(self) -> SamplePlace:
        """The place in the order of samples."""
        return SamplePlace(self.run, self.position)


@dataclass(frozen=True, slots=True)
class SampleWindow:
    """The samples that meet a filter in a stretch of the history, newest first.

    Older samples than those that were looked at begin before the place `older`, and newer ones after `newer`;
    None at the end of the history. It is `incomplete` if the search stopped before it had found enough; the
    last run that it looked at was that of `last_day`.
    """

    samples: tuple[BrowsedSample, ...] = ()
    older: SamplePlace | None = None
    newer: SamplePlace | None = None
    incomplete: bool = False
    last_day: str | None = None


Cells = Mapping[int, Collection[tuple[int, int]]]
"""Models and cases, by their rows and ordinals, of some runs."""


def browse(
    engine: Engine,
    chosen: SampleFilter,
    *,
    before: SamplePlace | None = None,
    after: SamplePlace | None = None,
    limit: int = 50,
    cells: Cells | None = None,
    examined: int | None = None,
    expired: Callable[[], bool] = lambda: False,
) -> SampleWindow:
    """Return at most `limit` samples that are older than `before`, or else newer than `after`.

    With `cells`, only samples of these models and cases in these runs. At most `examined` samples are
    examined, by default `chosen.examined`, and none after a chunk at whose end the time is `expired`.
    """
    newer = before is None and after is not None
    start = after if newer else before
    with reading(engine) as connection:
        scan = _Scan(connection, chosen, start, newer=newer, cells=cells)
        found = scan.find(limit + 1, examined or chosen.examined, expired)
        window = _describe(connection, found[:limit][:: -1 if newer else 1])
    ended = scan.ended_at if len(found) <= limit else SamplePlace(*found[limit - 1][1][:2])
    incomplete = ended is not None and len(found) <= limit
    if newer and start is not None:
        behind = window[-1].place if window else SamplePlace(start.run, start.position + 1)
        return SampleWindow(window, behind, ended, incomplete, scan.last_day)
    if start is None:
        return SampleWindow(window, ended, None, incomplete, scan.last_day)
    behind = window[0].place if window else SamplePlace(start.run, start.position - 1)
    return SampleWindow(window, ended, behind, incomplete, scan.last_day)


class _Run(NamedTuple):
    """A run that can have samples that meet the filter; its positions are below `size`."""

    id: int
    day: str | None
    digest: str
    suite: str
    visibility: str
    simulated: int
    size: int


class _Part(NamedTuple):
    """The positions `low` to below `high` of a run."""

    run: _Run
    low: int
    high: int

    def split(self, size: int, newer: bool) -> tuple[_Part, _Part | None]:
        """Return the first part of at most `size` positions in the direction of the scan, and the rest."""
        if self.high - self.low <= size:
            return self, None
        if newer:
            return self._replace(high=self.low + size), self._replace(low=self.low + size)
        return self._replace(low=self.high - size), self._replace(high=self.high - size)


Found = tuple[_Run, Row[Any]]
_CELL: Final = tuple_(samples.c.run, samples.c.model, samples.c.case_ordinal)


class _Scan:
    """A walk through the samples, from a place on towards older or newer ones.

    After `find`, `ended_at` is the place from which another walk would go on, None at the end of the history.
    """

    def __init__(
        self,
        connection: Connection,
        chosen: SampleFilter,
        start: SamplePlace | None,
        *,
        newer: bool,
        cells: Cells | None,
    ) -> None:
        self._connection, self._chosen, self._newer, self._cells = connection, chosen, newer, cells
        self._query = _matching(connection, chosen, newer)
        self._parts = self._all_parts(start)
        self._rest: _Part | None = None
        self.ended_at: SamplePlace | None = None
        self.last_day: str | None = None

    def find(self, wanted: int, examined: int, expired: Callable[[], bool]) -> list[Found]:
        """Return the first samples that match: as many as are wanted, or those among the examined ones."""
        found: list[Found] = []
        left, size = examined, FIRST_CHUNK
        while left > 0 and len(found) < wanted and (chunk := self._chunk(min(size, left))):
            found += self._matches(chunk, wanted - len(found))
            left -= sum(part.high - part.low for part in chunk)
            last = chunk[-1]
            self.ended_at = SamplePlace(last.run.id, last.high - 1 if self._newer else last.low)
            self.last_day = last.run.day
            size = min(2 * size, max(FIRST_CHUNK, examined // 4))
            if expired():
                break
        self._rest = self._rest or next(self._parts, None)
        if self._rest is None:
            self.ended_at = None
        return found

    def _chunk(self, size: int) -> list[_Part]:
        """Return the next parts of runs of one suite, with about `size` positions; none at the end."""
        chunk: list[_Part] = []
        while size > 0 and len(chunk) < PART:
            part = self._rest or next(self._parts, None)
            self._rest = None
            if part is None:
                break
            if chunk and part.run.digest != chunk[0].run.digest:
                self._rest = part
                break
            taken, self._rest = part.split(size, self._newer)
            chunk.append(taken)
            size -= taken.high - taken.low
        return chunk

    def _matches(self, chunk: list[_Part], wanted: int) -> list[Found]:
        query = self._query.where(_within(chunk, self._chosen)).limit(wanted)
        by_id = {part.run.id: part.run for part in chunk}
        if self._cells is None:
            return [(by_id[row.run], row) for row in self._connection.execute(query)]
        rows: list[Row[Any]] = []
        for cells in in_parts((run, *cell) for run in by_id for cell in self._cells[run]):
            rows += self._connection.execute(query.where(_CELL.in_(cells)))
        rows.sort(key=lambda row: (row.run, row.position), reverse=not self._newer)
        return [(by_id[row.run], row) for row in rows[:wanted]]

    def _all_parts(self, start: SamplePlace | None) -> Iterator[_Part]:
        for run in self._runs(start):
            low, high = 0, run.size
            if start is not None and run.id == start.run:
                low, high = (start.position + 1, high) if self._newer else (0, min(high, start.position))
            if low < high:
                yield _Part(run, low, high)

    def _runs(self, start: SamplePlace | None) -> Iterator[_Run]:
        """Yield the runs that can have matching samples, in the order of the scan; a few of them at once."""
        query = _candidates(self._connection, self._chosen, self._newer).limit(RUNS)
        column = runs.c.id
        bounded = query
        if start is not None:
            bounded = query.where(column >= start.run if self._newer else column <= start.run)
        while listed := [_Run(*row) for row in self._connection.execute(bounded)]:
            for run in listed:
                if self._cells is None or run.id in self._cells:
                    yield run
            last = listed[-1].id
            bounded = query.where(column > last if self._newer else column < last)


def _candidates(connection: Connection, chosen: SampleFilter, newer: bool) -> Select[Any]:
    """Return the query for the runs that can have matching samples, with the number of their positions."""
    size = select(func.max(samples.c.position) + 1).where(samples.c.run == runs.c.id).scalar_subquery()
    query = (
        select(
            runs.c.id,
            runs.c.day,
            suites.c.digest,
            suites.c.name,
            suites.c.visibility,
            runs.c.simulated,
            func.coalesce(size, 0),
        )
        .join(suites, suites.c.digest == runs.c.suite)
        .order_by(runs.c.id if newer else runs.c.id.desc())
    )
    if chosen.run is not None:
        query = query.where(runs.c.id == chosen.run)
    if chosen.first_day:
        query = query.where(runs.c.day >= chosen.first_day)
    if chosen.last_day:
        query = query.where(runs.c.day <= chosen.last_day)
    if chosen.suite:
        query = query.where(suites.c.name == chosen.suite)
    if chosen.use_case or chosen.case:
        query = query.where(exists().where(cases.c.suite == runs.c.suite, *_case_conditions(chosen)))
    if (chosen.case or chosen.text) and not chosen.reveal:
        query = query.where(suites.c.visibility == "public")
    if chosen.text:
        query = query.where(suites.c.sealed_with.is_(None))
    if chosen.model:
        rows = _model_rows(connection, chosen.model)
        query = query.where(runs.c.id.in_(select(run_models.c.run).where(run_models.c.model.in_(rows))))
    return query


def _model_rows(connection: Connection, name: str) -> list[int]:
    """Return the rows of the models of a name, which differ in their parameters."""
    return list(connection.execute(select(models.c.id).where(models.c.name == name)).scalars())


def _case_conditions(chosen: SampleFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if chosen.use_case:
        conditions.append(cases.c.use_case == chosen.use_case)
    if chosen.case:
        conditions.append(cases.c.case_id == chosen.case)
    return conditions


def _within(chunk: list[_Part], chosen: SampleFilter) -> ColumnElement[bool]:
    """Return the condition that a sample is in one of these parts, which are of one suite."""
    column = samples.c.position
    whole = [part.run.id for part in chunk if (part.low, part.high) == (0, part.run.size)]
    places: list[ColumnElement[bool]] = [samples.c.run.in_(whole)] if whole else []
    places += [
        and_(samples.c.run == part.run.id, column >= part.low, column < part.high)
        for part in chunk
        if (part.low, part.high) != (0, part.run.size)
    ]
    condition = or_(*places)
    if chosen.use_case or chosen.case:
        suite = chunk[0].run.digest
        ordinals = select(cases.c.ordinal).where(cases.c.suite == suite, *_case_conditions(chosen))
        condition = and_(condition, samples.c.case_ordinal.in_(ordinals))
    return condition


def _matching(connection: Connection, chosen: SampleFilter, newer: bool) -> Select[Any]:
    """Return the query for samples that meet a filter, apart from the conditions on runs and cases."""
    columns = ("run", "position", "model", "case_ordinal", "epoch", "status", "score")
    order = (samples.c.run, samples.c.position)
    query = select(
        *(samples.c[name] for name in columns), samples.c.sealed.is_not(None).label("is_sealed")
    ).order_by(*(order if newer else (column.desc() for column in order)))
    if chosen.model:
        query = query.where(samples.c.model.in_(_model_rows(connection, chosen.model)))
    if chosen.status in ("ok", "ungraded"):
        graded = filled(samples, "score")
        query = query.where(samples.c.status == "ok", graded if chosen.status == "ok" else ~graded)
    elif chosen.status:
        query = query.where(samples.c.status == chosen.status)
    if chosen.by_grade:
        given = [grades.c.run == samples.c.run, grades.c.position == samples.c.position]
        if chosen.grader is not None:
            given.append(grades.c.grader == chosen.grader)
        if chosen.least is not None:
            given.append(grades.c.value >= chosen.least)
        if chosen.most is not None:
            given.append(grades.c.value <= chosen.most)
        query = query.where(exists().where(*given))
    if chosen.text:
        query = query.where(
            exists().where(
                calls.c.run == samples.c.run,
                calls.c.position == samples.c.position,
                calls.c.purpose == "subject",
                calls.c.status != "error",
                calls.c.answer.icontains(chosen.text, autoescape=True),
            )
        )
    return query


def _describe(connection: Connection, found: list[Found]) -> tuple[BrowsedSample, ...]:
    """Return samples with the names of their models and cases."""
    if not found:
        return ()
    rows = {row.model for _, row in found}
    names = dict(
        connection.execute(select(models.c.id, models.c.name).where(models.c.id.in_(rows))).tuples().all()
    )
    titles: dict[tuple[str, int], tuple[str, str]] = {}
    for digest in {run.digest for run, _ in found}:
        ordinals = {row.case_ordinal for run, row in found if run.digest == digest}
        query = select(cases.c.ordinal, cases.c.use_case, cases.c.case_id)
        for case in connection.execute(query.where(cases.c.suite == digest, cases.c.ordinal.in_(ordinals))):
            titles[digest, case.ordinal] = (case.use_case, case.case_id)
    return tuple(
        BrowsedSample(
            run.id,
            row.position,
            run.day,
            run.suite,
            run.visibility,
            names[row.model],
            *titles[run.digest, row.case_ordinal],
            epoch=row.epoch,
            status=row.status,
            score=row.score,
            sealed=row.is_sealed,
            simulated=bool(run.simulated),
        )
        for run, row in found
    )


class FilterChoices(NamedTuple):
    """What filters can be set to: names of models, suites, use cases and graders."""

    models: tuple[str, ...]
    suites: tuple[str, ...]
    use_cases: tuple[str, ...]
    graders: tuple[str, ...]


def filter_choices(engine: Engine) -> FilterChoices:
    """Return the names that filters can be set to; graders are those of each suite's last graded run."""
    with reading(engine) as connection:

        def names(query: Select[tuple[str]]) -> tuple[str, ...]:
            return tuple(connection.execute(query).scalars())

        subjects = select(run_models.c.model).distinct()
        graded = exists().where(grades.c.run == runs.c.id)
        last = connection.execute(select(func.max(runs.c.id)).where(graded).group_by(runs.c.suite)).scalars()
        begun = grades.c.run.in_(list(last)) & (grades.c.position < GRADED)
        return FilterChoices(
            names(select(models.c.name).where(models.c.id.in_(subjects)).distinct().order_by(models.c.name)),
            names(select(suites.c.name).distinct().order_by(suites.c.name)),
            names(select(cases.c.use_case).distinct().order_by(cases.c.use_case)),
            names(select(grades.c.grader).where(begun).distinct().order_by(grades.c.grader)),
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
