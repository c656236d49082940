"""The page of `assay rank adaptive`."""

from __future__ import annotations

from assay.core.wording import counted
from assay.report.rank.charts import dot_chart
from assay.report.study_page import StudyChart, StudyPage, StudySection
from assay.results.adaptive_run import Separation
from assay.results.rank_adaptive import REPLAYED, AdaptiveReplay, ReplayedSeparation

CHARTED = 60
"""Most separations in the chart, those that need most prompts first."""


def describe_replay(result: AdaptiveReplay) -> tuple[str, ...]:
    """Return in sentences what adaptive runs would have needed, and how often they would have erred."""
    first = result.separate is Separation.FIRST
    aim = "models behind the first place" if first else "pairs of models"
    reached = (
        f"The full run has no significant {aim}."
        if result.reached is None
        else f"Of the full run's {result.significant} significant {aim}, {result.reached:.0%} were reached."
    )
    of_all = result.unconfirmed_separations or 0.0
    return (
        f"Over {counted(result.orders, 'random order')} of the prompts, {result.scores:.0%} of the scores "
        f"were needed; {result.stopped:.0%} of the runs stopped before the last prompt.",
        reached,
        f"Separations against the full run's means: in {result.reversed:.1%} of the orders. Separations that "
        f"the full run does not find significant: in {result.unconfirmed:.1%} of the orders, {of_all:.2%} of "
        "all separations.",
    )


def adaptive_page(result: AdaptiveReplay) -> StudyPage:
    """Return the page: the prompts that each separation needs, and the table."""
    about = result.source
    reached = [row for row in result.separations if row.prompts is not None and row.most_prompts is not None]
    slowest = sorted(reached, key=lambda row: -(row.prompts or 0.0))[:CHARTED]
    rows = [
        {
            "label": _name(row),
            "place": place,
            "value": row.prompts,
            "low": row.prompts,
            "high": row.most_prompts,
            "leads": row.significant,
            "text": f"{_name(row)}\nseparated in {row.separated:.0%} of the orders, "
            f"median {row.prompts:,.0f} prompts, 90 % {row.most_prompts:,.0f}",
        }
        for place, row in enumerate(slowest, start=1)
    ]
    chart = StudyChart(
        dot_chart(len(rows), "Prompts until separated", (0, about.items)),
        rows,
        "Tick: median over the orders. Bar: to the number that is enough in 90 % of them. Coloured: "
        "significant in the full run.",
    )
    section = StudySection(
        "Prompts needed",
        " ".join(describe_replay(result)),
        REPLAYED,
        result.separations,
        chart if rows else None,
    )
    facts = (
        ("Models", str(about.models)),
        ("Prompts", f"{about.items:,}"),
        ("Separate", result.separate.value),
        ("Alpha", f"{result.alpha:g}"),
        ("Batch", counted(result.batch, "prompt")),
        ("Seed", str(result.seed)),
    )

    return StudyPage.of("Adaptive runs, replayed", about, facts, [section])


def _name(row: ReplayedSeparation) -> str:
    return row.worse if row.better is None else f"{row.better} > {row.worse}"
