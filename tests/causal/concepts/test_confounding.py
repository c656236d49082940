"""Confounding: every draw is proved, and the estimands of a table worked by hand come out."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.support.causal_cells import check_cell, check_kinds, drafts, plant, shared_runs, states

from assay.causal.concepts.confounding import analyst, base, numeric, transfer, trap
from assay.causal.concepts.confounding.concept import CONCEPT
from assay.causal.draft import Unproved, proved
from assay.causal.item import Variant
from assay.causal.proof.proof import Proof


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
    assert not shared_runs([*stems, *transfer.COUNTING, *transfer.CHOOSING])


# Units by (treatment, covariate): 100 of 40 + 60, of which 10 and 30 have the outcome (1/4 and 1/2) with the
# treatment; 60 + 40, of which 30 and 10 (1/2 and 1/4), without. Within the levels: 1/4 - 1/2 = -1/4 and
# 1/2 - 1/4 = +1/4. Plain: 40/100 - 40/100 = 0. All: both levels weigh 100/200: 0. Treated: weights 0.4 and
# 0.6: -0.10 + 0.15 = +0.05. Untreated: 0.6 and 0.4: -0.05.
CELLS = {(1, 0): (40, 10), (1, 1): (60, 30), (0, 0): (60, 30), (0, 1): (40, 10)}
BY_HAND = {
    "all": Fraction(0),
    "treated": Fraction(1, 20),
    "untreated": Fraction(-1, 20),
    "crude": Fraction(0),
}


@pytest.mark.parametrize("asked", BY_HAND)
def test_a_table_worked_by_hand(asked: str) -> None:
    """The quantities asked for have the values worked out above."""
    proof = Proof(numeric.model(CELLS, mediated=asked == "crude"))
    assert proof.number(numeric.targets()[asked]) == BY_HAND[asked]
