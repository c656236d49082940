"""The one definition of a word."""

from __future__ import annotations

import pytest

from assay.grading.text.count import words


@pytest.mark.parametrize(
    ("answer", "number"),
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
