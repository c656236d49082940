"""Forms: the same from the same seed, equivalent from others, every key proved."""

from __future__ import annotations

from collections import Counter

import pytest

from assay.causal.concepts.registry import CONCEPTS
from assay.causal.draws import Undrawable
from assay.causal.form import Form, form, question
from assay.causal.item import Variant
from assay.causal.proof.proof import Proof
from assay.causal.solvers.bands import Band
from assay.causal.solvers.solver import Solver
from assay.core.case import LETTERS

FEW = CONCEPTS[:4]


@pytest.fixture(scope="module")
def small() -> Form:
    return form("a seed", concepts=FEW, bands={})


def test_every_variant_of_every_concept_is_there_once(small: Form) -> None:
    """A bundle has five variants, and no form has more of one concept or variant than another."""
    cells = Counter((item.concept, item.variant) for item in small.items)

    assert cells == {(concept.name, variant.value): 1 for concept in FEW for variant in Variant}


def test_letters_are_balanced_within_each_variant(small: Form) -> None:
    """With four concepts every letter is right once in each variant."""
    for variant in Variant:
        letters = sorted(item.letter for item in small.items if item.variant == variant)
        assert letters == list(LETTERS)


def test_the_same_seed_gives_the_same_form(small: Form) -> None:
    """Drawn again, every question is the same to the letter; another seed or retry gives another form."""
    assert form("a seed", concepts=FEW, bands={}).items == small.items
    assert form("a seed", 1, concepts=FEW, bands={}).items != small.items
    assert form("another", concepts=FEW, bands={}).items != small.items


def test_one_question_can_be_drawn_alone(small: Form) -> None:
    """What `explain` draws is what stands in the form."""
    wanted = small.questions[7]
    concept = next(each for each in FEW if each.name == wanted.item.concept)

    again = question("a seed", 0, concept, Variant(wanted.item.variant), concepts=FEW)

    assert again == wanted


def test_the_key_is_the_only_option_whose_claims_hold(small: Form) -> None:
    """Whoever checks the options as shown, in their order, finds the letter that the form calls right."""
    for found in small.questions:
        proof = Proof(found.draft.world)
        true = [place for place, each in enumerate(found.answers) if all(map(proof.claims, each.claims))]
        assert true == [found.item.key]


def test_no_wording_and_no_story_is_used_twice(small: Form) -> None:
    """Templates are apart over the form, scenes within a bundle."""
    templates = Counter(found.draft.template for found in small.questions)
    scenes = Counter(
        (found.item.concept, found.draft.scene)
        for found in small.questions
        if found.item.variant != Variant.TRANSFER
    )

    assert max(templates.values()) == 1
    assert max(scenes.values()) == 1


def test_the_correct_solver_is_right_everywhere_and_the_guesser_in_a_quarter(small: Form) -> None:
    """Expected accuracies at both ends of skill are exact."""
    assert small.expected(Solver.CORRECT) == 1.0
    assert small.expected(Solver.GUESSER) == 0.25


def test_a_place_that_cannot_be_drawn_is_drawn_again() -> None:
    """Of this seed mediators/transfer finds no world at first; the next draw stands there, recorded."""
    mediators = [concept for concept in CONCEPTS if concept.name == "mediators"]
    with pytest.raises(Undrawable):
        question("thousand 195", 0, mediators[0], Variant.TRANSFER)
    found = form("thousand 195", concepts=mediators, bands={})
    assert {name: draw for name, draw in found.redraws.items() if "transfer" in name} == {
        "mediators-transfer": 1
    }


def test_questions_are_redrawn_until_naive_solvers_lie_in_their_bands() -> None:
    """With few questions only a loose band can be met; what was redrawn is recorded and found again."""
    band = {Solver.MARGINAL: Band(0.0, 0.16)}

    found = form("bands", concepts=FEW, bands=band)

    assert found.expected(Solver.MARGINAL) <= 0.16
    assert found.redraws
    name, draw = next(iter(found.redraws.items()))
    kept = next(each for each in found.questions if each.item.id == name)
    concept = next(each for each in FEW if each.name == kept.item.concept)
    assert question("bands", 0, concept, Variant(kept.item.variant), draw, concepts=FEW) == kept


def test_bands_out_of_reach_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can make the naive always right: the form is given up, not published outside its band."""
    monkeypatch.setattr("assay.causal.form.MOST_REDRAWS", 40)
    with pytest.raises(Undrawable, match=r"after 40 redraws.*outside its bands"):
        form("bands", concepts=FEW[:1], bands={Solver.CORRECT: Band(0.0, 0.1)})
