"""Results of the seed-002 evaluation are imported once, whole, and can be replayed through the pipeline."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, func, select
from workbench_files import GEVAL, attempt, layout, row, rows, write_layout, write_rows

from assay.core.errors import Conflict, InvalidInput
from assay.providers.recordings import read_recordings
from assay.results.imports import WorkbenchReport
from assay.runs.imports import import_workbench as importing_workbench
from assay.runs.imports.import_workbench import SUITE, import_workbench
from assay.runs.work import open_work
from assay.store.locks import take_lock, this_process
from assay.store.marks import read_marks
from assay.store.rows import Batch
from assay.store.runs import list_runs, read_run
from assay.store.samples import StoredSample, read_samples
from assay.store.schema import calls, grades, marks, samples, suites
from assay.store.suites import read_suite
from assay.store.writer import LedgerWriter

Clock = Callable[[], float]


class Importing:
    """Imports results; `of` is a list of rows, or one model's layout."""

    def __init__(self, engine: Engine, folder: Path, clock: Clock) -> None:
        self.engine, self.folder, self.clock = engine, folder, clock

    def __call__(self, of: Sequence[Any] | dict[str, Any], **options: Any) -> WorkbenchReport:
        if isinstance(of, dict):
            path = write_layout(self.folder / "model.json", of)
        else:
            path = write_rows(self.folder / "results.jsonl", of)
        return import_workbench(self.engine, path, clock=self.clock, **options)

    def counts(self) -> tuple[int, ...]:
        """How many calls, samples, grades and marks there are."""
        with self.engine.connect() as connection:
            return tuple(
                connection.execute(select(func.count()).select_from(table)).scalar_one()
                for table in (calls, samples, grades, marks)
            )

    def stored(self, run: int = 1) -> dict[tuple[str, str], StoredSample]:
        """Every sample of a run by model and case."""
        found = read_run(self.engine, run)
        suite = read_suite(self.engine, found.suite)
        names = {number: model.name for number, model in found.models}
        return {
            (names[sample.row.model], suite.cases[sample.row.case_ordinal].id): sample
            for sample in read_samples(self.engine, run)
        }

    def told(self, run: int) -> dict[tuple[str, str], tuple[Any, ...]]:
        """Return status, score, answer and latency of each sample, whoever served it."""
        return {
            (model.partition("/")[2], case): (
                each.row.status,
                each.row.score and round(each.row.score, 4),
                each.answer,
                each.calls[0].latency,
            )
            for (model, case), each in self.stored(run).items()
        }

    def marked(self, run: int) -> dict[tuple[int, str, str], float | None]:
        """Return a run's marks to six decimals, whoever served the judges."""
        return {
            (position, judge.partition("/")[2], metric): value and round(value, 6)
            for (position, judge, metric), value in self.marks(run).items()
        }

    def marks(self, run: int = 1) -> dict[tuple[int, str, str], float | None]:
        """The marks of a run by position, judge and metric."""
        return {
            (mark.row.position, mark.judge, mark.row.metric): mark.row.value
            for mark in read_marks(self.engine, [run])
        }


@pytest.fixture
def importing(engine: Engine, tmp_path: Path, clock: Clock) -> Importing:
    """Imports into both kinds of database."""
    return Importing(engine, tmp_path, clock)


@pytest.fixture
def on_sqlite(sqlite: Engine, tmp_path: Path, clock: Clock) -> Importing:
    """Imports into SQLite."""
    return Importing(sqlite, tmp_path, clock)


def test_everything_a_row_tells_is_stored(importing: Importing) -> None:
    """Answer, tokens, latency, marks, G-Eval, flags, and the score; what it does not tell is unknown."""
    flagged = row("m-2", "W01", flags=["TOO_LONG: 9 words", "ODD"], judges={"j-1": 3, "j-2": 4})
    report = importing([*rows("m-1"), flagged])
    assert (
        report.rows,
        report.suites[0].added,
        report.suites[0].known,
        report.suites[0].runs,
        report.suites[0].ok,
    ) == (4, 4, 0, 1, 4)
    assert (report.suites[0].models, report.suites[0].judges) == (
        ("imported/m-1", "imported/m-2"),
        ("imported/j-1", "imported/j-2"),
    )
    sample = importing.stored()["imported/m-2", "W01"]
    (call,) = sample.calls
    assert (sample.answer, call.prompt_tokens, call.completion_tokens, call.latency) == (
        "m-2 answers W01.",
        10,
        20,
        1.5,
    )
    assert (call.cost, call.provider, call.reasoning_tokens) == (None, None, None)
    rubric, geval, flags = sample.grades
    assert (rubric.grader, rubric.value) == ("rubric", 0.625)
    assert (geval.grader, geval.value) == ("geval", pytest.approx(0.9))
    assert sample.row.score == pytest.approx(100 * (0.625 + 0.9) / 2)
    assert flags.evidence == {
        "flags": [{"code": "TOO_LONG", "says": "9 words"}, {"code": "ODD", "says": "ODD"}]
    }
    position = sample.row.position
    told = {key[1:]: value for key, value in importing.marks().items() if key[0] == position}
    assert told == {
        ("imported/j-1", "rubric"): 3,
        ("imported/j-2", "rubric"): 4,
        **{("imported/geval", metric): value for metric, value in GEVAL.items()},
    }


def test_the_run_is_an_import_without_a_day_that_names_its_judges(importing: Importing) -> None:
    """The watch does not take it for a day's measurement; who judged stands in its plan."""
    importing(rows("m-1", "m-2"))
    (run,) = list_runs(importing.engine)
    assert (run.kind, run.day, run.status, len(run.models)) == ("import", None, "finished", 2)
    assert run.plan["panel"]["judges"] == ["imported/j-1", "imported/j-2"]
    assert run.plan["panel"]["geval"] == "imported/geval"
    assert run.plan["epochs"] == {"coding": 1, "writing": 1}


def test_the_suite_holds_the_prompts_kinds_and_says_that_their_texts_are_not_there(
    on_sqlite: Importing,
) -> None:
    """Category as use case, the other kinds in the metadata, rubric and G-Eval as graders."""
    report = on_sqlite(rows("m-1"))
    suite = read_suite(on_sqlite.engine, report.suites[0].digest)
    assert (suite.name, suite.visibility, len(suite.version)) == (SUITE, "private", 12)
    case = suite.use_case("coding").cases[1]
    assert (case.id, [spec.name for spec in case.graders]) == ("C02", ["rubric", "geval"])
    assert case.metadata == {"subcategory": "testing", "difficulty": "hard", "check_type": "code_runnable"}
    assert "not published" in case.messages[0].content
    assert len({case.messages for case in suite.cases}) == 3


def test_an_empty_answer_is_invalid_and_no_judge_marks_it(importing: Importing) -> None:
    """Its score is 0; after tokens were spent it ran into the limit. Its flags are kept."""
    nothing = {"correctness": None, "coherence": None, "instruction_following": None}
    empty = row(response=" \n", flags=["EMPTY_RESPONSE"], judges={"j-1": 1, "j-2": 1}, geval=nothing)
    report = importing([empty, row(prompt="C02", response="", output_tokens=0, geval=nothing)])
    assert (report.suites[0].ok, report.suites[0].invalid, report.suites[0].marks) == (0, 2, 0)
    spent, unspent = importing.stored()["imported/m-1", "C01"], importing.stored()["imported/m-1", "C02"]
    assert (spent.row.status, spent.row.score, spent.answer) == ("invalid", 0.0, None)
    assert spent.calls[0].error == "no visible answer before the token limit"
    assert unspent.calls[0].error == "empty answer"
    assert spent.grades[0].evidence["flags"][0]["code"] == "EMPTY_RESPONSE"


def test_a_mark_without_a_value_keeps_its_reason(importing: Importing) -> None:
    """In the ledger of marks, and it counts as unread; the rationales of the others are kept."""
    failed = {"score": None, "rationale": "Judge error: 400"}
    good = {"score": 4, "rationale": "Solid."}
    report = importing(layout(C01=[attempt(judge_scores={"j-1": failed, "j-2": good})]))
    assert (report.suites[0].marks, report.suites[0].unread) == (15, 1)
    found = {
        (mark.judge, mark.row.value): mark.row
        for mark in read_marks(importing.engine, [1])
        if mark.row.metric == "rubric"
    }
    assert found["imported/j-1", None].reason == "Judge error: 400"
    assert found["imported/j-2", 4].rationale == "Solid."


def test_an_answer_that_nobody_marked_is_ungraded(importing: Importing) -> None:
    """Without a judge's mark and without G-Eval there is no score; with G-Eval alone it is the score."""
    bare = row(judges={"j-1": None}, geval={})
    report = importing([bare, row(prompt="C02", judges={}, geval={}), row(prompt="C03", judges={})])
    assert (report.suites[0].ok, report.suites[0].ungraded) == (1, 2)
    assert importing.stored()["imported/m-1", "C01"].row.score is None
    assert importing.stored()["imported/m-1", "C03"].row.score is not None


def test_the_same_file_twice_adds_nothing(importing: Importing) -> None:
    """Nor does the same model in the other layout."""
    first = importing(rows("m-1", "m-2"))
    before, runs = importing.counts(), list_runs(importing.engine)
    again, other = importing(rows("m-1", "m-2")), importing(layout("m-1"))
    assert (again.suites[0].added, again.suites[0].known, again.suites[0].runs, again.suites[0].digest) == (
        0,
        6,
        0,
        first.suites[0].digest,
    )
    assert (other.suites[0].added, other.suites[0].known, other.suites[0].runs, other.suites[0].digest) == (
        0,
        3,
        0,
        first.suites[0].digest,
    )
    assert (importing.counts(), list_runs(importing.engine)) == (before, runs)


def test_a_layout_first_and_the_rows_later_are_one_suite(importing: Importing) -> None:
    """The rows bring the kinds of the prompts along, and the models that are missing as a second run."""
    first = importing(layout("m-1"))
    assert read_suite(importing.engine, first.suites[0].digest).cases[0].metadata == {}
    later = importing(rows("m-1", "m-2"))
    assert (later.suites[0].digest, later.suites[0].added, later.suites[0].known, later.suites[0].runs) == (
        first.suites[0].digest,
        3,
        3,
        1,
    )
    kinds = read_suite(importing.engine, first.suites[0].digest).cases[0].metadata
    assert kinds["subcategory"] == "bug_detection"
    importing(layout("m-1"))
    assert read_suite(importing.engine, first.suites[0].digest).cases[0].metadata == kinds
    assert [model.name for _, model in read_run(importing.engine, 2).models] == ["imported/m-2"]


def test_a_file_with_fewer_prompts_joins_the_suite_that_has_them(importing: Importing) -> None:
    """And later rows of a known model join its run; one with other prompts makes a version of its own."""
    first = importing([*rows("m-1"), row("m-2", "C01")])
    joined = importing([row("m-2", "W01", judges={"j-3": 5})])
    assert (joined.suites[0].digest, joined.suites[0].added, joined.suites[0].runs) == (
        first.suites[0].digest,
        1,
        0,
    )
    assert read_run(importing.engine, 1).plan["panel"]["judges"] == [
        "imported/j-1",
        "imported/j-2",
        "imported/j-3",
    ]
    other = importing([row("m-1", "C09")])
    assert (
        other.suites[0].digest != first.suites[0].digest,
        other.suites[0].version != first.suites[0].version,
        other.suites[0].runs,
    ) == (True, True, 1)


@pytest.mark.parametrize(
    "change",
    [
        {"response": "Other."},
        {"judges": {"j-1": 3, "j-2": 5}},
        {"geval": {}},
        {"flags": ["X"]},
        {"latency_s": 2},
    ],
)
def test_a_row_with_other_values_is_refused_and_nothing_is_imported(
    change: dict[str, Any], on_sqlite: Importing
) -> None:
    """With its place; another suite's name takes it."""
    on_sqlite(rows("m-1"))
    before = on_sqlite.counts()
    with pytest.raises(Conflict, match=r"1 rows of results\.jsonl .* line 1 \(model 'm-1', prompt 'C01'\)"):
        on_sqlite([row(**change), *rows("m-2")])
    assert on_sqlite.counts() == before
    assert on_sqlite([row(**change)], suite="mended").suites[0].added == 1


def test_wrong_rows_are_told_and_good_ones_imported(importing: Importing) -> None:
    """The totals balance; the second import of the mended file adds what was wrong."""
    wrong = row("m-2", "C02", judges={"j-1": 7})
    report = importing([*rows("m-1"), wrong, "{broken", row("m-2")])
    assert (report.rows, report.suites[0].added, len(report.problems)) == (6, 4, 2)
    taken = report.suites[0].added + report.suites[0].known
    assert report.rows == taken + report.earlier + len(report.problems)
    assert [problem.line for problem in report.problems] == [4, 5]
    mended = importing([*rows("m-1"), row("m-2", "C02"), row("m-2")])
    assert (mended.suites[0].added, mended.suites[0].known, mended.suites[0].runs) == (1, 4, 0)


def test_a_file_without_a_good_row_is_refused(on_sqlite: Importing) -> None:
    """With every problem; nothing is imported."""
    with pytest.raises(InvalidInput) as caught:
        on_sqlite([row(judges={"j-1": 7}), "[]"])
    assert len(caught.value.problems) == 2
    with on_sqlite.engine.connect() as connection:
        assert connection.execute(select(func.count()).select_from(suites)).scalar_one() == 0


def test_two_names_of_one_model_are_refused(on_sqlite: Importing) -> None:
    """`m-1` is imported as `imported/m-1`: both in a file would be one model."""
    with pytest.raises(InvalidInput, match="are the same"):
        on_sqlite([row("m-1"), row("imported/m-1", "C02")])


def test_a_killed_import_is_finished_by_the_next_one(
    on_sqlite: Importing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was committed stays; the rest is added, and the run is then finished."""
    monkeypatch.setattr(importing_workbench, "BATCH", 2)
    commit, left = LedgerWriter.commit, [1]

    def killed(writer: LedgerWriter, batch: Batch) -> None:
        if not left:
            raise KeyboardInterrupt
        left.pop()
        commit(writer, batch)

    with monkeypatch.context() as patched:
        patched.setattr(LedgerWriter, "commit", killed)
        with pytest.raises(KeyboardInterrupt):
            on_sqlite(rows("m-1", "m-2"))
    assert (read_run(on_sqlite.engine, 1).status, on_sqlite.counts()[1]) == ("dead", 2)
    report = on_sqlite(rows("m-1", "m-2"))
    assert (report.suites[0].added, report.suites[0].known, report.suites[0].runs) == (4, 2, 0)
    assert (read_run(on_sqlite.engine, 1).status, on_sqlite.counts()[1]) == ("finished", 6)


def test_a_run_whose_last_step_was_killed_is_finished_too(
    on_sqlite: Importing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All its rows are there; the next import ends it."""

    def killed(*arguments: Any, **options: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(importing_workbench, "end_run", killed)
        with pytest.raises(KeyboardInterrupt):
            on_sqlite(rows("m-1"))
    assert on_sqlite(rows("m-1")).suites[0].added == 0
    assert read_run(on_sqlite.engine, 1).status == "finished"


def test_calls_of_judges_in_an_imported_run_do_not_make_its_rows_new(importing: Importing) -> None:
    """Stored answers may be graded again; they are known all the same."""
    importing(rows("m-1"))
    (answered,) = importing.stored()["imported/m-1", "C01"].calls
    judged = Batch()
    judged.calls.append(answered._replace(purpose="judge", request_hash=b"another"))
    writer = LedgerWriter(importing.engine)
    writer.commit(judged)
    writer.close()
    assert importing(rows("m-1")).suites[0].known == 3


def test_a_second_import_at_once_is_refused(on_sqlite: Importing) -> None:
    """By the lock that all imports share."""
    take_lock(on_sqlite.engine, "import", this_process())
    with pytest.raises(Conflict, match="another import"):
        on_sqlite(rows("m-1"))


@pytest.mark.parametrize("name", ["replay.jsonl", "replay.jsonl.gz"])
def test_recordings_hold_what_was_imported(name: str, on_sqlite: Importing) -> None:
    """Answers and marks; the suite's folder stands beside."""
    report = on_sqlite(rows("m-1"), recordings=on_sqlite.folder / name)
    assert report.suites[0].replay is not None
    found = read_recordings(report.suites[0].replay.recordings)
    assert (found.problems, found.rows, report.suites[0].replay.lines) == ((), 18, 18)
    assert found.answers["m-1", "C01"][0].text == "m-1 answers C01."
    assert found.marks["geval", "m-1", "C01", "coherence", 0].value == 1.0
    assert report.suites[0].replay.suite == on_sqlite.folder / "replay-suite"
    assert report.suites[0].replay.models == ("recorded/m-1",)


@pytest.mark.slow
def test_a_replay_through_the_pipeline_gives_the_imported_marks_and_scores(on_sqlite: Importing) -> None:
    """The suite's folder has the digest of the imported suite; judges are asked, their replies read."""
    nothing = {"correctness": None, "coherence": None, "instruction_following": None}
    given = [
        *rows("m-1", "j-1"),
        row("m-2", "C01", judges={"j-1": None, "j-2": 2}, geval={**GEVAL, "coherence": None}),
        row("m-2", "C02", response="", flags=["EMPTY_RESPONSE"], judges={"j-1": 1, "j-2": 1}, geval=nothing),
        row("m-2", "W01", geval={"correctness": 0.1234, "coherence": 0.0, "instruction_following": 0.4321}),
    ]
    for one in given[3:6]:
        one["judges"] = {"j-2": 4}
    report = on_sqlite(given, recordings=on_sqlite.folder / "replay.jsonl")
    assert report.suites[0].replay is not None
    work = open_work(
        on_sqlite.folder,
        environment={
            "ASSAY_DATABASE": str(on_sqlite.engine.url.database),
            "ASSAY_RECORDED_RECORDINGS": str(report.suites[0].replay.recordings),
        },
    )
    suite = work.suite(str(report.suites[0].replay.suite))
    assert suite.digest == report.suites[0].digest
    outcome = asyncio.run(work.run(work.plan(suite, work.models(report.suites[0].replay.models))))
    assert on_sqlite.told(outcome.run) == on_sqlite.told(1)
    assert on_sqlite.marked(outcome.run) == on_sqlite.marked(1)


def test_the_recordings_are_plain_json_lines(on_sqlite: Importing) -> None:
    """As the how-to shows them."""
    path = on_sqlite.folder / "replay.jsonl"
    on_sqlite([row()], recordings=path)
    first, second, *_ = path.read_text().splitlines()
    assert json.loads(first)["kind"] == "answer"
    assert json.loads(second) == {
        "kind": "mark",
        "judge": "j-1",
        "model": "m-1",
        "case": "C01",
        "metric": "rubric",
        "value": 4.0,
    }
