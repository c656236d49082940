"""The audit of a generator."""

from __future__ import annotations

import numpy as np
import pytest
from causal_items import Plant, form, keyword_in_distractors, letter_is_key, longest_is_key

from assay.causal.lint.audit import Audit, audit

FORMS = 20


def audited(plant: Plant | None, *, forms: int = FORMS, options: int = 4, splits: int = 2) -> Audit:
    """Audit the questions of several made-up forms."""
    made = [form(seed, plant, options=options) for seed in range(forms)]
    items = [one for each in made for one in each]
    names = [seed for seed, each in enumerate(made) for _ in each]
    return audit(items, rng=np.random.default_rng(0), forms=names, splits=splits)


@pytest.mark.slow
def test_a_clean_generator_passes() -> None:
    """On 3,000 clean questions every bound is within 30 %, for every rule and all nine trained attacks."""
    found = audited(None, forms=30)
    assert found.passed, [(one.name, one.interval.high) for one in found.failing]
    assert found.limit == pytest.approx(0.3)
    assert sum("/" in one.name for one in found.attacks) == 9
    assert found.leaks == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("plant", "name"),
    [
        (longest_is_key(0.35), "longest"),
        (letter_is_key(1, 0.33), "always-B"),
        (keyword_in_distractors("zebra", 0.3), "options-only/bundles"),
    ],
)
def test_a_leak_that_a_reader_would_not_see_fails(plant: Plant, name: str) -> None:
    """A generator that leaks in a third of its questions fails by the attack that uses it."""
    found = audited(plant)
    assert name in [one.name for one in found.failing]
    assert not found.passed


@pytest.mark.slow
def test_a_leak_in_one_variant_is_named() -> None:
    """A leak that the overall bound hides is told with the variant where it is."""
    leak = longest_is_key(0.6)
    made = [form(seed) for seed in range(FORMS)]
    leaky = [form(seed, leak) for seed in range(FORMS)]
    items = [
        bad if good.variant == "trap" else good
        for one, other in zip(made, leaky, strict=True)
        for good, bad in zip(one, other, strict=True)
    ]
    found = audit(items, rng=np.random.default_rng(0), splits=1)
    assert ("trap", "longest") in [(leak.group, leak.attack.name) for leak in found.leaks]
    assert {leak.group for leak in found.leaks} == {"trap"}


def test_too_few_questions_give_no_verdict() -> None:
    """A hundred questions are not enough, whatever the bounds; the groups are told all the same."""
    found = audited(None, forms=1)
    assert (found.enough, found.passed) == (False, False)
    assert [group.name for group in found.by_variant] == ["base", "trap", "transfer", "numeric", "analyst"]
    assert sum(group.attacks[0].n for group in found.by_concept) == 100


def test_chance_is_that_of_the_options() -> None:
    """With three options the limit is 40 %."""
    assert audited(None, forms=1, options=3).limit == pytest.approx(0.4)


def test_the_generator_settles_the_audit() -> None:
    """The same questions and the same generator give the same audit."""
    assert audited(None, forms=2).attacks == audited(None, forms=2).attacks
