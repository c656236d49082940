"""The findings of a report on a ranking: what is answered, and what is left open and why."""

from __future__ import annotations

import numpy as np
from score_tables import table

from assay.ranking.findings import report_on
from assay.ranking.fragility import rank_fragility
from assay.ranking.items import report_items
from assay.ranking.relative_scores import rank_scores
from assay.ranking.score_table import ScoreSource
from assay.ranking.stability import measure_stability
from assay.results.contamination import RecallReport, SourceRecall
from assay.results.rank_report import Finding, RankReport, RankReportParts
from assay.stats.intervals import clopper_pearson
from assay.studies.contamination_figures import leak_tests


def report(
    scores: list[list[float]], recalls: RecallReport | None = None, *, simulated: bool = False
) -> RankReport:
    """Return the report on these scores."""
    source = ScoreSource.of("a table", table(scores), simulated=simulated)
    return report_on(
        RankReportParts(
            rank_scores(source),
            measure_stability(source, (), 20),
            report_items(source),
            rank_fragility(source),
            recalls=recalls,
        )
    )


def about(found: RankReport, words: str) -> Finding:
    """Return the finding whose question contains these words."""
    return next(finding for finding in found.findings if words in finding.question)


def answers(shares: list[float], n: int = 400) -> list[list[float]]:
    """Return right and wrong answers of models with these shares, on n items."""
    rng = np.random.default_rng(1)
    luck = rng.random(n)
    return [(luck < share).astype(float).tolist() for share in shares]


def test_a_clear_first_place_is_answered() -> None:
    """Alone right are a on 90 items and b on 10, so b would be first without 81 of a's."""
    finding = about(report([[1.0] * 90 + [0.0] * 10 + [1.0] * 100, [0.0] * 90 + [1.0] * 110]), "first")
    assert finding.limit is None
    assert finding.answer == (
        "a is significantly better than every other model. Without 81 items (40.5%), b would be first."
    )


def test_a_tie_is_left_open() -> None:
    """Two models with nearly the same score tie, and the limits say so."""
    found = report([[1.0, 0.0, 1.0, 1.0] * 20, [0.0, 1.0, 1.0, 1.0] * 20, [0.0] * 80])
    assert about(found, "first").limit == "2 models tie for first place."
    assert "Which model is first? 2 models tie for first place." in found.limits


def test_what_was_not_given_is_a_limit_with_its_remedy() -> None:
    """Static benchmarks, replays and human marks each name the option that adds them."""
    limits = " ".join(report(answers([0.9, 0.5])).limits)
    assert all(option in limits for option in ("--against", "--recalls", "--human"))


def test_the_order_is_open_where_the_items_do_not_suffice() -> None:
    """An order of far-apart models is settled by 400 items, and one of close models is not."""
    assert about(report(answers([0.9, 0.5])), "order hold").limit is None
    close = about(report([[1.0, 0.0] * 199 + [1.0, 1.0], [0.0, 1.0] * 200]), "order hold")
    assert close.limit == "400 items do not suffice for an order of all models."


def test_recalls_are_compared_with_the_private_source() -> None:
    """The counts of the seed's table 4 for one model: 153 and 80 of 1,000."""
    rows = [
        SourceRecall("DeepSeek-V3", source, kind, 1000, recalled, 0, 0, clopper_pearson(recalled, 1000), None)
        for source, kind, recalled in (("AGI (ZH)", "file", 153), ("ours", "bank", 80))
    ]
    finding = about(report(answers([0.9, 0.5]), RecallReport("t", tuple(rows), leak_tests(rows))), "seen")
    assert finding.limit is None
    assert "In 1 of 1 comparisons a model recalls significantly more" in finding.answer
    assert "153 of 1,000" in finding.answer


def test_simulated_models_are_a_limit() -> None:
    """And so is the small number of models."""
    limits = report(answers([0.9, 0.5]), simulated=True).limits
    assert "At least one model is simulated: the report says nothing about real models." in limits
    assert "There are only 2 models: rankings or methods may agree by chance." in limits
