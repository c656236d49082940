"""The constraints grader: share of constraints followed, strict and loose."""

from __future__ import annotations

from typing import Any

import pytest
from every_row import every_row

from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.constraints import check_constraint, constraint_problems, constraints, variants

CASE = Case("c", "instruction-following", (), ())
TITLE = {"kind": "detectable_format:title"}
COMMA = {"kind": "punctuation:no_comma"}
END = {"kind": "startend:end_checker", "end_phrase": "Bye."}


def spec(*constraints: Any, **parameters: Any) -> GraderSpec:
    return GraderSpec("constraints", {"constraints": list(constraints), **parameters})


def graded(answer: str, *items: Any, **parameters: Any) -> Grade:
    return constraints.read(CASE, spec(*items, **parameters), answer, ())


def test_the_score_is_the_share_followed() -> None:
    """Two of three constraints followed give two thirds."""
    assert graded("<<A>> one, two. Bye.", TITLE, COMMA, END).value == pytest.approx(2 / 3)


def test_evidence_says_what_was_counted_and_wanted() -> None:
    """Each constraint shows its count beside what it wanted."""
    evidence = graded("one, two, three", COMMA).evidence
    assert evidence["constraints"] == [
        {
            "kind": "punctuation:no_comma",
            "followed": False,
            "counted": 2,
            "wanted": "no comma",
            "variant": "as it is",
        }
    ]


def test_an_empty_answer_follows_nothing() -> None:
    """Silence holds no comma and still follows nothing."""
    assert graded(" \n", COMMA).value == 0


def test_strict_reads_the_answer_as_it_is() -> None:
    """A line after the end phrase breaks it in strict mode."""
    assert graded("So. Bye.\n(Written as asked)", END).value == 0


def test_loose_forgives_a_line_around_the_answer() -> None:
    """Loose mode finds the end phrase once the last line is dropped, and says so."""
    grade = graded("So. Bye.\n(Written as asked)", END, mode="loose")
    assert (grade.value, grade.evidence["constraints"][0]["variant"]) == (1, "without its last line")


def test_loose_drops_asterisks() -> None:
    """Emphasis around the end phrase is forgiven in loose mode."""
    found = check_constraint("startend:end_checker", {"end_phrase": "Bye."}, "So. **Bye.**", mode="loose")
    assert (found.followed, found.variant) == (True, "as it is, without asterisks")


def test_a_blank_variant_follows_nothing() -> None:
    """A one-line answer without its only line is blank, and a blank text follows nothing."""
    assert not check_constraint("punctuation:no_comma", {}, "one, two", mode="loose").followed


def test_there_are_eight_variants() -> None:
    """The paper's eight: first and last line dropped or not, asterisks dropped or not."""
    assert [text for _, text in variants("a\n*b*\nc")] == [
        "a\n*b*\nc", "*b*\nc", "a\n*b*", "*b*", "a\nb\nc", "b\nc", "a\nb", "b"
    ]  # fmt: skip


@every_row(
    "parameters, says",
    [
        ({}, "write a list"),
        ({"constraints": []}, "write a list"),
        ({"constraints": ["no comma"]}, "mapping with a `kind`"),
        ({"constraints": [{"kind": "no_comma"}]}, "punctuation:no_comma"),
        ({"constraints": [{"kind": ["x"]}]}, "unknown kind"),
        ({"constraints": [{**COMMA, "max": 1}]}, "has no parameter 'max'"),
        ({"constraints": [COMMA], "mode": "lax"}, "'strict' or 'loose'"),
        ({"constraints": [COMMA], "weights": [1]}, "unknown parameter 'weights'"),
    ],
)
def test_problems_say_what_to_write(parameters: dict[str, Any], says: str) -> None:
    """Wrong parameters are reported with what to write instead."""
    assert says in " ".join(constraints.problems(GraderSpec("constraints", parameters)))


def test_good_parameters_raise_no_problem() -> None:
    """A well-formed list passes, and nothing is asked of anyone."""
    good = spec(TITLE, COMMA, END, mode="loose")
    assert (constraints.problems(good), constraints.asks(CASE, good, "x")) == ((), ())


WORDS = "length_constraints:number_words"


@every_row(
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
    (text,) = constraint_problems(pair)
    assert text.startswith("constraint 1") and "contradicts constraint 2" in text


def test_a_count_below_zero_is_reported() -> None:
    """Fewer than no words is more than any answer can do."""
    assert constraint_problems([{"kind": WORDS, "relation": "less than", "num_words": 0}])


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
    assert constraint_problems(pair) == ()
