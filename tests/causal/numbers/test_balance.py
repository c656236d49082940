"""Weights under which no answer is known by its place among the four."""

from __future__ import annotations

import random

import pytest

from assay.causal.numbers.options import balanced


def test_two_orders_of_four() -> None:
    """Worked by hand: 1 to 4 and its reverse cannot put the middle ones outside, nor the outer ones inside.

    Each place is taken by one of two numbers, a half of the time each, where a quarter is even: four places
    are off by 1/4 for every number, and by the size as much, so the distance is 1/2.
    """
    weights, uneven = balanced([(1.0, 2.0, 3.0, 4.0), (4.0, 3.0, 2.0, 1.0)], (1, 1))
    assert weights == pytest.approx((0.5, 0.5))
    assert uneven == pytest.approx(0.5)


def test_four_turns_are_even_at_any_shares() -> None:
    """Of the four cyclic orders, one of them listed nine times, each is drawn a quarter of the time."""
    turns = [(1.0, 2.0, 3.0, 4.0), (2.0, 3.0, 4.0, 1.0), (3.0, 4.0, 1.0, 2.0), (4.0, 1.0, 2.0, 3.0)]
    weights, uneven = balanced([turns[0]] * 9 + turns[1:], [1] * 12)
    assert sum(weights[:9]) == pytest.approx(0.25)
    assert weights[9:] == pytest.approx((0.25,) * 3)
    assert uneven == pytest.approx(0.0, abs=1e-9)


def test_a_number_that_is_mostly_small_is_as_often_large() -> None:
    """Of 400 random sets whose first number is mostly the smallest; places are then even to a hundredth."""
    rng = random.Random(1)
    sets = [(rng.gauss(-1, 1), *(rng.gauss(0, 1) for _ in range(3))) for _ in range(400)]
    before = sum(min(each) == each[0] for each in sets) / len(sets)
    weights, uneven = balanced(sets, [1] * 400)
    smallest = sum(w for w, each in zip(weights, sets, strict=True) if min(each) == each[0])
    nearest = sum(w for w, each in zip(weights, sets, strict=True) if min(each, key=abs) == each[0])
    assert before > 0.45
    assert smallest == pytest.approx(0.25, abs=0.01)
    assert nearest == pytest.approx(0.25, abs=0.01)
    assert uneven < 0.01
    assert sum(weights) == pytest.approx(1.0)
