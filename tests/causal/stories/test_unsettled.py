"""Undeterminable twins: proved over every graph that fits the text."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import pytest

from assay.causal.stories.concept import Concept
from assay.causal.stories.questions import StoryLibrary
from assay.causal.stories.unsettled import Unproved, draw_unsettled


def test_each_answer_is_right_about_equally_often(
    concepts: Mapping[str, Concept], library: StoryLibrary
) -> None:
    """All four are proved by both routes over the four graphs that the text leaves open."""
    rng = random.Random(1)
    keys = Counter(
        draw_unsettled(concepts["confounding"], 3, library, library.scenes[number % 20], rng).prove()
        for number in range(40)
    )
    assert min(keys[key] for key in range(4)) >= 3


def test_another_key_is_refused(concepts: Mapping[str, Concept], library: StoryLibrary) -> None:
    """The proof does not take the intended answer on trust."""
    question = draw_unsettled(concepts["confounding"], 2, library, library.scenes[0], random.Random(2))
    with pytest.raises(Unproved):
        replace(question, key=(question.key + 1) % 4).prove()


def test_the_text_names_both_unknown_facts(concepts: Mapping[str, Concept], library: StoryLibrary) -> None:
    """And the options name them too."""
    question = draw_unsettled(concepts["confounding"], 2, library, library.scenes[0], random.Random(3))
    assert len({option for option in question.options if "cannot be told" in option}) == 2
    assert sum(question.stem.count(word) for word in ("not known", "nobody knows", "unknown which")) == 2
