"""The page of `assay rank predict`."""

from __future__ import annotations

from assay.report.rank.charts import dot_chart
from assay.report.study_page import StudyChart, StudyPage, StudySection
from assay.results.rank_prediction import COMPLETED, PREDICTED, Prediction


def prediction_page(result: Prediction) -> StudyPage:
    """Return the page: completed means with intervals, then every predicted score."""
    about = result.source
    rows = [
        {
            "label": model.model,
            "place": place,
            "value": model.completed,
            "low": model.completed_interval.low,
            "high": model.completed_interval.high,
            "leads": model.ranks is not None,
            "text": f"{model.model}\n{model.completed:.2f}\n{model.measured} of {about.items} items measured",
        }
        for place, model in enumerate(result.models, start=1)
    ]
    chart = StudyChart(
        dot_chart(len(rows), "Mean over all items, 0-100"),
        rows,
        "Tick: the mean with missing scores predicted. Bar: its 95 % interval. Grey: not ranked.",
    )
    sections = [
        StudySection("Completed means", result.summary, COMPLETED, result.models, chart),
        StudySection("Predicted scores", "Each score that was not measured.", PREDICTED, result.predictions),
    ]
    facts = (("Models", str(about.models)), ("Items", f"{about.items:,}"))

    return StudyPage.of("Predicted scores", about, facts, sections)
