"""Answers read as prose."""

from __future__ import annotations

from every_row import every_row

from assay.grading.text.prose import prose, words


def test_fenced_code_leaves_its_lines_empty() -> None:
    """Code is taken out, and the lines below keep their numbers."""
    text = prose("One\n```python\nx = 1\n```\nTwo")
    assert "x" not in text.low
    at = text.low.index("two")
    assert text.excerpt(at, at + 3) == {"line": 5, "words": "Two"}


def test_a_fence_around_text_is_taken_off() -> None:
    """A fence without a tag, or tagged as text, holds text."""
    assert "dear ann" in prose("```\nDear Ann\n```").low
    assert "dear bo" in prose("~~~markdown\nDear Bo\n~~~").low


def test_typographic_marks_and_emphasis_go() -> None:
    """Curly quotes, no-break spaces, dashes, bold, code marks and underscores around words are made plain."""
    assert prose("**It\u2019s** `a_b`\u00a0_is_ __x__ \u2013 y").text == "It's a_b is x - y"


def test_reasoning_is_no_part_of_the_answer() -> None:
    """What stands before `</think>` is left out."""
    assert prose("I refuse.</think>Here it is.").text == "Here it is."


def test_small_letters_keep_their_places() -> None:
    """A letter whose small form is longer does not shift what follows."""
    text = prose("\u0130stanbul is X")
    assert len(text.text) == len(text.low)


def test_an_unclosed_fence_runs_to_the_end() -> None:
    """Code that was cut off is still code."""
    assert prose("Text\n```python\nx = 1").low.strip() == "text"


@every_row(
    "answer, number",
    [
        ("don't use state-of-the-art 3.5", 4),
        ("fast\u2014and good - really", 4),
        ("1. One two\n- three\n  b) four", 4),
        ("# A heading\n\n**bold** _words_ `code`", 5),
        ("[link text](http://a.b/c_(d)) and [other][1]", 4),
        ("<b>One</b> <br/> two", 2),
        ("| a | b |\n|---|:-:|\n| c | d |", 4),
        ("```python\nx = 1\n```\nok", 1),
        ("```\nDear Ann\n```", 2),
        ("In 2024. We won 3 times \U0001f389", 6),
        ("", 0),
        ("\u4f60\u597d \u4e16\u754c", 2),
    ],
    ids=range(12),
)
def test_words_counted(answer: str, number: int) -> None:
    """Marks, list numbers, addresses, tags and code are no words; headings are."""
    assert words(answer) == number
