"""A text built to fulfil a constraint passes, and the smallest violation fails."""

from __future__ import annotations

import string

from every_row import every_row
from hypothesis import given
from hypothesis import strategies as st

from assay.grading.constraint_kinds.words import runs, written
from assay.grading.constraints import KINDS

WORD = st.text(string.ascii_lowercase, min_size=1, max_size=8)
WORDS = st.lists(WORD, min_size=1, max_size=20)


@given(WORDS)
def test_words_at_least(words: list[str]) -> None:
    """n words are at least n and not less than n."""
    answer, kind = " ".join(words), KINDS["length_constraints:number_words"]
    assert kind.measure(answer, {"relation": "at least", "num_words": len(words)}).followed
    assert not kind.measure(answer, {"relation": "less than", "num_words": len(words)}).followed


@given(WORDS)
def test_one_more_word_is_too_many(words: list[str]) -> None:
    """A text of the highest number of words passes; with one word more it fails."""
    kind, bounds = KINDS["assay:word_count_between"], {"min_words": 0, "max_words": len(words)}
    assert kind.measure(" ".join(words), bounds).followed
    assert not kind.measure(" ".join([*words, "extra"]), bounds).followed


@given(st.text())
def test_a_word_as_written_is_a_run_at_least(answer: str) -> None:
    """There are never more words as written than runs: contradictions rest on it."""
    assert len(written(answer)) <= len(runs(answer))


@given(st.lists(WORDS, min_size=1, max_size=10))
def test_sentences_are_counted(sentences: list[list[str]]) -> None:
    """Capitalised sentences of two words or more, each with its mark, are counted one by one."""
    answer = " ".join(" ".join(["The", *words, "things"]).capitalize() + "!" for words in sentences)
    kind = KINDS["length_constraints:number_sentences"]
    assert kind.measure(answer, {"relation": "exactly", "num_sentences": len(sentences)}).followed


@given(WORD, st.lists(WORD, min_size=20, max_size=20))
def test_an_acrostic_built_for_a_word(word: str, rest: list[str]) -> None:
    """Lines that begin with the letters of a word spell it; one line less does not."""
    lines = [letter + tail for letter, tail in zip(word, rest, strict=False)]
    kind = KINDS["assay:acrostic"]
    assert kind.measure("\n".join(lines), {"word": word}).followed
    assert not kind.measure("\n".join(lines[:-1]), {"word": word}).followed


@given(st.lists(WORD, min_size=2, max_size=12, unique=True))
def test_sorted_lines_are_in_order(words: list[str]) -> None:
    """Sorted words stand in alphabetical order; reversed they do not."""
    kind = KINDS["assay:alphabetical_order"]
    assert kind.measure("\n".join(sorted(words)), {"of": "lines"}).followed
    assert not kind.measure("\n".join(sorted(words, reverse=True)), {"of": "lines"}).followed


@given(st.integers(1, 6), st.integers(1, 6))
def test_a_table_of_its_size(rows: int, columns: int) -> None:
    """A table has the shape it was built with, and not one row more."""
    line = "|" + " x |" * columns
    answer = "\n".join([line, "|" + "---|" * columns, *[line] * rows])
    kind = KINDS["assay:table_shape"]
    assert kind.measure(answer, {"rows": rows, "columns": columns}).followed
    assert not kind.measure(answer + "\n" + line, {"rows": rows, "columns": columns}).followed


@every_row("filler", [".", "x", "[", "<<", "*", "\n", "e.g. ", "| ", "-", "`", '"'])
def test_a_degenerate_answer_is_measured_too(filler: str) -> None:
    """A model stuck on one sign for 50,000 characters does not stall any kind (a stall would hang here)."""
    answer = filler * (50_000 // len(filler)) + "x"
    parameters = {
        "length_constraints:number_sentences": {"relation": "at least", "num_sentences": 1},
        "length_constraints:number_paragraphs": {"num_paragraphs": 1},
        "detectable_content:number_placeholders": {"num_placeholders": 1},
        "detectable_format:number_bullet_lists": {"num_bullets": 1},
        "detectable_format:number_highlighted_sections": {"num_highlights": 1},
        "detectable_format:title": {},
        "change_case:capital_word_frequency": {"capital_relation": "at least", "capital_frequency": 1},
        "assay:table_shape": {"rows": 1, "columns": 1},
        "assay:max_sentence_words": {"max_words": 1},
        "assay:alphabetical_order": {"of": "items"},
        "assay:paragraph_count": {"relation": "at least", "num_paragraphs": 1},
    }
    findings = [KINDS[name].measure(answer, given) for name, given in parameters.items()]
    assert len(findings) == len(parameters)


@given(st.text(max_size=300))
def test_no_kind_fails_on_any_text(answer: str) -> None:
    """Whatever the answer is, measuring it gives a finding."""
    parameters = {
        "length_constraints:number_sentences": {"relation": "at least", "num_sentences": 1},
        "length_constraints:number_paragraphs": {"num_paragraphs": 1},
        "length_constraints:nth_paragraph_first_word": {
            "num_paragraphs": 1,
            "nth_paragraph": 1,
            "first_word": "a",
        },
        "detectable_format:json_format": {},
        "detectable_format:title": {},
        "combination:two_responses": {},
        "startend:end_checker": {"end_phrase": "a"},
        "change_case:english_capital": {},
        "language:response_language": {"language": "en"},
        "assay:table_shape": {"rows": 1, "columns": 1},
        "assay:json_keys": {"keys": ["a"]},
        "assay:acrostic": {"word": "ab", "of": "sentences"},
    }
    findings = [KINDS[name].measure(answer, given).counted for name, given in parameters.items()]
    assert len(findings) == len(parameters)
