"""Panels of judges: effective votes, best judge against the vote, and what cannot be measured."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from referenced import noisy, referenced

from assay.core.errors import InvalidInput
from assay.ranking.panel import independence, panel_study, vote_losses
from assay.ranking.reference_marks import ReferenceMarks

RNG = np.random.default_rng


def made(*, share: float = 0.8, judges: int = 3, answers: int = 200) -> ReferenceMarks:
    """Return yes-or-no marks of independent judges that are right with this share."""
    rng = RNG(5)
    human = (rng.random(answers) < 0.5).astype(float)
    return referenced({f"j{number}": noisy(rng, human, share) for number in range(judges)}, human.tolist())


def test_the_vote_by_hand() -> None:
    """Of two judges who differ the vote is a tie and counts half; with three the majority decides."""
    study = panel_study(made(), "human")
    marks = np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 0.0]])
    members = np.array([[True, True, False], [True, True, True]])
    losses, ties = vote_losses(study, marks, np.array([1.0, 0.0]), members)
    assert losses.tolist() == [[0.0, 0.5], [0.0, 0.0]]
    assert ties.tolist() == [[0.0, 1.0], [0.0, 0.0]]
    weighted, _ = vote_losses(study, marks, np.array([1.0, 0.0]), members[1:], np.array([3.0, 1.0, 1.0]))
    assert weighted.tolist() == [[0.0, 1.0]]


def test_independent_judges_gain_from_voting() -> None:
    """Three judges that are right on 80 % are right on about 0.8^3 + 3 * 0.8^2 * 0.2 = 90 % together."""
    result = independence(panel_study(made(answers=2000), "human"), RNG(0)).figures
    assert result.measure == "accuracy"
    assert result.effective.votes == pytest.approx(3.0, abs=0.35)
    assert result.best is not None and result.best.gain_interval is not None
    assert result.best.best_value == pytest.approx(0.8)
    assert result.best.panel_value == pytest.approx(0.896, abs=0.02)
    assert result.best.gain_interval.low > 0.0
    assert result.best.gain == pytest.approx(result.best.panel_value - result.best.best_value)


def test_marks_with_an_order_have_errors_in_marks() -> None:
    """The panel's mark is the mean; half-sized errors give a gain in marks."""
    rng = RNG(1)
    human = rng.integers(1, 6, 300).astype(float)
    up, down = human + np.where(np.arange(300) % 2, 1.0, 0.0), human - np.where(np.arange(300) % 2, 0.0, 1.0)
    marks = referenced({"up": up, "down": down}, human.tolist(), categories=tuple(map(float, range(7))))
    best = independence(panel_study(marks, "human"), RNG(0)).figures.best
    assert best is not None
    assert (best.best_value, best.panel_value) == (pytest.approx(np.sqrt(0.5)), pytest.approx(0.5))
    assert best.gain == pytest.approx(np.sqrt(0.5) - 0.5)


def test_a_judge_with_few_marks_is_left_out() -> None:
    """It would leave too few common answers; the remark names it."""
    marks = made()
    table = marks.marks.copy()
    table[2, 20:] = np.nan
    study = panel_study(replace(marks, marks=table), "human")
    assert study.marks.judges == ("j0", "j1")
    assert study.remarks == ("j2 marked 10% of the answers: it is left out of the panel",)
    table[1, 20:] = np.nan
    with pytest.raises(InvalidInput, match=r"1 judge marked at least half of the 200 answers"):
        panel_study(replace(marks, marks=table), "human")


def test_few_common_answers_are_not_compared() -> None:
    """The remark says why; the correlation still has its figure."""
    result = independence(panel_study(made(answers=20), "human"), RNG(0))
    assert result.figures.best is None
    assert result.figures.effective.votes is not None
    assert any("fewer than 30 answers" in remark for remark in result.remarks)


def test_without_a_reference_and_repeated_items_nothing_can_be_known() -> None:
    """Each item has one answer: agreement on quality and shared error look the same."""
    result = independence(panel_study(made(), None), RNG(0)).figures
    assert (result.reference, result.measure, result.best) == (None, None, None)
    assert result.effective.votes is None
    assert "cannot be told apart" in (result.effective.reason or "")


def test_perfect_judges_have_no_errors_to_correlate() -> None:
    """No figure is NaN; the reason is given."""
    human = [0.0, 1.0] * 30
    result = independence(panel_study(referenced({"a": human, "b": human}, human), "human"), RNG(0))
    assert result.figures.effective.votes is None
    assert result.figures.effective.reason is not None
    assert result.figures.best is not None and result.figures.best.gain == 0.0
    assert [pair.correlation for pair in result.correlations] == [None]
