"""Answers to the causal questions of seed 002 become runs of a keyed suite, graded by their letter."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine
from workbench_files import causal_attempt, causal_row, layout, rows, write_layout, write_rows

from assay.core.errors import Conflict, InvalidInput
from assay.results.imports import SuiteImport, WorkbenchReport
from assay.runs.imports.import_workbench import CAUSAL_SUITE, import_workbench
from assay.runs.work import open_work
from assay.store.runs import read_run
from assay.store.samples import StoredSample, read_samples
from assay.store.suites import read_suite

QUESTIONS = [f"B0{bundle}_Q{position}" for bundle in (1, 2) for position in range(1, 6)]


class Importing:
    """Imports rows, or one model's layout."""

    def __init__(self, engine: Engine, folder: Path, clock: Callable[[], float]) -> None:
        self.engine, self.folder, self.clock = engine, folder, clock

    def __call__(self, of: Any, **options: Any) -> WorkbenchReport:
        if isinstance(of, dict):
            path = write_layout(self.folder / "model.json", of)
        else:
            path = write_rows(self.folder / "results.jsonl", of)
        return import_workbench(self.engine, path, clock=self.clock, **options)

    def causal(self, of: Any, **options: Any) -> SuiteImport:
        """Return what came into the causal suite."""
        return self(of, **options).suites[-1]

    def stored(self, run: int = 1) -> dict[str, StoredSample]:
        """Every sample of a run of one model, by question."""
        suite = read_suite(self.engine, read_run(self.engine, run).suite)
        return {suite.cases[each.row.case_ordinal].id: each for each in read_samples(self.engine, run)}


@pytest.fixture
def importing(engine: Engine, tmp_path: Path, clock: Callable[[], float]) -> Importing:
    """Imports into both kinds of database."""
    return Importing(engine, tmp_path, clock)


@pytest.fixture
def on_sqlite(sqlite: Engine, tmp_path: Path, clock: Callable[[], float]) -> Importing:
    """Imports into SQLite."""
    return Importing(sqlite, tmp_path, clock)


def test_an_answer_is_graded_here_and_the_recorded_letter_stands_beside(importing: Importing) -> None:
    """Where it differs, and only there."""
    report = importing.causal(
        [
            causal_row(response="The most defensible reading is **B**."),
            causal_row(question="B01_Q2", response="The strongest concern is A.", extracted="B"),
        ]
    )
    assert (report.suite, report.added, report.ok, report.differing) == (CAUSAL_SUITE, 2, 2, 1)
    right, wrong = importing.stored()["B01_Q1"], importing.stored()["B01_Q2"]
    assert (right.row.score, wrong.row.score) == (100.0, 0.0)
    assert "recorded" not in right.grades[0].evidence
    evidence = wrong.grades[0].evidence
    assert (evidence["letter"], evidence["recorded"]) == ("A", {"letter": "B", "right": True})
    assert evidence["why"].startswith("A, where the answer is stated")
    (call,) = wrong.calls
    assert (call.completion_tokens, call.latency, call.cost) == (1, 0.5, None)


def test_the_suite_has_variants_as_use_cases_and_bundles_as_concepts(on_sqlite: Importing) -> None:
    """Private, at temperature 0, a lone `choice` a question; the texts are not there and it says so."""
    report = on_sqlite.causal([causal_row(question=name) for name in QUESTIONS])
    suite = read_suite(on_sqlite.engine, report.digest)
    assert [each.name for each in suite.use_cases] == ["base", "trap", "transfer", "numeric", "analyst"]
    assert (suite.visibility, dict(suite.parameters), len(suite.version)) == (
        "private",
        {"temperature": 0},
        12,
    )
    case = suite.use_case("numeric").cases[1]
    assert (case.id, case.metadata, [spec.name for spec in case.graders]) == (
        "B02_Q4",
        {"subcategory": "B02"},
        ["choice"],
    )
    assert "not published" in case.messages[0].content


def test_an_empty_answer_is_invalid_and_a_failed_call_an_error(importing: Importing) -> None:
    """The one scores 0; the other has no score."""
    report = importing.causal(
        [
            causal_row(response=" ", output_tokens=4096),
            causal_row(question="B01_Q2", response=None, output_tokens=None),
        ]
    )
    assert (report.ok, report.invalid, report.error, report.differing) == (0, 1, 1, 0)
    empty, failed = importing.stored()["B01_Q1"], importing.stored()["B01_Q2"]
    assert (empty.row.status, empty.row.score) == ("invalid", 0.0)
    assert empty.calls[0].error == "no visible answer before the token limit"
    assert (failed.row.status, failed.row.score, failed.grades) == ("error", None, ())


def test_the_other_layout_of_the_same_answers_adds_nothing(importing: Importing) -> None:
    """Nor does the same file again; new models make a run of their own."""
    first = importing.causal([causal_row()])
    again = importing.causal(layout(B01_Q1=[causal_attempt()]))
    assert (again.digest, again.added, again.known, again.runs) == (first.digest, 0, 1, 0)
    more = importing.causal([causal_row(), causal_row("m-2")])
    assert (more.added, more.known, more.runs) == (1, 1, 1)


def test_a_file_with_fewer_questions_joins_the_suite_that_has_them(importing: Importing) -> None:
    """As a model that was asked only some of them does."""
    first = importing.causal([causal_row(question=name) for name in QUESTIONS])
    joined = importing.causal([causal_row("m-2")])
    assert (joined.digest, joined.cases, joined.added, joined.runs) == (first.digest, 10, 1, 1)


def test_a_layout_holds_both_suites(importing: Importing) -> None:
    """Each in a run of its own; the rows balance."""
    report = importing(layout(B01_Q1=[causal_attempt(), causal_attempt()]))
    judged, causal = report.suites
    assert (judged.suite, judged.added, judged.differing) == ("generalist", 3, None)
    assert (causal.suite, causal.added, causal.judges) == (CAUSAL_SUITE, 1, ())
    assert report.rows == judged.added + causal.added + report.earlier == 5
    assert importing(layout(), suite="mine").suites[0].suite == "mine"


def test_a_key_that_the_file_lacks_comes_from_an_earlier_import(importing: Importing) -> None:
    """Without one the answer is refused, and says so."""
    bare = causal_attempt("B", auto_checks={"flags": [], "auto_scores": {}})
    refused = importing(layout(B01_Q1=[bare]))
    assert [each.suite for each in refused.suites] == ["generalist"]
    assert "the key of 'B01_Q1' is neither in the file nor in an earlier import" in refused.problems[0].text
    importing([causal_row("m-2")])
    report = importing.causal(layout(B01_Q1=[bare]))
    assert (report.suite, report.added, report.ok) == (CAUSAL_SUITE, 1, 1)
    with pytest.raises(InvalidInput, match="the key of"):
        importing([causal_row(question="B09_Q1", key=None)])


def test_an_answer_with_other_values_is_refused(on_sqlite: Importing) -> None:
    """And nothing is imported; another suite's name takes it."""
    on_sqlite([causal_row()])
    changed = [causal_row(response="C"), causal_row("m-2")]
    with pytest.raises(Conflict, match=r"line 1 \(model 'm-1', question 'B01_Q1'\)"):
        on_sqlite(changed)
    assert on_sqlite.causal(changed, suite="mended").suite == "mended-causal"


def test_other_keys_make_a_version_of_their_own(on_sqlite: Importing) -> None:
    """A mended key is another suite version, so that two keys never share a score."""
    first = on_sqlite.causal([causal_row()])
    other = on_sqlite.causal([causal_row("m-2", key="C")])
    assert (other.suite, other.digest != first.digest, other.version != first.version) == (
        first.suite,
        True,
        True,
    )


@pytest.mark.slow
def test_a_replay_gives_the_imported_scores(on_sqlite: Importing) -> None:
    """Through the whole pipeline: answers, an empty one and a failed call are repeated over HTTP."""
    given = [
        causal_row(response="So option B."),
        causal_row(question="B01_Q2", response="A", extracted="A"),
        causal_row(question="B01_Q3", response="", output_tokens=4096),
        causal_row(question="B01_Q4", response=None, output_tokens=None),
    ]
    report = on_sqlite(given + rows("m-1"), recordings=on_sqlite.folder / "replay.jsonl")
    replay = report.suites[-1].replay
    assert replay is not None
    assert (replay.lines, replay.suite.name) == (4, "replay-causal")
    work = open_work(
        on_sqlite.folder,
        environment={
            "ASSAY_DATABASE": str(on_sqlite.engine.url.database),
            "ASSAY_RECORDED_RECORDINGS": str(replay.recordings),
        },
    )
    suite = work.suite(str(replay.suite))
    assert suite.digest == report.suites[-1].digest
    outcome = asyncio.run(work.run(work.plan(suite, work.models(replay.models))))
    told = [
        {name: (each.row.status, each.row.score) for name, each in on_sqlite.stored(run).items()}
        for run in (2, outcome.run)
    ]
    assert told[0] == told[1]
    assert told[0] == {
        "B01_Q1": ("ok", 100.0),
        "B01_Q2": ("ok", 0.0),
        "B01_Q3": ("invalid", 0.0),
        "B01_Q4": ("error", None),
    }
