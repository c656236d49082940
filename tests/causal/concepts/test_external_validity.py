"""External validity: its cells are proved, and its estimands are those worked out by hand."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from tests.support import causal_cells as cells

from assay.causal.concepts.external_validity import analyst, base, numeric, transfer, trap
from assay.causal.concepts.external_validity.concept import CONCEPT
from assay.causal.draft import Unproved, proved
from assay.causal.item import Variant
from assay.causal.proof.proof import Proof
from assay.causal.scm import Scm, binary, levels


@pytest.mark.parametrize("variant", list(Variant))
def test_every_draw_of_a_cell_is_proved_and_well_formed(variant: Variant) -> None:
    """Each cell's draws have one proved answer, and repeat from the same seed."""
    cells.check_cell(CONCEPT, variant, 20)


@pytest.mark.parametrize("variant", list(Variant))
def test_a_cell_uses_several_kinds_of_distractors_and_several_wordings(variant: Variant) -> None:
    """Three kinds and three templates occur among few draws."""
    cells.check_kinds(CONCEPT, variant, 30)


def test_every_state_of_the_narratives_occurs() -> None:
    """Four states each of base, trap and analyst are drawn."""
    for variant in (Variant.BASE, Variant.TRAP, Variant.ANALYST):
        assert len({draft.state for draft in cells.drafts(CONCEPT, variant)}) == 4


def test_a_planted_wrong_answer_is_refused() -> None:
    """A wrong answer passed off as the right one is not proved."""
    for variant in Variant:
        with pytest.raises(Unproved):
            proved(cells.plant(cells.drafts(CONCEPT, variant, 1)[0]))


def test_no_two_wordings_share_a_long_run_of_words() -> None:
    """No run of twelve words stands in two of the templates."""
    texts = [words.stem for module in (analyst, base, trap) for words in module.WORDINGS]
    texts += [*numeric.WORDINGS, *transfer.SETS, *transfer.COUNTS]
    assert not cells.shared_runs(texts)


def test_participants_divided_by_rates_of_joining_give_everybody() -> None:
    """Two kinds of 100: 20 and 80 join; the differences are 0.5 and 0.1.

    By hand: participants 0.2 * 0.5 + 0.8 * 0.1 = 0.18; everybody 0.3; the others
    0.8 * 0.5 + 0.2 * 0.1 = 0.42.
    """
    tenth = Fraction(1, 10)
    rates = {(0, 0): 2 * tenth, (1, 0): 7 * tenth, (0, 1): 4 * tenth, (1, 1): 5 * tenth}
    world = Scm(
        (
            levels("G", "", {(): [Fraction(1, 2), Fraction(1, 2)]}),
            binary("P", "G", {0: 2 * tenth, 1: 8 * tenth}),
            binary("X", "P", {0: tenth, 1: Fraction(1, 2)}),
            binary("Y", "X G", dict(rates)),
        )
    )
    proof, found = Proof(world), numeric.estimands(2)
    assert proof.number(found["participants"].term) == Fraction(18, 100)
    assert proof.number(found["everybody"].term) == Fraction(30, 100)
    assert proof.number(found["others"].term) == Fraction(42, 100)


def test_a_difference_can_carry_over_where_a_ratio_does_not() -> None:
    """In the trap's models the two measures agree between sample and population as the state says."""
    rng = random.Random(4)
    for _ in range(12):
        draft = trap.trap(rng, rng.choice(CONCEPT.scenes))
        proof = Proof(draft.world)
        inside, outside = (proof.number(trap.ratio(given)) for given in ({"P": 1}, {}))
        assert (inside == outside) == draft.state.endswith("ratio=True")
