"""The sentence and clause around a place."""

from __future__ import annotations

import pytest

from assay.grading.text.sentence import clause_before, paragraph_end, sentence


@pytest.mark.parametrize(
    ("low", "whole"),
    [
        ("first one. here X stands! last.", "here X stands!"),
        ("a line\nhere X stands\nanother", "here X stands"),
        ("see e.g. X or i.e. y. end", "see e.g. X or i.e. y."),
        ("it is 3.5 and X. end", "it is 3.5 and X."),
        ('he said "no." then X came.', "then X came."),
        ("order: 1. X, 2. y. end", "order: 1. X, 2. y."),
    ],
    ids=range(6),
)
def test_the_sentence_around_a_place(low: str, whole: str) -> None:
    """Marks and line ends close a sentence; abbreviations, decimals and list numbers do not."""
    at = low.index("X")
    first, last = sentence(low, at, at + 1)
    assert low[first:last].strip() == whole


@pytest.mark.parametrize(
    ("low", "clause"),
    [
        ("it is not cheap, but X", " X"),
        ("to avoid errors, use X", "use X"),
        ("no, it is X", "it is X"),
        ("don't use a, b or X", "don't use a, b or X"),
    ],
    ids=range(4),
)
def test_the_clause_before_a_place(low: str, clause: str) -> None:
    """An adverbial opening and an earlier clause are cut off; a list is not."""
    assert clause_before(low, 0, low.index("X")) == clause.replace("X", "")


def test_a_list_belongs_to_the_paragraph_that_announces_it() -> None:
    """After a colon the next block belongs to the paragraph."""
    text = "You need:\n\n- one\n- two\n\nMore."
    assert text[: paragraph_end(text, 0)].endswith("- two")
