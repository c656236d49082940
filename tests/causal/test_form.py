"""Forms: balanced, the same from the same seed, every key proved, naive solvers near chance."""

from __future__ import annotations

from collections import Counter

import pytest
from every_row import every_row
from small_form import FEW

from assay.causal.blueprint import BUNDLED, Cell, bundles, ladder
from assay.causal.draft import Draft
from assay.causal.form import Form, draw_form, draw_question
from assay.causal.item import Variant
from assay.causal.numbers.open_draft import proved_open
from assay.causal.proof.proof import Proof
from assay.causal.solvers.solver import Solver
from assay.core.case import LETTERS, RUNGS, TwinKind
from assay.core.errors import InvalidInput
from assay.studies.causal.generate import content

SMALL = ("confounding", "transportability", "unit_counterfactuals")


def _ladder(size: int = 100, concepts: tuple[str, ...] = ()) -> tuple[Cell, ...]:
    data = content(concepts)
    return ladder("test", data.concepts, data.recipes, size=size)


@pytest.fixture(scope="module")
def small() -> Form:
    """Twenty questions of a ladder on three concepts, with two twins of each kind."""
    return draw_form("test", content(SMALL), _ladder(20, SMALL), twins=2)


@pytest.fixture(scope="module")
def bundled() -> Form:
    """Four bundles."""
    return draw_form("test", content(FEW), bundles(FEW))


@pytest.fixture(params=["ladder", "bundles"])
def form(request: pytest.FixtureRequest, small: Form, bundled: Form) -> Form:
    return small if request.param == "ladder" else bundled


def test_a_ladder_has_every_variant_and_level() -> None:
    """In the shares that are promised, with a quarter of counterfactual questions."""
    cells = _ladder()
    assert Counter(cell.variant for cell in cells) == {
        Variant.BASE: 20,
        Variant.TRAP: 16,
        Variant.ANALYST: 16,
        Variant.TRANSFER: 16,
        Variant.NUMERIC: 32,
    }
    assert set(Counter(cell.level for cell in cells).values()) == {25}
    assert sum(cell.rungs == ("counterfactual",) for cell in cells) >= 25
    assert len({cell.id for cell in cells}) == 100


def test_concepts_are_asked_about_equally_often() -> None:
    """The story questions of a ladder are spread over all concepts."""
    counts = Counter(cell.concept for cell in _ladder() if cell.variant is not Variant.NUMERIC)
    assert max(counts.values()) - min(counts.values()) <= 1


def test_bundles_have_every_variant_of_every_concept_once() -> None:
    """Twenty concepts, five variants, all at level 2; each concept has words and numbers for it."""
    cells = bundles(BUNDLED)
    assert Counter((cell.concept, cell.variant) for cell in cells) == {
        (concept, variant): 1 for concept in BUNDLED for variant in Variant
    }
    assert {cell.level for cell in cells} == {2}
    data = content(BUNDLED)
    assert set(data.concepts) == set(data.recipes) == set(BUNDLED)


@every_row("concept", BUNDLED)
def test_numbers_of_bundles_are_choices(concept: str) -> None:
    """At the bundles' level four things or more can be asked in every state, so that there are options."""
    recipe = content().recipes[concept]
    for task in recipe.at(2):
        assert all(recipe.choices(recipe.asked(task, state)) for state in task.states)


def test_letters_are_balanced_within_a_variant(form: Form) -> None:
    """Each is right equally often, up to one question."""
    for variant in (Variant.BASE, Variant.TRAP, Variant.ANALYST):
        counts = Counter(q.item.key for q in form.questions if q.item.variant == variant and q.twin is None)
        assert max(counts.values()) - min(counts[key] for key in range(4)) <= 1


def test_scenes_differ_from_question_to_question(bundled: Form) -> None:
    """No story is used twice in a form; formal questions have none."""
    scenes = [
        question.draft.scene
        for question in bundled.questions
        if question.draft is not None and question.item.variant != Variant.TRANSFER
    ]
    assert len(set(scenes)) == len(scenes)


def test_the_same_seed_gives_the_same_form(bundled: Form) -> None:
    """Drawn again, every question is the same to the letter; another seed gives another form."""
    assert draw_form("test", content(FEW), bundles(FEW)) == bundled
    assert draw_form("other", content(FEW), bundles(FEW)).items != bundled.items


def test_one_question_is_the_one_of_the_form(form: Form, small: Form) -> None:
    """Each place is drawn by random numbers of its own."""
    chosen, cells, twins = (SMALL, _ladder(20, SMALL), 2) if form is small else (FEW, bundles(FEW), 0)
    for question in form.questions:
        again = draw_question("test", content(chosen), cells, question.item.id, twins=twins)
        assert again == question


def test_the_key_is_the_only_option_whose_claims_hold(form: Form) -> None:
    """Whoever checks the options as shown, in their order, finds the letter that the form calls right."""
    for found in form.questions:
        if isinstance(found.draft, Draft):
            proof = Proof(found.draft.world)
            true = [place for place, each in enumerate(found.answers) if all(map(proof.claims, each.claims))]
            assert true == [found.item.key]
        elif found.open is not None:
            proved_open(found.open)


def test_the_correct_solver_is_right_and_the_guesser_in_a_quarter(bundled: Form) -> None:
    """Expected accuracies at both ends of skill are exact."""
    assert bundled.expected(Solver.CORRECT) == 1.0
    assert bundled.expected(Solver.GUESSER) == 0.25


def test_twins_go_with_their_questions(small: Form) -> None:
    """A renamed and a pressured twin have the key of their original; an undeterminable one stands alone."""
    by_id = {question.item.id: question for question in small.questions}
    twins = [question for question in small.questions if question.twin is not None]
    assert Counter(question.twin for question in twins) == dict.fromkeys(TwinKind, 2)
    for twin in twins:
        assert (twin.twin_of is None) == (twin.twin is TwinKind.UNDETERMINABLE)
        if twin.twin_of is not None:
            assert by_id[twin.twin_of].item.key == twin.item.key


def test_only_the_rungs_asked_for() -> None:
    """A form of one rung holds no other."""
    data = content(("confounding", "collider_selection"))
    cells = ladder("rungs", data.concepts, data.recipes, size=10, rungs=("intervention",))
    form = draw_form("rungs", data, cells)
    assert {question.rung for question in form.questions} == {"intervention"}


def test_a_rung_that_no_concept_has_is_refused() -> None:
    """The message says so before anything is drawn."""
    data = content(("difference_in_differences",))
    with pytest.raises(InvalidInput, match="no concept has"):
        ladder("none", data.concepts, data.recipes, size=10, rungs=("association",))


def test_twins_tell_which_letters_mislead(small: Form) -> None:
    """The option that is pressed for is wrong and stands in the text; refusals say that it cannot be told."""
    for question in small.questions:
        if question.pressed_for is not None:
            place = LETTERS.index(question.pressed_for)
            assert place != question.item.key
            assert question.item.options[place].casefold() in question.item.stem.casefold()
        if question.refusals is not None:
            said = [option for option in question.item.options if "cannot be told" in option]
            assert [question.item.options[LETTERS.index(letter)] for letter in question.refusals] == said
    assert sum(question.pressed_for is not None for question in small.questions) == 2
    assert sum(question.refusals is not None for question in small.questions) == 2


def test_all_rungs_can_be_asked_for() -> None:
    """Each has questions at every level; those on counterfactuals are all numeric."""
    data = content()
    for rung in RUNGS:
        cells = ladder("rungs", data.concepts, data.recipes, size=20, rungs=(rung,))
        assert (len(cells), {cell.level for cell in cells}) == (20, {1, 2, 3, 4})
        assert {cell.variant for cell in cells} == {Variant.NUMERIC} or rung != "counterfactual"
