"""The figures of the watch for Prometheus, in its text format (version 0.0.4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Final

from assay.core.verdict import ModelState
from assay.results.runs import RunStatus
from assay.results.watch import DayReport
from assay.runs.site.feeds import RunMeasures, is_simulated
from assay.runs.site.source import Overview
from assay.store.overview import Spending

METRICS_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
Labels = str
"""The labels of a sample as they are written: names with quoted values."""


@dataclass(frozen=True, slots=True)
class MetricFamily:
    """The samples of one metric; all are gauges."""

    name: str
    meaning: str
    samples: tuple[tuple[Labels, float], ...]

    def __str__(self) -> str:
        meaning = self.meaning.replace("\\", "\\\\").replace("\n", "\\n")
        lines = [f"# HELP {self.name} {meaning}", f"# TYPE {self.name} gauge"]
        lines += [f"{self.name}{{{labels}}} {_value(value)}" for labels, value in self.samples]
        return "\n".join(lines) + "\n"


def label(**values: object) -> Labels:
    """Return labels by their names."""
    return ",".join(f'{name}="{_escaped(str(value))}"' for name, value in values.items())


def _escaped(text: str) -> str:
    text = text.encode("utf-8", "replace").decode()
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _value(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else repr(float(value))


def metrics_text(overview: Overview, measures: RunMeasures, version: str) -> str:
    """Return all metrics. Every sample that rests on simulated data has `assay_simulated="true"`."""
    lines = [
        (_model_labels(suite.name, report, row, is_simulated(suite.watched, place)), report)
        for suite in overview.suites
        if suite.watched is not None
        for place, (row, report) in enumerate(
            zip(suite.watched.verdicts.stored.models, suite.reports, strict=True)
        )
    ]
    families = [
        MetricFamily("assay_build_info", "Version of Assay.", ((label(version=version), 1),)),
        *_models(lines),
        *_use_cases(lines),
        *_runs(measures),
    ]
    return "".join(map(str, families))


def _model_labels(suite: str, report: DayReport, row: int, simulated: bool) -> Labels:
    return f"{label(suite=suite, model=report.verdict.model, id=row)},{_simulated(simulated)}"


def _simulated(simulated: bool) -> Labels:
    return label(assay_simulated="true" if simulated else "false")


Lines = list[tuple[Labels, DayReport]]


def _models(lines: Lines) -> Iterator[MetricFamily]:
    yield MetricFamily(
        "assay_model_state",
        "1 for the state of a model on the last watched day, 0 for the other states.",
        tuple(
            (f"{labels},{label(state=state.value)}", float(report.verdict.state is state))
            for labels, report in lines
            for state in ModelState
        ),
    )
    yield MetricFamily(
        "assay_model_day_timestamp_seconds",
        "Beginning of the last watched day, to which the state belongs.",
        tuple((labels, _epoch(report.verdict.day)) for labels, report in lines),
    )
    yield MetricFamily(
        "assay_samples",
        "Samples of the last watched day by status.",
        tuple(
            (f"{labels},{label(status=status)}", getattr(report.verdict.counts, status))
            for labels, report in lines
            for status in ("ok", "invalid", "error", "ungraded")
        ),
    )


def _use_cases(lines: Lines) -> Iterator[MetricFamily]:
    cells = [
        (f"{labels},{label(use_case=use_case.use_case)}", use_case)
        for labels, report in lines
        for use_case in report.verdict.use_cases
    ]
    yield MetricFamily(
        "assay_use_case_score",
        "Score of a use case on the last watched day, 0-100.",
        tuple((labels, use_case.score) for labels, use_case in cells if use_case.score is not None),
    )
    baselines = [(labels, use_case.baseline) for labels, use_case in cells if use_case.baseline is not None]
    yield MetricFamily(
        "assay_use_case_baseline",
        "Mean of the baseline that the score is compared with, 0-100.",
        tuple((labels, baseline.mean) for labels, baseline in baselines),
    )
    yield MetricFamily(
        "assay_use_case_baseline_spread",
        "Spread of the baseline, in points of 0-100.",
        tuple((labels, baseline.spread) for labels, baseline in baselines),
    )


def _runs(measures: RunMeasures) -> Iterator[MetricFamily]:
    yield MetricFamily(
        "assay_runs",
        "Runs by status.",
        tuple(
            (
                f"{label(status=status.value)},{_simulated(simulated)}",
                measures.counts.get((status, simulated), 0),
            )
            for simulated in (False, True)
            for status in RunStatus
        ),
    )
    yield MetricFamily(
        "assay_last_run_timestamp_seconds",
        "Time at which the last run ended.",
        tuple((_simulated(simulated), at) for simulated, at in sorted(measures.finished.items())),
    )
    spending = [
        (_simulated(simulated), measures.spending.get(simulated, Spending(0.0, 0)))
        for simulated in (False, True)
    ]
    yield MetricFamily(
        "assay_month_spending_dollars",
        f"Known cost of the runs since {measures.month}, in US dollars.",
        tuple((labels, spent.cost) for labels, spent in spending),
    )
    yield MetricFamily(
        "assay_month_unknown_cost_calls",
        f"Calls since {measures.month} whose cost is unknown.",
        tuple((labels, spent.unknown) for labels, spent in spending),
    )


def _epoch(day: date) -> float:
    return datetime.combine(day, time(), UTC).timestamp()
