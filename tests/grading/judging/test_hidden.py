"""Characters that nobody sees, made visible; and what stays as it is."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.grading.judging import hidden


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\u200bb", "a⟦U+200B⟧b"),
        ("a\x00\x1bb", "a⟦U+0000 U+001B⟧b"),
        ("a\u202eb", "a⟦U+202E⟧b"),
        ("a" + "\U000e0041" * 9, "a⟦U+E0041 and 8 more hidden characters⟧"),
        ("a\ud800b", "a⟦U+D800⟧b"),
        ("a\rb", "a⟦U+000D⟧b"),
        ("a\u2028b", "a⟦U+2028⟧b"),
        ("⟦U+200B⟧", "⟦U+27E6⟧U+200B⟦U+27E7⟧"),
        ("é\ufe00\ufe01", "é⟦U+FE00 U+FE01⟧"),
        ("a\u200db", "a⟦U+200D⟧b"),
        ("a\u200dé", "a⟦U+200D⟧é"),
        ("\u200d", "⟦U+200D⟧"),
    ],
    ids=ascii,
)
def test_hidden_characters_are_written_as_code_points(text: str, expected: str) -> None:
    """One by its number, a long run by its first and how many follow; our own signs are told apart."""
    assert hidden.shown(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "plain text\n\twith a tab",
        "naïve – “quoted” 日本語 العربية עברית",
        "\U0001f469\u200d\U0001f469\u200d\U0001f467 \u2764\ufe0f\u200d\U0001f525 1\ufe0f\u20e3",
        "می\u200cخواهم क्\u200dष",
        "non-breaking\u00a0space",
    ],
    ids=["prose", "scripts", "emoji", "joiners", "space"],
)
def test_what_scripts_and_emoji_need_stays(text: str) -> None:
    """Text that hides nothing is shown as it was written."""
    assert hidden.shown(text) == text


def test_a_line_break_is_one_newline() -> None:
    """Windows line ends are no hidden characters."""
    assert hidden.shown("a\r\nb\n") == "a\nb\n"


def test_a_rationale_is_one_clean_line() -> None:
    """Control characters and line breaks become spaces, half surrogates go."""
    assert hidden.plain(" a\n\tb\x00c\ud800\u202ed \u2764\ufe0f") == "a b c d \u2764\ufe0f"


@given(st.text(st.characters(codec=None), max_size=60))
def test_any_text_can_be_sent_and_printed(text: str) -> None:
    """What is shown encodes, and holds no control, bidirectional or tag character."""
    shown = hidden.shown(text)
    shown.encode()
    assert not set(shown) & (set(map(chr, (*range(9), *range(11, 32), *range(127, 160), 0x202E, 0x200B))))
    assert not any(0xE0000 <= ord(sign) <= 0xE0FFF for sign in shown)


@given(st.text(st.characters(codec=None), max_size=60))
def test_nothing_else_is_changed(text: str) -> None:
    """Apart from code points between our signs, letters and digits stay as they are, in order."""
    shown = re.sub(r"⟦U\+[^⟧]*⟧", "", hidden.shown(text))
    assert re.findall(r"[a-zA-Z0-9é-ÿ一-龥]", shown) == re.findall(r"[a-zA-Z0-9é-ÿ一-龥]", text)
