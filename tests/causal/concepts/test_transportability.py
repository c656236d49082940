"""Transportability: its cells are proved, and its estimand is the one worked out by hand."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from tests.support import causal_cells as cells

from assay.causal.concepts.transportability import analyst, base, numeric, transfer, trap
from assay.causal.concepts.transportability.concept import CONCEPT
from assay.causal.draft import Unproved, proved
from assay.causal.item import Variant
from assay.causal.proof.proof import Proof
from assay.causal.scm import Scm, binary


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
    texts += [*numeric.BEFORE, *numeric.AFTER, *transfer.SETS, *transfer.COUNTS]
    assert not cells.shared_runs(texts)


def test_the_carried_effect_is_the_one_worked_out_by_hand() -> None:
    """Groups of the study differ by 0.1 and 0.5; with shares 0.8 and 0.2 there, 0.4 and 0.6 elsewhere.

    By hand: study 0.8 * 0.1 + 0.2 * 0.5 = 0.18; target 0.4 * 0.1 + 0.6 * 0.5 = 0.34.
    """
    half, tenth = Fraction(1, 2), Fraction(1, 10)
    scm = Scm(
        (
            binary("S"),
            binary("A", "S", {0: 2 * tenth, 1: 6 * tenth}),
            binary("X", "S", {0: half, 1: tenth}),
            binary("Y", "X A", {(0, 0): 3 * tenth, (1, 0): 4 * tenth, (0, 1): 2 * tenth, (1, 1): 7 * tenth}),
        )
    )
    proof = Proof(scm)
    assert proof.number(numeric.carried(("A",))) == Fraction(34, 100)
    assert proof.number(trap.weighted(())) == proof.number(numeric.CRUDE) == Fraction(18, 100)
    assert proof.number(trap.TARGET) == Fraction(34, 100)


def test_in_the_trap_what_matters_hardly_differs_and_what_differs_does_not_matter() -> None:
    """The traits that change the effect differ by ten points, the others by at least sixty."""
    rng = random.Random(3)
    for _ in range(20):
        draft = trap.trap(rng, rng.choice(CONCEPT.scenes))
        for trait in "AB":
            low, high = (draft.world.by_name[trait].table[(s,)][1] for s in (0, 1))
            matters = trait in draft.state.removeprefix("matter=").split("+")
            assert (abs(high - low) == Fraction(1, 10)) == matters
