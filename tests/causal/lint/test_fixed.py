"""Fixed attacks carried out."""

from __future__ import annotations

import numpy as np
from causal_items import form, item

from assay.causal.lint.catalogue import RULES
from assay.causal.lint.fixed import carry_out
from assay.causal.lint.reading import read_all

LONGEST = next(rule for rule in RULES if rule.name == "longest")


def test_credit_is_for_the_key() -> None:
    """The longest option is right in the first question and wrong in the second; the third says nothing."""
    questions = read_all([item(("aaa", "b"), key=0), item(("aaa", "b"), key=1), item(("a", "b", "c"), key=1)])
    found = carry_out(LONGEST, questions, np.random.default_rng(0))
    assert found.credit[:2].tolist() == [1, 0]
    assert found.spoke.tolist() == [True, True, False]


def test_silence_is_a_guess_at_chance() -> None:
    """Where a rule abstains it is right as often as chance has it."""
    questions = read_all([item(("a", "b", "c", "d"), key=2)] * 4000)
    found = carry_out(LONGEST, questions, np.random.default_rng(0))
    assert abs(found.credit.mean() - 0.25) < 0.025


def test_no_rule_gains_on_clean_questions() -> None:
    """On 1,500 clean questions every rule stays near chance: no rule can see the key."""
    questions = read_all([one for seed in range(15) for one in form(seed)])
    rng = np.random.default_rng(0)
    assert max(carry_out(rule, questions, rng).credit.mean() for rule in RULES) < 0.25 + 4 * 0.0112
