"""The lint of one form."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from causal_items import (
    Plant,
    form,
    keyword_in_distractors,
    letter_is_key,
    longest_is_key,
    roundest_is_key,
)

from assay.causal.item import Item
from assay.causal.lint.form import lint_form
from assay.results.causal import FormLint


def linted(items: list[Item], *, splits: int = 1, trained_on: list[Item] | None = None) -> FormLint:
    """Lint a form, with few splits."""
    return lint_form(items, rng=np.random.default_rng(0), splits=splits, trained_on=trained_on)


@pytest.mark.slow
def test_clean_forms_pass() -> None:
    """Of 24 clean forms at most 4 fail: more has a chance under 1 % where one in twenty may."""
    assert sum(not linted(form(seed)).passed for seed in range(24)) <= 4


@pytest.mark.slow
@pytest.mark.parametrize(
    ("plant", "name", "least"),
    [
        (longest_is_key(0.5), "longest", 4),
        (letter_is_key(1, 0.45), "always-B", 4),
        (keyword_in_distractors("zebra", 0.6), "keywords/bundles", 4),
        (roundest_is_key(0.6), "roundest", 5),
    ],
)
def test_planted_leaks_are_caught(plant: Plant, name: str, least: int) -> None:
    """A gross leak is found by the attack that it serves, in all or nearly all of 6 forms."""
    caught = sum(
        any(test.name == name and test.adjusted <= 0.05 for test in linted(form(seed, plant)).tests)
        for seed in range(6)
    )
    assert caught >= least


def test_holm_is_over_all_tests() -> None:
    """The smallest p is multiplied by the number of tests: rules, learners, balances and the run."""
    found = linted(form(1))
    smallest = min(found.tests, key=lambda test: test.p)
    assert smallest.adjusted == pytest.approx(min(1, smallest.p * len(found.tests)))
    assert {"always-A", "keywords/bundles", "key-balance", "key-balance/trap", "key-run"} <= {
        test.name for test in found.tests
    }


def test_other_forms_teach_the_trained_attacks() -> None:
    """With other forms at hand a keyword that they teach is found in this one, with whole right picks."""
    plant = keyword_in_distractors("zebra", 0.5)
    elsewhere = [one for seed in range(3) for one in form(seed, plant)]
    found = linted(form(9, plant), trained_on=elsewhere)
    keywords = next(test for test in found.tests if test.name == "keywords/elsewhere")
    assert keywords.adjusted <= 0.05
    assert keywords.right == round(keywords.right or 0)


def test_texts_that_repeat_are_findings() -> None:
    """A stem that is there twice, and an option that is there twice, are told with their ids."""
    items = form(1)
    items[1] = replace(items[1], stem=items[0].stem)
    items[2] = replace(items[2], options=("Same.", "same", "b", "c"))
    kinds = {finding.kind: finding.text for finding in linted(items).findings}
    assert items[1].id in kinds["near-duplicate"] and items[1].id in kinds["template"]
    assert items[2].id in kinds["options"]
    assert not linted(items).passed


def test_a_form_of_one_concept_or_of_nothing_is_linted() -> None:
    """Without a second concept nothing can be trained, and without questions nothing is found."""
    assert not any("/bundles" in test.name for test in linted(form(1, concepts=1)).tests)
    assert linted([]).passed
