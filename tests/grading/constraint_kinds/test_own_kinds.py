"""Each kind beyond IFEval tells an answer that follows it from one that just misses it."""

from __future__ import annotations

from typing import Any

from every_row import every_row

from assay.grading.constraints import KINDS

TABLE = "| Name | Age |\n|---|:-:|\n| Ann | 3 |\n| Bo \\| B | 4 |"
PAIRS: list[tuple[str, dict[str, Any], str, str]] = [
    ("assay:word_count_between", {"min_words": 2, "max_words": 3}, "don't – well-known", "don't"),
    ("assay:line_count", {"relation": "exactly", "num_lines": 2}, "a\n\n b \n", "a\nb\nc"),
    ("assay:exact_lines", {"lines": ["a", "b"]}, " a\n\nb", "b\na"),
    ("assay:exact_lines", {"lines": ["A"], "ignore_case": True}, "a", "b"),
    ("assay:paragraph_count", {"relation": "exactly", "num_paragraphs": 2}, "a\nb\n \nc", "a\nb\nc"),
    ("assay:max_sentence_words", {"max_words": 3}, "One two three. Four!", "One two. One two three four."),
    (
        "assay:max_sentence_words",
        {"max_words": 3},
        "# A head\n- one two\n- three\n\nfour five",
        "one two\nthree four",
    ),
    ("assay:regex", {"pattern": r"^\d+$", "min_matches": 2}, "1\n22\nx", "1\nx"),
    ("assay:regex", {"pattern": "x", "max_matches": 0}, "abc", "axc"),
    ("assay:alphabetical_order", {"of": "lines"}, "- Élan\n- fox\n- Gnu", "- fox\n- élan\n- gnu"),
    ("assay:alphabetical_order", {"of": "items"}, "Zoo:\n* ant\n* bee", "Zoo:\n* bee\n* ant"),
    ("assay:alphabetical_order", {"of": "words"}, "all big cats", "big all cats"),
    ("assay:acrostic", {"word": "sea"}, "Salt\n- **East**\n2. and", "Salt\nEast\nand\nmore"),
    ("assay:acrostic", {"word": "hi", "of": "sentences"}, "Hot today. Ice melts.", "Hot today. Snow melts."),
    ("assay:no_letter", {"letter": "E"}, "Dogs bark", "Dogs arE"),
    ("assay:table_shape", {"rows": 2, "columns": 2}, TABLE, TABLE + "\n| C | 5 |"),
    ("assay:table_shape", {"rows": 2, "columns": 2}, "Here:\n\n" + TABLE, TABLE + " 5 |"),
    (
        "assay:table_shape",
        {"rows": 2, "columns": 2, "header": ["name", "age"]},
        TABLE.replace("Name", "**Name**"),
        TABLE.replace("Age", "Years"),
    ),
    ("assay:numbered_list", {"num_items": 2}, "Steps:\n1. a\n2) b", "1. a\n3. b"),
    ("assay:starts_with", {"phrase": "Dear"}, " Dear all", "dear all"),
    ("assay:ends_with", {"phrase": "bye", "ignore_case": True}, "Good Bye\n", "Good bye."),
    ("assay:keyword_order", {"keywords": ["wash", "dry"]}, "Wash it, dry it.", "Dry, then wash."),
    ("assay:json_keys", {"keys": ["a", "b"]}, '{"b": 1, "a": {"c": 2}}', '{"a": 1, "b": 2, "a": 3}'),
    ("assay:json_keys", {"keys": ["a", "b"], "in_order": True}, '{"a": 1, "b": 2}', '{"b": 1, "a": 2}'),
]
IDS = [pair[0] for pair in PAIRS]


def test_every_own_kind_has_its_pair() -> None:
    """The pairs below cover all kinds with our prefix."""
    assert set(IDS) == {name for name in KINDS if name.startswith("assay:")}


@every_row("kind, parameters, good, bad", PAIRS, ids=IDS)
def test_a_fitting_answer_follows(kind: str, parameters: dict[str, Any], good: str, bad: str) -> None:
    """An answer made for the constraint follows it."""
    assert KINDS[kind].measure(good, parameters).followed


@every_row("kind, parameters, good, bad", PAIRS, ids=IDS)
def test_a_near_miss_does_not(kind: str, parameters: dict[str, Any], good: str, bad: str) -> None:
    """An answer that misses by one thing does not follow it."""
    assert not KINDS[kind].measure(bad, parameters).followed


def test_one_line_is_in_no_order() -> None:
    """A single line is neither in order nor out of it, and does not follow."""
    assert not KINDS["assay:alphabetical_order"].measure("only", {"of": "lines"}).followed


@every_row(
    "kind, parameters, says",
    [
        ("assay:word_count_between", {"min_words": 3, "max_words": 2}, "above"),
        ("assay:regex", {"pattern": "("}, "compile"),
        ("assay:regex", {"pattern": "a", "min_matches": 0}, "every answer"),
        ("assay:regex", {"pattern": "a", "min_matches": 3, "max_matches": 2}, "above"),
        ("assay:table_shape", {"rows": 1, "columns": 2, "header": ["a"]}, "names 1"),
        ("assay:keyword_order", {"keywords": ["a", "A"]}, "repeats"),
        ("assay:acrostic", {"word": "a", "of": "letters"}, "one of"),
        ("length_constraints:nth_paragraph_first_word",
         {"num_paragraphs": 2, "nth_paragraph": 3, "first_word": "a"}, "write 1 to 2"),
        ("language:response_language", {"language": "german"}, "'de'"),
        ("assay:no_letter", {"letter": "ab"}, "single"),
        ("length_constraints:number_words", {"relation": "about", "num_words": 5}, "'at most'"),
        ("length_constraints:number_words", {"relation": "at least", "num_words": True}, "whole number"),
        ("length_constraints:number_words", {"relation": "at least"}, "lacks 'num_words'"),
        ("punctuation:no_comma", {"count": 1}, "no parameters"),
        ("keywords:existence", {"keywords": "tide"}, "list of texts"),
    ],
)  # fmt: skip
def test_wrong_parameters_are_named(kind: str, parameters: dict[str, Any], says: str) -> None:
    """A problem names the parameter and says what to write."""
    assert says in " ".join(KINDS[kind].problems(parameters))
