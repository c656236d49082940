"""The oracle's value on recorded benchmarks: the figures that are known, and a bracket around the methods."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.frontier.oracle import oracles
from assay.studies.frontier.source import read_tensor

pytestmark = pytest.mark.real


def test_ten_generations_of_code(shared_data: Path) -> None:
    """LiveCodeBench: the curve from 65.30 to 62.85, the best single model at 43.525, the methods between."""
    read = read_tensor(
        shared_data / "lcb_codegen_counts.parquet",
        columns={"prompt": "question_id"},
        where=["release=v1_400", "canonical=true", "n_gen=10"],
    )
    naive, power, smooth, bracket = oracles(
        read.tensor, ("naive", "power", "smooth", "bracket"), resamples=50
    )
    assert (naive.curve[0], naive.curve[-1]) == pytest.approx((0.6529885, 0.6285))
    assert naive.best_single.value == pytest.approx(0.43525)
    assert bracket.lower is not None
    assert bracket.upper is not None
    for method in (power, smooth):
        assert method.quality.value is not None
        assert bracket.lower.value < method.quality.value < bracket.upper.value
    assert "the curve determines 4 of the form's 5 parameters" in " ".join(smooth.notes)


def test_one_run_of_software_tasks_with_costs(shared_data: Path) -> None:
    """SWE-bench, one run a cell: the whole lead over the best single model may be luck."""
    read = read_tensor(
        shared_data / "swebench_verified_bash_only_instances.parquet",
        columns={"prompt": "instance_id", "quality": "resolved", "cost": "cost_usd"},
    )
    naive, bracket = oracles(read.tensor, ("naive", "bracket"), resamples=20)
    assert naive.cost is not None
    assert bracket.quality.over_prompts is None
    assert bracket.upper == naive.quality
    assert "the whole of its lead" in " ".join(naive.notes)
