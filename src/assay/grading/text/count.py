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

_NUMBERED = re.compile(r"\n[ \t>]*(?:\d{1,3}|[a-zA-Z])[.)](?=[ \t])")
_ADDRESS = re.compile(r"\](?:\([^()\s]*(?:\([^()\s]*\))?[^()\s]*\)|\[[^\]\n]*\])")
_TAG = re.compile(r"</?[a-zA-Z][^<>\n]*>")


def words(answer: str) -> int:
    """Return the number of words of an answer's prose."""
    return words_of(without_code(visible(answer)))


def words_of(text: str) -> int:
    """Return the number of words of a text that holds no fenced code."""
    if "](" in text or "][" in text:
        text = _ADDRESS.sub(" ", text)
    if "<" in text:
        text = _TAG.sub(" ", text)
    if "\u2014" in text:
        text = text.replace("\u2014", " ")
    tokens = [part for part in text.split() if part[0].isalnum() or any(map(str.isalnum, part))]
    return len(tokens) - sum(1 for _ in _NUMBERED.finditer(f"\n{text}"))
