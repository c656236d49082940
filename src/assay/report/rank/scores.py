"""The page of `assay rank absolute` and `assay rank relative`."""

from __future__ import annotations

from assay.report.rank.charts import dot_chart
from assay.report.study_page import StudyChart, StudyPage, StudySection
from assay.results.rank import ScoredModel, ScoreRanking, ranking_table
from assay.stats.intervals import Interval


def scores_page(ranking: ScoreRanking, *, relative: bool) -> StudyPage:
    """Return the page of a ranking at a time, with S or R drawn as the table shows it."""
    title = f"R, {ranking.reference} = 100" if relative else "S, 0-100"
    chart = StudyChart(
        dot_chart(len(ranking.models), title, mark=100.0 if relative else None),
        [_row(model, relative=relative) for model in ranking.models],
        "Tick: the score. Bar: its 95 % interval. Coloured: no model is significantly better.",
    )
    section = StudySection(
        "Relative scores" if relative else "Absolute scores",
        f"R is a model's S in per cent of the S of {ranking.reference}, on the items that both have."
        if relative
        else "S is the mean score over all items.",
        ranking_table(ranking.models, relative=relative),
        ranking.models,
        chart,
        ["Ranks are ranges: only differences that are significant after Holm's correction count."],
    )
    about = ranking.source
    facts = (("Models", str(about.models)), ("Items", f"{about.items:,}"))

    return StudyPage.of(section.heading, about, facts, [section])


def _row(model: ScoredModel, *, relative: bool) -> dict[str, object]:
    value: float | None = model.score
    interval: Interval | None = model.score_interval
    if relative:
        value = None if model.relative is None else model.relative.value
        interval = None if model.relative is None else model.relative.interval
    shown = "no R: the reference scored 0" if value is None else f"{value:.2f}"
    ranks = "" if model.ranks is None else f"\nranks {model.ranks}"
    return {
        "label": model.model,
        "place": model.rank,
        "value": value,
        "low": None if interval is None else interval.low,
        "high": None if interval is None else interval.high,
        "leads": model.ranks is not None and model.ranks.low == 1,
        "text": f"{model.model}\n{shown}{ranks}",
    }
