"""The questions on time-varying confounding: proved, repeatable, and figured as by hand."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from tests.support.causal_cells import check_cell, check_kinds, drafts, plant, shared_runs, states

from assay.causal.concepts.time_varying_confounding import analyst, base, trap
from assay.causal.concepts.time_varying_confounding.concept import CONCEPT
from assay.causal.concepts.time_varying_confounding.numeric import COURSE, EARLY, LATE, STEMS, answered
from assay.causal.draft import Unproved, proved
from assay.causal.draws import until
from assay.causal.item import Variant
from assay.causal.scm import Scm, binary
from assay.causal.search.beside import Place

TWENTIETH = Fraction(1, 20)


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


@pytest.mark.parametrize(("asked", "shown"), [(COURSE, "+38"), (EARLY, "+18"), (LATE, "+18")])
def test_figures_are_those_worked_by_hand(asked: str, shown: str) -> None:
    """Y = 0.1 + 0.05a + 0.25l + 0.15b + 0.05ab, and l is 0.25 without the first measure, 0.75 with it.

    Neither: 0.1 + 0.0625. The first alone: 0.15 + 0.1875, which is 0.175 more. Both: 0.15 + 0.1875 + 0.2,
    which is 0.375 more. The second adds 0.15 without the first and 0.2 with it, each for half of all: 0.175.
    Halves of a point are rounded away from 0.
    """
    rng = random.Random(1)
    found = until(lambda: answered(_model(), asked, Place(rng.randrange(4)), rng), tries=40)
    assert [a.text for a in found if a.kind is None] == [f"{shown} percentage points"]


def _model() -> Scm:
    seen = {(a, level): TWENTIETH * (4 + 2 * a + 9 * level) for a in (0, 1) for level in (0, 1)}
    outcome = {
        (a, level, b): TWENTIETH * (2 + a + 5 * level + 3 * b + a * b)
        for a in (0, 1)
        for level in (0, 1)
        for b in (0, 1)
    }
    return Scm(
        (
            binary("A"),
            binary("L", "A", {0: 5 * TWENTIETH, 1: 15 * TWENTIETH}),
            binary("B", "A L", seen),
            binary("Y", "A L B", outcome),
        )
    )
