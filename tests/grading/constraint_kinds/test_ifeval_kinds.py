"""Each of IFEval's 25 kinds tells an answer that follows it from one that just misses it."""

from __future__ import annotations

from typing import Any

import pytest
from every_row import every_row

from assay.grading.constraints import KINDS

PAIRS: list[tuple[str, dict[str, Any], str, str]] = [
    ("keywords:existence", {"keywords": ["tide", "Moon"]}, "Tides follow the moon.", "Tides follow the sun."),
    (
        "keywords:frequency",
        {"keyword": "so", "relation": "at least", "frequency": 3},
        "So, so, also.",
        "So, so.",
    ),
    ("keywords:forbidden_words", {"forbidden_words": ["can"]}, "The canal is shut.", "You Can, too."),
    (
        "keywords:letter_frequency",
        {"letter": "z", "let_relation": "less than", "let_frequency": 2},
        "Zoo",
        "Zoo zone",
    ),
    (
        "language:response_language",
        {"language": "de"},
        "Das ist ein ganz gewöhnlicher deutscher Satz über das Wetter von morgen.",
        "This is a quite ordinary English sentence about the weather tomorrow.",
    ),
    (
        "length_constraints:number_words",
        {"relation": "at least", "num_words": 4},
        "I don't know",
        "I do know",
    ),
    (
        "length_constraints:number_sentences",
        {"relation": "less than", "num_sentences": 3},
        "Dr. No left. He won!",
        "He left. He won! Why?",
    ),
    (
        "length_constraints:number_paragraphs",
        {"num_paragraphs": 2},
        "one\n***\ntwo",
        "one\n***\ntwo\n***\nthree",
    ),
    (
        "length_constraints:nth_paragraph_first_word",
        {"num_paragraphs": 2, "nth_paragraph": 2, "first_word": "Then"},
        'First this.\n\n"Then, that."',
        "First this.\n\nAnd then that.",
    ),
    ("detectable_content:number_placeholders", {"num_placeholders": 2}, "[name], [town]", "[name], town]"),
    ("detectable_content:postscript", {"postscript_marker": "P.P.S"}, "Bye\np.p.s. more", "Bye\nP.S. more"),
    ("detectable_format:number_bullet_lists", {"num_bullets": 2}, "* a\n - b\n**c**", "* a\n- b\n- c"),
    ("detectable_format:constrained_response", {}, "Well: My answer is maybe.", "My answer is perhaps."),
    ("detectable_format:number_highlighted_sections", {"num_highlights": 2}, "*a* and **b**", "*a* and * *"),
    (
        "detectable_format:multiple_sections",
        {"section_spliter": "Day", "num_sections": 2},
        "Day 1\nrest\nDay 2\nwalk",
        "Day 1\nrest\nDay two\nwalk",
    ),
    ("detectable_format:json_format", {}, '```json\n{"a": [1]}\n```', '{"a": [1],}'),
    ("detectable_format:title", {}, "<<On tides>>\ntext", "<< >>\ntext"),
    ("combination:two_responses", {}, "yes\n******\nno", "yes\n******\nyes"),
    ("combination:repeat_prompt", {"prompt_to_repeat": "Say it."}, " say it. It.", "Sure: say it."),
    ("startend:end_checker", {"end_phrase": "That is all."}, '"So. that is ALL."', "That is all. Bye."),
    ("startend:quotation", {}, ' "quoted" ', '"quoted'),
    (
        "change_case:capital_word_frequency",
        {"capital_relation": "at least", "capital_frequency": 2},
        "I'm with NASA.",
        "I'm with Nasa.",
    ),
    (
        "change_case:english_capital",
        {},
        "THE WEATHER IS NICE AND WE ARE GOING TO THE BEACH.",
        "THE WEATHER IS NICE AND WE ARE GOING TO THe BEACH.",
    ),
    (
        "change_case:english_lowercase",
        {},
        "the weather is nice and we are going to the beach.",
        "the weather is nice and We are going to the beach.",
    ),
    ("punctuation:no_comma", {}, "one; two", "one, two"),
]
IDS = [pair[0] for pair in PAIRS]


def test_every_ifeval_kind_has_its_pair() -> None:
    """The pairs below cover all 25 kinds of the paper."""
    assert sorted(IDS) == sorted(name for name in KINDS if not name.startswith("assay:"))


@every_row("kind, parameters, good, bad", PAIRS, ids=IDS)
def test_a_fitting_answer_follows(kind: str, parameters: dict[str, Any], good: str, bad: str) -> None:
    """An answer made for the constraint follows it."""
    assert KINDS[kind].measure(good, parameters).followed


@every_row("kind, parameters, good, bad", PAIRS, ids=IDS)
def test_a_near_miss_does_not(kind: str, parameters: dict[str, Any], good: str, bad: str) -> None:
    """An answer that misses by one thing does not follow it."""
    assert not KINDS[kind].measure(bad, parameters).followed


@every_row("kind, parameters, good, bad", PAIRS, ids=IDS)
def test_its_parameters_are_well_formed(kind: str, parameters: dict[str, Any], good: str, bad: str) -> None:
    """The parameters used here raise no problem."""
    assert KINDS[kind].problems(parameters) == ()


@pytest.mark.parametrize(
    ("answer", "followed"),
    [
        ("", False),
        ("***", False),
        ("one", False),
        ("***\none\n***\ntwo\n***", True),
        ("one\n***\n\n***\ntwo", False),
    ],
)
def test_starred_paragraphs_at_the_edges(answer: str, followed: bool) -> None:
    """Stars at the ends make no paragraph; an empty paragraph within breaks the constraint."""
    kind = KINDS["length_constraints:number_paragraphs"]
    assert kind.measure(answer, {"num_paragraphs": 2}).followed is followed


@pytest.mark.parametrize("answer", ["yes\n******\n\n******\nno", "yes", "a\n******\nb\n******\nc"])
def test_two_responses_are_exactly_two(answer: str) -> None:
    """One response, three, or an empty one between two do not count as two."""
    assert not KINDS["combination:two_responses"].measure(answer, {}).followed


def test_an_empty_paragraph_does_not_count() -> None:
    """Three parts of which one is empty are not three paragraphs."""
    kind = KINDS["length_constraints:number_paragraphs"]
    assert not kind.measure("one\n***\n\n***\ntwo", {"num_paragraphs": 3}).followed


def test_capitals_must_be_english() -> None:
    """A French text in capitals is not English in capitals."""
    answer = "LE TEMPS EST BEAU ET NOUS ALLONS À LA PLAGE AVEC LES ENFANTS."
    assert not KINDS["change_case:english_capital"].measure(answer, {}).followed


def test_a_keyword_is_no_pattern() -> None:
    """Signs in a keyword stand for themselves."""
    assert not KINDS["keywords:existence"].measure("Cxx", {"keywords": ["C.."]}).followed
