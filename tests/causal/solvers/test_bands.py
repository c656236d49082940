"""Bands for the difficulty of a variant's questions: how far its naive solvers lie outside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from assay.causal.item import Item, Variant
from assay.causal.solvers.bands import NAIVE, Band, off, pulls_away
from assay.causal.solvers.solver import Solver

BAND = Band(0.25, 0.5)
OPTIONS = ("a", "b", "c", "d")


@dataclass(frozen=True)
class Asked:
    """A question with the two naive solvers' chances."""

    item: Item
    odds: Mapping[Solver, float]


def asked(marginal: float, adjusting: float, variant: str = "base", *, choice: bool = True) -> Asked:
    """Return a question with options, or an open one."""
    item = Item("q", "c", variant, "Which?", OPTIONS if choice else (), 0)
    return Asked(item, dict(zip(NAIVE, (marginal, adjusting), strict=True)))


@pytest.mark.parametrize(
    ("accuracy", "far"), [(0.0, 0.25), (0.25, 0.0), (0.4, 0.0), (0.5, 0.0), (0.75, 0.25)]
)
def test_inside_is_no_distance(accuracy: float, far: float) -> None:
    """Both ends belong to a band; outside the distance is that to the nearer end."""
    assert BAND.off(accuracy) == far


def test_both_naive_solvers_count() -> None:
    """Means of 3/4 and 1/8 lie 0.47 above 0.28 and 0.095 below 0.22."""
    assert off([asked(1.0, 0.0), asked(0.5, 0.25)]) == pytest.approx(0.565)


def test_traps_are_no_easier_than_chance() -> None:
    """What is within the band elsewhere is above it in traps."""
    questions = [asked(0.27, 0.25), asked(0.27, 0.25)]
    assert off(questions) == 0
    assert off([asked(0.27, 0.25, Variant.TRAP)]) == pytest.approx(0.02)


def test_open_questions_do_not_count() -> None:
    """Nobody guesses a number: they neither help nor harm, and none is drawn again."""
    number = asked(0.0, 0.0, "numeric", choice=False)
    assert off([number]) == off([]) == 0
    assert off([asked(0.25, 0.25), number]) == 0
    assert not pulls_away(number, [asked(1.0, 1.0), number])


def test_questions_that_pull_a_solver_away_are_drawn_again() -> None:
    """Too many right: those with a greater chance than the mean; too few: those with a smaller one."""
    easy, hard = asked(1.0, 0.25), asked(0.0, 0.25)
    assert [pulls_away(each, [easy, easy, hard]) for each in (easy, hard)] == [True, False]
    assert [pulls_away(each, [hard] * 9 + [easy]) for each in (easy, hard)] == [False, True]
