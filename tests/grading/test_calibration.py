"""Judge drift: today's marks on frozen exemplars against the same judge's frozen marks."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from small_suite import make_suite

from assay.core.case import Exemplar, GraderSpec, Grading
from assay.grading.calibration import Exemplars, calibration_set, judge_shifts, shift_interval

TEN = Exemplars(tuple(range(10)), ("writing",) * 10, (3.0,) * 10)
FROZEN = dict.fromkeys(range(10), 3.0)


def test_the_set_is_every_exemplar_with_marks_of_judged_use_cases() -> None:
    """Positions tell case and exemplar; deterministic use cases and exemplars without marks have no part."""
    suite = make_suite(use_cases=2, cases=2)
    exemplars = (Exemplar("a", 1.0, 5), Exemplar("b", 1.0), Exemplar("c", 0.0, 2))
    judged = replace(
        suite.use_cases[1],
        grading=Grading.JUDGE,
        cases=tuple(
            replace(case, exemplars=exemplars, graders=(GraderSpec("rubric", {"rubric": "x"}, judged=True),))
            for case in suite.use_cases[1].cases
        ),
    )
    found = calibration_set(replace(suite, use_cases=(suite.use_cases[0], judged)))
    assert found.positions == (2000, 2002, 3000, 3002)
    assert (set(found.use_cases), found.experts) == ({"use-1"}, (5, 2, 5, 2))


def test_the_shift_is_the_difference_of_the_means() -> None:
    """Four of ten marks raised by one is a shift of 0.4, which passes 0.3."""
    today = {**FROZEN, 0: 4.0, 1: 4.0, 2: 4.0, 3: 4.0}
    (found,) = judge_shifts(TEN, FROZEN, today, limit=0.3)
    assert (found.shift, found.frozen_mean, found.mean) == (pytest.approx(0.4), 3.0, pytest.approx(3.4))
    assert (found.moved, found.sure) == (True, False)


@pytest.mark.parametrize(("raised", "moved"), [(3, False), (4, True)])
def test_exactly_the_limit_is_allowed(raised: int, moved: bool) -> None:
    """0.3 is not over 0.3."""
    today = {place: 4.0 if place < raised else 3.0 for place in range(10)}
    assert judge_shifts(TEN, FROZEN, today, limit=0.3)[0].moved is moved


def test_shifts_up_and_down_cancel_only_in_the_mean() -> None:
    """The seed compares means: two up, two down is no shift, but the interval says how unsure that is."""
    today = {**FROZEN, 0: 5.0, 1: 5.0, 2: 1.0, 3: 1.0}
    (found,) = judge_shifts(TEN, FROZEN, today, limit=0.3)
    assert (found.shift, found.moved, found.sure) == (0.0, False, False)


def test_a_set_too_small_passes_unsurely() -> None:
    """Two exemplars marked as before cannot show that the judge stands still; twenty can."""
    for n, sure in ((2, False), (20, True)):
        chosen = Exemplars(tuple(range(n)), ("writing",) * n, (3.0,) * n)
        same = dict.fromkeys(range(n), 3.0)
        (found,) = judge_shifts(chosen, same, same, limit=0.3)
        assert (found.moved, found.sure) == (False, sure)


def test_a_judge_that_marks_too_little_has_moved() -> None:
    """Under four fifths of the frozen marks repeated, nothing tells that the judge is the same."""
    for n, moved in ((7, True), (8, False)):
        today = dict.fromkeys(range(n), 3.0)
        (found,) = judge_shifts(TEN, FROZEN, today, limit=0.3)
        assert (found.moved, found.n, found.missing) == (moved, n, 10 - n)
    assert judge_shifts(TEN, FROZEN, {}, limit=0.3)[0].shift is None


def test_the_interval_by_hand() -> None:
    """Differences 0, 0, 1, 1: mean 0.5, spread sqrt((1 + 0.25) / 3), t(3) = 3.1824."""
    low, high = shift_interval([0.0, 0.0, 1.0, 1.0])
    half = 3.182446 * math.sqrt(1.25 / 3) / 2
    assert (low, high) == (pytest.approx(0.5 - half, abs=1e-5), pytest.approx(0.5 + half, abs=1e-5))


@pytest.mark.slow
def test_the_interval_covers_a_true_shift() -> None:
    """Of 2,000 sets of 20 whole marks, drawn with a true shift of 0.25, at least 94 % cover it."""
    rng = np.random.default_rng(5)
    covered = 0
    for _ in range(2000):
        differences = rng.choice([-1.0, 0.0, 1.0], p=[0.1, 0.55, 0.35], size=20)
        low, high = shift_interval(differences.tolist())
        covered += low <= 0.25 <= high
    assert covered / 2000 >= 0.94
