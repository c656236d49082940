"""The recorded seed-002 evaluation, imported and replayed, gives the figures published for it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Engine
from workbench import published

from assay.files.workbench_file import read_workbench
from assay.results.board_judged import Standing
from assay.results.imports import WorkbenchReport
from assay.runs.board.stored import BoardRequest, read_board
from assay.runs.imports.import_workbench import SUITE, import_workbench
from assay.runs.work import open_work
from assay.store.suites import read_suite

pytestmark = pytest.mark.real

ROWS = "workbench_generalist.jsonl.zst"
LAYOUT = "workbench_original_layout_gpt-4o.json.zst"
REPLICATES = 10


def standings(engine: Engine) -> dict[str, Standing]:
    """Return the board's lines by the models' published names."""
    found = read_board(engine, BoardRequest(SUITE), replicates=REPLICATES)
    return {each.model.rpartition("/")[2]: each for each in found.board.standings}


def differing(engine: Engine, shared_data: Path) -> dict[str, tuple[object, ...]]:
    """Return the models whose composite, judge mean or G-Eval mean is not as printed."""
    printed = published(shared_data)
    return {
        model: (each.score.composite, each.score.judge_mean, each.score.geval_mean)
        for model, each in standings(engine).items()
        if abs((each.score.composite or 0) - float(printed[model]["composite"])) > 1e-4
        or round(each.score.judge_mean or 0, 2) != float(printed[model]["score"])
        or each.score.geval_mean != float(printed[model]["deepeval"])
    }


@pytest.fixture
def imported(sqlite: Engine, shared_data: Path, clock: Callable[[], float]) -> WorkbenchReport:
    """The rows of all 24 models, imported."""
    return import_workbench(sqlite, shared_data / ROWS, clock=clock)


def test_all_rows_are_good(imported: WorkbenchReport) -> None:
    """24 models on 80 prompts; 6 empty answers; 19 marks that nobody gave, 18 of them of G-Eval."""
    (suite,) = imported.suites
    assert (imported.rows, suite.added, imported.problems) == (1920, 1920, ())
    assert (len(suite.models), suite.cases, len(suite.judges)) == (24, 80, 4)
    assert (suite.ok, suite.invalid, suite.ungraded) == (1914, 6, 0)
    assert (suite.marks, suite.unread) == (13_158, 19)


def test_the_suite_has_the_seeds_distribution(imported: WorkbenchReport, sqlite: Engine) -> None:
    """10 easy, 36 medium, 34 hard; 26 prompts are checked by reasoning alone."""
    cases = read_suite(sqlite, imported.suites[0].digest).cases
    assert Counter(case.metadata["difficulty"] for case in cases) == {"easy": 10, "medium": 36, "hard": 34}
    assert Counter(case.metadata["check_type"] for case in cases)["reasoning"] == 26
    assert Counter(case.use_case for case in cases)["coding"] == 15


def test_the_imported_board_is_the_published_one(
    imported: WorkbenchReport, sqlite: Engine, shared_data: Path
) -> None:
    """All 24 composites, judge means, G-Eval means and numbers of flagged answers."""
    assert differing(sqlite, shared_data) == {}
    flagged = {model: each.flags.flagged for model, each in standings(sqlite).items()}
    assert flagged == {model: int(row["flags"]) for model, row in published(shared_data).items()}


def test_the_other_layout_says_the_same_of_its_model(
    imported: WorkbenchReport, sqlite: Engine, shared_data: Path, clock: Callable[[], float]
) -> None:
    """Every last attempt of gpt-4o is known already; 232 earlier ones are left out, the causal are new."""
    report = import_workbench(sqlite, shared_data / LAYOUT, clock=clock)
    judged, causal = report.suites
    assert (report.rows, report.earlier, report.problems) == (412, 232, ())
    assert (judged.added, judged.known, judged.digest) == (0, 80, imported.suites[0].digest)
    assert (causal.added, causal.known, causal.ok, causal.differing) == (100, 0, 100, 0)


def test_the_other_layout_alone_gives_the_published_figures(
    sqlite: Engine, shared_data: Path, clock: Callable[[], float]
) -> None:
    """With the last attempt at each prompt."""
    assert import_workbench(sqlite, shared_data / LAYOUT, clock=clock).suites[0].added == 80
    assert differing(sqlite, shared_data) == {}
    assert list(standings(sqlite)) == ["gpt-4o"]


def test_the_last_attempt_is_the_one_with_all_four_judges(shared_data: Path) -> None:
    """And with G-Eval: no prompt of gpt-4o has a judge missing in it."""
    found = read_workbench(shared_data / LAYOUT)
    assert {len(answer.marks) for answer in found.answers} == {4}
    assert {len(answer.geval) for answer in found.answers} == {3}
    assert all(mark.value is not None for answer in found.answers for mark in answer.marks)


@pytest.mark.slow
def test_replayed_answers_and_judges_give_the_published_board(
    sqlite: Engine, shared_data: Path, tmp_path: Path, clock: Callable[[], float]
) -> None:
    """Through the whole pipeline: subjects and judges are asked over HTTP, their replies read and graded."""
    report = import_workbench(sqlite, shared_data / ROWS, recordings=tmp_path / "replay.jsonl", clock=clock)
    replay = report.suites[0].replay
    assert replay is not None
    names = {
        "ASSAY_DATABASE": str(tmp_path / "replayed.db"),
        "ASSAY_RECORDED_RECORDINGS": str(replay.recordings),
    }
    work = open_work(tmp_path, environment=names)
    plan = work.plan(work.suite(str(replay.suite)), work.models(replay.models))
    outcome = asyncio.run(work.run(plan))
    assert (outcome.counts.ok, outcome.counts.invalid, outcome.counts.error) == (1914, 6, 0)
    assert differing(work.engine, shared_data) == {}
