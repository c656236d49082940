"""The model of all marks: S, R, differences and ranks with their intervals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit

from assay.ranking.board.pairs import rank_ranges
from assay.ranking.exam.hierarchy import CountedSitting, Hierarchy, compare_models, fit, marks_of
from assay.results.exam_sitting import CountedQuestion

T_3 = 3.1824463
"""Student's 97.5 % quantile with 3 degrees of freedom."""


def sat(stars: list[int], *, first: int = 0, subjects: tuple[str, ...] = ("law",)) -> CountedSitting:
    """Return a sitting of questions numbered from `first`, the subjects in turn."""
    codes = [subjects[row % len(subjects)] for row in range(len(stars))]
    counted = tuple(CountedQuestion(first + row, codes[row], one) for row, one in enumerate(stars))
    return counted, {code: codes.count(code) for code in subjects}


def fitted(*models: list[CountedSitting]) -> Hierarchy:
    """Return the model of these models' sittings."""
    return fit(marks_of(models))


def test_one_sitting_by_hand() -> None:
    """Marks 1, 0, 1, 1: mean 3/4, variance 1/4 over 4 questions, 3 degrees of freedom, no sitting part."""
    found = fitted([sat([3, 0, 3, 3])])
    estimated = found.variance(found.unit(0))
    assert (found.means[0], estimated.variance, estimated.freedom) == pytest.approx((0.75, 0.0625, 3.0))
    assert found.between_variance is None
    assert found.sitting_sd is None


def test_a_difference_on_the_same_questions_is_paired() -> None:
    """Differences 0, 1, 0, 1: mean 1/2, variance (1/3)/4, and a squared half answer for either model."""
    found = fitted([sat([3, 3, 0, 3])], [sat([3, 0, 0, 0])])
    difference, estimated = found.difference(0, 1)
    assert difference == pytest.approx(50.0)
    assert estimated.variance == pytest.approx(100.0**2 * (1 / 12 + 2 / 64))
    assert estimated.half_width() == pytest.approx(T_3 * math.sqrt(estimated.variance))


def test_a_difference_on_other_questions_is_not_paired() -> None:
    """The same marks on questions of their own: the variances 1/16 and 1/16 add up."""
    found = fitted([sat([3, 3, 0, 3])], [sat([3, 0, 0, 0], first=9)])
    _, estimated = found.difference(0, 1)
    assert estimated.variance == pytest.approx(100.0**2 * (2 / 16 + 2 / 64))


def test_the_interval_of_r_includes_the_reference_s_error() -> None:
    """On other questions log R has variance (1/16)/(3/4)^2 for a model, (1/12)/(1/2)^2 for the reference.

    Half an answer is added to each; without the reference's part the interval would be far narrower.
    """
    found = fitted([sat([3, 3, 0, 3])], [sat([3, 0, 0, 3], first=9)])
    ratio = found.ratio(0, 1)
    assert ratio is not None
    value, interval = ratio
    parts = ((1 / 16 + 1 / 64) / (3 / 4) ** 2, (1 / 12 + 1 / 64) / (1 / 2) ** 2)
    half = math.log(interval.high / value)
    assert value == pytest.approx(150.0)
    assert math.log(value / interval.low) == pytest.approx(half)
    assert half > T_3 * math.sqrt(sum(parts)) * 0.9
    assert half > 1.2 * T_3 * math.sqrt(parts[0])


def test_the_sitting_variance_by_hand() -> None:
    """Means 1/2 and 3/4 with question variances 1/12 and 1/16: tau^2 g^2 = (1/16 - 1/12 - 1/16)/2 < 0.

    Below 0, the questions alone count: the variance of the mean is (1/12 + 1/16)/4.
    """
    found = fitted([sat([3, 0, 3, 0]), sat([3, 3, 3, 0], first=9)])
    g = 0.625 * 0.375
    assert found.between * g**2 == pytest.approx((1 / 16 - 1 / 12 - 1 / 16) / 2)
    assert found.variance(found.unit(0)).variance == pytest.approx((1 / 12 + 1 / 16) / 4)
    assert found.sitting_sd == 0.0


def test_sittings_that_differ_more_than_their_questions_widen_the_interval() -> None:
    """Means 0.1 and 0.9 of 20 questions: the mean's variance is half that of the two, as for a plain t."""
    low, high = [3] * 2 + [0] * 18, [3] * 18 + [0] * 2
    found = fitted([sat(low), sat(high, first=90)])
    estimated = found.variance(found.unit(0))
    assert estimated.variance == pytest.approx(0.8**2 / 4)
    assert estimated.freedom == pytest.approx(1.0)


def test_the_variance_between_sittings_is_estimated_from_all_models() -> None:
    """Five models whose two sittings differ alike give five degrees of freedom, also to a sixth with one."""
    low, high = [3] * 6 + [0] * 14, [3] * 14 + [0] * 6
    pairs = [[sat(low, first=100 * row), sat(high, first=100 * row + 50)] for row in range(5)]
    found = fitted(*pairs, [sat([3, 0] * 10, first=900)])
    assert found.variance(found.unit(0)).freedom == pytest.approx(5.0)
    alone = fitted([sat([3, 0] * 10)])
    assert found.variance(found.unit(5)).variance > 3 * alone.variance(alone.unit(0)).variance


def test_full_marks_have_an_interval() -> None:
    """30 of 30 answers: up to 100, and down to what 30 answers of 0 or 3 stars allow."""
    interval = fitted([sat([3] * 30)]).score(0)
    assert interval.high == 100.0
    assert 88.0 < interval.low < 96.0


def test_two_models_with_full_marks_can_still_differ() -> None:
    """With the same 30 answers R is 100, with an interval that allows for other questions."""
    ratio = fitted([sat([3] * 30)], [sat([3] * 30)]).ratio(0, 1)
    assert ratio is not None
    assert ratio[0] == pytest.approx(100.0)
    assert ratio[1].low < 100.0 < ratio[1].high


def test_there_is_no_ratio_to_a_mean_of_zero() -> None:
    """R is None if the reference has no stars."""
    assert fitted([sat([3, 3])], [sat([0, 0])]).ratio(0, 1) is None


def test_one_question_a_subject_has_a_variance_too() -> None:
    """Ten questions of ten subjects: the variance over the whole sitting is used."""
    subjects = tuple("abcdefghij")
    found = fitted([sat([3, 0] * 5, subjects=subjects)])
    assert found.variance(found.unit(0)).variance == pytest.approx(0.25 / 10)


def test_a_subject_keeps_its_share_whatever_was_excluded() -> None:
    """One law question left of two, with full marks, and two of history without: S = 50."""
    counted, drawn = sat([3, 0, 3, 0], subjects=("law", "history"))
    found = fitted([(counted[1:], drawn)])
    assert found.means[0] == pytest.approx(0.5)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.lists(st.integers(0, 3), min_size=12, max_size=12), min_size=4, max_size=4),
    st.permutations(range(12)),
)
def test_order_and_sign_do_not_matter(stars: list[list[int]], order: list[int]) -> None:
    """Questions in another order give the same figures; two models exchanged give the opposite difference.

    Intervals contain the estimate and stay within 0-100.
    """
    sittings = [sat(one, first=20 * row, subjects=("law", "history")) for row, one in enumerate(stars)]
    mixed = [(tuple(counted[place] for place in order), drawn) for counted, drawn in sittings]
    one, other = fitted(sittings[:2], sittings[2:]), fitted(mixed[2:], mixed[:2])
    gap, estimated = one.difference(0, 1)
    back, again = other.difference(0, 1)
    assert (gap, estimated.variance) == pytest.approx((-back, again.variance), abs=1e-6)
    for model in (0, 1):
        interval = one.score(model)
        assert 0.0 <= interval.low <= 100 * one.means[model] <= interval.high <= 100.0
    assert 0.0 <= estimated.p(gap) <= 1.0


def test_intervals_cover_the_true_values() -> None:
    """Four models, three sittings of 50 questions, 60 rounds: 92 to 99.5 % of intervals hold the truth."""
    rng = np.random.default_rng(5)
    levels = np.array([2.0, 1.5, 1.0, 0.5])
    draws = rng.normal(0, 1, 400_000)
    true = np.array([expit(level + draws).mean() for level in levels])
    hits: dict[str, list[bool]] = {"S": [], "difference": [], "R": [], "ranks": []}
    for _ in range(60):
        hard = rng.normal(0, 1, (3, 50))
        models = [
            [
                sat([3 * int(x) for x in rng.random(50) < expit(level + hard[k])], first=50 * k)
                for k in range(3)
            ]
            for level in levels
        ]
        found = fitted(*models)
        pairs = compare_models(("a", "b", "c", "d"), found)
        for row in range(4):
            interval = found.score(row)
            hits["S"].append(interval.low <= 100 * true[row] <= interval.high)
        for row in range(1, 4):
            ratio = found.ratio(row, 0)
            assert ratio is not None
            hits["R"].append(ratio[1].low <= 100 * true[row] / true[0] <= ratio[1].high)
            gap = 100 * (true[0] - true[row])
            hits["difference"].append(bool(pairs.low[0, row] <= gap <= pairs.high[0, row]))
        for place, reach in enumerate(rank_ranges(found.means, pairs), 1):
            assert reach is not None
            hits["ranks"].append(reach.low <= place <= reach.high)
    shares = {name: float(np.mean(values)) for name, values in hits.items()}
    assert shares["ranks"] >= 0.97
    assert all(0.92 <= shares[name] <= 0.995 for name in ("S", "difference", "R")), shares
