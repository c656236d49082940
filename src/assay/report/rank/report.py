"""The page of `assay rank report`: one section for each question, and what it cannot conclude."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from assay.report.rank.contamination import recall_page
from assay.report.rank.correlation import correlation_page
from assay.report.rank.items import fragility_page, items_page
from assay.report.rank.judges import choice_page
from assay.report.rank.scores import scores_page
from assay.report.rank.stability import stability_page
from assay.report.study_page import StudyPage, StudySection
from assay.results.rank_report import RankReport, RankReportParts

SHOWN: Final = 40
"""Most items with a remark that the page lists."""


def report_page(report: RankReport) -> StudyPage:
    """Return the page: each finding with its charts and tables, then the limits."""
    about = report.source
    sections: list[StudySection] = []
    for finding, parts in zip(report.findings, _parts(report.parts), strict=True):
        first, *others = parts or [StudySection("", "")]
        limit = () if finding.limit is None else (f"Not answered: {finding.limit}",)
        sections.append(replace(first, heading=finding.question, lede=finding.answer, notes=limit))
        sections += others
    limits = StudySection(
        "What this report cannot conclude", "The data leave these questions open.", notes=report.limits
    )
    answered = sum(finding.limit is None for finding in report.findings)
    facts = (
        ("Models", str(about.models)),
        ("Items", f"{about.items:,}"),
        ("Answered", f"{answered} of {len(report.findings)}"),
    )
    return StudyPage.of("Report on a ranking", about, facts, [*sections, limits])


def _parts(parts: RankReportParts) -> Iterator[Sequence[StudySection]]:
    """Give the sections behind each finding, in the order of the findings."""
    relative = scores_page(parts.scores, relative=True).sections
    yield [*relative, *(fragility_page(parts.fragility).sections if parts.fragility.removals else ())]
    remarkable = [item for item in parts.items.statistics if item.remarks][:SHOWN]
    yield [replace(section, rows=remarkable) for section in items_page(parts.items).sections]
    yield () if parts.correlations is None else correlation_page(parts.correlations).sections
    recalls = parts.recalls
    yield (
        ()
        if recalls is None
        else recall_page(recalls.source, recalls.rows, recalls.tests, simulated=False).sections
    )
    order, ratings = stability_page(parts.stability).sections
    yield [ratings]
    yield [order]
    yield () if parts.judges is None else choice_page(parts.judges).sections
