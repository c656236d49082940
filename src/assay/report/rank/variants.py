"""The pages of `assay study variants` and `assay study prompting`."""

from __future__ import annotations

from collections.abc import Sequence

from assay.report.rank.charts import dot_chart
from assay.report.study_page import StudyChart, StudyPage, StudySection
from assay.results.study import (
    DIFFERENCES,
    PromptingStudy,
    VariantDifference,
    VariantStudy,
    prompting_table,
)

CORRECTED = "Coloured: significant after Holm's correction."


def variants_page(study: VariantStudy) -> StudyPage:
    """Return the page: the whole difference of each variant, then the differences by group."""
    lede = f"Each variant less `{study.base}`, on the questions that both answered."
    sections = [
        StudySection(
            "All questions", lede, DIFFERENCES, study.wholes, _chart(study.wholes), _reasons(study.wholes)
        )
    ]
    if study.groups:
        sections.append(
            StudySection(
                "By group",
                "The same by discipline or category. Holm's correction is over all of these rows.",
                DIFFERENCES,
                study.groups,
                _chart(study.groups),
                _reasons(study.groups),
            )
        )
    about = study.source

    facts = (("Models", str(about.models)), ("Base", study.base))
    return StudyPage.of("Variants", about, facts, sections)


def prompting_page(study: PromptingStudy) -> StudyPage:
    """Return the page: scores by prompting with their variance, and the paired tests."""
    rows = [
        {
            "label": f"{model.model}, {name}",
            "place": place,
            "value": score,
            "low": None,
            "high": None,
            "leads": place % len(study.promptings) == 1,
            "text": f"{model.model}, {name}\n{score:.2f}",
        }
        for place, (model, name, score) in enumerate(
            (
                (model, name, score)
                for model in study.models
                for name, score in model.scores.items()
                if score is not None
            ),
            start=1,
        )
    ]
    chart = StudyChart(dot_chart(len(rows), "S, 0-100"), rows, "Tick: a model's score under one prompting.")
    sections = [
        StudySection(
            "Scores by prompting",
            "The variance (divisor n) of each model's scores, beside the variance that chance alone gives.",
            prompting_table(study.promptings),
            study.models,
            chart if rows else None,
        )
    ]
    if study.differences:
        sections.append(
            StudySection(
                "Differences within models",
                "Each pair of promptings of a model on their common questions.",
                DIFFERENCES,
                study.differences,
                _chart(study.differences),
                _reasons(study.differences),
            )
        )
    about = study.source

    facts = (("Models", str(about.models)), ("Promptings", ", ".join(study.promptings)))
    return StudyPage.of("Prompting", about, facts, sections)


def _chart(differences: Sequence[VariantDifference]) -> StudyChart | None:
    known = [row for row in differences if row.difference is not None]
    rows = [
        {
            "label": _label(row, known),
            "place": place,
            "value": row.difference,
            "low": None if row.interval is None else row.interval.low,
            "high": None if row.interval is None else row.interval.high,
            "leads": row.significant,
            "text": f"{row.model}\n{row.variant} less {row.base}, {row.group}\n{row.difference:+.2f} points",
        }
        for place, row in enumerate(known, start=1)
    ]
    if not rows:
        return None
    caption = f"Tick: the difference in points. Bar: its 95 % interval. {CORRECTED}"
    return StudyChart(dot_chart(len(rows), "Difference, points", mark=0.0), rows, caption)


def _label(row: VariantDifference, rows: Sequence[VariantDifference]) -> str:
    parts = (
        (row.model, {other.model for other in rows}),
        (f"{row.variant} - {row.base}", {(other.variant, other.base) for other in rows}),
        (row.group, {other.group for other in rows}),
    )
    varied = [part for part, values in parts if len(values) > 1]
    return ", ".join(varied) or row.variant


def _reasons(rows: Sequence[VariantDifference]) -> list[str]:
    return [
        f"{row.model}, {row.variant}, {row.group}: {row.reason}." for row in rows if row.reason is not None
    ]
