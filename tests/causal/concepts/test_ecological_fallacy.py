"""Ecological fallacy: cells are proved, and their figures are those worked out by hand."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from tests.support import causal_cells as cells

from assay.causal.concepts.ecological_fallacy import analyst, base, numeric, transfer, trap
from assay.causal.concepts.ecological_fallacy.concept import CONCEPT
from assay.causal.draft import Unproved, proved
from assay.causal.item import Variant
from assay.causal.proof.proof import Proof
from assay.causal.queries import effect


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
    texts += [*numeric.WORDINGS, *transfer.PAIRS, *transfer.COUNTS]
    assert not cells.shared_runs(texts)


def test_the_slope_of_groups_adds_what_groups_differ_in_to_the_individual_effect() -> None:
    """Shares 0.3, 0.5, 0.7 and an individual effect of 0.2.

    By hand: rates rise by 0.4 * 0.2 = 0.08 over the kinds, a slope of 0.2; where the kind adds 0.1 a step,
    they rise by 0.28, a slope of 0.7, and the difference inside a kind stays 0.2.
    """
    alike, unlike = Proof(base.MODELS[True, True]), Proof(base.MODELS[False, True])
    assert alike.number(base.slope()) == unlike.number(base.INSIDE) == Fraction(2, 10)
    assert unlike.number(base.slope()) == Fraction(7, 10)


def test_inside_a_group_the_exposed_may_differ_while_the_slope_is_right() -> None:
    """Of the exposed 0.6 have the trait, of the others 0.4: by hand 0.2 + 0.2 * 0.2 = 0.24 inside a kind."""
    proof = Proof(base.MODELS[True, False])
    assert proof.number(base.INSIDE) == Fraction(24, 100)
    assert proof.number(base.slope()) == Fraction(2, 10)


def test_in_the_trap_two_wrong_figures_agree() -> None:
    """Where both are confounded, they are of one size, and neither is the individual effect."""
    rng = random.Random(5)
    for _ in range(8):
        proof = Proof(trap.model(rng, (False, False)))
        inside = proof.number(base.INSIDE)
        assert inside == proof.number(base.slope()) != proof.number(effect("X", "Y"))
