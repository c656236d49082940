"""Locating the conclusion of an answer: the statement of its result, after working and changes of mind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from assay.grading.text.answer import boxes, visible
from assay.grading.text.lexicon import Lexicon, matches, occurrences, words
from assay.grading.text.sentence import line, paragraph_end, sentence

_CONCLUSIONS = Lexicon("conclusions")

_BOLD = re.compile(r"\*\*([^*\n]{1,200})\*\*|__([^_\n]{1,200})__")
_RESULT = re.compile(
    r"\W*(?:[^\n]{0,80}?\b(?:is|are|equals?|pays?|costs?|gets?|earns?|owes?|needs?|takes?|remains?"
    r"|becomes)\s+|[^\n]{0,80}=\s*)?[^\w\n]*\d[\d.,]*"
    r"(?:\W+(?!(?:less|more|fewer|than|off|below|above|under|over)\b)[a-z]+){0,2}\W*",
    re.IGNORECASE,
)
_BARE = re.compile(r"\W*(?:(?:a|ans)\s*[:=])?[^\w\n]*\d[\d.,]*\W*", re.IGNORECASE)
_SHORT = 16
_LINE = 160
_NEAR_END = 500
CLOSING_LINE = "the closing line"
STATED = ("the stated answer", "the last box")


@dataclass(frozen=True, slots=True)
class Conclusion:
    """Words that may be the conclusion of an answer, and where they were found."""

    where: str
    words: str


def conclusions(answer: str) -> tuple[Conclusion, ...]:
    """Return the possible conclusions of an answer, the most reliable first; empty for a blank answer.

    If the answer is stated (marker, box, "the answer is", a "Final answer" heading), only the last statement
    counts, unless the text changes its mind after it. Otherwise: a last line that is a number or a last
    paragraph of one line that ends with one, the last sentence that draws a conclusion, a short opening line,
    the last words in bold, the last line.
    """
    text = visible(answer).replace("\u2019", "'")
    low = text.lower()
    low = low if len(low) == len(text) else text
    stated = _last_stated(text, low)
    if stated is None:
        return tuple(_closing(text, low))
    statement, end = stated
    change = next((match for match in reversed(_changes(low)) if match.start() >= end), None)
    if change is not None:
        rest = tuple(
            later
            for later in _closing(text[change.start() :], low[change.start() :])
            if _differs(later, text, end)
        )
        if rest:
            return rest
    return (statement,)


def _changes(low: str) -> list[re.Match[str]]:
    return list(_CONCLUSIONS.near("changes its mind", low))


def _last_cue(low: str, stop: int) -> int:
    """Return the start of the last word before `stop` that draws a conclusion; -1 for none."""
    for least in (max(0, stop - _NEAR_END), 0):
        best = -1
        for cue in words("conclusions", "cues"):
            at = low.rfind(cue, least, stop)
            while at > max(best, 0) and low[at - 1].isalnum():
                at = low.rfind(cue, least, at)
            best = max(best, at)
        if best >= 0:
            return best
    return -1


def _stated(low: str) -> list[re.Match[str]]:
    """Return the matches of wordings and headings that state an answer, in order."""
    lines = {
        low.rfind("\n", 0, at) + 1
        for trigger in words("conclusions", "words of headings")
        for at in occurrences(low, trigger)
    }
    statements = [*_CONCLUSIONS.near("states", low), *matches(_CONCLUSIONS.heading, low, sorted(lines))]
    return sorted(statements, key=lambda match: match.start())


def _differs(later: Conclusion, text: str, end: int) -> bool:
    return later.where != "the last line" or later.words not in text[:end]


def _last_stated(text: str, low: str) -> tuple[Conclusion, int] | None:
    last: tuple[Conclusion, int] | None = None
    for match in _stated(low):
        if _CONCLUSIONS.not_stated_before.search(low[max(0, match.start() - 30) : match.start()]):
            continue
        start = match.end()
        heading = low[match.start() : match.start() + 3].lstrip().startswith(("#", "**")) and not low[
            match.start() : match.end()
        ].rstrip("*_ ").endswith((":", "=", "is", "are"))
        own = text[match.start() : match.end()] if heading else ""
        words = _from(text, start)
        if own or words.strip(" \t*_\n"):
            last = Conclusion("the stated answer", f"{own} {words}".strip()), start
    boxed = boxes(text) if "\\boxed" in text or "\\fbox" in text else []
    if boxed and (last is None or boxed[-1][0] > last[1] - 400):
        return Conclusion("the last box", boxed[-1][2]), boxed[-1][1]
    return last


def _from(text: str, start: int) -> str:
    """Return the words from a position to the end of the next non-empty paragraph, with its list."""
    while start < len(text) and not text[start : line(text, start)[1]].strip(" \t*_`#>:\\[]()$-="):
        after = line(text, start)[1] + 1
        if after >= len(text):
            break
        start = after
    return text[start : paragraph_end(text, start, 600)]


def _closing(text: str, low: str) -> Iterator[Conclusion]:
    stop = _before_checks(low)
    closing = _closing_line(text[:stop].rstrip())
    if closing:
        yield Conclusion(CLOSING_LINE, closing)
    cue = _last_cue(low, stop)
    if cue >= 0:
        first, last = sentence(low, cue, cue + 1)
        words = text[first:last]
        if words.rstrip(" *_\n").endswith(":"):
            words = text[first : paragraph_end(text, first, 600)]
        yield Conclusion("the last conclusion", _clean(words))
    opening, _, rest = text.lstrip()[:2000].partition("\n")
    if rest.strip() and not _changes(low):
        if len(opening.split()) <= _SHORT:
            yield Conclusion("the opening line", opening.strip())
        else:
            yield Conclusion("the opening sentence", _clean(text[: sentence(low, 0, 1)[1]]))
    bold = [match[1] or match[2] for match in _BOLD.finditer(text, 0, stop)]
    if bold:
        yield Conclusion("the last words in bold", bold[-1])
    ending = text[:stop].rstrip()
    if ending:
        yield Conclusion("the last line", _clean(ending[ending.rfind("\n") + 1 :]))


def _closing_line(text: str) -> str:
    """Return the last line if it is a number ("31", "A: 31") or a paragraph that ends with one; else ""."""
    before, _, last = text.rpartition("\n")
    if not before or len(last) > _LINE:
        return ""
    alone = before.endswith("\n") and _RESULT.fullmatch(last)
    return last.strip() if alone or _BARE.fullmatch(last) else ""


def _before_checks(low: str) -> int:
    """Return the start of a check, note or caveat in the later part of the text; its end without one."""
    at = low.find("\n", len(low) // 3)
    while at >= 0:
        if _CONCLUSIONS.checks.match(low, at + 1):
            return at + 1
        at = low.find("\n", at + 1)
    return len(low)


def _clean(words: str) -> str:
    return words.strip()[-600:]
