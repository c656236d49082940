"""The page of `assay study duplicates`."""

from __future__ import annotations

from typing import Final

from assay.report.rank.charts import dot_chart
from assay.report.study_page import StudyChart, StudyPage, StudySection
from assay.results.similar_questions import AlikeReport, alike_table

MOST_ROWS: Final = 1000
DRAWN: Final = 40


def alike_page(report: AlikeReport, *, show: bool) -> StudyPage:
    """Return the page: the most similar pairs drawn, then the table."""
    listed = report.pairs[:MOST_ROWS]
    rows = [
        {
            "label": f"{pair.question}, {pair.other}",
            "place": place,
            "value": pair.similarity,
            "low": None,
            "high": None,
            "leads": True,
            "text": f"{pair.question}\n{pair.other}\n{pair.similarity:.3f}",
        }
        for place, pair in enumerate(listed[:DRAWN], start=1)
    ]
    chart = StudyChart(
        dot_chart(max(1, len(rows)), "Similarity"), rows, f"The most similar pairs, at most {DRAWN}."
    )
    more = len(report.pairs) - len(listed)
    section = StudySection(
        "Questions that ask the same",
        f"{len(report.pairs):,} pairs, compared by {report.method}. {report.blind}",
        alike_table(show=show),
        listed,
        chart if rows else None,
        [f"{more:,} more pairs are in the JSON document and the CSV."] if more > 0 else [],
    )
    facts = [("Questions", f"{report.questions:,}"), ("Method", report.method)]
    if report.against is not None:
        facts.append(("Compared with", report.against))
    if report.model is not None:
        facts += [("Model", report.model), ("Least similarity", f"{report.least:g}")]

    return StudyPage("Similar questions", report.source, False, facts, [section], ())
