"""All charts of a frontier report, by the names of their files."""

from __future__ import annotations

import re
from typing import Any

from assay.report.frontier.bars import carriers_chart, models_chart, reliability_chart
from assay.report.frontier.generations import bias_chart, decay_chart, k_shot_chart
from assay.report.frontier.headline import denominators
from assay.report.frontier.plane import has_costs, plane_chart
from assay.report.frontier.table import CellKind
from assay.report.frontier.tables import quality_kind
from assay.report.frontier.uplift import recorded_uplift_chart
from assay.results.frontier_report import FrontierGroup
from assay.studies.frontier.report_result import FrontierReport

MOST_CATEGORIES = 12
"""The frontiers of so many categories are drawn, the largest first."""
DIAMOND = "Diamond: the best single model. Arrows: the gain at its cost and the saving at its quality."


def report_charts(report: FrontierReport) -> dict[str, Any]:
    """Return the altair charts that these data allow, by name.

    With one model there is no choice and few charts are drawn. `frontier` is the paper's figure 1, the
    frontiers of categories are its figures 6-11, `oracle-by-generations` 3, `topic-entropy` 5 and `bias` 12.
    The paper has no figure for `k-shot`, `models`, `reliability` and `carriers`.
    """
    bounded = quality_kind(report) is CellKind.SHARE
    charts: dict[str, Any] = {}
    frontier = report.whole.frontier
    several = len(frontier.models) > 1
    if several and has_costs(frontier):
        about = f"{denominators(report)}. {DIAMOND}"
        charts["frontier"] = plane_chart(frontier, "The capability frontier", about, bounded=bounded)
    charts["models"] = models_chart(report, bounded=bounded)
    if len(report.main.sizes) > 1:
        charts["oracle-by-generations"] = decay_chart(report, bounded=bounded)
        charts["k-shot"] = k_shot_chart(report, bounded=bounded)
    if several and report.settings.method != "naive":
        charts["bias"] = bias_chart(report)
    if report.reliability is not None:
        charts["reliability"] = reliability_chart(report)
    if several:
        charts["carriers"] = carriers_chart(report, bounded=bounded)
    if report.uplift is not None:
        charts["topic-entropy"] = recorded_uplift_chart(report.uplift)
    if several and has_costs(frontier):
        charts |= {f"frontier-{name}": chart for name, chart in _categories(report, bounded)}
    return charts


def _categories(report: FrontierReport, bounded: bool) -> list[tuple[str, Any]]:
    largest = sorted(report.groups, key=lambda group: (-group.counted.prompts, group.name))[:MOST_CATEGORIES]
    shown = sorted(
        (group for group in largest if has_costs(group.frontier)), key=lambda group: group.name or ""
    )
    used: set[str] = set()
    charts = []
    for group in shown:
        name = _file_name(group.name or "", used)
        title = f"The capability frontier: {group.name}"
        charts.append((name, plane_chart(group.frontier, title, _about(group), bounded=bounded)))
    return charts


def _about(group: FrontierGroup) -> str:
    counted = group.counted
    return (
        f"{counted.prompts:,} prompts x {counted.models} models, {counted.missing:,} cells missing. {DIAMOND}"
    )


def _file_name(category: str, used: set[str]) -> str:
    """Return the name of a category as part of a file name, different from all `used` ones."""
    plain = re.sub(r"[^a-z0-9]+", "-", category.lower()).strip("-") or "category"
    name, turn = plain, 2
    while name in used:
        name, turn = f"{plain}-{turn}", turn + 1
    used.add(name)
    return name
