"""The page of `assay study errors`."""

from __future__ import annotations

from collections.abc import Sequence

from assay.report.rank.charts import dot_chart
from assay.report.study_page import StudyChart, StudyPage, StudySection
from assay.results.study_errors import CONFUSIONS, ErrorShare, ErrorStudy, shares_table


def errors_page(study: ErrorStudy) -> StudyPage:
    """Return the page: shares over all answers, by model and discipline, and the hand labels."""
    sorted_ = f"{study.sorted:,} of {study.answers:,} wrong answers"
    lede = f"`{study.judge}` sorted {sorted_} by the cause of the error."
    notes = [] if study.agreement is None else [study.agreement.sentence]
    if study.agreement is None:
        notes = ["No hand labels were given, so nothing is known about the judge's own errors."]
    sections = [
        StudySection(
            "All answers",
            lede,
            shares_table(study.of("all")),
            study.of("all"),
            _chart(study.of("all"), all_=True),
            notes,
        )
    ]
    for by in ("model", "discipline"):
        rows = study.of(by)
        if rows:
            sections.append(
                StudySection(
                    f"By {by}",
                    f"The same shares by {by}.",
                    shares_table(rows),
                    rows,
                    _chart(rows, all_=False),
                )
            )
    if study.agreement is not None:
        sections.append(
            StudySection(
                "Hand labels",
                "Answers by hand label and the judge's choice.",
                CONFUSIONS,
                study.agreement.confusion,
            )
        )

    facts = (("Judge", study.judge), ("Answers", f"{study.answers:,}"), ("Run", str(study.run)))
    return StudyPage("Causes of errors", study.source, study.simulated, facts, sections, study.notes)


def _chart(shares: Sequence[ErrorShare], *, all_: bool) -> StudyChart | None:
    rows = [
        {
            "label": row.category.value if all_ else f"{row.name}, {row.category.value}",
            "place": place,
            "value": 100.0 * row.share,
            "low": 100.0 * row.interval.low,
            "high": 100.0 * row.interval.high,
            "leads": row.count == max(other.count for other in shares if other.name == row.name),
            "text": f"{row.name}\n{row.category.value}\n{row.count} of {row.n}",
        }
        for place, row in enumerate(shares, start=1)
    ]
    caption = "Tick: the share. Bar: its 95 % interval. Coloured: the most frequent category."
    return StudyChart(dot_chart(len(rows), "Share, %", (0, 100)), rows, caption) if rows else None
