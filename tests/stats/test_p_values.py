"""Exact permutation tests: by hand, against enumeration, and their level under the null hypothesis."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from assay.stats.p_values import (
    Relabelling,
    at_least,
    fisher,
    holm,
    lower_tail,
    mcnemar,
    relabelling_test,
    sign_flip,
)

marks = st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 2 / 3, 0.75, 1.0])
PASSES = [[1.0] * 14] * 5


@pytest.mark.parametrize(("failing", "p"), [(0, 1.0), (1, 1 / 15), (2, 1 / 225), (5, 15.0**-5)])
def test_relabelling_by_hand(failing: int, p: float) -> None:
    """Each case that passed on 14 days and fails today multiplies p by 1/15."""
    today = [0.0] * failing + [1.0] * (5 - failing)
    assert relabelling_test(today, PASSES) == pytest.approx(p, rel=1e-9)


@given(st.lists(st.lists(marks, min_size=2, max_size=5), min_size=1, max_size=4))
def test_relabelling_equals_enumeration(cases: list[list[float]]) -> None:
    """The lattice gives what listing every relabelling gives."""
    today, before = [case[0] for case in cases], [case[1:] for case in cases]
    totals = [sum(choice) for choice in product(*cases)]
    expected = np.mean([total <= sum(today) + 1e-9 for total in totals])
    assert relabelling_test(today, before) == pytest.approx(expected)


@given(st.lists(st.lists(marks, min_size=1, max_size=6), min_size=1, max_size=5))
def test_least_is_what_an_all_zero_day_gets(before: list[list[float]]) -> None:
    """No day gets a smaller p than a day of zeros."""
    least = Relabelling.of([0.0] * len(before), before).least_p(range(len(before)))
    assert relabelling_test([0.0] * len(before), before) == pytest.approx(least)


def test_no_cases_show_nothing() -> None:
    """Without cases nothing has been shown."""
    assert relabelling_test([], []) == 1.0


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
            relabelling_test(today.tolist(), list(before))
            if test == "relabelling"
            else sign_flip((today - before.mean(axis=1)).tolist())
        )
        below += p <= level
    return below / rounds


@pytest.mark.parametrize("passes", [0.05, 0.3, 0.7, 0.95])
def test_relabelling_keeps_its_level(passes: float) -> None:
    """On unchanged cases p falls to 0.05 in at most 5 % of days, however skewed the cases are."""
    assert _share_below("relabelling", passes=passes) <= 0.05 + 0.012


def test_sign_flip_does_not_hold_for_a_window() -> None:
    """On unchanged cases that mostly fail, sign flips against a window's mean err on over 20 % of days."""
    assert _share_below("sign flip", passes=0.2) > 0.2


def test_relabelling_finds_a_fall() -> None:
    """A fall of 50 cases from 95 % to 75 % is found at 0.05 on at least 9 days of 10."""
    rng = np.random.default_rng(3)
    found = []
    for _ in range(100):
        before = (rng.random((50, 14)) < 0.95).astype(float)
        today = (rng.random(50) < 0.75).astype(float)
        found.append(relabelling_test(today.tolist(), list(before)) <= 0.05)
    assert np.mean(found) >= 0.9


def test_holm_by_hand() -> None:
    """0.01, 0.04, 0.03 of three: 0.03, then 0.03 * 2 = 0.06, then 0.04 raised to 0.06."""
    assert holm([0.01, 0.04, 0.03]).tolist() == pytest.approx([0.03, 0.06, 0.06])


@pytest.mark.slow
def test_holm_equals_statsmodels() -> None:
    """On six random families with equal p values. More would be slow: each call there collects garbage."""
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    rng = np.random.default_rng(15)
    for _ in range(6):
        p = rng.integers(0, 101, rng.integers(1, 40)) / 100 * rng.choice([0.01, 0.1, 1.0])
        assert holm(p) == pytest.approx(multitest.multipletests(p, method="holm")[1], rel=1e-12, abs=0)


def test_nothing_to_correct() -> None:
    """An empty family stays empty."""
    assert holm([]).tolist() == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_between_p_and_bonferroni(p: list[float]) -> None:
    """An adjusted p is at least p, at most n p and 1, and in the same order."""
    adjusted, given_p = holm(p), np.array(p)
    assert np.all(adjusted >= given_p)
    assert np.all(adjusted <= np.minimum(1.0, len(p) * given_p))
    assert np.all(np.diff(adjusted[np.argsort(given_p, kind="stable")]) >= 0)


def test_poisson_binomial_by_hand() -> None:
    """Two of two events with chances 0.1 and 0.2 happen together with chance 0.02."""
    assert at_least(2, [0.1, 0.2]) == pytest.approx(0.02)


def test_equal_chances_are_binomial() -> None:
    """With equal chances it is the binomial tail."""
    assert at_least(3, [0.1] * 10) == pytest.approx(stats.binom.sf(2, 10, 0.1))


@given(st.lists(st.floats(0, 1), max_size=6), st.integers(0, 7))
def test_equals_enumeration(chances: list[float], count: int) -> None:
    """It equals the sum over all outcomes."""
    outcomes = product((0, 1), repeat=len(chances))
    expected = sum(
        np.prod([c if hit else 1 - c for hit, c in zip(outcome, chances, strict=True)])
        for outcome in outcomes
        if sum(outcome) >= count
    )
    assert at_least(count, chances) == pytest.approx(expected)


def test_fisher_by_hand() -> None:
    """For 3 of 3 against 0 of 3 two of the 20 tables with these totals are as unlikely: p is 1/10."""
    assert fisher((3, 0), (3, 3)) == pytest.approx(0.1)


@pytest.mark.parametrize("counts", [((0, 0), (5, 5)), ((5, 5), (5, 5)), ((0, 3), (0, 5))])
def test_fisher_is_one_where_the_totals_decide(counts: tuple[tuple[int, int], tuple[int, int]]) -> None:
    """If nobody or everybody succeeds, or a side has no trials, there is only one table."""
    assert fisher(*counts) == pytest.approx(1.0)


@given(st.integers(1, 30), st.integers(1, 30), st.data())
def test_fisher_equals_scipy(n: int, m: int, data: st.DataObject) -> None:
    """Scipy has the same test."""
    x, y = data.draw(st.integers(0, n)), data.draw(st.integers(0, m))
    expected = stats.fisher_exact([[x, n - x], [y, m - y]]).pvalue
    assert fisher((x, y), (n, m)) == pytest.approx(expected, abs=1e-12)


@given(st.integers(1, 30), st.integers(1, 30), st.data())
def test_fisher_does_not_depend_on_the_order_of_the_sides(n: int, m: int, data: st.DataObject) -> None:
    """Nor on which outcome is called a success."""
    x, y = data.draw(st.integers(0, n)), data.draw(st.integers(0, m))
    p = fisher((x, y), (n, m))
    assert 0.0 <= p <= 1.0
    assert fisher((y, x), (m, n)) == pytest.approx(p)
    assert fisher((n - x, m - y), (n, m)) == pytest.approx(p)


@pytest.mark.parametrize("share", [0.02, 0.1, 0.5])
def test_fisher_keeps_its_level(share: float) -> None:
    """The exact chance of p <= 0.05 with 20 and 30 trials of one share is at most 0.05."""
    first, second = (stats.binom.pmf(np.arange(n + 1), n, share) for n in (20, 30))
    chance = sum(
        first[x] * second[y]
        for x, y in product(range(21), range(31))
        if first[x] * second[y] > 1e-9 and fisher((x, y), (20, 30)) <= 0.05
    )
    assert chance <= 0.05
