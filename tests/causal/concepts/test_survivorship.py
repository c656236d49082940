"""Survivorship: every draw is proved, and the three quantities are those worked out by hand."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from causal_cells import check_cell, check_kinds, plant, shared_runs, states

from assay.causal.concepts.survivorship import analyst, base, numeric, trap
from assay.causal.concepts.survivorship.concept import CONCEPT
from assay.causal.draft import Unproved, proved
from assay.causal.item import Variant
from assay.causal.proof.proof import Proof

# (practice, grade): began, lasted, lasted with the outcome
COUNTS = {(1, 0): (40, 20, 10), (1, 1): (60, 30, 24), (0, 0): (80, 40, 10), (0, 1): (20, 16, 8)}


@pytest.mark.parametrize("variant", list(Variant))
def test_all_draws_of_a_cell_are_proved_and_repeatable(variant: Variant) -> None:
    check_cell(CONCEPT, variant, 10)


@pytest.mark.parametrize("variant", list(Variant))
def test_a_cell_has_three_kinds_of_distractors_and_three_wordings(variant: Variant) -> None:
    check_kinds(CONCEPT, variant, 20)


@pytest.mark.parametrize("variant", [Variant.BASE, Variant.TRAP, Variant.ANALYST])
def test_each_combination_of_the_two_facts_occurs(variant: Variant) -> None:
    assert len(states(CONCEPT, variant, 40)) == 4


def test_with_all_kept_each_grade_counts_as_it_began() -> None:
    # grades 120 : 80; 3/5 * (1/2 - 1/4) + 2/5 * (4/5 - 1/2) = 27/100
    assert Proof(numeric.world(COUNTS)).number(numeric.target("kept")) == Fraction(27, 100)


def test_losses_count_as_failures_in_the_total_effect() -> None:
    # 3/5 * (10/40 - 10/80) + 2/5 * (24/60 - 8/20) = 3/40
    assert Proof(numeric.world(COUNTS)).number(numeric.target("total")) == Fraction(3, 40)


def test_what_the_census_met_is_a_plain_difference() -> None:
    # 34/50 - 18/56 = 251/700
    assert Proof(numeric.world(COUNTS)).number(numeric.target("seen")) == Fraction(251, 700)


@pytest.mark.parametrize("name", numeric.ASKED)
def test_the_formula_shown_is_what_is_asked_for(name: str) -> None:
    proof = Proof(numeric.world(COUNTS))
    assert proof.number(numeric.figure(name).term) == proof.number(numeric.target(name))


@pytest.mark.parametrize("variant", list(Variant))
def test_a_wrong_answer_passed_off_as_right_is_not_proved(variant: Variant) -> None:
    draft = CONCEPT.cells[variant](random.Random(5), CONCEPT.scenes[0])
    with pytest.raises(Unproved):
        proved(plant(draft))


def test_no_two_wordings_share_twelve_words_in_a_row() -> None:
    told = [words for cell in (base, trap, analyst) for words in cell.WORDINGS]
    assert shared_runs([*(words.stem for words in told), *numeric.STEMS]) == set()
