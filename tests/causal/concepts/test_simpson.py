"""Simpson's paradox: cells are proved, tables turn round, figures are those worked out by hand."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from tests.support import causal_cells as cells

from assay.causal.concepts.simpson import analyst, base, groups, numeric, transfer, trap
from assay.causal.concepts.simpson.concept import CONCEPT
from assay.causal.draft import Unproved, proved
from assay.causal.item import Variant
from assay.causal.proof.proof import Proof

BY_HAND = groups.Tally(sizes=((80, 20), (50, 50), (20, 80)), rates=((4, 5), (9, 10), (14, 15)))


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
    texts += [*numeric.GROUPED, *numeric.MARKED, *transfer.SETS, *transfer.COUNTS]
    assert not cells.shared_runs(texts)


def test_the_figures_of_a_table_are_those_worked_out_by_hand() -> None:
    """Groups of 100 with 20, 50 and 80 under A; success 20, 45, 70 % under B and 25, 50, 75 % under A.

    By hand: under A (5 + 25 + 60) / 150 = 0.6; under B (16 + 22.5 + 14) / 150 = 0.35; each group gains 0.05.
    """
    gain = Fraction(1, 20)
    assert BY_HAND.differences() == (Fraction(1, 4), gain, gain, gain)
    proof = Proof(BY_HAND.early())
    assert proof.number(groups.CRUDE) == Fraction(1, 4)
    assert proof.number(groups.EVERYBODY) == proof.number(trap.ASKED["everybody"]) == gain


def test_one_table_has_another_effect_under_the_other_story() -> None:
    """Where the groups are a consequence of the way, the same counts make the total the effect."""
    proof = Proof(BY_HAND.late())
    assert proof.number(trap.ASKED["totals"]) == proof.number(groups.CRUDE) == Fraction(1, 4)


def test_both_stories_give_the_same_counts() -> None:
    """Early and late models agree on every share that the table shows."""
    one, other = Proof(BY_HAND.early()), Proof(BY_HAND.late())
    for g in groups.GROUPS:
        event = groups.p({"G": g, "X": 1, "Y": 1})
        assert one.number(event) == other.number(event)


def test_every_table_of_the_trap_turns_round() -> None:
    """All groups point one way and the total the other."""
    rng = random.Random(2)
    drawn = [found for _ in range(400) if (found := groups.tally(rng, 20))]
    assert drawn
    assert all(found.differences()[0] * (b - a) < 0 for found in drawn for a, b in found.rates)
