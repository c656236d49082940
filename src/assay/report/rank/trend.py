"""The page of `assay study trend`."""

from __future__ import annotations

from assay.report.rank.charts import trend_chart
from assay.report.study_page import StudyChart, StudyPage, StudySection
from assay.results.study_trend import DATED, GAPS, TrendStudy

ROOM = 0.07
"""Records whose scores differ by less than this share of the range are not both named."""


def trend_page(study: TrendStudy) -> StudyPage:
    """Return the page: scores by date with the fitted curve and the records, and the gap."""
    about = study.source
    scores = [model.score for model in study.models]
    room = ROOM * (max(scores) - min(scores))
    best = named = float("-inf")
    rows = []
    for model in study.models:
        best = max(best, model.score)
        shown = model.record and (best - named >= room or best == max(scores))
        named = best if shown else named
        rows.append(
            {
                "x": model.date,
                "y": model.score,
                "curve": model.expected,
                "record": best,
                "open": bool(model.open),
                "label": model.model if shown else "",
                "text": f"{model.model}\n{model.date}\n{model.score:g}",
            }
        )
    chart = StudyChart(
        trend_chart("Score"),
        rows,
        "One point per model; hollow: open weights. Steps: the best so far. Curve: fitted growth.",
    )
    lede = "No curve could be fitted." if study.curve is None else study.curve.sentence
    sections = [StudySection("Scores by release date", lede, DATED, study.models, chart, study.remarks)]
    if study.gap is not None:
        sections.append(StudySection("Open and closed models", study.gap.sentence, GAPS, [study.gap]))

    facts = (("Models", str(about.models)), ("Records", str(sum(model.record for model in study.models))))
    return StudyPage.of("Trend", about, facts, sections)
