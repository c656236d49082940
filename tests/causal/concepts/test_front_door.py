"""The questions on the front door: proved, repeatable, and figured as by hand."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from tests.support.causal_cells import check_cell, check_kinds, drafts, plant, shared_runs, states

from assay.causal.concepts.front_door import analyst, base, trap
from assay.causal.concepts.front_door.concept import CONCEPT
from assay.causal.concepts.front_door.numeric import BETWEEN, CHOICE, STEMS, answered, formula
from assay.causal.draft import Unproved, proved
from assay.causal.draws import until
from assay.causal.item import Variant
from assay.causal.proof.proof import Proof
from assay.causal.queries import effect
from assay.causal.scm import Scm, binary
from assay.causal.search.beside import Place

TENTH = Fraction(1, 10)


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


@pytest.mark.parametrize(("asked", "shown"), [(CHOICE, "+18"), (BETWEEN, "+30")])
def test_figures_are_those_worked_by_hand(asked: str, shown: str) -> None:
    """Y = 0.1 + 0.4u + 0.2m + 0.2um with u even on average: the mediator does 0.2 + 0.2 * 0.5 = 0.3.

    The choice raises the mediator from 0.2 to 0.8, so it does 0.6 * 0.3 = 0.18.
    """
    rng = random.Random(1)
    found = until(lambda: answered(_model(), asked, Place(rng.randrange(4)), rng), tries=40)
    assert [a.text for a in found if a.kind is None] == [f"{shown} percentage points"]


def test_the_front_door_formula_gives_the_effect() -> None:
    """The formula needs no hidden cause, and equals the effect exactly."""
    proof = Proof(_model())
    assert proof.number(formula(1) - formula(0)) == proof.number(effect("X", "Y")) == Fraction(18, 100)


def _model() -> Scm:
    outcome = {(u, m): TENTH * (1 + 4 * u + 2 * m + 2 * u * m) for u in (0, 1) for m in (0, 1)}
    return Scm(
        (
            binary("U", hidden=True),
            binary("X", "U", {0: 2 * TENTH, 1: 8 * TENTH}),
            binary("M", "X", {0: 2 * TENTH, 1: 8 * TENTH}),
            binary("Y", "U M", outcome),
        )
    )
