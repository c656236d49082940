"""The page of `assay rank stability`."""

from __future__ import annotations

from assay.report.rank.charts import end_labels, line_chart
from assay.report.study_page import StudyChart, StudyPage, StudySection
from assay.results.rank_stability import (
    ORDERS,
    RankingMethod,
    StabilityResult,
    ratings_of,
    relative_table,
)


def stability_page(result: StabilityResult) -> StudyPage:
    """Return the page: Spearman's rho by number of items (figure 5) and R by draw (table 9)."""
    about = result.source
    sizes = tuple(sorted({row.n for row in result.orders}))
    drawn = [(row, row.rho) for row in result.orders if row.rho is not None]
    last = {row.method.value: rho for row, rho in drawn if row.n == sizes[-1]}
    labels = end_labels(last, 0.03)
    rows = [
        {
            "x": row.n,
            "y": rho,
            "name": row.method.value,
            "end": labels.get(row.method.value, "") if row.n == sizes[-1] else "",
            "text": f"{row.method.value}, {row.n:,} items\nrho {rho:.3f}, same order in {row.same_order:.0%}",
        }
        for row, rho in drawn
    ]
    chart = StudyChart(
        line_chart("Items drawn", "Spearman's rho", log=True),
        rows,
        "Mean rank correlation of the draws with the order on all items, by method.",
    )
    order = StudySection("Order of the models", result.required.sentence, ORDERS, result.orders, chart)
    relative = StudySection(
        "Relative scores",
        f"Mean R over the draws by number of items ({result.reference} = 100), and its variances for the "
        "largest number.",
        relative_table(sizes),
        ratings_of(result, RankingMethod.RELATIVE),
    )
    facts = (("Models", str(about.models)), ("Items", f"{about.items:,}"), ("Seed", str(result.seed)))

    return StudyPage.of("Stability of the ranking", about, facts, [order, relative])
