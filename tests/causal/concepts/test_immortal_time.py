"""Immortal time: every draw is proved, and the rates are those worked out by hand."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from causal_cells import check_cell, check_kinds, plant, shared_runs, states

from assay.causal.concepts.immortal_time import analyst, base, numeric, trap
from assay.causal.concepts.immortal_time.concept import CONCEPT
from assay.causal.draft import Unproved, proved
from assay.causal.item import Variant
from assay.causal.proof.proof import Proof

# kind: months never treated, events; months waiting; months after, events
COUNTS = {0: (600, 30, 400, 1000, 20), 1: (500, 20, 500, 500, 30)}


@pytest.mark.parametrize("variant", list(Variant))
def test_all_draws_of_a_cell_are_proved_and_repeatable(variant: Variant) -> None:
    check_cell(CONCEPT, variant, 10)


@pytest.mark.parametrize("variant", list(Variant))
def test_a_cell_has_three_kinds_of_distractors_and_three_wordings(variant: Variant) -> None:
    check_kinds(CONCEPT, variant, 20)


@pytest.mark.parametrize("variant", [Variant.BASE, Variant.TRAP, Variant.ANALYST])
def test_each_combination_of_the_two_facts_occurs(variant: Variant) -> None:
    assert len(states(CONCEPT, variant, 40)) == 4


def test_waiting_counts_as_time_without_the_measure() -> None:
    # kinds 2000 : 1500 months; 4/7 * (20/1000 - 30/1000) + 3/7 * (30/500 - 20/1000) = 2/175
    assert Proof(numeric.world(COUNTS)).number(numeric.target("all")) == Fraction(2, 175)


def test_the_treated_months_mix_gives_another_difference() -> None:
    # 2/3 * (-1/100) + 1/3 * 4/100 = 1/150
    assert Proof(numeric.world(COUNTS)).number(numeric.target("treated")) == Fraction(1, 150)


def test_waiting_booked_to_the_treated_flatters_the_measure() -> None:
    # by unit: 50 events in 400 + 1000 + 500 + 500 = 2400 months against 50 in 1100
    by_unit = next(
        each.term for each in numeric.pool("all") if each.why.startswith("the difference by unit,")
    )
    assert Proof(numeric.world(COUNTS)).number(by_unit) == Fraction(50, 2400) - Fraction(50, 1100)


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
