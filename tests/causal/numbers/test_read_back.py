"""The independent reader of questions with numbers, and what it needs to know."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

import pytest
from causal_numbers import WARDS, drawn

from assay.causal.numbers.formula import parsed
from assay.causal.numbers.known import Known
from assay.causal.numbers.read_back import checked, problems
from assay.causal.numbers.recipe import Saying
from assay.causal.stories.read_back import Unreadable
from assay.core.errors import InvalidInput
from assay.studies.causal.library import library
from assay.studies.causal.recipes import recipes


def test_swapped_forms_in_the_data_are_found() -> None:
    """Forms that say `early` where `late` is meant are refused, and so is a question drawn from them."""
    recipe = recipes()["confounding"]
    early, late = recipe.facts["early"], recipe.facts["late"]
    swapped = {**recipe.facts, "early": Saying(late.say, early.read), "late": Saying(early.say, late.read)}
    broken = replace(recipe, facts=swapped)
    assert {place[1] for place, _ in problems(broken)} == {"early", "late"}
    question, level = drawn(broken, 0)
    with pytest.raises(Unreadable):
        checked(question, recipe, WARDS, level)


def test_every_form_of_every_recipe_is_read_as_meant() -> None:
    """A pattern that reads nothing is a problem, too."""
    recipe = recipes()["confounding"]
    assert not list(problems(recipe))
    deaf = {**recipe.facts, "idle": Saying(recipe.facts["idle"].say, "of no consequence")}
    assert len(list(problems(replace(recipe, facts=deaf)))) == 3


def test_no_pattern_looks_for_a_word_that_a_scene_uses() -> None:
    """Of court cases, "in the first case" would be read as a court case, and the form be refused."""
    names = set[str]()
    for scene in library().scenes:
        factors = (scene.treatment, scene.outcome, *scene.factors)
        names.update(scene.units, (each.noun.text for each in factors))
    found = []
    for recipe in recipes().values():
        sayings = [*recipe.facts.values(), *recipe.assume.values()]
        sayings += [given.saying for task in recipe.tasks for given in task.given if given.saying]
        patterns = [recipe.question.read, *(each.read for each in (*recipe.asks.values(), *sayings))]
        words = set(re.findall(r"\w+", re.sub(r"\[.*?\]", " ", " ".join(patterns))))
        found += [(recipe.concept, name) for name in names & words]
    assert not found


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
    recipe = recipes()["confounding"]
    question, level = drawn(recipe, 1)
    other = replace(WARDS, treatment=replace(WARDS.treatment, yes=("slept", "slept")))
    with pytest.raises(Unreadable):
        checked(question, recipe, other, level)
