"""Frontiers of recorded runs: with costs and one generation, and with five generations without costs."""

from __future__ import annotations

from pathlib import Path

import duckdb
import numpy as np
import pytest

from assay.frontier.capability import frontier
from assay.frontier.tensor import Tensor

pytestmark = pytest.mark.real


def table(sql: str) -> Tensor:
    """Return the tensor of rows (prompt, model, quality, cost), generations in the rows' order."""
    rows = duckdb.sql(sql).fetchall()
    prompts, models = sorted({row[0] for row in rows}), sorted({row[1] for row in rows})
    cells: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for prompt, model, quality, cost in rows:
        cells.setdefault((prompt, model), []).append((quality, np.nan if cost is None else cost))
    deep = max(len(cell) for cell in cells.values())
    values = np.full((2, len(prompts), len(models), deep), np.nan)
    for (prompt, model), cell in cells.items():
        place = prompts.index(prompt), models.index(model)
        values[:, *place, : len(cell)] = np.array(cell).T
    costs = None if np.isnan(values[1]).all() else values[1]
    return Tensor(tuple(prompts), tuple(models), values[0], cost=costs)


def test_agents_on_verified_issues_have_a_frontier_above_every_single_one(shared_data: Path) -> None:
    """500 issues, each system once: the naive frontier beats every system at its own cost, and says G = 1."""
    source = shared_data / "swebench_verified_bash_only_instances.parquet"
    tensor = table(
        f"select instance_id, folder, resolved::int::double, cost_usd from read_parquet('{source}')"
    )
    found = frontier(tensor, "naive", resamples=100)
    assert found.prompts == 500
    best = found.singles[found.best_single]
    assert best.quality.value is not None and best.cost.value is not None
    top = found.points[-1].quality.value
    assert top is not None and top > best.quality.value
    saved, aiq = found.gains.saving.estimate, found.gains.aiq.estimate
    assert saved.value is not None and saved.over_prompts is not None and 0.5 < saved.value < 1.0
    assert aiq.value is not None and aiq.value < top
    assert found.gains.height.estimate.value is not None and found.gains.height.estimate.value > 0.0
    assert any("G = 1" in note for note in found.notes)


def test_five_runs_of_terminal_agents_are_bracketed(shared_data: Path) -> None:
    """80 tasks, five runs, no costs: the bracket's ends are apart, and only alpha = 1 exists."""
    source = shared_data / "terminalbench_core011_trials.parquet"
    tensor = table(
        "select task_id, submission, coalesce(is_resolved, false)::int::double, null "
        f"from read_parquet('{source}')"
    )
    found = frontier(tensor, "bracket", resamples=100)
    assert found.alphas.tolist() == [1.0]
    low, high = found.points[0].quality.value, found.naive[0].quality.value
    best = found.singles[found.best_single].level.value
    assert low is not None and high is not None and best is not None
    assert best < low < high
    assert found.gains.saving.reason == "no costs were recorded"
