"""Selection and attrition: every draw is proved, and the weighted effect is the one worked out by hand."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from causal_cells import check_cell, check_kinds, plant, shared_runs, states

from assay.causal.concepts.selection_attrition import analyst, base, numeric, trap
from assay.causal.concepts.selection_attrition.concept import CONCEPT
from assay.causal.draft import Unproved, proved
from assay.causal.item import Variant
from assay.causal.proof.proof import Proof

# Arm 1: 40 began low (20 stayed, 10 with the outcome), 60 high (30 stayed, 24 with it);
# arm 0: 80 began low (40 stayed, 10 with it), 20 high (10 stayed, 5 with it).
COUNTS = {(1, 0): (40, 20, 10), (1, 1): (60, 30, 24), (0, 0): (80, 40, 10), (0, 1): (20, 10, 5)}


@pytest.mark.parametrize("variant", list(Variant))
def test_all_draws_of_a_cell_are_proved_and_repeatable(variant: Variant) -> None:
    check_cell(CONCEPT, variant, 10)


@pytest.mark.parametrize("variant", list(Variant))
def test_a_cell_has_three_kinds_of_distractors_and_three_wordings(variant: Variant) -> None:
    check_kinds(CONCEPT, variant, 20)


@pytest.mark.parametrize("variant", [Variant.BASE, Variant.TRAP, Variant.ANALYST])
def test_each_combination_of_the_two_facts_occurs(variant: Variant) -> None:
    assert len(states(CONCEPT, variant, 40)) == 4


def test_a_sign_that_came_first_is_weighted_to_all_who_began() -> None:
    # shares 1/2, 4/5 against 1/4, 1/2; mix 120 : 80 of 200: 31/50 - 7/20 = 27/100
    asked, _ = numeric.figures_of(True)
    proof = Proof(numeric.world(COUNTS, True))
    assert proof.number(asked.term) == proof.number(numeric.target()) == Fraction(27, 100)


def test_a_sign_that_the_arm_moved_keeps_each_arms_own_mix() -> None:
    # 2/5 * 1/2 + 3/5 * 4/5 = 17/25 against 4/5 * 1/4 + 1/5 * 1/2 = 3/10: 19/50
    asked, _ = numeric.figures_of(False)
    proof = Proof(numeric.world(COUNTS, False))
    assert proof.number(asked.term) == proof.number(numeric.target()) == Fraction(19, 50)


@pytest.mark.parametrize("variant", list(Variant))
def test_a_wrong_answer_passed_off_as_right_is_not_proved(variant: Variant) -> None:
    draft = CONCEPT.cells[variant](random.Random(5), CONCEPT.scenes[0])
    with pytest.raises(Unproved):
        proved(plant(draft))


def test_no_two_wordings_share_twelve_words_in_a_row() -> None:
    told = [words for cell in (base, trap, analyst) for words in cell.WORDINGS]
    assert shared_runs([*(words.stem for words in told), *numeric.STEMS]) == set()
