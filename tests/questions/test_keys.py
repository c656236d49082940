"""Reading keys."""

from __future__ import annotations

import pytest
from every_row import every_row

from assay.core.question import FALSE, TRUE
from assay.questions.keys import accepted, read_blanks, read_letters, read_truth
from assay.questions.refusal import Reason, RefusedRecord

OPTIONS = ("red", "blue", "green", "none of them")


@every_row(
    "text, letters",
    [
        ("B", "B"),
        ("b", "B"),
        ("(B)", "B"),
        ("【B】", "B"),
        ("B.", "B"),
        ("ABD", "ABD"),
        ("D, A", "AD"),
        ("A、C", "AC"),
        ("A and C", "AC"),
        ("A, C, 。", "AC"),
        ("B. blue", "B"),
        ("(B) blue", "B"),
        ("blue", "B"),
    ],
)
def test_letters_in_every_form(text: str, letters: str) -> None:
    """Alone, several in any order, with the option's text, or the text alone."""
    assert read_letters(text, OPTIONS) == tuple(letters)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("E", Reason.KEY_BEYOND),
        ("AE", Reason.KEY_BEYOND),
        ("E. x", Reason.KEY_BEYOND),
        ("B. red", Reason.KEY_UNREADABLE),
        ("BB", Reason.KEY_UNREADABLE),
        ("purple", Reason.KEY_UNREADABLE),
    ],
)
def test_keys_that_fit_no_option(text: str, reason: Reason) -> None:
    """Beyond the options, at odds with the text beside it, doubled, or something else; no key is shown."""
    found = read_letters(text, OPTIONS)
    assert isinstance(found, RefusedRecord)
    assert (found.reason, text in str(found)) == (reason, False)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("√", TRUE),
        ("（×）", FALSE),
        ("True.", TRUE),
        ("F", FALSE),
        ("正确", TRUE),
        ("不正确", FALSE),
        ("maybe", None),
    ],
)
def test_truth_in_every_form(text: str, said: str | None) -> None:
    """Words, letters and signs of both languages."""
    assert read_truth(text) == said


@every_row(
    "text, wanted, parts",
    [
        ("one; two", 1, ("one; two",)),
        ("one; two", 2, ("one", "two")),
        ("一；二；三", 3, ("一", "二", "三")),
        ("(1) one (2) two", 2, ("one", "two")),
        ("1. one\n2. two", 2, ("one", "two")),
        ("一、二", 2, ("一", "二")),
        ("a, b; c, d", 2, ("a, b", "c, d")),
        ("one two", 2, ("one", "two")),
        ("16；31", 2, ("16", "31")),
        ("16; 31", 2, ("16", "31")),
        ("3 m; 40 s", 2, ("3 m", "40 s")),
        ("① a ② b", 2, ("a", "b")),
    ],
)
def test_one_answer_for_each_blank(text: str, wanted: int, parts: tuple[str, ...]) -> None:
    """By numbers or by the separator that yields as many as there are blanks."""
    assert read_blanks(text, wanted) == parts


def test_another_number_of_answers_is_refused() -> None:
    """The counts are told, not the answers."""
    found = read_blanks("one; two; three", 2)
    assert found == RefusedRecord(Reason.BLANKS, "2 blanks, 3 answers")


def test_several_accepted_answers_become_one_text() -> None:
    """The first leads; spellings that differ in case only count once."""
    assert accepted(["Tintin", "Tin Tin", "tintin"], chinese=False) == "Tintin (also right: Tin Tin)"
    assert accepted(["甲"], chinese=True) == "甲"
