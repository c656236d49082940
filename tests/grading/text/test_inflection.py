"""Inflected forms."""

from __future__ import annotations

from every_row import every_row

from assay.grading.text.inflection import forms, pattern


@every_row(
    "word, expected",
    [
        ("delve", "delves delved delving"),
        ("tap", "taps tapped tapping"),
        ("visit", "visits visited visiting"),
        ("tapestry", "tapestries"),
        ("crucial", "crucially"),
        ("robust", "robustly"),
        ("simple", "simply"),
        ("dynamic", "dynamically"),
        ("weave", "wove woven weaving"),
        ("focus", "focuses focused focusing"),
        ("agree", "agrees agreed agreeing"),
    ],
)
def test_forms_of_a_word(word: str, expected: str) -> None:
    """Plural, third person, past, participle and adverb, by rule or from the table."""
    assert set(expected.split()) <= forms(word)


@every_row(
    "word, other",
    [("us", "using"), ("on", "only"), ("str", "string"), ("just", "justice"), ("short", "shortly"),
     ("new", "news"),
     ("car", "caring"), ("the", "these"), ("see", "seed")],
)  # fmt: skip
def test_other_words_are_no_forms(word: str, other: str) -> None:
    """A word that only looks like a form is none."""
    assert other not in forms(word)


@every_row(
    "phrase, text, found",
    [
        ("delve into", "delving into", True),
        ("game-changer", "a game changer", True),
        ("game-changer", "gamechangers", True),
        ("can", "we can't", False),
        ("can", "the can's lid", True),
        ("driven", "data-driven", True),
        ("leverage", "leverage_ratio", False),
        ("in conclusion", "in\nconclusion", True),
    ],
    ids=range(8),
)
def test_phrases_in_text(phrase: str, text: str, found: bool) -> None:
    """Hyphens and spaces stand for each other, possessives count, contractions with not do not."""
    assert (pattern((phrase,), inflected=True).search(text) is not None) is found


def test_without_forms_only_the_word_itself_counts() -> None:
    """The forms can be switched off."""
    assert pattern(("leverage",), inflected=False).search("leveraged") is None
