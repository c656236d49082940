"""The page of `assay study correlate`."""

from __future__ import annotations

from assay.report.rank.charts import labelled_scatter
from assay.report.study_page import StudyChart, StudyPage, StudySection
from assay.results.study import CORRELATIONS, CorrelationStudy, RankingCorrelation


def correlation_page(study: CorrelationStudy) -> StudyPage:
    """Return the page: a scatter of the models for each pair of rankings, and the table."""
    about = study.source
    sections = [_section(row) for row in study.correlations]

    facts = (("Models", str(about.models)), ("Pairs of rankings", str(len(study.correlations))))
    return StudyPage.of("Correlation of rankings", about, facts, sections)


def _section(row: RankingCorrelation) -> StudySection:
    rows = [
        {"x": point.first, "y": point.second, "label": point.model, "text": _text(row, point.model)}
        for point in row.points
    ]
    chart = StudyChart(
        labelled_scatter(row.first, row.second),
        rows,
        f"One point per model: its score in {row.first} against that in {row.second}.",
    )
    return StudySection(
        f"{row.first} and {row.second}",
        row.sentence,
        CORRELATIONS,
        [row],
        chart if rows else None,
        [] if row.reason is None else [row.reason],
    )


def _text(row: RankingCorrelation, model: str) -> str:
    point = next(point for point in row.points if point.model == model)
    return f"{model}\n{row.first} {point.first:g}\n{row.second} {point.second:g}"
