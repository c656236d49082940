"""M-bias: every draw is proved, and a model worked by hand comes out."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.support.causal_cells import check_cell, check_kinds, drafts, plant, shared_runs, states

from assay.causal.concepts.m_bias import analyst, base, numeric, transfer, trap
from assay.causal.concepts.m_bias.concept import CONCEPT
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
    assert not shared_runs([*stems, *transfer.NESTED, *transfer.SPOILING])


# U and V are fair coins and Y is V: the step does nothing. With U on, X is a coin, and M is on if V is, and
# with 3/4 if not; with U off, X is off and M is V.
# Masses of (U, V, M): (1,1,1) 1/4, (1,0,1) 3/16, (1,0,0) 1/16, (0,1,1) 1/4, (0,0,0) 1/4. In M = 1 (11/16): of
# X = 1, V is on in (1/8) / (1/8 + 3/32) = 4/7; of X = 0, in (1/8 + 1/4) / (1/8 + 3/32 + 1/4) = 4/5: a
# difference of -8/35. In M = 0, V is off: no difference. Adjusted: -8/35 x 11/16 = -11/70.
def test_an_m_worked_by_hand() -> None:
    """Adjusting for the middle reports what is worked out above, where the effect is 0."""
    world = Scm(
        (
            binary("U", "", Fraction(1, 2), hidden=True),
            binary("V", "", Fraction(1, 2), hidden=True),
            binary("X", "U", {0: Fraction(0), 1: Fraction(1, 2)}),
            binary(
                "M",
                "U V",
                {(0, 0): Fraction(0), (0, 1): Fraction(1), (1, 0): Fraction(3, 4), (1, 1): Fraction(1)},
            ),
            binary("Y", "X V", {(x, v): Fraction(v) for x in (0, 1) for v in (0, 1)}),
        )
    )
    proof, found = Proof(world), numeric.estimands()
    assert proof.number(found["effect"].term) == 0
    assert proof.number(found["adjusted"].term) == proof.number(found["bias"].term) == Fraction(-11, 70)
