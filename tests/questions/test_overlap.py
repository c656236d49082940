"""Shared n-grams: shares and longest spans equal to a plain comparison, in blocks of any size."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.questions import overlap
from assay.questions.overlap import MeasuredOverlap, OverlapIndex, QuestionText, shared_text

SENTENCE = "the clerk of the court noted that seven sealed letters had been burned unread in the yard"
WORDS = st.lists(st.sampled_from("abc"), min_size=1, max_size=14)


def measured(
    questions: list[QuestionText], blocks: list[tuple[int, str]], **sizes: int
) -> list[MeasuredOverlap]:
    """Index questions and return their overlaps with one file's blocks (first line, text)."""
    index = OverlapIndex(**sizes)
    for question in questions:
        index.add(question)
    index.close()
    for line, block in blocks:
        index.read(block, 0, line)
    return list(index.overlaps())


def plain(question: list[str], text: list[str], n: int) -> tuple[int, int, int]:
    """Return the n-grams of a question, those in a text, and the longest common run, by comparing all."""
    grams = [tuple(question[at : at + n]) for at in range(len(question) - n + 1)]
    known = {tuple(text[at : at + n]) for at in range(len(text) - n + 1)}
    longest = 0
    for i in range(len(question)):
        for j in range(len(text)):
            run = 0
            while i + run < len(question) and j + run < len(text) and question[i + run] == text[j + run]:
                run += 1
            longest = max(longest, run)
    return len(grams), sum(gram in known for gram in grams), longest


@given(st.lists(WORDS, min_size=1, max_size=4), WORDS, st.integers(2, 4), st.data())
def test_shares_and_spans_are_those_of_a_plain_comparison(
    questions: list[list[str]], text: list[str], n: int, data: st.DataObject
) -> None:
    """For every question, also if the text comes in two blocks."""
    cut = data.draw(st.integers(0, len(text)))
    blocks = [(1, " ".join(text[:cut])), (1, " ".join(text[cut:]))]
    asked = [QuestionText(str(number), (" ".join(words),)) for number, words in enumerate(questions)]
    rows = {row.question: row for row in measured(asked, blocks, words=n)}
    for number, words in enumerate(questions):
        ngrams, seen, longest = plain(words, text, n)
        assert (number in rows) == (seen > 0)
        if seen:
            row = rows[number]
            assert (row.ngrams, row.seen, row.longest.length) == (ngrams, seen, longest)


def test_the_place_is_the_line_where_the_span_begins() -> None:
    """Line breaks within the span do not interrupt it."""
    block = "intro\n\nHe said: the clerk of the court\nnoted that seven sealed LETTERS had been lost.\n"
    (row,) = measured([QuestionText("q", (SENTENCE,))], [(10, block)])
    assert (row.longest.length, row.longest.line, row.seen) == (12, 12, 5)
    assert shared_text(QuestionText("q", (SENTENCE,)), row.longest).endswith("letters had been")


def test_a_chinese_question_is_compared_by_characters() -> None:
    """Thirteen characters are an n-gram; a question of eight characters is not tested."""
    text = "请回答：下列关于古代科举制度的说法，哪一项是正确的。"
    long = QuestionText("long", ("下列关于古代科举制度的说法哪一项是正确的",))
    index = OverlapIndex()
    for question in (long, QuestionText("short", ("科举制度是什么？",))):
        index.add(question)
    index.close()
    index.read(text, 0, 1)
    (row,) = index.overlaps()
    assert (row.characters, row.ngrams, row.seen, row.longest.length, index.tested) == (True, 8, 8, 20, 1)


def test_n_grams_do_not_cross_from_stem_to_options() -> None:
    """A text with the stem and then an option has the stem's n-grams only."""
    question = QuestionText("q", ("one two three four five six seven eight", "nine ten"))
    (row,) = measured([question], [(1, "one two three four five six seven eight nine ten")])
    assert (row.ngrams, row.seen, row.longest.length) == (1, 1, 8)


def test_examination_phrases_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """An n-gram of more questions than the limit does not count; a question with no other is not tested."""
    monkeypatch.setattr(overlap, "COMMON", 3)
    phrase = "which of the following statements is the correct one"
    index = OverlapIndex()
    for number in range(4):
        index.add(QuestionText(str(number), (phrase,)))
    index.add(QuestionText("own", (SENTENCE,)))
    index.close()
    index.read(phrase, 0, 1)
    assert (list(index.overlaps()), index.phrases, index.tested) == ([], 2, 1)


def test_many_matches_are_handled_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shares do not depend on how many matches are handled together."""
    rng = random.Random(1)
    questions = [QuestionText(str(n), (" ".join(rng.choices("ab", k=12)),)) for n in range(30)]
    text = " ".join(rng.choices("ab", k=500))
    whole = measured(questions, [(1, text)], words=4)
    monkeypatch.setattr(overlap, "MOST", 10)
    parts = measured(questions, [(1, text)], words=4)
    assert [row[:4] for row in parts] == [row[:4] for row in whole]


def test_another_file_does_not_continue_the_last_one() -> None:
    """The end of a file and the beginning of the next are not one text."""
    index = OverlapIndex()
    index.add(QuestionText("q", (SENTENCE,)))
    index.close()
    words = SENTENCE.split()
    index.read(" ".join(words[:7]), 0, 1)
    index.read(" ".join(words[7:14]), 1, 1)
    assert list(index.overlaps()) == []
