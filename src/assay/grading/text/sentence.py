"""The sentence, clause, line or paragraph around a position in a text."""

from __future__ import annotations

import re

from assay.grading.text.lexicon import Lexicon

_SENTENCES = Lexicon("sentences")

FAR = 400
"""The number of characters examined on either side."""

# The conditions come after the mark: a search that starts with a set of characters is many times faster.
_END = re.compile(
    r"[.!?\n](?:(?<=\n)|(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)(?<!\bdr\.)(?<!\bmr\.)(?<!\bcf\.)(?<![:,;(]\s"
    r"\d\.)"
    r"(?<!\n\d\.)(?<!\n\d\d\.)[.!?]*[\"')\]]*(?=\s|\Z))"
)


def sentence(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of the sentence around a span of a text in lower case, with its closing mark.

    The end of a line ends a sentence. At most `FAR` characters are examined in each direction.
    """
    first = max(0, start - FAR)
    for match in _END.finditer(text, first, start):
        first = match.end()
    closing = _END.search(text, end, min(len(text), end + FAR))
    last = closing.end() if closing else min(len(text), end + FAR)
    return first, last


def clause_before(text: str, first: int, start: int) -> str:
    """Return the words between `first` and `start`, in lower case, that belong to the clause at `start`.

    An introduction that ends with a comma ("To avoid errors, ...", "No, ...") is left out.
    """
    opening = _SENTENCES.opening.match(text, first, start)
    if opening:
        first = opening.end()
    for match in _SENTENCES.clause.finditer(text, first, start):
        first = match.end()
    return text[first:start]


def line(text: str, at: int) -> tuple[int, int]:
    """Return the span of the line at a position."""
    end = text.find("\n", at)
    return text.rfind("\n", 0, at) + 1, len(text) if end < 0 else end


def paragraph_end(text: str, at: int, most: int = 800) -> int:
    """Return the end of the paragraph at a position, including a list that follows a colon."""
    stop = min(len(text), at + most)
    end = text.find("\n\n", at, stop)
    while end >= 0 and text[at:end].rstrip().endswith(":"):
        at = end + 2
        end = text.find("\n\n", at, stop)
    return stop if end < 0 else end
