"""The independent reader of questions with numbers refuses every planted fault."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import pytest
from causal_numbers import WARDS, drawn
from every_row import every_row

from assay.causal.draft import Draft
from assay.causal.numbers.formula import parsed
from assay.causal.numbers.known import Known
from assay.causal.numbers.open_draft import OpenDraft
from assay.causal.numbers.read_back import checked, problems
from assay.causal.numbers.recipe import Saying
from assay.causal.stories.read_back import Unreadable
from assay.core.errors import InvalidInput
from assay.studies.causal.recipes import find_recipe

CONCEPTS = ("confounding", "difference-in-differences", "necessity-sufficiency", "unit-counterfactuals")
LEVELS = [
    ("dimmed their lights at night", "kept their lights bright at night"),
    ("received many complaints about sleep", "received few complaints about sleep"),
    ("in the first year", "in the second year"),
    *((factor.high, factor.low) for factor in WARDS.factors),
]


def swaps(text: str) -> Iterator[str]:
    """Yield the text with one phrase for a level turned into that for the other level."""
    for one, other in LEVELS:
        for old, new in ((one, other), (other, one)):
            for match in re.finditer(re.escape(old), text, re.IGNORECASE):
                yield text[: match.start()] + new + text[match.end() :]


def drops(text: str) -> Iterator[str]:
    """Yield the text without one of its sentences or rows."""
    blocks = text.split("\n\n")
    for place, block in enumerate(blocks):
        joining = "\n" if block.startswith("|") else " "
        parts = block.splitlines() if block.startswith("|") else re.split(r"(?<=[.])\s+", block)
        for at in range(2 if block.startswith("|") else 0, len(parts)):
            rest = joining.join((*parts[:at], *parts[at + 1 :]))
            yield "\n\n".join(filter(None, (*blocks[:place], rest, *blocks[place + 1 :])))


def changes(text: str) -> Iterator[str]:
    """Yield the text with one of its numbers one larger."""
    for match in re.finditer(r"\d[\d,]*", text):
        yield text[: match.start()] + f"{int(match[0].replace(',', '')) + 1:,}" + text[match.end() :]


def nouns(text: str) -> Iterator[str]:
    """Yield the text with the names of two factors exchanged in one sentence."""
    named = [factor.noun.text for factor in WARDS.factors if factor.noun.text in text.lower()]
    for one in named:
        for other in named:
            told = any(
                f"{factor.low}" in text or f"{factor.high}" in text
                for factor in WARDS.factors
                if factor.noun.text in (one, other)
            )
            if (
                one != other and told
            ):  # two factors without numbers may change places: nothing depends on them
                for match in re.finditer(
                    rf"(?<!\w){re.escape(one)}(?= (?:was|were|ha[sd]|make|do|carr|say|is|are))", text
                ):
                    yield text[: match.start()] + other + text[match.end() :]


@pytest.mark.slow
@pytest.mark.parametrize("concept", CONCEPTS)
@pytest.mark.parametrize("plant", [swaps, drops, changes, nouns])
def test_a_planted_fault_is_refused(concept: str, plant: object) -> None:
    """A swapped phrase, a dropped sentence, another number, another factor, anywhere after the opening."""
    recipe, planted = find_recipe(concept), 0
    assert callable(plant)
    for seed in range(12):
        question, level = drawn(recipe, seed)
        opening, body = question.stem.split("\n\n", 1)
        facts, _, asked = body.rpartition("\n\n")
        for text in plant(facts):
            planted += 1
            with pytest.raises(Unreadable):
                checked(replace(question, stem="\n\n".join((opening, text, asked))), recipe, WARDS, level)
                pytest.fail(f"not refused: {text}")
    assert planted > 0 or plant is nouns


@every_row("concept", CONCEPTS)
def test_another_question_is_refused(concept: str) -> None:
    """Whatever level is exchanged in the question, it is not that which the model answers."""
    recipe = find_recipe(concept)
    for seed in range(12):
        question, level = drawn(recipe, seed)
        body, _, asked = question.stem.rpartition("\n\n")
        for text in swaps(asked):
            with pytest.raises(Unreadable):
                checked(replace(question, stem=f"{body}\n\n{text}"), recipe, WARDS, level)
                pytest.fail(f"not refused: {text}")


def test_an_option_that_says_another_number_is_refused() -> None:
    """Options are read as well: their number is the one that is claimed, in the unit that is asked for."""
    recipe = find_recipe("confounding")
    question = next(q for q, _ in (drawn(recipe, seed) for seed in range(9)) if isinstance(q, Draft))
    level = 1
    first, *rest = question.answers
    for text in (
        "+99.9 percentage points",
        f"{first.text} or so",
        first.text.replace(" percentage points", "%"),
    ):
        with pytest.raises(Unreadable, match="the option"):
            checked(replace(question, answers=(replace(first, text=text), *rest)), recipe, WARDS, level)


def test_the_form_of_an_open_answer_is_read() -> None:
    """A question that asks for three decimal places is not graded as an exact fraction."""
    recipe = find_recipe("confounding")
    opened = (
        (q, level) for q, level in (drawn(recipe, seed) for seed in range(80)) if isinstance(q, OpenDraft)
    )
    question, level = next((q, level) for q, level in opened if q.tolerance)
    with pytest.raises(Unreadable, match="exact fraction"):
        checked(replace(question, tolerance=question.tolerance * 0), recipe, WARDS, level)


def test_swapped_forms_in_the_data_are_found() -> None:
    """Forms that say `early` where `late` is meant are refused, and so is a question drawn from them."""
    recipe = find_recipe("confounding")
    early, late = recipe.facts["early"], recipe.facts["late"]
    swapped = {**recipe.facts, "early": Saying(late.say, early.read), "late": Saying(early.say, late.read)}
    broken = replace(recipe, facts=swapped)
    assert {place[1] for place, _ in problems(broken)} == {"early", "late"}
    question, level = drawn(broken, 0)
    with pytest.raises(Unreadable):
        checked(question, recipe, WARDS, level)


def test_every_form_of_every_recipe_is_read_as_meant() -> None:
    """A pattern that reads nothing is a problem, too."""
    recipe = find_recipe("confounding")
    assert not list(problems(recipe))
    deaf = {**recipe.facts, "idle": Saying(recipe.facts["idle"].say, "of no consequence")}
    assert len(list(problems(replace(recipe, facts=deaf)))) == 3


def test_numbers_that_do_not_determine_a_key_are_refused() -> None:
    """What is missing is named: a variable of which nothing is told, or a dependence that is not."""
    known = Known()
    known.share(("Y", 1), frozenset({("X", 1)}), Fraction(1, 2), trial=False)
    known.share(("Y", 1), frozenset({("X", 0)}), Fraction(1, 5), trial=False)
    assert known.number(parsed("P(Y=1 | X=1) - P(Y=1 | X=0)")) == Fraction(3, 10)
    with pytest.raises(InvalidInput, match="nothing is told of 'Z'"):
        known.number(parsed("P(Z=1)"))
    known.share(("Z", 1), frozenset(), Fraction(1, 10), trial=False)
    known.share(("W", 1), frozenset(), Fraction(1, 10), trial=False)
    with pytest.raises(InvalidInput, match="is not told given"):
        known.number(parsed("P(Z=1, W=1)"))
    with pytest.raises(InvalidInput, match="no experiment"):
        known.number(parsed("P(Y=1 | do(X=1))"))


def test_a_stem_of_another_scene_is_refused() -> None:
    """The reader knows the phrases of one scene."""
    recipe = find_recipe("confounding")
    question, level = drawn(recipe, 1)
    other = replace(WARDS, treatment=replace(WARDS.treatment, yes=("slept", "slept")))
    with pytest.raises(Unreadable):
        checked(question, recipe, other, level)
