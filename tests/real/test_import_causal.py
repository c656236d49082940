"""The recorded causal answers of seed 002, imported: the published accuracies, and what our letters move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Engine
from workbench import published

from assay.results.imports import WorkbenchReport
from assay.runs.imports.import_workbench import import_workbench
from assay.store.runs import read_run
from assay.store.samples import StoredSample, read_samples

pytestmark = pytest.mark.real

ROWS = "workbench_causal.jsonl.zst"
LAYOUT = "workbench_original_layout_gpt-4o.json.zst"
MOVES = {
    "codestral": 2,
    "gemini-2.5-flash": 4,
    "gemini-3-flash": -3,
    "gemini-3.1-pro": 1,
    "llama3.1": 1,
    "minimax-m2.5": -3,
    "qwen3-32b": 2,
}
"""By how many of its 100 questions a model moves when our letters are graded instead of the recorded ones."""


@pytest.fixture
def imported(sqlite: Engine, shared_data: Path, clock: Callable[[], float]) -> WorkbenchReport:
    """The rows of all models, imported."""
    return import_workbench(sqlite, shared_data / ROWS, clock=clock)


def right(engine: Engine, taken: Callable[[StoredSample], bool]) -> dict[str, int]:
    """Return how many stored answers of each model are right, by its published name."""
    run = read_run(engine, 1)
    names = {row: model.name.rpartition("/")[2] for row, model in run.models}
    counts = Counter(dict.fromkeys(names.values(), 0))
    for sample in read_samples(engine, 1, limit=2300):
        counts[names[sample.row.model]] += taken(sample)
    return dict(counts)


def by_recorded(sample: StoredSample) -> bool:
    """Whether an answer is right by the letter that was recorded: ours, or the one that stands beside."""
    evidence = sample.grades[0].evidence
    return bool(evidence["recorded"]["right"] if "recorded" in evidence else sample.grades[0].value == 1.0)


def by_ours(sample: StoredSample) -> bool:
    """Whether an answer's stored score is full."""
    return sample.row.score == 100.0


def test_every_row_is_imported(imported: WorkbenchReport) -> None:
    """23 models on 100 questions; no empty answer and no failed call; 126 letters read otherwise."""
    (suite,) = imported.suites
    assert (imported.rows, imported.problems, suite.suite) == (2300, (), "causal-workbench")
    assert (suite.added, len(suite.models), suite.cases) == (2300, 23, 100)
    assert (suite.ok, suite.invalid, suite.error, suite.ungraded) == (2300, 0, 0, 0)
    assert suite.differing == 126


def test_the_recorded_letters_give_the_published_accuracies(
    imported: WorkbenchReport, sqlite: Engine, shared_data: Path
) -> None:
    """All 23 models; the 24th, glm-5, has no causal answer, and 0 is published for it."""
    printed = {name: float(row["causal"]) for name, row in published(shared_data).items()}
    found = {name: count / 100 for name, count in right(sqlite, by_recorded).items()}
    assert printed.pop("glm-5") == 0.0
    assert found == printed


def test_our_letters_move_seven_models(imported: WorkbenchReport, sqlite: Engine) -> None:
    """By at most 4 of 100."""
    before, after = right(sqlite, by_recorded), right(sqlite, by_ours)
    assert {name: after[name] - before[name] for name in after if after[name] != before[name]} == MOVES


def test_the_other_layout_says_the_same_of_its_model(
    imported: WorkbenchReport, sqlite: Engine, shared_data: Path, clock: Callable[[], float]
) -> None:
    """All 100 answers of gpt-4o are known already; it has every key."""
    causal = import_workbench(sqlite, shared_data / LAYOUT, clock=clock).suites[-1]
    assert (causal.digest, causal.added, causal.known) == (imported.suites[0].digest, 0, 100)


def test_the_other_layout_alone_makes_the_same_suite(
    sqlite: Engine, shared_data: Path, tmp_path: Path, clock: Callable[[], float]
) -> None:
    """And gives the published accuracy of gpt-4o."""
    causal = import_workbench(sqlite, shared_data / LAYOUT, clock=clock).suites[-1]
    assert (causal.added, causal.ok, causal.cases) == (100, 100, 100)
    samples = list(read_samples(sqlite, 2))
    assert sum(by_ours(each) for each in samples) == 71
    assert import_workbench(sqlite, shared_data / ROWS, clock=clock).suites[0].digest == causal.digest
