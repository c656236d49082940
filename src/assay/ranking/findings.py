"""The findings of a report on a ranking: each question with the answer that the data allow, or why not.

The questions are those of seed 003, sections 3.3 and 3.4 (findings 5 to 8), and whether single items decide
who is first.
"""

from __future__ import annotations

from assay.core.wording import counted, listed
from assay.results.contamination import RecallReport
from assay.results.judge_choice import JudgeRecommendation
from assay.results.rank import ScoreRanking
from assay.results.rank_items import Fragility, ItemReport
from assay.results.rank_report import Finding, RankReport, RankReportParts
from assay.results.rank_stability import OrderStability, RankingMethod, StabilityResult
from assay.results.study import CorrelationStudy

FEW_MODELS = 5
"""With fewer models a comparison of rankings or of methods says little."""


def report_on(parts: RankReportParts) -> RankReport:
    """Return the findings on a ranking, and what cannot be concluded from its data."""
    findings = (
        first_place(parts.scores, parts.fragility),
        separating_items(parts.items),
        static_rankings(parts.correlations),
        memorised_questions(parts.recalls),
        stable_order(parts.stability),
        ranking_methods(parts.stability),
        human_agreement(parts.judges),
    )
    open_questions = [f"{row.question} {row.limit}" for row in findings if row.limit is not None]
    limits = (*open_questions, *_general_limits(parts.scores, parts.fragility))
    return RankReport(parts.scores.source, findings, limits, parts)


def first_place(scores: ScoreRanking, fragility: Fragility) -> Finding:
    """Return which model is first, whether that is significant, and how many items decide it."""
    question = "Which model is first?"
    leaders = [row.model for row in scores.models if row.ranks is not None and row.ranks.low == 1]
    decided = ""
    if fragility.removals is not None:
        rival, share = fragility.rivals[0], fragility.removals / max(1, fragility.source.items)
        decided = (
            f" Without {counted(fragility.removals, 'item')} ({share:.1%}), {rival.model} would be first."
        )
    if len(leaders) == 1:
        return Finding(question, f"{leaders[0]} is significantly better than every other model.{decided}")
    answer = f"{listed(leaders)} tie for first place: no difference between them is significant.{decided}"
    return Finding(question, answer, f"{counted(len(leaders), 'model')} tie for first place.")


def separating_items(items: ItemReport) -> Finding:
    """Return how many items separate no leading models."""
    total = items.source.items
    return Finding(
        "Do the items separate the models?",
        f"{items.ceiling:,} of {total:,} items are at the ceiling of all {items.leaders} leading models, "
        f"{items.constant:,} have the same score for every model, and {items.misfit:,} fit badly. The first "
        "two kinds add cost and no information on who leads.",
    )


def static_rankings(study: CorrelationStudy | None) -> Finding:
    """Return whether the order agrees with that of static benchmarks (finding 5, table 3)."""
    question = "Do static benchmarks rank the models in the same order?"
    if study is None:
        return Finding(question, "", "No other ranking was given: add one with `--against`.")
    alike = [row for row in study.correlations if row.p_holm is not None and row.p_holm <= 0.05]
    limit = None
    if len(alike) < len(study.correlations):
        total = counted(len(study.correlations), "correlation")
        limit = (
            f"{len(study.correlations) - len(alike)} of {total} could be chance. More models are needed, not "
            "more items."
        )
    return Finding(question, " ".join(row.sentence for row in study.correlations), limit)


def memorised_questions(report: RecallReport | None) -> Finding:
    """Return whether models recall public questions more often than private ones (finding 6, table 4)."""
    question = "Have the models seen public questions before?"
    if report is None:
        return Finding(
            question,
            "",
            "No replay was given: run `assay study contamination`, and give its counts with `--recalls`.",
        )
    tests = [test for test in report.tests if test.difference is not None]
    more = [test for test in tests if test.significant and (test.difference or 0.0) > 0.0]
    fewer = [test for test in tests if test.significant and (test.difference or 0.0) < 0.0]
    highest = max(report.rows, key=lambda row: row.share or 0.0)
    answer = (
        f"In {len(more)} of {len(tests)} comparisons a model recalls significantly more of the public source "
        f"than of the private one, and in {len(fewer)} significantly less. The most recalled is "
        f"{highest.source} by {highest.model}, with {highest.recalled:,} of {highest.n:,} questions."
    )
    if not any(row.kind == "control" for row in report.rows):
        answer += " Without a control of made-up questions, lucky guesses are part of every count."
    limit = None if more or fewer else "No difference between public and private questions is significant."
    return Finding(question, answer, limit)


def stable_order(stability: StabilityResult) -> Finding:
    """Return whether the order holds when other items are drawn (finding 7, table 9)."""
    question = "Would the order hold with other items?"
    needed, drawn = stability.required.items, stability.source.items
    same = _at(stability, RankingMethod.RELATIVE, drawn)
    shares = ""
    if same is not None and same.same_order is not None and same.same_first is not None:
        shares = (
            f" In draws of {drawn:,} items the whole order is the same in {same.same_order:.0%}, and "
            f"the first model in {same.same_first:.0%}."
        )
    limit = None
    if needed is None or needed > drawn:
        limit = f"{counted(drawn, 'item')} do not suffice for an order of all models."
    return Finding(question, f"{stability.required.sentence}{shares}", limit)


def ranking_methods(stability: StabilityResult) -> Finding:
    """Return how methods of ranking compare in stability (finding 8, figure 5)."""
    question = "Is the relative score a more stable ranking than Elo?"
    n = min(row.n for row in stability.orders)
    rows = {row.method: row for row in stability.orders if row.n == n and row.rho is not None}
    if RankingMethod.RELATIVE not in rows or RankingMethod.ELO not in rows:
        return Finding(question, "", "No draw has ratings by both methods.")
    relative, elo = rows[RankingMethod.RELATIVE], rows[RankingMethod.ELO]
    assert relative.rho is not None
    assert elo.rho is not None
    return Finding(
        question,
        f"With {n:,} items the mean of Spearman's rho is {relative.rho:.3f} for the relative score and "
        f"{elo.rho:.3f} for Elo with one update per comparison. The relative score orders models as the "
        "absolute score does.",
        "Every draw is compared with the order of the scores on all items, which favours methods that rank "
        "by scores. It does not show that one method is nearer to the truth.",
    )


def human_agreement(choice: JudgeRecommendation | None) -> Finding:
    """Return whether the judges agree with people (finding 8, figure 4)."""
    question = "Do the judges agree with people?"
    if choice is None:
        return Finding(question, "", "No human marks were given: add them with `--human`.")
    best = choice.judges[0]
    figure = getattr(best, choice.measure)
    if figure is None or figure.value is None:
        return Finding(question, "", f"{choice.reason[:1].upper()}{choice.reason[1:]}.")
    ends = figure.interval
    interval = "" if ends is None else f" (95 % interval {ends.low:.3f} to {ends.high:.3f})"
    advice = (
        f"Recommended is {choice.recommended}: {choice.reason}."
        if choice.recommended
        else f"No judge is recommended: {choice.reason}."
    )
    return Finding(
        question,
        f"{best.judge} agrees best, with a {choice.measure} of {figure.value:.3f}{interval} on {best.n:,} "
        f"answers. {advice}",
        None if ends is not None and ends.low > 0.0 else "The agreement may be chance.",
    )


def _at(stability: StabilityResult, method: RankingMethod, n: int) -> OrderStability | None:
    return next((row for row in stability.orders if row.method is method and row.n == n), None)


def _general_limits(scores: ScoreRanking, fragility: Fragility) -> list[str]:
    """Return the limits that follow from the source itself."""
    about, limits = scores.source, []
    if about.simulated:
        limits.append("At least one model is simulated: the report says nothing about real models.")
    if len(scores.models) < FEW_MODELS:
        limits.append(f"There are only {len(scores.models)} models: rankings or methods may agree by chance.")
    if any(row.n < about.items for row in scores.models):
        limits.append(
            "The first model shares no item with any other model, so the models may differ only because "
            "their items do."
            if all(rival.n == 0 for rival in fragility.rivals)
            else "The models have scores on different items. Comparisons use common items or equated scores, "
            "which rest on the Rasch model."
        )
    limits.append(
        "The items were not drawn at random from all possible questions: intervals cover the luck of "
        "drawing items like these, not other subjects, languages or styles of question."
    )
    return limits
