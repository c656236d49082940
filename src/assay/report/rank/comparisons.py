"""The page of `assay rank bradley-terry` and `assay rank elo`."""

from __future__ import annotations

from assay.report.rank.charts import dot_chart
from assay.report.study_page import StudyChart, StudyPage, StudySection
from assay.results.rank_comparisons import (
    EFFECTS,
    ELOS,
    STRENGTHS,
    UNRATED,
    ComparisonRanking,
    ComparisonRatings,
    RatedModel,
    RatingScale,
)

CHANCES = {
    RatingScale.STRENGTH: "A model beats another with odds of e to the power of their difference.",
    RatingScale.ELO: "400 points more are odds of 10 to 1, and 100 points more win 64 %.",
}


def comparisons_page(ranking: ComparisonRanking) -> StudyPage:
    """Return the page of a ranking at a time: ratings, effects, and models without a rating."""
    ratings, about = ranking.ratings, ranking.source
    elo = ratings.scale is RatingScale.ELO
    sections = [
        StudySection(
            "Elo ratings" if elo else "Bradley-Terry strengths",
            CHANCES[ratings.scale],
            ELOS if elo else STRENGTHS,
            ratings.models,
            strength_chart(ratings),
            ratings.remarks,
        )
    ]
    if ratings.effects:
        lede = "How much each property of a comparison helps, whichever models are compared."
        sections.append(StudySection("Effects", lede, EFFECTS, ratings.effects))
    if ratings.unrated:
        lede = "These models have no finite rating, so they are not in the ranking."
        sections.append(StudySection("Models without a rating", lede, UNRATED, ratings.unrated))
    nu = ratings.tie_parameter
    facts = [
        ("Models", str(len(ratings.models))),
        ("Comparisons", f"{ratings.comparisons:,}"),
        ("Items", f"{about.items:,}"),
        ("Ties", "half a win of each" if nu is None else f"Davidson, nu = {nu:.3f}"),
    ]

    title = sections[0].heading
    return StudyPage.of(title, about, facts, sections)


def strength_chart(ratings: ComparisonRatings) -> StudyChart:
    """Return the chart of the models' ratings with their intervals."""
    elo = ratings.scale is RatingScale.ELO
    centre = 1000.0 if elo else 0.0
    zero = ratings.baseline or "mean of the models"
    return StudyChart(
        dot_chart(
            len(ratings.models),
            f"{'Elo' if elo else 'Strength, log odds'} ({zero} = {centre:.0f})",
            mark=centre,
        ),
        [_row(model, digits=0 if elo else 2) for model in ratings.models],
        "Tick: the rating. Bar: its 95 % interval. Coloured: no model is significantly better.",
    )


def _row(model: RatedModel, *, digits: int) -> dict[str, object]:
    interval = model.rating_interval
    ranks = "" if model.ranks is None else f"\nranks {model.ranks}"
    return {
        "label": model.model,
        "place": model.rank,
        "value": model.rating,
        "low": None if interval is None else interval.low,
        "high": None if interval is None else interval.high,
        "leads": model.ranks is not None and model.ranks.low == 1,
        "text": f"{model.model}\n{model.rating:.{digits}f}{ranks}\n{model.win_rate:.1%} of {model.n:,}",
    }
