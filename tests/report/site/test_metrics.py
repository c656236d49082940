"""Metrics: read by Prometheus' own parser, with escaped labels and marked simulated data."""

from __future__ import annotations

from pathlib import Path

import pytest
from hostile_names import HOSTILE
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families
from watched_database import watched_work

from assay.core.model import Model
from assay.report.site.metrics import MetricFamily, metrics_text
from assay.runs.site.source import SiteSource
from assay.runs.work import Work


def families(work: Work) -> dict[str, Metric]:
    """Return the parsed metrics by name."""
    source = SiteSource(work)
    text = metrics_text(source.overview(), source.run_measures(), "1.2.3")
    assert text.endswith("\n")
    return {family.name: family for family in text_string_to_metric_families(text)}


def value(family: Metric, **labels: str) -> float:
    """Return the value of the one sample with these labels."""
    (found,) = [sample.value for sample in family.samples if labels.items() <= sample.labels.items()]
    return float(found)


def test_states_scores_and_baselines_are_gauges(tmp_path: Path) -> None:
    """One state of a model is 1; scores are 0-100."""
    found = families(watched_work(tmp_path))
    assert {family.type for family in found.values()} == {"gauge"}
    states = [
        (sample.labels["state"], sample.value)
        for sample in found["assay_model_state"].samples
        if sample.labels["id"] == "2"
    ]
    assert states == [("GAP", 0), ("CALIBRATING", 0), ("OK", 0), ("SUSPICIOUS", 0), ("COOKED", 1)]
    falling = {"suite": "small", "model": "simulated/falling", "id": "2", "assay_simulated": "true"}
    assert value(found["assay_use_case_score"], use_case="use-0", **falling) == 0
    assert value(found["assay_use_case_baseline"], use_case="use-0", **falling) == 100
    assert value(found["assay_use_case_baseline_spread"], use_case="use-0", **falling) == 2
    assert value(found["assay_samples"], status="ok", **falling) == 10
    assert value(found["assay_samples"], status="error", **falling) == 0
    assert value(found["assay_model_day_timestamp_seconds"], **falling) == 1_773_360_000
    assert value(found["assay_build_info"], version="1.2.3") == 1


def test_runs_and_spending_stand_apart_for_simulated_runs(tmp_path: Path) -> None:
    """Every sample that rests on simulated data is labelled."""
    found = families(watched_work(tmp_path))
    assert value(found["assay_runs"], status="finished", assay_simulated="true") == 12
    assert value(found["assay_runs"], status="finished", assay_simulated="false") == 0
    assert value(found["assay_last_run_timestamp_seconds"], assay_simulated="true") > 1_773_000_000
    for name in ("assay_month_spending_dollars", "assay_month_unknown_cost_calls"):
        assert value(found[name], assay_simulated="false") == 0
    for name, family in found.items():
        if name != "assay_build_info":
            assert all("assay_simulated" in sample.labels for sample in family.samples), name


def test_labels_survive_every_character(tmp_path: Path) -> None:
    """The parser reads the name as it is."""
    work = watched_work(tmp_path, days=6, models=[Model("real", HOSTILE), Model("real", "b\\n")])
    names = {sample.labels["model"] for sample in families(work)["assay_model_state"].samples}
    assert names == {f"real/{HOSTILE}", "real/b\\n"}


def test_an_empty_database_has_metrics(tmp_path: Path) -> None:
    """Runs are 0, and there is no time of a last run."""
    found = families(watched_work(tmp_path, days=0))
    assert value(found["assay_runs"], status="finished", assay_simulated="false") == 0
    assert found["assay_last_run_timestamp_seconds"].samples == []
    assert found["assay_model_state"].samples == []


@pytest.mark.parametrize(
    ("number", "text"), [(1.0, "1"), (0.5, "0.5"), (1e-9, "1e-09"), (2**40, "1099511627776")]
)
def test_numbers_are_written_exactly(number: float, text: str) -> None:
    """Whole ones without a point; the meaning is on one line."""
    family = MetricFamily("a", "b\nc\\", (("", number),))
    assert str(family) == f"# HELP a b\\nc\\\\\n# TYPE a gauge\na{{}} {text}\n"
