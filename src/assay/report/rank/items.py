"""The pages of `assay rank items` and `assay rank fragility`."""

from __future__ import annotations

from assay.report.rank.charts import dot_chart, scatter_chart
from assay.report.study_page import StudyChart, StudyPage, StudySection
from assay.results.rank_items import ITEMS, RIVALS, Fragility, ItemReport


def items_page(report: ItemReport) -> StudyPage:
    """Return the page of item statistics: difficulty against discrimination, and the table."""
    about = report.source
    rows = [
        {
            "x": item.difficulty,
            "y": item.discrimination,
            "leads": not item.remarks,
            "text": f"{item.item}\ndifficulty {item.difficulty:.2f}, discrimination "
            f"{item.discrimination:.2f}\n{item.remarks}",
        }
        for item in report.statistics
        if item.discrimination is not None
    ]
    lede = (
        f"{report.ceiling} of {about.items} items are at the ceiling of all {report.leaders} leading models, "
        f"and {report.constant} have the same score for all models. These items separate no models here."
    )
    chart = StudyChart(
        scatter_chart("Difficulty, logits", "Discrimination"),
        rows,
        "One point per item. Grey: an item with a remark in the table.",
    )
    section = StudySection("Item statistics", lede, ITEMS, report.statistics, chart if rows else None)
    facts = (("Models", str(about.models)), ("Items", f"{about.items:,}"))

    return StudyPage.of("Item statistics", about, facts, [section])


def fragility_page(result: Fragility) -> StudyPage:
    """Return the page of rank fragility."""
    about = result.source
    rows = [
        {
            "label": rival.model,
            "place": place,
            "value": rival.removals,
            "low": 0,
            "high": rival.removals,
            "leads": place == 1,
            "text": f"{rival.model}\n{rival.removals} of {rival.n} items",
        }
        for place, rival in enumerate(result.rivals, start=1)
        if rival.removals is not None
    ]
    lede = f"{result.first} is first. If few items decide that, other items could have another winner."
    chart = StudyChart(
        dot_chart(len(rows), "Items to leave out"),
        rows,
        f"How many items would have to be left out for a model to be above {result.first}.",
    )
    section = StudySection("Rank fragility", lede, RIVALS, result.rivals, chart if rows else None)
    facts = (("Models", str(about.models)), ("Items", f"{about.items:,}"))

    return StudyPage.of("Rank fragility", about, facts, [section])
