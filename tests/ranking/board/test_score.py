"""Composites by hand, and what is left when a half is missing."""

import numpy as np
import pytest
from boards import measured

from assay.ranking.board.cells import cells
from assay.ranking.board.measured import MeasuredEpoch, Status
from assay.ranking.board.score import blend, count_flags, count_samples, judge_means, score
from assay.results.board_judged import FlagCounts, Score
from assay.results.ranking import BoardSamples


def _score(given: MeasuredEpoch) -> Score:
    table = cells([given])
    return score(table, 0, table.counting[0], np.ones(len(table.prompts), dtype=bool))


@pytest.mark.parametrize(
    ("judge", "geval", "expected"),
    [
        (4.0, 0.9, (0.825, "both")),
        (4.0, None, (0.75, "judges only")),
        (None, 0.9, (0.9, "geval only")),
        (None, None, (None, None)),
        (1.0, 0.0, (0.0, "both")),
    ],
)
def test_blend(judge: float | None, geval: float | None, expected: tuple[float | None, str | None]) -> None:
    """Half of (judge - 1)/4 and half of G-Eval; with one half missing the other; with none, none."""
    found = blend(judge, geval)
    assert found[1] == expected[1]
    assert found[0] == (None if expected[0] is None else pytest.approx(expected[0]))


def test_each_judge_is_rounded_before_averaging() -> None:
    """Means 4.666... and 4.333... are 4.67 and 4.33; 0.5 * 0.875 + 0.5 * 0.8 is the composite."""
    marks = [[[5, 4], [5, 4], [4, 5]]]
    found = _score(measured(marks, [[[0.8], [0.8], [0.8]]]))
    assert (found.judge_mean, found.composite) == (4.5, pytest.approx(0.8375))


def test_rounding_shows_where_judges_round_alike() -> None:
    """Two judges at 4.333... give 4.33, not 4.333..."""
    assert _score(measured([[[5, 5], [4, 4], [4, 4]]])).judge_mean == pytest.approx(4.33)


def test_each_prompts_geval_is_rounded_before_averaging() -> None:
    """0.80006, 0.80006 and 0.8 are 0.8001, 0.8001 and 0.8: their mean is 0.8001, and 0.80004 is not taken."""
    geval = [[[0.80002, 0.8001], [0.80006, 0.80006], [0.8, 0.8]]]
    assert _score(measured([[[5.0], [5.0], [5.0]]], geval)).geval_mean == 0.8001


def test_a_judge_with_a_gap_is_left_out() -> None:
    """A judge that skipped one answered prompt does not count, whatever its other marks."""
    found = _score(measured([[[5, 1], [5, np.nan]]]))
    assert (found.judge_mean, found.judged) == (5.0, 1)


def test_an_error_is_no_gap() -> None:
    """A judge need not mark what errored."""
    found = _score(measured([[[5.0], [np.nan]]], status=np.array([[Status.OK, Status.ERROR]])))
    assert (found.judge_mean, found.judged) == (5.0, 1)


def test_an_ungraded_answer_is_a_gap() -> None:
    """An answer that no judge could mark leaves no judge with complete coverage: G-Eval alone remains."""
    status = np.array([[Status.OK, Status.UNGRADED]])
    found = _score(measured([[[5.0], [np.nan]]], [[[0.9], [0.7]]], status=status))
    assert (found.basis, found.composite) == ("geval only", 0.8)


def test_invalid_answers_count_one_and_no_geval() -> None:
    """One good and one empty answer: judges (5 + 1)/2, G-Eval of the good one; beside it G-Eval halved."""
    status = np.array([[Status.OK, Status.INVALID]])
    found = _score(measured([[[5.0], [np.nan]]], [[[0.8], [np.nan]]], status=status))
    assert (found.judge_mean, found.geval_mean, found.geval_n) == (3.0, 0.8, 1)
    assert found.composite == pytest.approx(0.65)
    assert found.composite_invalid_zero == pytest.approx(0.45)


def test_a_judge_is_not_credited_with_marks_for_empty_answers() -> None:
    """Of two answers one is empty: the judge marked one of one; its mean has the 1 of the rule."""
    status = np.array([[Status.OK, Status.INVALID]])
    (judge,) = judge_means(cells([measured([[[5.0], [np.nan]]], status=status)]), 0)
    assert (judge.marked, judge.asked, judge.counts, judge.mean) == (1, 1, True, 3.0)


def test_the_strict_reading_invents_no_geval() -> None:
    """Where G-Eval was not run at all, the strict composite is the judges' half too."""
    status = np.array([[Status.OK, Status.INVALID]])
    found = _score(measured([[[5.0], [np.nan]]], status=status))
    assert found.composite_invalid_zero == found.composite == 0.5


def test_every_judge_is_shown_with_its_coverage() -> None:
    """A partial judge has its mean, its count and does not count."""
    partial = judge_means(cells([measured([[[5, 2], [5, np.nan]]])]), 0)[1]
    assert (partial.mean, partial.marked, partial.asked, partial.counts) == (2.0, 1, 2, False)


def test_counts_keep_the_kinds_apart() -> None:
    """One of each kind: absent samples are not asked; a truncated answer is invalid too."""
    status = np.array([[Status.OK, Status.INVALID, Status.ERROR, Status.UNGRADED, Status.ABSENT]])
    given = measured(
        np.full((1, 5, 1), 3.0),
        status=status,
        truncated=np.array([[True, True, True, False, False]]),
        flags=np.array([[2, 1, 0, 0, 3]]),
    )
    chosen = np.ones(5, dtype=bool)
    counts = count_samples(cells([given]), 0, chosen)
    assert counts == BoardSamples(n=4, ok=1, invalid=1, truncated=1, error=1, ungraded=1)
    assert count_flags(cells([given]), 0, chosen) == FlagCounts(flagged=2, flags=3)
