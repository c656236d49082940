"""Exact permutation tests: by hand, against enumeration, and their level under the null hypothesis."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from assay.stats.permutation import least_relabelled, lower_tail, mcnemar, relabelled, sign_flip

marks = st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 2 / 3, 0.75, 1.0])
PASSES = [[1.0] * 14] * 5


@pytest.mark.parametrize(("failing", "p"), [(0, 1.0), (1, 1 / 15), (2, 1 / 225), (5, 15.0**-5)])
def test_relabelled_by_hand(failing: int, p: float) -> None:
    """Each case that passed on 14 days and fails today multiplies p by 1/15."""
    today = [0.0] * failing + [1.0] * (5 - failing)
    assert relabelled(today, PASSES) == pytest.approx(p, rel=1e-9)


@given(st.lists(st.lists(marks, min_size=2, max_size=5), min_size=1, max_size=4))
def test_relabelled_equals_enumeration(cases: list[list[float]]) -> None:
    """The lattice gives what listing every relabelling gives."""
    today, before = [case[0] for case in cases], [case[1:] for case in cases]
    totals = [sum(choice) for choice in product(*cases)]
    expected = np.mean([total <= sum(today) + 1e-9 for total in totals])
    assert relabelled(today, before) == pytest.approx(expected)


@given(st.lists(st.lists(marks, min_size=1, max_size=6), min_size=1, max_size=5))
def test_least_is_what_an_all_zero_day_gets(before: list[list[float]]) -> None:
    """No day gets a smaller p than a day of zeros."""
    assert relabelled([0.0] * len(before), before) == pytest.approx(least_relabelled(before))


def test_no_cases_show_nothing() -> None:
    """Without cases nothing has been shown."""
    assert relabelled([], []) == 1.0


def test_below_everything_possible() -> None:
    """A total below the least that can be drawn has chance 0."""
    assert lower_tail([[0.5, 1.0]], 0.25) == 0.0


@given(st.lists(st.sampled_from([-1.0, -0.5, -0.25, 0.0, 0.25, 1.0]), min_size=1, max_size=8))
def test_sign_flip_equals_enumeration(differences: list[float]) -> None:
    """The lattice gives what listing every choice of signs gives."""
    flips = product((1, -1), repeat=len(differences))
    totals = [sum(s * d for s, d in zip(signs, differences, strict=True)) for signs in flips]
    assert sign_flip(differences) == pytest.approx(np.mean([t <= sum(differences) + 1e-9 for t in totals]))


def test_sign_flip_floor() -> None:
    """Five cases cannot give a smaller p than 1/32."""
    assert sign_flip([-1.0] * 5) == 1 / 32


@pytest.mark.parametrize(("fell", "rose"), [(0, 0), (1, 0), (5, 0), (5, 1), (3, 7)])
def test_mcnemar_is_the_binomial_test(fell: int, rose: int) -> None:
    """McNemar's exact p is the one-sided binomial test of a half."""
    expected = stats.binomtest(fell, fell + rose, 0.5, alternative="greater").pvalue if fell + rose else 1.0
    assert mcnemar(fell, rose) == pytest.approx(expected)


def _share_below(
    test: str, *, passes: float, level: float = 0.05, days: int = 14, rounds: int = 1500
) -> float:
    """Return how often the p of five unchanged cases, passing at this rate, is at most `level`."""
    rng = np.random.default_rng(11)
    below = 0
    for _ in range(rounds):
        values = (rng.random((5, days + 1)) < passes).astype(float)
        today, before = values[:, 0], values[:, 1:]
        p = (
            relabelled(today.tolist(), list(before))
            if test == "relabelled"
            else sign_flip((today - before.mean(axis=1)).tolist())
        )
        below += p <= level
    return below / rounds


@pytest.mark.parametrize("passes", [0.05, 0.3, 0.7, 0.95])
def test_relabelled_keeps_its_level(passes: float) -> None:
    """On unchanged cases p falls to 0.05 in at most 5 % of days, however skewed the cases are."""
    assert _share_below("relabelled", passes=passes) <= 0.05 + 0.012


def test_sign_flip_does_not_hold_for_a_window() -> None:
    """On unchanged cases that mostly fail, sign flips against a window's mean err on over 20 % of days."""
    assert _share_below("sign flip", passes=0.2) > 0.2


def test_relabelled_finds_a_fall() -> None:
    """A fall of 50 cases from 95 % to 75 % is found at 0.05 on at least 9 days of 10."""
    rng = np.random.default_rng(3)
    found = []
    for _ in range(100):
        before = (rng.random((50, 14)) < 0.95).astype(float)
        today = (rng.random(50) < 0.75).astype(float)
        found.append(relabelled(today.tolist(), list(before)) <= 0.05)
    assert np.mean(found) >= 0.9
