"""Competing adjustment sets: every draw is proved, and a model worked by hand comes out."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from tests.support.causal_cells import check_cell, check_kinds, drafts, plant, shared_runs, states

from assay.causal.concepts.adjustment_sets import analyst, base, numeric, transfer, trap
from assay.causal.concepts.adjustment_sets.concept import CONCEPT
from assay.causal.draft import Unproved, proved
from assay.causal.item import Variant
from assay.causal.proof.proof import Proof
from assay.causal.scm import Scm, binary


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
    assert not shared_runs([*stems, *transfer.COUNTING, *transfer.MINIMAL, *transfer.NEEDED])


# A is a fair coin, B a noisy copy without effects; X is on with 1/4 where A is off, 3/4 where it is on; Y
# has 1/4 + 1/4 (X) + 1/4 (A). Within each level of A the step does +1/4. Plain: of X = 1, A is on in 3/4, so
# 1/2 + 3/16; of X = 0, in 1/4, so 1/4 + 1/16; the difference is 11/16 - 5/16 = 3/8.
def test_a_chain_worked_by_hand() -> None:
    """The sufficient covariate gives the effect, the plain comparison more, as worked out above."""
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    world = Scm(
        (
            binary("A", "", half),
            binary("B", "A", {0: Fraction(1, 10), 1: Fraction(9, 10)}),
            binary("X", "A B", {(a, b): quarter + half * a for a in (0, 1) for b in (0, 1)}),
            binary("Y", "A X", {(a, x): quarter + quarter * x + quarter * a for a in (0, 1) for x in (0, 1)}),
        )
    )
    proof = Proof(world)
    key, _ = numeric.estimands("all", "A", random.Random(1))
    assert proof.number(key.term) == proof.number(numeric.targets()["all"]) == quarter
    assert proof.number(numeric.targets()["plain"]) == Fraction(3, 8)
