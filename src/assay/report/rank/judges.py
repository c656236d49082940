"""The pages of `assay judge choose`, `assay judge correct` and `assay judge plan`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from assay.report.rank.charts import dot_chart
from assay.report.study_page import StudyChart, StudyPage, StudySection
from assay.results.corrected_marks import (
    CORRECTED,
    CORRECTED_DIFFERENCES,
    PLANNED,
    STRATA,
    CorrectedMarks,
    MarksPlan,
    PointsEstimate,
)
from assay.results.judge_choice import (
    DIFFERENCES,
    JudgeRecommendation,
    ReferenceAgreement,
    agreement_table,
)


def choice_page(choice: JudgeRecommendation) -> StudyPage:
    """Return the page of `assay judge choose` at a time."""
    sections = [
        StudySection(
            "Agreement with the reference",
            f"Recommended: `{choice.recommended}`. {_sentence(choice.reason)}"
            if choice.recommended
            else f"No judge is recommended. {_sentence(choice.reason)}",
            agreement_table(choice.judges),
            choice.judges,
            _agreement_chart(choice.judges, choice.measure, lambda row: row.judge),
            choice.remarks,
        )
    ]
    for heading, rows, group in (
        ("By round", choice.rounds, "round"),
        ("By model", choice.models, "model"),
    ):
        if rows:
            sections.append(
                StudySection(
                    heading,
                    f"The same figures for each {group}.",
                    agreement_table(rows, group),
                    rows,
                    _agreement_chart(
                        rows, choice.measure, lambda row, group=group: f"{row.judge}, {getattr(row, group)}"
                    ),
                )
            )
    if choice.differences:
        sections.append(
            StudySection(
                "Differences between judges",
                f"Differences of {choice.measure} on the answers that both judges and the reference marked.",
                DIFFERENCES,
                choice.differences,
            )
        )
    facts = (("Reference", choice.reference), ("Measure", choice.measure), ("Margin", f"{choice.margin:g}"))
    return StudyPage.of("Choice of a judge", choice.source, facts, sections)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _agreement_chart(
    rows: Sequence[ReferenceAgreement], measure: str, label: Callable[..., str]
) -> StudyChart:
    shown = []
    for place, row in enumerate(rows, 1):
        figure = getattr(row, measure)
        if figure is None or figure.value is None:
            continue
        ends = figure.interval
        shown.append(
            {
                "label": label(row),
                "place": place,
                "value": figure.value,
                "low": None if ends is None else ends.low,
                "high": None if ends is None else ends.high,
                "leads": place == 1,
                "text": f"{label(row)}\n{measure} {figure.value:.3f}, {row.n:,} answers",
            }
        )
    return StudyChart(
        dot_chart(max(1, len(shown)), measure),
        shown,
        f"Tick: {measure} with the reference. Bar: its 95 % interval.",
    )


def corrected_page(result: CorrectedMarks) -> StudyPage:
    """Return the page of `assay judge correct` at a time."""
    rows: list[dict[str, object]] = []
    for row in result.models:
        for kind, estimate in (
            ("judge only", row.judge_only),
            ("corrected", row.corrected or row.rogan_gladen),
        ):
            if estimate is not None:
                rows.append(
                    _estimate_row(f"{row.model}, {kind}", len(rows) + 1, estimate, kind == "corrected")
                )
    chart = StudyChart(
        dot_chart(len(rows), "mean mark in points"),
        rows,
        "Tick: the mean mark. Bar: its 95 % interval. Coloured: corrected by human marks.",
    )
    sections = [
        StudySection(
            "Corrected means",
            "The judge marked all answers and people marked some. The corrected mean estimates what people "
            "would have given on average, had they marked all.",
            CORRECTED,
            result.models,
            chart,
            result.remarks,
        )
    ]
    if result.differences:
        sections.append(
            StudySection(
                "Differences between models",
                "Differences of the corrected means in points, with Holm's correction.",
                CORRECTED_DIFFERENCES,
                result.differences,
            )
        )
    facts = (("Reference", result.reference), ("Judge", result.judge))
    return StudyPage.of("Marks corrected by people", result.source, facts, sections)


def _estimate_row(label: str, place: int, estimate: PointsEstimate, leads: bool) -> dict[str, object]:
    return {
        "label": label,
        "place": place,
        "value": estimate.value,
        "low": estimate.interval.low,
        "high": estimate.interval.high,
        "leads": leads,
        "text": f"{label}\n{estimate.value:.2f}",
    }


def plan_page(result: MarksPlan) -> StudyPage:
    """Return the page of `assay judge plan` at a time."""
    sections = [
        StudySection(
            "Human marks that are needed",
            f"For intervals of {result.asked:g} points on either side, {result.further:,} more answers need "
            "human marks.",
            PLANNED,
            result.models,
            None,
            result.remarks,
        ),
        StudySection(
            "By mark of the judge",
            "Answers with a mark of the judge about which people disagree get more human marks.",
            STRATA,
            result.strata,
        ),
    ]
    facts = (("Reference", result.reference), ("Judge", result.judge))
    return StudyPage.of("Plan of human marks", result.source, facts, sections)
