"""Every fixed attack on a tiny question where its pick is known."""

from __future__ import annotations

import numpy as np
from causal_items import form, item
from every_row import every_row
from hypothesis import given
from hypothesis import strategies as st

from assay.causal.lint.attack import ABSTAINS, Rule
from assay.causal.lint.catalogue import RULES
from assay.causal.lint.reading import read, read_all

BY_NAME = {rule.name: rule for rule in RULES}
WORDY = (
    "It may often be biased.",
    "It is always biased by age.",
    "No.",
    "Smoking habits in the village cohort explain most of it, and income too.",
)
NUMERIC = ("0.2", "0.35", "0.8", "0.613")
SIGNED = ("-0.4", "0.4", "0.1", "0.3")
KNOWN = [
    ("always-A", WORDY, "", 0),
    ("always-B", WORDY, "", 1),
    ("always-C", WORDY, "", 2),
    ("always-D", WORDY, "", 3),
    ("longest", WORDY, "", 3),
    ("shortest", WORDY, "", 2),
    ("most-words", WORDY, "", 3),
    ("fewest-words", WORDY, "", 2),
    ("middle-length", ("aa", "a", "aaa"), "", 0),
    ("most-stem-words", WORDY, "A cohort in a village, biased.", 3),
    ("fewest-stem-words", WORDY, "It may be biased by age; income.", 2),
    ("closest-to-stem", WORDY, "Often biased, a village cohort may be.", 0),
    ("farthest-from-stem", ("age bias only", "cohort", "age only"), "cohort age", 0),
    ("most-hedged", WORDY, "", 0),
    ("least-hedged", ("It may.", "It might.", "It does."), "", 2),
    ("most-absolute", ("It always does, only it.", "It always does.", "It may."), "", 0),
    ("least-absolute", ("It always does.", "It never does.", "It may."), "", 2),
    ("most-negated", WORDY, "", 2),
    ("least-negated", ("no", "not", "yes"), "", 2),
    ("most-like-others", ("red dog", "red dog house", "blue dog house"), "", 1),
    ("odd-one-out", ("red dog", "red dog house", "blue cat"), "", 2),
    ("intersection", ("red", "red dog", "dog blue", "red dog hat"), "", {1, 3}),
    ("opposites", ("the bias grows upward", "the moon", "it rains", "the bias grows downward"), "", {0, 3}),
    ("largest", NUMERIC, "", 2),
    ("smallest", NUMERIC, "", 0),
    ("second-largest", NUMERIC, "", 3),
    ("second-smallest", NUMERIC, "", 1),
    ("largest-magnitude", ("-0.5", "0.4", "0.1"), "", 0),
    ("smallest-magnitude", ("-0.5", "0.4", "0.1"), "", 2),
    ("nearest-to-mean", ("1", "2", "3", "9"), "", 2),
    ("farthest-from-mean", ("1", "2", "3", "9"), "", 3),
    ("nearest-to-median", ("1", "5", "6", "99"), "", {1, 2}),
    ("farthest-from-median", ("1", "5", "6", "99"), "", 3),
    ("most-digits", NUMERIC, "", 3),
    ("fewest-digits", ("10", "200", "315"), "", 0),
    ("roundest", ("312", "0.500", "25", "3.14"), "", 1),
    ("least-round", ("3120", "0.5", "25", "3.1"), "", 0),
    ("negative", SIGNED, "", 0),
    ("not-negative", ("-1", "-2", "3"), "", 2),
    ("number-in-stem", NUMERIC, "Of 35 % and 0.7", 1),
    ("number-not-in-stem", NUMERIC, "0.2, 0.8, 35 %", 3),
    ("one-step-from-stem", NUMERIC, "0.5 and 0.7", {0, 1}),
    ("complement", NUMERIC, "", {0, 2}),
    ("negation", SIGNED, "", {0, 1}),
    ("sum-of-others", ("1", "2", "3", "9"), "", 2),
    ("difference-of-others", ("1", "5", "9", "40"), "", None),
    ("difference-of-others", ("2", "7", "10", "-3"), "", {2, 3}),
    ("midpoint-of-others", ("1", "5", "9", "40"), "", 1),
    ("unrelated", ("0.2", "0.8", "0.9", "-0.9"), "", None),
    ("unrelated", ("0.2", "0.8", "0.35"), "", 2),
]


def picks(rule: Rule, options: tuple[str, ...], stem: str) -> set[int]:
    """Return all positions that a rule picks over many draws of the ties."""
    question = [read(item(options, stem))] * 60
    return set(rule.guess(question, np.random.default_rng(0)).tolist())


@every_row("name, options, stem, expected", KNOWN)
def test_the_pick_is_known(
    name: str, options: tuple[str, ...], stem: str, expected: int | set[int] | None
) -> None:
    """On this question the rule picks this option, or one of these, or has nothing to say."""
    wanted = {ABSTAINS} if expected is None else expected if isinstance(expected, set) else {expected}
    assert picks(BY_NAME[name], options, stem) == wanted


def test_every_rule_is_tested_and_named_once() -> None:
    """The table above knows every rule of the catalogue."""
    assert [rule.name for rule in RULES] == list(dict.fromkeys(rule.name for rule in RULES))
    assert {name for name, *_ in KNOWN} == set(BY_NAME)


@every_row("rule", RULES, ids=lambda rule: rule.name)
def test_no_rule_prefers_a_position(rule: Rule) -> None:
    """Where the options are all the same a rule abstains; only the letters know where an option stands."""
    if not rule.name.startswith("always"):
        assert picks(rule, ("0.5", "0.5", "0.5"), "0.5") == {ABSTAINS}


@given(st.permutations(range(4)))
def test_a_pick_follows_its_option(order: list[int]) -> None:
    """When the options are moved about, the pick of a rule without ties moves along."""
    moved = tuple(NUMERIC[place] for place in order)
    for name in ("largest", "nearest-to-mean", "most-digits"):
        before, after = picks(BY_NAME[name], NUMERIC, ""), picks(BY_NAME[name], moved, "")
        assert {NUMERIC[place] for place in before} == {moved[place] for place in after}


def test_any_number_of_options_is_attacked() -> None:
    """Every pick lies among the options there are, two or six."""
    for size in (2, 3, 6):
        questions = read_all(form(1, options=size))
        for rule in RULES:
            guessed = rule.guess(questions, np.random.default_rng(0))
            assert guessed.min() >= ABSTAINS and guessed.max() < size
