"""A key as it is written for sealing, and what of it is never shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.sealed import AnswerKey, key_about, mark_about, read_key


@given(answers=st.lists(st.text(), min_size=1).map(tuple), explanation=st.text())
def test_a_written_key_is_read_back(answers: tuple[str, ...], explanation: str) -> None:
    """Whatever the texts hold."""
    key = AnswerKey(answers, explanation)
    assert read_key(key.written()) == key


def test_a_key_does_not_print_itself() -> None:
    """Neither the answer nor the explanation stands in a log line."""
    assert repr(AnswerKey(("C",), "since 4 > 3")) == "AnswerKey()"


def test_chinese_is_written_as_it_is() -> None:
    """So that a key takes no more room than its letters."""
    assert AnswerKey(("对",), "因为").written() == f'[["对"]{" " * 25}, "因为"]'


@pytest.mark.parametrize("other", [("True",), ("A",), ("对",), ("A", "C"), tuple("ABCDEF")])
def test_the_length_does_not_tell_the_answer(other: tuple[str, ...]) -> None:
    """What seals a key is as long for one answer as for another."""
    lengths = {len(AnswerKey(each, "so it is").written().encode()) for each in (other, ("False",))}
    assert len(lengths) == 1


@pytest.mark.parametrize("text", ["", "{}", "[1]", "not json"])
def test_what_is_no_key_is_refused(text: str) -> None:
    """A text that `written` never wrote."""
    with pytest.raises((ValueError, TypeError)):
        read_key(text)


def test_every_sealed_text_has_a_place_of_its_own() -> None:
    """Keys by question and version, marks by session, position and judge."""
    places = {key_about("u", 1), key_about("u", 2), key_about("v", 1), mark_about("u", 1, "j")}
    assert len(places) == 4
