"""The sentence and the clause around a place in a text, found by looking at its neighbourhood only."""

from __future__ import annotations

import re

FAR = 400
"""Characters looked at on either side."""

# What tells an end stands after the mark: a search that starts with a set of characters is many times faster.
_END = re.compile(
    r"[.!?\n](?:(?<=\n)|(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)(?<!\bdr\.)(?<!\bmr\.)(?<!\bcf\.)(?<![:,;(]\s"
    r"\d\.)"
    r"(?<!\n\d\.)(?<!\n\d\d\.)[.!?]*[\"')\]]*(?=\s|\Z))"
)
_CLAUSE = re.compile(
    r";|:\s|\s-+\s|\s\(|\b(?:but|however|although|though|whereas)\b|,\s(?=(?:and|so|yet|because|since|it"
    r"|this|that|"
    r"these|those|they|we|you|i|the|a|an|actually|there|then|while)\b)"
)

_OPENING = re.compile(
    r"\W*(?:to|in\s+order\s+to|by|for|when|with|without|after|before|while|since|because|given|as|unlike"
    r"|instead\s+of|"
    r"rather\s+than|contrary\s+to|despite|no|nope|not\s+(?:quite|exactly|really)"
    r"|actually)\b[^,]*,\s(?!(?:or|nor|that|as)\b)"
)


def sentence(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of the sentence around a span of a text in small letters, closing mark included.

    A line's end closes a sentence. Looks `FAR` characters each way.
    """
    first = max(0, start - FAR)
    for found in _END.finditer(text, first, start):
        first = found.end()
    closing = _END.search(text, end, min(len(text), end + FAR))
    last = closing.end() if closing else min(len(text), end + FAR)
    return first, last


def clause_before(text: str, first: int, start: int) -> str:
    """Return the words between `first` and `start`, in small letters, that belong to the clause at `start`.

    What opens the sentence and ends with a comma ("To avoid errors, ...", "No, ...") is cut off.
    """
    opening = _OPENING.match(text, first, start)
    if opening:
        first = opening.end()
    for found in _CLAUSE.finditer(text, first, start):
        first = found.end()
    return text[first:start]


def line(text: str, at: int) -> tuple[int, int]:
    """Return the span of the line at a place."""
    end = text.find("\n", at)
    return text.rfind("\n", 0, at) + 1, len(text) if end < 0 else end


def paragraph_end(text: str, at: int, most: int = 800) -> int:
    """Return where the paragraph at a place ends, with the list that follows a colon."""
    stop = min(len(text), at + most)
    end = text.find("\n\n", at, stop)
    while end >= 0 and text[at:end].rstrip().endswith(":"):
        at = end + 2
        end = text.find("\n\n", at, stop)
    return stop if end < 0 else end
