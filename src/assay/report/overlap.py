"""The page of `assay study overlap`."""

from __future__ import annotations

from typing import Final

from assay.core.wording import counted
from assay.report.rank.charts import scatter_chart
from assay.report.study_page import StudyChart, StudyPage, StudySection
from assay.results.overlap import MOSTLY, Overlap, overlap_table

MOST_ROWS: Final = 1000


def overlap_page(result: Overlap, *, show: bool) -> StudyPage:
    """Return the page: share of n-grams and longest run of each question, then the table."""
    listed = result.overlaps[:MOST_ROWS]
    rows = [
        {
            "x": 100 * row.share,
            "y": row.longest,
            "leads": row.share >= MOSTLY,
            "text": f"{row.question}\n{row.share:.0%} of {row.ngrams:,} n-grams\n{row.longest:,} {row.unit}",
        }
        for row in listed
    ]
    chart = StudyChart(
        scatter_chart("n-grams seen in the texts, per cent", "Longest run, words or characters"),
        rows,
        "Each dot is a question. Coloured: at least 70 % of its n-grams are in the texts.",
    )
    more = len(result.overlaps) - len(listed)
    section = StudySection(
        "Questions with an overlap",
        f"{len(result.overlaps):,} of {result.questions:,} questions share a run of {result.words} words "
        f"({result.characters} characters in Chinese) with the texts; {result.mostly:,} share 70 % or more.",
        overlap_table(show=show),
        listed,
        chart,
        [f"{more:,} more questions are in the JSON document and the CSV."] if more > 0 else [],
    )
    facts = (
        ("Texts", result.against),
        ("Files", f"{result.files:,}"),
        ("Characters read", f"{result.size:,}"),
        ("Not tested", counted(result.untested, "question")),
    )

    title = "Overlap with texts"
    return StudyPage(title, result.source, False, facts, [section], result.notes)
