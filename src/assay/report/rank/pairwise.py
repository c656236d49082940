"""The page of `assay board --pairwise`."""

from __future__ import annotations

from assay.report.rank.comparisons import strength_chart
from assay.report.study_page import StudyPage, StudySection
from assay.results.pairs import JUDGE_ORDERS, PAIR_TALLIES, PairwiseBoard
from assay.results.rank_comparisons import EFFECTS, STRENGTHS, UNRATED


def pairwise_page(board: PairwiseBoard) -> StudyPage:
    """Return the page of a board at a time: ratings, effects, judges, and every two models."""
    ratings = board.ratings
    sections = [
        StudySection(
            "Bradley-Terry strengths",
            "A model beats another with odds of e to the power of their difference. A pair of answers counts "
            "for a model if a judge prefers its answer in both orders, and half for each otherwise.",
            STRENGTHS,
            ratings.models,
            strength_chart(ratings),
            ratings.remarks,
        )
    ]
    if ratings.unrated:
        lede = "These models have no finite rating, so they are not in the ranking."
        sections.append(StudySection("Models without a rating", lede, UNRATED, ratings.unrated))
    if board.measured:
        lede = "How much being shown first, and being longer, helps an answer, whichever models are compared."
        sections.append(StudySection("Position and length", lede, EFFECTS, board.measured))
    lede = "Each judge saw every pair in both orders. A judge that ignores the order agrees with itself."
    sections.append(StudySection("Judges", lede, JUDGE_ORDERS, board.orders))
    lede = "Each judge's verdicts on the answers of every two models."
    sections.append(StudySection("Every two models", lede, PAIR_TALLIES, board.tallies))
    facts = [
        ("Models", str(len(ratings.models))),
        ("Prompts", f"{board.items:,}"),
        ("Comparisons", f"{ratings.comparisons:,}"),
        ("Judges", str(len(board.orders))),
    ]
    source = f"{board.suite} {board.version}, run {', '.join(map(str, board.runs))}"

    title = f"{board.suite}: judged in pairs"
    return StudyPage(title, source, board.simulated, facts, sections, ())
