"""Reports of recordings: their figures agree with those counted by hand, and what they lack is said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assay.report.frontier.charts import report_charts
from assay.report.frontier.headline import cautions, headline
from assay.report.frontier.more_tables import more_tables
from assay.report.frontier.tables import paper_tables
from assay.studies.frontier.report import frontier_report
from assay.studies.frontier.report_result import FrontierReport
from assay.studies.frontier.source import read_tensor

pytestmark = pytest.mark.real


def report(folder: Path, name: str, columns: str, **options: Any) -> FrontierReport:
    """Return the report of a recording; its tables and charts can be made."""
    pairs = (pair.partition("=") for pair in columns.split())
    read = read_tensor(folder / name, columns={ours: theirs for ours, _, theirs in pairs}, **options)
    found = frontier_report(read, resamples=50)
    assert len(paper_tables(found)) == 6
    assert more_tables(found)
    assert all(chart.to_dict() for chart in report_charts(found).values())
    return found


@pytest.mark.slow
def test_livecodebench(shared_data: Path) -> None:
    """Ten generations: naive 62.85, all models at k = 10 73.0 unbiased and 71.9 by the plug-in."""
    where = ["release=v1_400", "canonical=true", "n_gen=10"]
    columns = "prompt=question_id category=difficulty"
    found = report(shared_data, "lcb_codegen_counts.parquet", columns, where=where)
    naive = next(each for each in found.methods if each.method == "naive")
    assert naive.quality.value == pytest.approx(0.6285)
    assert found.main.best_single.value == pytest.approx(0.43525)
    assert found.main.quality.value is not None and found.main.quality.value < 0.6285
    last = found.whole.shots[-1]
    assert last.all_models.value.value == pytest.approx(0.73)
    assert last.plug_in == pytest.approx(0.7191, abs=1e-4)
    assert last.fixed_best.value.value == pytest.approx(0.5425)
    assert last.all_models.answers.value == 430
    assert [(each.name, each.counted.prompts) for each in found.groups] == [
        ("easy", 142),
        ("hard", 90),
        ("medium", 168),
    ]
    assert cautions(found) == ()


@pytest.mark.slow
def test_swe_bench_has_costs_and_one_generation(shared_data: Path) -> None:
    """Naive with a caution; a saving all the same; Django's 231 issues have a row."""
    columns = "prompt=instance_id quality=resolved cost=cost_usd category=repo"
    found = report(shared_data, "swebench_verified_bash_only_instances.parquet", columns)
    assert found.settings.method == "naive"
    assert "G = 1" in cautions(found)[0]
    assert found.whole.frontier.points[-1].quality.value == pytest.approx(0.838)
    assert "USD a prompt" in headline(found)[1]
    assert ("django/django", 231) in [(each.name, each.counted.prompts) for each in found.groups]


@pytest.mark.slow
def test_terminal_bench(shared_data: Path) -> None:
    """Five trials, no costs: the debiased oracle lies inside the bracket."""
    columns = "prompt=task_id quality=is_resolved latency=agent_seconds"
    name = "terminalbench_core011_trials.parquet"
    found = report(shared_data, name, columns, arms=["submission"], null="wrong")
    bracket = next(each for each in found.methods if each.method == "bracket")
    assert bracket.lower is not None and bracket.upper is not None
    low, value, high = bracket.lower.value, found.main.quality.value, bracket.upper.value
    assert low is not None and value is not None and high is not None
    assert low < value < high
    assert found.whole.frontier.gains.saving.estimate.value is None


@pytest.mark.slow
def test_metr(shared_data: Path) -> None:
    """Continuous scores, 1 to 96 runs a cell: k at steps, no reliability, and nothing crashes."""
    columns = "prompt=task_id model=alias category=task_family"
    found = report(shared_data, "metr_runs_2025-01.parquet", columns, where=["alias!=human"])
    assert [each.k for each in found.whole.shots] == [1, 2, 5, 10, 20, 50, 96]
    assert (found.reliability, found.sequential) == (None, None)
    assert found.whole.counted.missing == 15
