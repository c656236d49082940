"""Patterns matched only near words that they must hold."""

from __future__ import annotations

import re

from assay.grading.text.near import near, starts


def test_words_before_a_trigger_are_places_too() -> None:
    """The word that holds a trigger and the two before it are places; brackets before a word are not."""
    low = 'so (we "do not know it'
    assert [low[place:].split()[0] for place in starts(low, ("not",), 2)] == ["we", "do", "not"]


def test_a_match_far_from_every_trigger_is_not_looked_for() -> None:
    """Only places near a trigger are tried."""
    pattern = re.compile(r"\bnot (?:sure|known)")
    assert [found.start() for found in near(pattern, "not sure\nor not known", ("not known",), 0)] == [12]


def test_matches_do_not_overlap() -> None:
    """A place inside the last match starts none."""
    pattern = re.compile(r"\b(?:no|not) \w+ \w+")
    assert [found[0] for found in near(pattern, "not no one no two three", ("no",), 1)] == [
        "not no one",
        "no two three",
    ]


def test_an_endless_word_is_cut() -> None:
    """A word of many thousand letters gives places, not an endless search."""
    assert len(starts("x" * 5_000 + "not", ("not",), 3)) <= 4
