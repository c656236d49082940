"""How many words a text has: one definition for every check that counts them.

A word is what spaces (or a dash between spaces, or a long dash) part and what holds a letter or digit:
"don't", "state-of-the-art" and "3.5" are one word each, "fast—and" two. Not words: the numbers and
bullets that open list items, the marks of Markdown, table rules, a link's address beside its text, HTML
tags. Headings count. Code in a fence tagged with a programming language does not count; other fences
hold text.
"""

from __future__ import annotations

import re

from assay.grading.text.answer import visible
from assay.grading.text.prose import without_code

_WORD = re.compile(r"[^\W_][^\s\u2014]*")
_MARKS = re.compile(
    r"^[ \t>]*(?:\d{1,3}[.)]|[a-zA-Z][.)])(?=[ \t])|\](?:\([^()\s]*(?:\([^()\s]*\))?[^()\s]*\)"
    r"|\[[^\]\n]*\])|</?[a-zA-Z][^<>\n]*>",
    re.MULTILINE,
)


def words(answer: str) -> int:
    """Return the number of words of an answer's prose."""
    return words_of(without_code(visible(answer)))


def words_of(text: str) -> int:
    """Return the number of words of a text that holds no fenced code."""
    return len(_WORD.findall(_MARKS.sub(" ", text)))
