"""Shares of error categories, and their correction by hand labels."""

from __future__ import annotations

import numpy as np
import pytest

from assay.ranking.error_shares import SortedAnswer, error_shares, label_agreement
from assay.results.study_errors import ErrorCategory
from assay.stats.intervals import clopper_pearson

KNOWLEDGE, REASONING = ErrorCategory.KNOWLEDGE, ErrorCategory.REASONING
FIVE = [category for category in ErrorCategory if category is not ErrorCategory.NONE]


def answer(
    number: int, category: ErrorCategory | None, hand: ErrorCategory | None = None, model: str = "m"
) -> SortedAnswer:
    """Return one sorted answer."""
    return SortedAnswer(f"q{number}", model, "law", category, hand)


def test_shares_by_hand() -> None:
    """Three of four answers; an unreadable one does not count; one discipline has no table of its own."""
    answers = [
        answer(0, KNOWLEDGE),
        answer(1, KNOWLEDGE),
        answer(2, KNOWLEDGE),
        answer(3, REASONING),
        answer(4, None),
    ]
    rows = error_shares(answers)
    (knowledge,) = [row for row in rows if row.by == "all" and row.category is KNOWLEDGE]
    assert (knowledge.count, knowledge.n, knowledge.share) == (3, 4, 0.75)
    assert knowledge.interval == clopper_pearson(3, 4)
    assert knowledge.corrected is None
    assert {row.by for row in rows} == {"all", "model"}
    assert sum(row.share for row in rows if row.by == "all") == pytest.approx(1.0)


def test_agreement_with_hand_labels() -> None:
    """Only answers with both count; the confusion has what the judge confused."""
    answers = [
        answer(0, KNOWLEDGE, KNOWLEDGE),
        answer(1, REASONING, KNOWLEDGE),
        answer(2, REASONING, REASONING),
    ]
    agreement = label_agreement([*answers, answer(3, KNOWLEDGE)], np.random.default_rng(0))
    assert agreement is not None
    assert (agreement.n, agreement.agreement) == (3, pytest.approx(2 / 3))
    assert (KNOWLEDGE, REASONING, 1) in [(row.hand, row.judge, row.count) for row in agreement.confusion]
    assert label_agreement([answer(0, KNOWLEDGE)], np.random.default_rng(0)) is None


def test_no_answers_have_no_shares() -> None:
    """A study whose replies could not be read has an empty table."""
    assert error_shares([answer(0, None)]) == ()


@pytest.mark.slow
@pytest.mark.parametrize("shares", [(0.48, 0.40, 0.05, 0.05, 0.02), (0.2, 0.2, 0.2, 0.2, 0.2)])
def test_corrected_shares_cover_the_truth_of_a_confused_judge(shares: tuple[float, ...]) -> None:
    """The judge mistakes a third of all answers for the first category; 60 labels of 400 repair it.

    The corrected intervals hold the true shares in 93 % or more of 120 worlds, the plain ones hold the first
    share almost never.
    """
    rng = np.random.default_rng(5)
    covered = plain = total = 0
    for _ in range(120):
        truth = rng.choice(5, 400, p=shares)
        judged = np.where(rng.random(400) < 0.33, 0, truth)
        labelled = set(rng.choice(400, 60, replace=False).tolist())
        answers = [
            answer(number, FIVE[judged[number]], FIVE[truth[number]] if number in labelled else None)
            for number in range(400)
        ]
        for row in error_shares(answers):
            if row.by != "all" or row.category is ErrorCategory.NONE:
                continue
            share = shares[FIVE.index(row.category)]
            assert row.corrected_interval is not None
            covered += row.corrected_interval.low <= share <= row.corrected_interval.high
            total += 1
            if row.category is FIVE[0]:
                plain += row.interval.low <= share <= row.interval.high
    assert covered / total >= 0.93
    assert plain / 120 < 0.3
