"""The questions on mediators: proved, repeatable, and figured as by hand."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from tests.support.causal_cells import check_cell, check_kinds, drafts, plant, shared_runs, states

from assay.causal.concepts.mediators import analyst, base, trap
from assay.causal.concepts.mediators.concept import CONCEPT
from assay.causal.concepts.mediators.numeric import STEMS, TOTAL, answered
from assay.causal.draft import Unproved, proved
from assay.causal.item import Variant
from assay.causal.scm import Scm, binary
from assay.causal.search.beside import Place


@pytest.mark.parametrize("variant", Variant)
def test_every_draw_is_proved_and_repeatable(variant: Variant) -> None:
    """Forty draws of each cell are proved by both routes, and the same seed draws them again."""
    check_cell(CONCEPT, variant)


@pytest.mark.parametrize("variant", Variant)
def test_distractors_are_of_several_kinds(variant: Variant) -> None:
    """Each cell uses at least three kinds of mistakes and three wordings."""
    check_kinds(CONCEPT, variant)


@pytest.mark.parametrize("variant", [Variant.BASE, Variant.TRAP, Variant.ANALYST])
def test_all_four_combinations_come_to_be_true(variant: Variant) -> None:
    """Over forty draws each of the four combinations is the right one."""
    assert len(states(CONCEPT, variant)) == 4


@pytest.mark.parametrize("variant", Variant)
def test_a_false_key_is_refused(variant: Variant) -> None:
    """A wrong answer passed off as the right one does not get through the proof."""
    with pytest.raises(Unproved):
        proved(plant(drafts(CONCEPT, variant, 1)[0]))


def test_wordings_share_no_long_run() -> None:
    """No two wordings of the concept have twelve words in a row in common."""
    worded = (*base.WORDINGS, *trap.WORDINGS, *analyst.WORDINGS)
    assert shared_runs([*(words.stem for words in worded), *STEMS]) == set()


@pytest.mark.parametrize(
    ("asked", "rank", "shown"),
    [
        (TOTAL, 2, "+36 percentage points"),
        (1, 1, "+30 percentage points"),
        (0, 0, "+10 percentage points"),
    ],
)
def test_figures_are_those_worked_by_hand(asked: str | int, rank: int, shown: str) -> None:
    """Y = 0.1 + 0.2c + 0.1x + 0.3m + 0.2xm: held at m the step does 0.1 + 0.2m.

    M is 0.3 on average without the step and 0.7 with it, so with it Y is 0.1 + 0.1 + 0.1 + 0.5 * 0.7 = 0.65,
    without it 0.1 + 0.1 + 0.3 * 0.3 = 0.29, and the total effect is 0.36.
    """
    found = answered(_model(), asked, Place(rank), random.Random(1)) or ()
    assert [a.text for a in found if a.kind is None] == [shown]


def _model() -> Scm:
    tenth = Fraction(1, 10)
    moved = {(0, 0): 2 * tenth, (0, 1): 6 * tenth, (1, 0): 4 * tenth, (1, 1): 8 * tenth}
    outcome = {
        (c, x, m): tenth * (1 + 2 * c + x + 3 * m + 2 * x * m) for c in (0, 1) for x in (0, 1) for m in (0, 1)
    }
    return Scm(
        (
            binary("C"),
            binary("X", "C", {0: 2 * tenth, 1: 8 * tenth}),
            binary("M", "C X", moved),
            binary("Y", "C X M", outcome),
        )
    )
