"""Ladder forms: balanced, repeatable, and what was asked for."""

from __future__ import annotations

from collections import Counter

import pytest

from assay.causal.item import Variant
from assay.causal.ladder import Cell, LadderForm, blueprint, ladder, one_question
from assay.core.case import RUNGS, TwinKind
from assay.core.errors import InvalidInput
from assay.studies.causal.ladder_form import content

SMALL = ("confounding", "transportability", "unit_counterfactuals")


@pytest.fixture(scope="module")
def small() -> LadderForm:
    """Twenty questions on three concepts with two twins of each kind."""
    return ladder("test", content(SMALL), size=20, twins=2)


def _cells(size: int = 100) -> tuple[Cell, ...]:
    return blueprint("test", content(), size=size, levels=(1, 2, 3, 4), rungs=RUNGS)


def test_a_form_has_every_variant_and_level() -> None:
    """In the shares that are promised, with a quarter of counterfactual questions."""
    cells = _cells()
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
    """The story questions of a form are spread over all concepts."""
    counts = Counter(cell.concept for cell in _cells() if cell.variant is not Variant.NUMERIC)
    assert max(counts.values()) - min(counts.values()) <= 1


def test_letters_are_balanced_within_a_variant(small: LadderForm) -> None:
    """Each is right equally often, up to one question."""
    for variant in (Variant.BASE, Variant.TRAP, Variant.ANALYST):
        keys = [q.item.key for q in small.questions if q.item.variant == variant and q.twin is None]
        counts = Counter(keys)
        assert max(counts.values()) - min(counts[key] for key in range(4)) <= 1


def test_twins_go_with_their_questions(small: LadderForm) -> None:
    """A renamed and a pressured twin have the key of their original; an undeterminable one stands alone."""
    by_id = {question.item.id: question for question in small.questions}
    twins = [question for question in small.questions if question.twin is not None]
    assert Counter(question.twin for question in twins) == dict.fromkeys(TwinKind, 2)
    for twin in twins:
        assert (twin.twin_of is None) == (twin.twin is TwinKind.UNDETERMINABLE)
        if twin.twin_of is not None:
            assert by_id[twin.twin_of].item.key == twin.item.key


def test_one_question_is_the_one_of_the_form(small: LadderForm) -> None:
    """Each place is drawn by random numbers of its own."""
    for question in (small.questions[3], small.questions[-1]):
        found = one_question(
            "test",
            content(SMALL),
            question.item.id,
            size=20,
            levels=(1, 2, 3, 4),
            rungs=RUNGS,
            twins=2,
        )
        assert found.item == question.item


def test_only_the_rungs_asked_for() -> None:
    """A form of one rung holds no other."""
    form = ladder("rungs", content(("confounding", "collider_selection")), size=10, rungs=("intervention",))
    assert {question.rung for question in form.questions} == {"intervention"}


def test_a_rung_that_no_concept_has_is_refused() -> None:
    """The message says so before anything is drawn."""
    with pytest.raises(InvalidInput, match="no concept has"):
        ladder("none", content(("difference_in_differences",)), size=10, rungs=("association",))


def test_twins_tell_which_letters_mislead(small: LadderForm) -> None:
    """The option that is pressed for is wrong and stands in the text; refusals say that it cannot be told."""
    for question in small.questions:
        if question.pressed_for is not None:
            place = "ABCD".index(question.pressed_for)
            assert place != question.item.key
            assert question.item.options[place].casefold() in question.item.stem.casefold()
        if question.refusals is not None:
            said = [option for option in question.item.options if "cannot be told" in option]
            assert [question.item.options["ABCD".index(letter)] for letter in question.refusals] == said
    assert sum(question.pressed_for is not None for question in small.questions) == 2
    assert sum(question.refusals is not None for question in small.questions) == 2
