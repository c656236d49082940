"""The page of `assay judge panel`: the correlations of judges, the judges, and cheaper panels."""

from __future__ import annotations

from assay.report.rank.charts import dot_chart, heat_chart
from assay.report.study_page import StudyChart, StudyPage, StudySection
from assay.results.judge_panel import (
    CORRELATIONS,
    CheaperPanel,
    JudgePanel,
    panel_judges_table,
    panel_sentences,
    panels_table,
)


def panel_page(result: JudgePanel) -> StudyPage:
    """Return the page of `assay judge panel` at a time."""
    figures = result.independence
    free = figures.reference is None
    what = "marks beyond what items and models explain" if free else "errors"
    sections = [
        StudySection(
            "Independence",
            " ".join(panel_sentences(figures)),
            panel_judges_table(result.judges),
            result.judges,
            None,
            result.remarks,
        ),
        StudySection(
            "Correlation of judges",
            f"The correlation of each two judges' {what}. Judges that go wrong on the same answers add "
            "little to each other.",
            CORRELATIONS,
            result.correlations,
            _heat_map(result),
        ),
    ]
    if result.sizes:
        sections.append(_panels(result))
    facts = [("Reference", figures.reference or "none")]
    if figures.effective.votes is not None:
        facts.append(("Effective votes", f"{figures.effective.votes:.2f} of {figures.effective.judges}"))
    source = result.source

    return StudyPage.of("Panel of judges", source, facts, sections)


def _heat_map(result: JudgePanel) -> StudyChart:
    """Return the chart of correlations, each pair in both places."""
    judges = [judge.judge for judge in result.judges]
    rows = []
    for pair in result.correlations:
        if pair.correlation is None:
            continue
        for first, second in ((pair.first, pair.second), (pair.second, pair.first)):
            rows.append(
                {
                    "x": second,
                    "y": first,
                    "value": pair.correlation,
                    "label": f"{pair.correlation:.2f}",
                    "text": f"{first}, {second}\ncorrelation {pair.correlation:.3f}, {pair.n:,} answers",
                }
            )
    return StudyChart(
        heat_chart(judges, "correlation"), rows, "A stronger colour is a higher correlation of two judges."
    )


def _panels(result: JudgePanel) -> StudySection:
    measure, chosen = result.independence.measure, result.chosen
    rows: list[dict[str, object]] = []
    for place, panel in enumerate(result.sizes, 1):
        ends = panel.gain_interval
        rows.append(
            {
                "label": _size(panel),
                "place": place,
                "value": panel.gain,
                "low": None if ends is None else ends.low,
                "high": None if ends is None else ends.high,
                "leads": chosen is not None and chosen.members == panel.members,
                "text": f"{', '.join(panel.members)}\n{measure} {panel.value:.3f}",
            }
        )
    lede = "Panels were chosen on some answers and evaluated on others."
    if chosen is not None:
        lede = (
            f"Chosen: `{', '.join(chosen.members)}` ({chosen.rule}), the cheapest panel within one standard "
            f"error of the best. A panel chosen in this way has {measure} {chosen.value:.3f} on answers that "
            "had no part in the choice."
        )
    return StudySection(
        "Cheaper panels",
        lede,
        panels_table(result.sizes),
        result.sizes,
        StudyChart(
            dot_chart(len(rows), "gain over the vote of all judges", mark=0.0),
            rows,
            "Tick: gain of the panel over all judges. Bar: its 95 % interval. Coloured: the chosen members.",
        ),
    )


def _size(panel: CheaperPanel) -> str:
    return f"{panel.size} judge" if panel.size == 1 else f"{panel.size} judges"
