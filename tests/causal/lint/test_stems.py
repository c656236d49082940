"""Stems that say nearly the same, and templates that show."""

from __future__ import annotations

import pytest
from causal_items import form, item
from stem_pairs import OTHER, SAME

from assay.causal.lint.stems import near_duplicates, template_repeats


def alike(one: str, other: str) -> float:
    """Return how alike two stems are found, however little."""
    items = [item(("a", "b"), one, id="one"), item(("a", "b"), other, id="other")]
    return near_duplicates(items, least=0)[0].likeness


@pytest.mark.parametrize("pair", SAME)
def test_a_question_reworded_is_a_near_duplicate(pair: tuple[str, str]) -> None:
    """Other names, numbers and a few other words do not hide that the question is the same."""
    items = [item(("a", "b"), stem, id=stem[:9] + str(n)) for n, stem in enumerate(pair)]
    assert len(near_duplicates(items)) == 1


@pytest.mark.parametrize("pair", OTHER)
def test_another_question_on_the_topic_is_none(pair: tuple[str, str]) -> None:
    """Different questions stay apart, also where they share their topic or their form."""
    items = [item(("a", "b"), stem, id=str(n)) for n, stem in enumerate(pair)]
    assert near_duplicates(items) == ()


def test_the_threshold_has_room_on_both_sides() -> None:
    """The least alike rewording lies above the threshold and the most alike other question far below."""
    assert min(alike(*pair) for pair in SAME) >= 0.45
    assert max(alike(*pair) for pair in OTHER) <= 0.2


def test_random_stems_are_not_alike() -> None:
    """A form of random words has no near duplicates and shows no template."""
    assert near_duplicates(form(1)) == ()
    assert template_repeats(form(1)) == ()


def test_a_template_shows_without_its_names_and_numbers() -> None:
    """A run of the same words is found where only names and numbers differ, and told with its length."""
    told = "The town of {} sent {} letters to residents who had not paid, and more of them then paid. {}"
    items = [
        item(("a", "b"), told.format("Umea", 300, "Why?"), id="one"),
        item(("a", "b"), told.format("Ghent", 1250, "How many would have paid anyway?"), id="two"),
        item(("a", "b"), "Letters to residents were sent by the town.", id="three"),
    ]
    found = template_repeats(items)
    assert [(repeat.first, repeat.second, repeat.length) for repeat in found] == [("one", "two", 17)]
    assert found[0].run == "the town of sent letters to residents who had not paid and more of them then paid"


def test_a_common_closing_question_is_no_template() -> None:
    """Eleven words in common are below the twelve that show a template."""
    closing = " Which of the following statements about these data is the most accurate?"
    items = [item(("a", "b"), start + closing, id=start) for start in ("Sales fell.", "Prices rose.")]
    assert template_repeats(items, least=13) == ()
    assert len(template_repeats(items, least=12)) == 1
