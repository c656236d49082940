"""Learners that see only the wording: a planted leak is found, and clean questions stay at chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from causal_items import WORDS, form

from kept_forms import AskedItem
from stem_features import question_of, read
from stem_learners import LEARNERS, corpus, hits, learning_curve, tables, verdict

SHOWN = ("Adjust for the first.", "Adjust for the second.", "Adjust for both.", "Adjust for neither.")
ANIMALS = ("zebra", "walrus", "ibis", "newt")
FORMS = 20


def questions(seed: int, leaky: bool) -> Sequence[AskedItem]:
    """Return ten questions with random words; in a leaky stem, the animal goes with the right option."""
    rng = np.random.default_rng(seed)
    made = []
    for number in range(10):
        order, key = rng.permutation(4), int(rng.integers(4))
        animal = ANIMALS[order[key]] if leaky else rng.choice(ANIMALS)
        words = " ".join(rng.choice(WORDS, 3))
        stem = f"{words}. A {animal} met a {animal} and another {animal}.\n\nWhich holds?"
        options = tuple(SHOWN[place] for place in order)
        made.append(AskedItem(f"q{number}", "c", "base", stem, options, key))
    return made


def told(seed: int) -> Sequence[AskedItem]:
    """Return ten questions in which the right option is the one that a sentence says affects yields."""
    rng = np.random.default_rng(seed)
    made = []
    for number in range(10):
        names, key = rng.choice(WORDS, 4, replace=False).tolist(), int(rng.integers(4))
        verbs = ["affects" if place == key else "accompanies" for place in range(4)]
        lines = [f"The {name} {verb} yields." for name, verb in zip(names, verbs, strict=True)]
        stem = " ".join(lines[place] for place in rng.permutation(4)) + "\n\nWhich column decides yields?"
        made.append(AskedItem(f"q{number}", "c", "base", stem, tuple(f"The {name}." for name in names), key))
    return made


@pytest.mark.parametrize("name", LEARNERS)
def test_a_planted_word_is_found_and_clean_questions_are_not(name: str) -> None:
    """A word of the stem that goes with the key gives over 90 %; without it the interval contains chance."""
    upper, accuracy = {}, {}
    for leaky in (True, False):
        training = [questions(seed, leaky) for seed in range(FORMS)]
        data = corpus(training, [questions(1_000 + seed, leaky) for seed in range(FORMS)])
        scores = LEARNERS[name](data, [FORMS])[FORMS]
        cells = tables(data, hits(data, scores, np.random.default_rng(0)))["all"]["all"]
        upper[leaky], accuracy[leaky] = cells["upper"], cells["accuracy"]
    assert accuracy[True] > 0.9
    assert accuracy[False] < 0.3 and upper[False] >= 0.25


@pytest.mark.parametrize("name", ["roles, by concept", "roles, pooled"])
def test_role_marks_carry_a_sentence_over_to_other_nouns(name: str) -> None:
    """A verb that joins the right option with the question is learned, whatever the nouns are."""
    data = corpus([told(seed) for seed in range(FORMS)], [told(1_000 + seed) for seed in range(FORMS)])
    scores = LEARNERS[name](data, [FORMS])[FORMS]
    assert hits(data, scores, np.random.default_rng(0)).mean() > 0.9


def test_ties_are_drawn() -> None:
    """Where no option scores higher, the letter is drawn: a quarter of the answers are right."""
    data = corpus([], [[replace(item, key=3) for item in form(seed)[:80]] for seed in range(5)])
    right = hits(data, np.zeros(len(data.question)), np.random.default_rng(0))
    assert 0.2 < right.mean() < 0.3


def test_questions_without_options_are_left_out() -> None:
    """An open question has no options to score."""
    open_question = AskedItem("open", "c", "numeric", "How many?", (), 0)
    assert len(corpus([[open_question]], [form(0)[:2], [open_question]]).items) == 2


def test_rungs_are_pooled() -> None:
    """Questions are counted under their rung."""
    asked = [
        replace(item, rung="one" if at < 5 else "two") for at, item in enumerate(questions(0, leaky=False))
    ]
    made = tables(corpus([], [asked]), np.arange(10) < 5)
    assert {rung: own["accuracy"] for rung, own in made["by_rung"].items()} == {"one": 1.0, "two": 0.0}


def test_small_cells_do_not_count_for_the_verdict() -> None:
    """A curve on 100 test questions has no cell that counts, so nothing fails."""
    training, testing = ([questions(base + seed, leaky=True) for seed in range(10)] for base in (0, 1_000))
    curve = learning_curve(corpus(training, testing), [5, 10], {"nearest": LEARNERS["nearest stems"]})
    assert (curve["cells"], curve["passed"]) == (0, True)
    assert list(curve["learners"]["nearest"]) == ["5", "10"]


def test_the_verdict_tells_luck_from_a_leak() -> None:
    """Of 1,000 answers, 275 right is above the limit but within luck; 400 right is not."""
    cells = {
        "luck": {"n": 1000, "accuracy": 0.275, "upper": 0.304},
        "leak": {"n": 1000, "accuracy": 0.4, "upper": 0.431},
        "clean": {"n": 1000, "accuracy": 0.25, "upper": 0.278},
    }
    made = verdict(cells)
    assert (list(made["failing"]), made["above_chance"]) == (["leak", "luck"], ["leak"])


def test_the_question_is_the_last_paragraph_or_the_last_sentence() -> None:
    """A stem of one paragraph asks in its last sentence."""
    assert question_of("A story.\n\nWhich holds? Say so.") == "Which holds? Say so."
    assert question_of("A story. Which holds?") == "Which holds?"


def test_hashes_do_not_depend_on_the_letters() -> None:
    """An option's features are the same wherever it stands."""
    first = AskedItem("q", "c", "base", "Soil affects yields.\n\nWhat affects yields?", ("Soil.", "No."), 0)
    other = AskedItem("q", "c", "base", first.stem, first.options[::-1], 1)
    mine, theirs = read(first), read(other)
    assert mine.marked[0].tolist() == theirs.marked[1].tolist()
    assert mine.roles[0].tolist() == theirs.roles[1].tolist()


def test_an_option_sees_the_order_around_its_mark_but_not_its_noun() -> None:
    """Another noun in the same place gives the same features; the converse sentence gives others."""
    seen = []
    lines = {"Soil moves yields.": "Soil", "Rain moves yields.": "Rain", "Yields moves soil.": "Soil"}
    for line, noun in lines.items():
        item = AskedItem("q", "c", "base", f"{line}\n\nWhat moves yields?", (f"{noun}.", "No."), 0)
        seen.append(read(item).roles[0].tolist())
    assert seen[0] == seen[1]
    assert seen[0] != seen[2]
