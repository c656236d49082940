"""Relative scores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from scipy.special import expit

from assay.ranking.exam.relative import ReferenceSittings, relative
from assay.ranking.exam.scores import score
from assay.results.exam_sitting import CountedQuestion, ReferenceBasis, Relative, SittingScore
from assay.stats.intervals import Interval

SUBJECTS = ("law", "history")


def sat(stars: Sequence[int], first: int = 0) -> tuple[CountedQuestion, ...]:
    """Return a sitting of questions numbered from `first`, the subjects in turn."""
    return tuple(CountedQuestion(first + row, SUBJECTS[row % 2], each) for row, each in enumerate(stars))


def compared(
    mine: tuple[CountedQuestion, ...],
    theirs: Sequence[tuple[int, tuple[CountedQuestion, ...]]],
    *,
    draw: int = 1,
) -> Relative | None:
    """Return R of a sitting of draw 1 against the reference's sittings."""
    drawn = {code: sum(one.subject == code for one in mine) for code in SUBJECTS}
    own = score(mine, drawn)
    scores = tuple(found for _, each in theirs if (found := score(each, drawn)) is not None)
    assert own is not None
    return relative(draw, mine, own, drawn, ReferenceSittings("best", tuple(theirs), scores))


def test_equation_2_on_the_same_draw() -> None:
    """6 stars against 8 on the same four questions: R = 75, on the basis of the same questions."""
    found = compared(sat([3, 0, 2, 1]), [(1, sat([3, 2, 2, 1]))])
    assert found is not None
    assert (found.value, found.basis, found.n) == (pytest.approx(75.0), ReferenceBasis.SAME_QUESTIONS, 4)


@pytest.mark.parametrize(
    ("own", "published"), [(91.23, 97.40), (90.36, 96.47), (78.80, 84.13), (51.83, 55.33), (93.67, 100.0)]
)
def test_the_published_ratios(own: float, published: float) -> None:
    """S of table 7 against the reference's 93.67, on different questions, gives the published R."""
    mine, best = (SittingScore(value, value, 1000, (), 0.7, Interval(0, 100)) for value in (own, 93.67))
    found = relative(1, [], mine, {"law": 1000}, ReferenceSittings("best", (), (best,)))
    assert found is not None
    assert round(found.value, 2) == pytest.approx(published, abs=0.011)


def test_a_question_excluded_for_either_leaves_both() -> None:
    """The reference lacks the first question: R compares the other three, with each subject's share kept."""
    found = compared(sat([0, 3, 3, 3]), [(1, sat([3, 3, 3, 3])[1:])])
    assert found is not None
    assert (found.value, found.n) == (100.0, 3)


def test_the_reference_s_sittings_of_one_draw_are_averaged() -> None:
    """Two sittings of the same draw with 3 and 0 stars count as one with 1.5."""
    found = compared(sat([3, 3]), [(1, sat([3, 3])), (1, sat([0, 0]))])
    assert found is not None
    assert found.value == pytest.approx(200.0)


def test_common_questions_estimate_the_reference_s_mark_on_the_draw() -> None:
    """40 of 60 questions are common, with 3 stars against 2: R = 150 whatever the others gave."""
    mine = (*sat([3] * 40), *sat([0] * 20, first=900))
    found = compared(mine, [(2, sat([2] * 40))])
    assert found is not None
    assert (found.value, found.basis, found.n) == (pytest.approx(150.0), ReferenceBasis.COMMON_QUESTIONS, 40)


def test_too_few_common_questions_are_different_questions() -> None:
    """With 20 in common R divides by the reference's mean over its own sittings, and n is 0."""
    mine = (*sat([3] * 20), *sat([0] * 20, first=900))
    found = compared(mine, [(2, sat([3] * 40))])
    assert found is not None
    assert (found.value, found.basis, found.n) == (pytest.approx(50.0), ReferenceBasis.DIFFERENT_QUESTIONS, 0)


def test_a_reference_without_a_star_gives_no_ratio() -> None:
    """R is None on the same and on different questions."""
    assert compared(sat([3, 3]), [(1, sat([0, 0]))]) is None
    assert compared(sat([3, 3]), [(2, sat([0, 0], first=90))]) is None


def test_without_any_difference_there_is_no_interval() -> None:
    """Full marks for both on four questions: R is 100 without an interval."""
    found = compared(sat([3, 3, 3, 3]), [(1, sat([3, 3, 3, 3]))])
    assert found is not None
    assert (found.value, found.interval) == (100.0, None)


def test_the_interval_by_hand() -> None:
    """One subject, marks 1, 0 against 1, 1: residuals 1/2, -1/2 about R = 1/2, so half is t(1) * 1/2."""
    mine = tuple(CountedQuestion(row, "law", stars) for row, stars in enumerate((3, 0)))
    other = tuple(CountedQuestion(row, "law", 3) for row in range(2))
    own = score(mine, {"law": 2})
    assert own is not None
    found = relative(1, mine, own, {"law": 2}, ReferenceSittings("best", ((1, other),), ()))
    assert found is not None
    assert found.interval is not None
    assert found.interval.high == pytest.approx(100 * (0.5 + 12.7062 * 0.5), abs=0.01)


@pytest.mark.parametrize("gap", [0.0, 1.5])
def test_paired_intervals_cover_the_true_ratio_and_are_narrower(gap: float) -> None:
    """Questions differ in difficulty: of 200 intervals on the same 100 questions at least 91 % contain
    the true ratio, and they are narrower than those on different ones.
    """
    rng = np.random.default_rng(11)
    population = rng.normal(0, 1.5, 200_000)
    truth = 100 * expit(1.5 - gap + population).mean() / expit(1.5 + population).mean()
    hits, widths = 0, [0.0, 0.0]

    def taken(level: float, hard: np.ndarray, first: int = 0) -> tuple[CountedQuestion, ...]:
        return sat([3 * int(x) for x in rng.random(100) < expit(level + hard)], first)

    for _ in range(200):
        hard, other = rng.normal(0, 1.5, 100), rng.normal(0, 1.5, 100)
        mine = taken(1.5 - gap, hard)
        paired = compared(mine, [(1, taken(1.5, hard))])
        apart = compared(mine, [(2, taken(1.5, other, 900))])
        assert paired is not None
        assert apart is not None
        assert paired.interval is not None
        assert apart.interval is not None
        hits += paired.interval.low <= truth <= paired.interval.high
        widths[0] += paired.interval.high - paired.interval.low
        widths[1] += apart.interval.high - apart.interval.low
    assert hits >= 182
    assert widths[0] < widths[1]
