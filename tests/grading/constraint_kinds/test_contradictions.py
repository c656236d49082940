"""Constraints that no answer can follow together are reported."""

from __future__ import annotations

from typing import Any

import pytest

from assay.grading.constraints import problems

WORDS = "length_constraints:number_words"


@pytest.mark.parametrize(
    "pair",
    [
        [
            {"kind": WORDS, "relation": "at least", "num_words": 200},
            {"kind": WORDS, "relation": "less than", "num_words": 200},
        ],
        [
            {"kind": WORDS, "relation": "at most", "num_words": 50},
            {"kind": "assay:word_count_between", "min_words": 60, "max_words": 90},
        ],
        [
            {"kind": "keywords:existence", "keywords": ["tide"]},
            {"kind": "keywords:forbidden_words", "forbidden_words": ["Tide"]},
        ],
        [{"kind": "startend:end_checker", "end_phrase": "Well, bye."}, {"kind": "punctuation:no_comma"}],
        [{"kind": "assay:no_letter", "letter": "e"}, {"kind": "keywords:existence", "keywords": ["SEA"]}],
        [
            {"kind": "assay:no_letter", "letter": "e"},
            {
                "kind": "keywords:letter_frequency",
                "letter": "E",
                "let_relation": "at least",
                "let_frequency": 1,
            },
        ],
        [{"kind": "change_case:english_capital"}, {"kind": "change_case:english_lowercase"}],
        [{"kind": "change_case:english_capital"}, {"kind": "language:response_language", "language": "fr"}],
        [{"kind": "startend:quotation"}, {"kind": "combination:repeat_prompt", "prompt_to_repeat": "Say it"}],
        [{"kind": "assay:ends_with", "phrase": "x"}, {"kind": "startend:end_checker", "end_phrase": "y"}],
        [
            {"kind": "assay:acrostic", "word": "sea"},
            {"kind": "assay:line_count", "relation": "exactly", "num_lines": 4},
        ],
    ],
)
def test_a_contradiction_is_reported(pair: list[dict[str, Any]]) -> None:
    """The report names both constraints."""
    (text,) = problems(pair)
    assert text.startswith("constraint 1") and "contradicts constraint 2" in text


def test_a_count_below_zero_is_reported() -> None:
    """Fewer than no words is more than any answer can do."""
    assert problems([{"kind": WORDS, "relation": "less than", "num_words": 0}])


@pytest.mark.parametrize(
    "pair",
    [
        [
            {"kind": WORDS, "relation": "at least", "num_words": 100},
            {"kind": WORDS, "relation": "at most", "num_words": 100},
        ],
        [
            {"kind": "keywords:existence", "keywords": ["candle"]},
            {"kind": "keywords:forbidden_words", "forbidden_words": ["can"]},
        ],
        [
            {"kind": "startend:end_checker", "end_phrase": "bye."},
            {"kind": "assay:ends_with", "phrase": "Good bye.", "ignore_case": True},
        ],
        [{"kind": "change_case:english_capital"}, {"kind": "language:response_language", "language": "en"}],
        [
            {"kind": WORDS, "relation": "at least", "num_words": 100},
            {"kind": "assay:word_count_between", "min_words": 60, "max_words": 90},
        ],
    ],
)
def test_what_can_hold_together_is_not(pair: list[dict[str, Any]]) -> None:
    """Constraints that one answer can follow raise no problem."""
    assert problems(pair) == ()
