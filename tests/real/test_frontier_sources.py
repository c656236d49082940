"""Recordings of other benchmarks become tensors of the shapes and denominators that were counted by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assay.core.errors import InvalidInput
from assay.studies.frontier.source import read_tensor
from assay.studies.frontier.tensor_source import TensorSource

pytestmark = pytest.mark.real


def read(folder: Path, name: str, columns: str = "", **options: Any) -> TensorSource:
    """Read a recording; every row of it is accounted for."""
    pairs = (pair.partition("=") for pair in columns.split())
    found = read_tensor(folder / name, columns={ours: theirs for ours, _, theirs in pairs}, **options)
    rows = found.rows
    assert rows.read == rows.used + rows.errors + rows.ungraded + rows.left_out
    return found


def test_livecodebench_counts(shared_data: Path) -> None:
    """400 problems, 43 models, ten generations of each; the best single model has 43.525 %."""
    found = read(
        shared_data,
        "lcb_codegen_counts.parquet",
        "prompt=question_id category=difficulty",
        where=["release=v1_400", "canonical=true", "n_gen=10"],
    )
    tensor = found.tensor
    assert tensor.quality.shape == (400, 43, 10)
    assert (tensor.answers == 10).all() and tensor.binary
    assert (found.rows.used, found.rows.skipped, found.rows.answers) == (17_200, 3_200, 172_000)
    assert (found.notes, found.left_out) == ((), ())
    assert float(tensor.mean_quality().mean(axis=0).max()) == pytest.approx(0.43525)
    assert set(tensor.categories or ()) == {"easy", "medium", "hard"}


def test_livecodebench_without_a_choice(shared_data: Path) -> None:
    """Models with one generation are told; nothing is taken for ten."""
    found = read(shared_data, "lcb_codegen_counts.parquet", "prompt=question_id")
    assert found.tensor.quality.shape == (400, 51, 10)
    assert found.rows.answers == 186_000
    assert any("2,000 cells have only one" in note for note in found.notes)


def test_swe_bench_instances(shared_data: Path) -> None:
    """500 issues, 13 systems, one answer each with its cost; one is far from its published score."""
    columns = "prompt=instance_id quality=resolved cost=cost_usd category=repo"
    found = read(shared_data, "swebench_verified_bash_only_instances.parquet", columns)
    tensor = found.tensor
    assert tensor.quality.shape == (500, 13, 1)
    assert tensor.cost is not None and not np.isnan(tensor.cost).any() and tensor.cost.min() > 0
    assert len(set(tensor.categories or ())) == 12
    means = dict(zip(tensor.models, tensor.mean_quality().mean(axis=0).tolist(), strict=True))
    assert means["Gemini 3 Pro Preview (2025-11-18)"] == pytest.approx(0.742)
    assert means["Claude 3.7 Sonnet (20250219)"] == pytest.approx(0.102)
    assert len(found.notes) == 1 and "G = 1" in found.notes[0]


TERMINAL = "prompt=task_id quality=is_resolved latency=agent_seconds"


def test_terminal_bench_trials_need_a_meaning(shared_data: Path) -> None:
    """316 trials were never graded: nothing is read before it is said what that means."""
    with pytest.raises(InvalidInput, match="316 of 2800 rows have a blank 'is_resolved'"):
        read(shared_data, "terminalbench_core011_trials.parquet", TERMINAL, arms=["submission"])


def test_terminal_bench_trials(shared_data: Path) -> None:
    """80 tasks, seven submissions, five trials; counted as failed, as the board does, or as missing."""
    name = "terminalbench_core011_trials.parquet"
    failed = read(shared_data, name, TERMINAL, arms=["submission"], null="wrong")
    assert failed.tensor.quality.shape == (80, 7, 5)
    assert (failed.tensor.answers == 5).all()
    means = failed.tensor.mean_quality().mean(axis=0)
    best = int(np.argmax(means))
    assert (failed.tensor.models[best], float(means[best])) == ("ob1-09-10-25", pytest.approx(0.5675))
    missing = read(shared_data, name, TERMINAL, arms=["model", "agent"], null="missing")
    assert (missing.rows.used, missing.rows.ungraded) == (2_484, 316)
    assert "claude-4-sonnet + goose" in missing.tensor.models
    assert int(missing.tensor.answers.sum()) == 2_484
    assert any(note.startswith("the column 'failure_mode' was not read") for note in failed.notes)


def test_routerarena(shared_data: Path) -> None:
    """One model of 809 prompts with costs and texts; a score below 0 is refused until a range is given."""
    columns = "prompt=global_index cost=inference_cost category=dataset text=question"
    with pytest.raises(InvalidInput, match=r"'score' is '-0\.033"):
        read(shared_data, "routerarena_2models.parquet", columns)
    found = read(shared_data, "routerarena_2models.parquet", columns, where=["score!=-0.0330188679245283"])
    assert found.tensor.quality.shape == (808, 1, 1)
    assert found.tensor.texts is not None and all(found.tensor.texts)
    assert any(note.startswith("one model, 'claude-3-haiku-20240307'") for note in found.notes)


def test_gsm8k_solutions(shared_data: Path) -> None:
    """Two models of 1,319 questions, one answer each."""
    found = read(shared_data, "gsm8k_model_solutions.parquet", "prompt=item quality=is_correct text=question")
    assert found.tensor.quality.shape == (1_319, 2, 1)
    assert found.tensor.binary


def test_metr_runs(shared_data: Path) -> None:
    """Continuous scores, 1 to 96 runs a cell; davinci-002, on 16 of 83 tasks, is left out; no cost known."""
    columns = "prompt=task_id model=alias cost=dollar_equivalent category=task_family"
    found = read(shared_data, "metr_runs_2025-01.parquet", columns, where=["alias!=human"])
    tensor = found.tensor
    assert tensor.quality.shape == (83, 9, 96)
    assert (int(tensor.answers.min()), int(tensor.answers.max()), tensor.binary) == (0, 96, False)
    assert tensor.cost is None
    assert [(each.name, each.rows) for each in found.left_out] == [("davinci-002", 68)]
    assert (found.rows.used, found.rows.left_out, found.rows.skipped) == (6_784, 68, 211)
    assert any("'usageLimits' 1,912" in note for note in found.notes)
    assert "no cost is known: all are blank" in found.notes


def test_isclaudedumb_days(shared_data: Path) -> None:
    """One model on 40 days as arms, two to five runs of 164 tasks a day; 26 costs of 0 are told."""
    columns = "prompt=task_id model=date quality=passed cost=cost_usd latency=duration_ms"
    found = read(shared_data, "isclaudedumb_tasks.parquet", columns)
    assert found.tensor.quality.shape == (164, 40, 5)
    assert found.rows.used == 85 * 164
    assert found.tensor.latency is not None and np.nanmedian(found.tensor.latency) < 60
    assert any(note.startswith("26 of 13,940 costs are 0") for note in found.notes)


def test_workbench_marks(shared_data: Path) -> None:
    """A nested column of JSON lines: a judge's marks 1 to 5; the judge that never marked its own model."""
    columns = "prompt=prompt_id quality=judges.gpt-4.1 latency=latency_s"
    found = read(shared_data, "workbench_generalist.jsonl.zst", columns, null="missing", quality_range=(1, 5))
    assert found.tensor.quality.shape == (80, 23, 1)
    assert not found.tensor.binary
    assert [(each.name, each.rows) for each in found.left_out] == [("gpt-4.1", 0)]
    assert (found.rows.used, found.rows.ungraded) == (1_840, 80)
