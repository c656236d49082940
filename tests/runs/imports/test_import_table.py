"""A history recorded elsewhere is imported once, whole, and judged by the watch's rules."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from small_suite import make_suite
from sqlalchemy import Engine, func, select

from assay.core.errors import Conflict, InvalidInput
from assay.core.verdict import ModelState
from assay.results.imports import ImportReport
from assay.runs.imports.import_table import import_table, model_named
from assay.runs.imports.imported_suite import case_id
from assay.runs.watch.history import stored_history
from assay.runs.watch.verdicts import Verdicts
from assay.store.locks import take_lock, this_process
from assay.store.rows import Batch
from assay.store.runs import count_runs, list_runs
from assay.store.samples import read_samples
from assay.store.schema import calls, samples
from assay.store.suites import keep_suite, read_suite
from assay.store.writer import LedgerWriter

Clock = Callable[[], float]
HEAD = "prompt,model,generation,quality,cost,latency,at,use_case,status,provider,run"
COLUMNS = HEAD.split(",")


def line(day: int, **values: Any) -> str:
    """One row of a table: a right answer of `m` to `p` at noon of a day of March, unless told otherwise."""
    row = {"prompt": "p", "model": "m", "generation": 0, "quality": 1, "at": f"2026-03-{day:02d}T12:00:00Z"}
    return ",".join(str({**row, **values}.get(column, "")) for column in COLUMNS)


def write(folder: Path, lines: Sequence[str], name: str = "t.csv") -> Path:
    """Write a table."""
    path = folder / name
    path.write_text("\n".join([HEAD, *lines]) + "\n")
    return path


class Importing:
    """Imports tables of lines as suite `s`."""

    def __init__(self, engine: Engine, folder: Path, clock: Clock) -> None:
        self.engine, self.folder, self.clock = engine, folder, clock

    def __call__(
        self, lines: Sequence[str], *, suite: str = "s", version: str = "1", **options: Any
    ) -> ImportReport:
        path = write(self.folder, lines)
        return import_table(self.engine, path, suite=suite, version=version, clock=self.clock, **options)

    def count(self, table: Any = samples) -> int:
        """How many rows a table of the database has."""
        with self.engine.connect() as connection:
            return connection.execute(select(func.count()).select_from(table)).scalar_one()


@pytest.fixture
def importing(engine: Engine, tmp_path: Path, clock: Clock) -> Importing:
    """Imports into both kinds of database."""
    return Importing(engine, tmp_path, clock)


@pytest.fixture
def on_sqlite(sqlite: Engine, tmp_path: Path, clock: Clock) -> Importing:
    """Imports into SQLite."""
    return Importing(sqlite, tmp_path, clock)


def all_samples(importing: Importing) -> list[Any]:
    """Every stored sample with its calls and grades, run by run."""
    runs = sorted(run.id for run in list_runs(importing.engine))
    return [sample for run in runs for sample in read_samples(importing.engine, run)]


def test_the_report(importing: Importing) -> None:
    """It counts rows, runs, models, cases, statuses and days, and names what was not read."""
    made = importing(
        [
            line(1, prompt="a"),
            line(1, prompt="b", model="openai/gpt", quality="", status="error"),
            line(2, prompt="a", quality="", status="invalid"),
            line(3, prompt="b", quality="", status="ungraded"),
        ],
        simulated=True,
    )
    assert made == ImportReport(
        suite="s",
        version="1",
        digest=made.digest,
        rows=4,
        known=0,
        runs=3,
        models=("imported/m", "openai/gpt"),
        cases=2,
        ok=1,
        invalid=1,
        error=1,
        ungraded=1,
        first=date(2026, 3, 1),
        last=date(2026, 3, 3),
        ignored=(),
        rerouted=(),
        simulated=True,
    )


def test_what_is_stored(importing: Importing) -> None:
    """Score, cost, latency, provider and time of an answer are kept; what is blank is unknown, not 0."""
    importing([line(1, quality=0.25, cost=0.5, latency=2.5, provider="Azure"), line(2)])
    first, second = all_samples(importing)
    kept = [
        (each.row.status, each.row.score, each.calls[0].cost, each.calls[0].latency, each.calls[0].provider)
        for each in (first, second)
    ]
    assert kept == [("ok", 25.0, 0.5, 2.5, "Azure"), ("ok", 100.0, None, None, None)]
    assert first.row.finished_at == first.calls[0].started_at == 1772366400.0


def test_statuses_stay_apart(importing: Importing) -> None:
    """An invalid answer scores 0, an error and an ungraded answer have no score; reasons are reported."""
    importing(
        [
            line(1, prompt="a", quality="", status="invalid"),
            line(1, prompt="b", quality="", status="error"),
            line(1, prompt="c", quality="", status="ungraded"),
        ]
    )
    found = [
        (each.row.status, each.row.score, [grade.reason for grade in each.grades])
        for each in all_samples(importing)
    ]
    assert found == [
        ("invalid", 0.0, []),
        ("error", None, []),
        ("ok", None, ["ungraded in the imported table"]),
    ]


def test_runs_of_a_day_stay_apart(importing: Importing) -> None:
    """Each label is a run of its own, and so is what has none; all are finished and of kind import."""
    made = importing([line(1, run="early"), line(1, run="late"), line(1)])
    runs = list_runs(importing.engine)
    assert made.runs == 3
    assert {(run.kind, run.day, run.status) for run in runs} == {("import", "2026-03-01", "finished")}
    assert {run.plan["run"] for run in runs} == {None, "early", "late"}


def test_a_broken_run_is_left_out(importing: Importing) -> None:
    """A run with over 20 % errors is left out and its day judged by the others; alone, it is a gap."""
    prompts = [f"p{number}" for number in range(10)]

    def whole(day: int, run: str, errors: int = 0) -> list[str]:
        return [
            line(day, prompt=prompt, run=run, **({"quality": "", "status": "error"} if at < errors else {}))
            for at, prompt in enumerate(prompts)
        ]

    lines = [row for day in range(1, 9) for row in whole(day, "a")]
    lines += whole(7, "broken", errors=3) + whole(9, "broken", errors=3)
    made = importing(lines)
    verdicts = Verdicts(importing.engine, made.digest)
    seventh, ninth = (verdicts.day(0, date(2026, 3, day)).verdict for day in (7, 9))
    assert (seventh.state, seventh.runs_left_out, seventh.counts.n) == (ModelState.OK, 1, 10)
    assert (ninth.state, ninth.errored) == (ModelState.GAP, 3)


def test_a_collapse_is_seen(importing: Importing) -> None:
    """Ten good days and one of wrong answers read COOKED for a table with two use cases."""
    lines = [
        line(day, prompt=f"{use_case}-{number}", use_case=use_case, quality=int(day < 11))
        for day in range(1, 12)
        for use_case in ("code", "maths")
        for number in range(5)
    ]
    made = importing(lines)
    verdicts = Verdicts(importing.engine, made.digest)
    states = [report.verdict.state for report in verdicts.history(0)]
    assert states == [ModelState.CALIBRATING] * 5 + [ModelState.OK] * 5 + [ModelState.COOKED]


def test_importing_twice_adds_nothing(importing: Importing) -> None:
    """The same table again is passed over, in whatever order its rows stand."""
    lines = [line(day, prompt=prompt, run="r") for day in (1, 2) for prompt in "abc"]
    importing(lines)
    again = importing(list(reversed(lines)))
    assert (again.known, again.added, again.runs, again.ok) == (6, 0, 0, 0)
    assert (importing.count(), importing.count(calls)) == (6, 6)


def test_a_longer_export_adds_its_new_days(importing: Importing) -> None:
    """A later export of the same history adds what is new, and the suite keeps its digest."""
    first = importing([line(1), line(2)])
    later = importing([line(day) for day in range(1, 5)])
    assert (later.known, later.added, later.runs, later.digest) == (2, 2, 2, first.digest)
    assert stored_history(importing.engine, first.digest).history.days == 4


def test_a_day_may_grow(importing: Importing) -> None:
    """Rows added to a day join its run, as further answers, so that the gap rule sees the run whole."""
    importing([line(1, at="2026-03-01T06:00:00Z"), line(1, prompt="q")])
    made = importing([line(1), line(1, at="2026-03-01T06:00:00Z"), line(1, at="2026-03-01T18:00:00Z")])
    (run,) = list_runs(importing.engine)
    epochs = [(each.row.case_ordinal, each.row.epoch) for each in all_samples(importing)]
    assert (made.known, made.runs, sorted(epochs)) == (1, 0, [(0, 0), (0, 1), (0, 2), (1, 0)])
    assert (count_runs(importing.engine, [run.id])[run.id].samples.n, run.plan["epochs"]) == (4, {"s": 3})
    assert read_suite(importing.engine, made.digest).use_cases[0].full == 3


def test_another_model_joins_later(importing: Importing) -> None:
    """A table of another model adds its rows to the same days; nobody's rows move."""
    importing([line(1), line(2)])
    made = importing([line(1, model="n", quality=0), line(2, model="n", quality=0)])
    history = stored_history(importing.engine, made.digest).history
    assert made.runs == 2
    assert [subject.name for subject in history.subjects] == ["imported/m", "imported/n"]
    assert sorted(zip(history.rows.model.tolist(), history.rows.total.tolist(), strict=True)) == [
        (0, 100.0),
        (0, 100.0),
        (1, 0.0),
        (1, 0.0),
    ]


def test_a_history_that_changed_is_refused(importing: Importing) -> None:
    """Other values for rows that were imported are refused with their rows, and nothing is imported."""
    importing([line(1), line(2)])
    with pytest.raises(
        Conflict, match=r"1 rows were imported before.*row 2 \(prompt 'p', model 'm'.*--version"
    ):
        importing([line(1), line(2, quality=0.5), line(3)])
    assert importing.count() == 2


@pytest.mark.slow
def test_new_prompts_are_another_version(importing: Importing) -> None:
    """A prompt that the version does not have is refused by name; another version takes it."""
    importing([line(1)])
    with pytest.raises(Conflict, match=r"'s' 1 was imported with 1 prompts, 1 prompts are new .*'q'"):
        importing([line(1), line(2, prompt="q")])
    assert importing([line(1), line(2, prompt="q")], version="2").cases == 2


def test_a_prompt_keeps_its_use_case(importing: Importing) -> None:
    """A prompt may not move to another use case under the same version."""
    importing([line(1, use_case="maths")])
    with pytest.raises(Conflict, match="changed their use case"):
        importing([line(2, use_case="code")])


def test_a_prompt_in_two_use_cases(on_sqlite: Importing) -> None:
    """One prompt in two use cases is refused before anything is stored."""
    with pytest.raises(InvalidInput, match=r"prompt 'p' is in several use cases \('maths', 's'\)"):
        on_sqlite([line(1, use_case="maths"), line(2)])
    assert list_runs(on_sqlite.engine) == []


def test_a_suite_of_its_own_is_not_mixed_with_imports(on_sqlite: Importing) -> None:
    """Imported scores never join the history of a suite that Assay graded."""
    suite = make_suite()
    keep_suite(on_sqlite.engine, suite, clock=on_sqlite.clock)
    with pytest.raises(Conflict, match="its own graders"):
        on_sqlite([line(1)], suite=suite.name, version=suite.version)


def test_times_are_needed(on_sqlite: Importing) -> None:
    """A row without a time is refused."""
    with pytest.raises(InvalidInput, match="'at' is blank"):
        on_sqlite([line(1, at="")])


def test_long_prompts_get_short_names(on_sqlite: Importing) -> None:
    """A prompt given as a text is a case named by its head and hash, and its text is kept."""
    text = "Write a function that " + "adds up numbers, " * 20
    made = on_sqlite([line(1, prompt=f'"{text}"'), line(1, prompt="short")])
    found = {case.id: case.messages for case in read_suite(on_sqlite.engine, made.digest).cases}
    assert found["short"] == ()
    assert found[case_id(text.strip())][0].content == text.strip()
    assert len(case_id(text)) < 60


def test_models_are_named_by_provider() -> None:
    """A name without a provider is `imported/NAME`, and two such models share no provider."""
    assert [model_named(name).name for name in ("gpt", "openrouter/openai/gpt", "/x")] == [
        "imported/gpt",
        "openrouter/openai/gpt",
        "imported//x",
    ]


def test_models_without_a_provider_share_none(on_sqlite: Importing) -> None:
    """Nothing is said of a provider's fall where nobody told the provider."""
    made = on_sqlite([line(1), line(1, model="openai/gpt")])
    subjects = stored_history(on_sqlite.engine, made.digest).history.subjects
    assert [subject.provider for subject in subjects] == [None, "openai"]


def test_two_names_of_one_model(on_sqlite: Importing) -> None:
    """Two spellings that mean one model are refused."""
    with pytest.raises(InvalidInput, match="'imported/m' and 'm' are the same"):
        on_sqlite([line(1), line(1, model="imported/m")])


def test_a_change_of_provider_is_told(on_sqlite: Importing) -> None:
    """A model that more than one provider served is named in the report."""
    made = on_sqlite([line(1, provider="A"), line(2, provider="B"), line(2, model="n", provider="A")])
    assert made.rerouted == ("m",)


def test_two_imports_at_once_are_refused(on_sqlite: Importing) -> None:
    """While one import holds the lock, another is refused; afterwards it is free."""
    on_sqlite([line(1)])
    take_lock(on_sqlite.engine, "import", this_process())
    with pytest.raises(Conflict, match="another import is running"):
        on_sqlite([line(2)])


def test_a_killed_import_is_finished_by_importing_again(
    importing: Importing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was committed before the kill stays, and the same table adds the rest."""
    lines = [line(day, prompt=prompt) for day in (1, 2) for prompt in "abcdef"]
    commit = LedgerWriter.commit
    committed = iter([True, True, False])

    def dies(self: LedgerWriter, batch: Batch) -> None:
        if not next(committed):
            raise KeyboardInterrupt
        commit(self, batch)

    with monkeypatch.context() as patched:
        patched.setattr("assay.runs.imports.imported_runs.BATCH", 4)
        patched.setattr(LedgerWriter, "commit", dies)
        with pytest.raises(KeyboardInterrupt):
            importing(lines)
    before = importing.count()
    again = importing(lines)
    assert (before, again.known, again.added, importing.count()) == (6, 6, 6, 12)
    assert {run.status for run in list_runs(importing.engine)} == {"finished"}


def test_the_order_of_rows_does_not_matter(on_sqlite: Importing) -> None:
    """A shuffled table gives the same suite and the same history."""
    lines = [line(day, prompt=p, quality=(day % 3) / 2) for day in range(1, 15) for p in "abc"]
    first = on_sqlite(lines)
    shuffled = random.Random(3).sample(lines, len(lines))
    second = on_sqlite(shuffled, suite="s", version="1")
    assert (second.digest, second.known) == (first.digest, len(lines))


@pytest.mark.slow
def test_memory_does_not_grow_with_the_table(sqlite: Engine, tmp_path: Path, clock: Clock) -> None:
    """Once a table fills a batch, three times the days need less than 1 MB more of Python's memory."""

    def peak(days: int, suite: str) -> int:
        lines = [
            f"p{number},m,0,1,0.1,1.0,{1772323200 + 86400 * day + number},u,ok,A,"
            for day in range(days)
            for number in range(1_000)
        ]
        path = write(tmp_path, lines, f"{suite}.csv")
        del lines
        tracemalloc.start()
        import_table(sqlite, path, suite=suite, version="1", clock=clock)
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    peak(2, "warm")
    small, large = peak(12, "small"), peak(36, "large")
    assert large - small < 1_000_000, (small, large)
