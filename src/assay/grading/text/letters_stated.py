"""Where an answer states its letter outright, and where it has a line of nothing but a letter."""

from __future__ import annotations

import re
from dataclasses import dataclass

from assay.grading.text.answer import final_line
from assay.grading.text.letters_written import UNSURE, Patterns, letter_of

_CLAIMS = (
    *("answer", "option", "choice", "choose", "chose", "pick", "select", "go with", "going with", "correct"),
    *("right", "best", "worst", "est ", "most ", "least ", "more ", "less ", "conclusion", "verdict"),
    *("decision", "response", "solution", "答案", "选", "actually", "wait", "sorry", "i mean", "no,", "no."),
    *("rather", "on reflection", "on second thought", "correction"),
)
"""A line without any of these makes no claim."""

RUNS_ON = 40
_CLAUSE_END = re.compile(r"[.!?\n]")


@dataclass(frozen=True, slots=True)
class Claim:
    """A letter and the span of the words that claim it."""

    letter: str
    start: int
    end: int


def last_claims(text: str, how: Patterns) -> list[Claim]:
    """Return the claims on the last line that makes any; a claim may run on into the lines below."""
    end = len(text)
    closing = how.final.search(text, max(0, end - 2 * RUNS_ON))
    if closing:
        return [_claim(closing)]
    while True:
        start = text.rfind("\n", 0, end) + 1
        line = text[start:end].lower()
        if any(word in line for word in _CLAIMS) and how.mention.search(text, start, end + RUNS_ON):
            found = [
                _claim(match)
                for match in how.stated.finditer(text, start, end + RUNS_ON)
                if match.start() < end and not unsure(text, match)
            ]
            if found:
                return found
        if start == 0:
            return []
        end = start - 1


def _claim(match: re.Match[str]) -> Claim:
    return Claim(letter_of(match), match.start(), match.end())


def unsure(text: str, match: re.Match[str]) -> bool:
    """Whether words about a letter are asked, denied or supposed rather than said."""
    if UNSURE.search(text[max(0, match.start() - RUNS_ON) : match.start()]):
        return True
    ends = _CLAUSE_END.search(text, match.end())
    return ends is not None and ends[0] == "?"


def bare_ends(text: str, how: Patterns) -> list[Claim]:
    """Return the first and the last line where they are nothing but a letter."""
    begin = len(text) - len(text.lstrip())
    first_end = text.find("\n", begin)
    spans = [(begin, first_end if first_end >= 0 else len(text)), final_line(text)]
    matches = [(how.opening.fullmatch(text[start:end].strip()), start, end) for start, end in spans]
    return [Claim(letter_of(match), start, end) for match, start, end in matches if match]
