"""Collider selection: every draw is proved, and a population rebuilt by hand from a file comes out."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.support.causal_cells import check_cell, check_kinds, drafts, plant, shared_runs, states

from assay.causal.concepts.collider_selection import analyst, base, numeric, transfer, trap
from assay.causal.concepts.collider_selection.concept import CONCEPT
from assay.causal.draft import Unproved, proved
from assay.causal.item import Variant
from assay.causal.proof.proof import Proof
from assay.causal.queries import crude


@pytest.mark.parametrize("variant", Variant)
def test_draws_are_proved(variant: Variant) -> None:
    """Forty draws of each cell are proved, well formed and repeatable, with three kinds and templates."""
    check_cell(CONCEPT, variant)
    check_kinds(CONCEPT, variant)


@pytest.mark.parametrize("variant", Variant)
def test_every_state_occurs(variant: Variant) -> None:
    """At least four states are drawn in each cell."""
    assert len(states(CONCEPT, variant)) >= 4


@pytest.mark.parametrize("variant", Variant)
def test_a_planted_key_is_refused(variant: Variant) -> None:
    """A wrong answer passed off as the right one is not proved."""
    with pytest.raises(Unproved):
        proved(plant(drafts(CONCEPT, variant)[0]))


def test_wordings_are_independent() -> None:
    """No two wordings share a run of twelve words."""
    tellings = (*base.WORDINGS, *trap.WORDINGS, *analyst.WORDINGS, *numeric.WORDINGS)
    stems = [words.stem for words in tellings]
    assert not shared_runs([*stems, *transfer.PAIRS, *transfer.JOINING, *transfer.PARTING])


# Two like halves of the population, each 100 with and 100 without the step; 60 and 40 of them have the
# outcome: the step does +20 points. In the file are all of those with step and outcome and of those without
# either, and half of the others: 60 of 60 + 20 and 20 of 20 + 60, a plain difference of 3/4 - 1/4 = 1/2.
SIZE = {(c, x, y): 60 if x == y else 40 for c in (0, 1) for x in (0, 1) for y in (0, 1)}
RATES = {(x, y): Fraction(1) if x == y else Fraction(1, 2) for x in (0, 1) for y in (0, 1)}


def test_a_population_worked_by_hand() -> None:
    """The file exaggerates the step's effect as worked out above."""
    drawn = numeric.Population(SIZE, RATES)
    proof = Proof(numeric.model(drawn))
    assert proof.number(numeric.targets()["all"]) == Fraction(1, 5)
    assert proof.number(crude("X", "Y", given={"S": 1})) == Fraction(1, 2)
    assert drawn.filed(0, 1, 0) == 20
