"""Collider selection: every draw is proved, and a population rebuilt by hand from a file comes out."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.support.causal_cells import check_cell, check_kinds, drafts, plant, shared_runs, states

from assay.causal.concepts.collider_selection import analyst, base, numeric, population, transfer, trap
from assay.causal.concepts.collider_selection.concept import CONCEPT
from assay.causal.draft import Unproved, proved
from assay.causal.item import Variant
from assay.causal.proof.proof import Proof
from assay.causal.queries import crude, p


@pytest.mark.slow
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


# Where C = 0, 100 take the step and 100 do not; where C = 1, 300 do and 100 do not. 3 in 5 of those with the
# step have the outcome, 2 in 5 of those without: the step does +20 points. In the file are all with step and
# outcome and all without either (240 and 120), and half of the others (80 and 40): plainly 3/4 - 1/4 = 1/2.
SIZE = {
    (c, x, y): (60 if x == y else 40) * (3 if c == x == 1 else 1)
    for c in (0, 1)
    for x in (0, 1)
    for y in (0, 1)
}
RATES = {(x, y): Fraction(1) if x == y else Fraction(1, 2) for x in (0, 1) for y in (0, 1)}


def test_a_population_worked_by_hand() -> None:
    """The file exaggerates the step's effect as worked out above, and the model has the population's "
    "shares."""
    drawn = population.Population(SIZE, RATES)
    proof = Proof(population.model(drawn))
    assert proof.number(numeric.targets()["all"]) == Fraction(1, 5)
    assert proof.number(crude("X", "Y", given={"S": 1})) == Fraction(1, 2)
    assert proof.number(p({"X": 1}, {"C": 1})) == Fraction(3, 4)
    assert drawn.filed(0, 1, 0) == 20
