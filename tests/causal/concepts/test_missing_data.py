"""Missing data: every draw is proved, and the recovered share is the one worked out by hand."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from causal_cells import check_cell, check_kinds, plant, shared_runs, states

from assay.causal.concepts.missing_data import analyst, base, numeric, trap
from assay.causal.concepts.missing_data.concept import CONCEPT
from assay.causal.draft import Unproved, proved
from assay.causal.item import Variant
from assay.causal.proof.proof import Proof
from assay.causal.queries import p
from assay.causal.scm import Scm, binary

HALF, FIFTH = Fraction(1, 2), Fraction(1, 5)
# Flag P came first: of P = 0 one fifth answer and half would say yes; of P = 1 four fifths and one fifth.
# Flag Q came later: it is up with chance one half where a yes was given, with one fifth otherwise.
MODEL = Scm(
    (
        binary("Z", "", HALF),
        binary("Y", "Z", {0: HALF, 1: FIFTH}),
        binary("R", "Z", {0: FIFTH, 1: 4 * FIFTH}),
        binary("W", "R Y", {(0, 0): FIFTH, (0, 1): FIFTH, (1, 0): FIFTH, (1, 1): HALF}),
    )
)


@pytest.mark.parametrize("variant", list(Variant))
def test_all_draws_of_a_cell_are_proved_and_repeatable(variant: Variant) -> None:
    check_cell(CONCEPT, variant, 10)


@pytest.mark.parametrize("variant", list(Variant))
def test_a_cell_has_three_kinds_of_distractors_and_three_wordings(variant: Variant) -> None:
    check_kinds(CONCEPT, variant, 20)


@pytest.mark.parametrize("variant", [Variant.BASE, Variant.TRAP, Variant.ANALYST])
def test_each_combination_of_the_two_facts_occurs(variant: Variant) -> None:
    assert len(states(CONCEPT, variant, 40)) == 4


def test_weighting_by_the_flag_that_came_first_recovers_the_share() -> None:
    # 1/2 * 1/2 + 1/2 * 1/5 = 7/20
    asked, _ = numeric.figures_of("Z")
    proof = Proof(MODEL)
    assert proof.number(asked.term) == proof.number(numeric.target()) == Fraction(7, 20)


def test_complete_cases_overcount_those_who_answer_readily() -> None:
    # 1/5 : 4/5 of the answers: 1/5 * 1/2 + 4/5 * 1/5 = 13/50
    assert Proof(MODEL).number(p({"Y": 1}, {"R": 1})) == Fraction(13, 50)


def test_weighting_by_a_flag_set_in_view_of_the_answer_does_not() -> None:
    assert Proof(MODEL).number(numeric.weighted("ZW")) != Fraction(7, 20)


@pytest.mark.parametrize("variant", list(Variant))
def test_a_wrong_answer_passed_off_as_right_is_not_proved(variant: Variant) -> None:
    draft = CONCEPT.cells[variant](random.Random(5), CONCEPT.scenes[0])
    with pytest.raises(Unproved):
        proved(plant(draft))


def test_no_two_wordings_share_twelve_words_in_a_row() -> None:
    told = [words for cell in (base, trap, analyst) for words in cell.WORDINGS]
    assert shared_runs([*(words.stem for words in told), *numeric.STEMS]) == set()
