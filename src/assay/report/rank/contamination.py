"""The page of `assay study contamination` and `assay study recalls`."""

from __future__ import annotations

from collections.abc import Sequence

from assay.report.rank.charts import dot_chart
from assay.report.study_page import StudyChart, StudyPage, StudySection
from assay.results.contamination import LEAKS, RECALLS, LeakTest, SourceRecall


def recall_page(
    source: str, rows: Sequence[SourceRecall], tests: Sequence[LeakTest], *, simulated: bool
) -> StudyPage:
    """Return the page: recalled questions by model and source, then the tests between sources."""
    shown = [row for row in rows if row.share is not None]
    chart = StudyChart(
        dot_chart(max(1, len(shown)), "Questions recalled of 1,000"),
        [_row(row, place) for place, row in enumerate(shown, start=1)],
        "Tick: recalled questions of 1,000. Bar: exact 95 % interval. Coloured: private or made-up ones.",
    )
    sections = [
        StudySection(
            "Recalled questions",
            "A question is recalled if a model restores a hidden piece of its text word for word.",
            RECALLS,
            rows,
            chart,
        )
    ]
    if tests:
        significant = sum(test.significant for test in tests)
        sections.append(
            StudySection(
                "Public against private questions",
                f"{significant} of {len(tests)} differences are significant (Fisher's exact test, two-sided, "
                "with Holm's correction for all of them).",
                LEAKS,
                tests,
                None,
                ["A model may recall less of a public source than of the private one: look at the sign."],
            )
        )
    facts = (("Models", str(len({row.model for row in rows}))),)

    return StudyPage("Contamination", source, simulated, facts, sections, ())


def _row(row: SourceRecall, place: int) -> dict[str, object]:
    label = f"{row.model}, {row.source}"
    return {
        "label": label,
        "place": place,
        "value": 1000 * (row.share or 0.0),
        "low": 1000 * row.interval.low,
        "high": 1000 * row.interval.high,
        "leads": row.kind in ("bank", "control"),
        "text": f"{label}\n{row.recalled:,} of {row.n:,} recalled",
    }
