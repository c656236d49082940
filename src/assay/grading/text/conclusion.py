"""Where an answer concludes: the place that states the result, after all working and changes of mind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from assay.grading.text.answer import boxes, visible
from assay.grading.text.near import matches, near, occurrences
from assay.grading.text.sentence import line, paragraph_end, sentence

_STATED = re.compile(
    r"\b(?:final\s+)?answer\b(?:[^.\n:=!?]{0,60}?\b(?:is|are|equals|becomes)\b(?!\s+not\b)"
    r"|\s*[*_]*\s*[:=\u2192])|\b(?:final\s+(?:result|total|count|figure|number|value|tally|verdict|cost"
    r"|price|score|schedule|order)|conclusion|solution|verdict|bottom\s+line)\b"
    r"(?:[^.\n:=!?]{0,40}?\b(?:is|are|equals)\b(?!\s+not\b)|\s*[*_]*\s*[:=\u2192])"
)
_HEADING = re.compile(
    r"[ \t]*(?:#{1,6}[^\n]*|\*\*[^*\n]{0,30})\b(?:final|answer|conclusion|result|solution"
    r"|bottom\s+line)\b[^\n]*"
    r"|####(?!#)[ \t]*"
)
_STATED_TRIGGERS = ("answer", "conclusion", "solution", "verdict", "bottom line", "final ")
_HEADING_TRIGGERS = ("final", "answer", "conclusion", "result", "solution", "bottom line", "#### ")
_NOT_STATED = re.compile(
    r"\b(?:no|any|an|first|initial|naive|tempting|obvious|wrong|incorrect|intuitive|check(?:ing)?"
    r"|verify(?:ing)?|your|their|the\s+wrong)\s+\Z"
)
_CUES = (
    "therefore", "thus", "hence", "so ", "so,", "so:", "in total", "altogether", "overall",
    "in conclusion", "to conclude", "in summary", "to sum up", "in sum,", "consequently", "in all",
    "which means", "which gives", "which leaves", "which makes", "this means", "this gives",
    "this leaves", "this makes", "that means", "that gives", "that leaves", "that makes", "we get",
    "we need", "we have", "we find", "we conclude", "it follows", "ends up", "end up", "must be",
    "total", "result in", "results in", "come to", "comes to", "\u2234", "\u21d2", "=>", "\\therefore",
)  # fmt: skip
_CHANGED = re.compile(
    r"\b(?:wait(?=\s*[,.!:;\u2014-]|\s+(?:no|actually|a\s+(?:minute|moment|second))\b)|correction"
    r"|scratch\s+that|oops|on\s+second\s+thought|i\s+made\s+an?\s+(?:\w+\s+)?(?:mistake"
    r"|error|slip)|let\s+me\s+(?:re-?(?:check|do|calculate|compute|consider|think|examine|visit)|correct"
    r"|fix|double)|"
    r"i\s+(?:mis\w+|overlooked|forgot)|that(?:'s|\s+is)\s+(?:not\s+right|wrong|incorrect)|actually,)"
)
_CHANGED_TRIGGERS = (
    "wait", "correction", "scratch that", "oops", "second thought", "mistake", "error", "slip",
    "let me", "i mis", "overlooked", "forgot", "not right", "wrong", "incorrect", "actually,",
)  # fmt: skip
_CHECKS = re.compile(
    r"[ \t]*[#*_-]*[ \t]*(?:\d+[.)]\s*)?(?:\w+\s+){0,2}?(?:check|verif\w+|sanity|proof|double-check|note"
    r"|caveat|assumption|why\s+not|alternativ\w+)\b"
)
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
class Place:
    """Words that may conclude an answer, and why they are looked at."""

    where: str
    words: str


def conclusions(answer: str) -> tuple[Place, ...]:
    """Return the places where the answer concludes, the most telling first; empty for a blank answer.

    A stated answer (marker, box, "the answer is", a "Final answer" heading) stands alone: the last one
    counts, unless the text changes its mind after it. Without one: a last line that is a number or a
    last paragraph of one line that ends with one, the last sentence that draws a conclusion, a short
    opening line, the last words in bold, the last line.
    """
    text = visible(answer).replace("\u2019", "'")
    low = text.lower()
    low = low if len(low) == len(text) else text
    stated = _last_stated(text, low)
    if stated is None:
        return tuple(_closing(text, low))
    place, end = stated
    change = next((each for each in reversed(_changes(low)) if each.start() >= end), None)
    if change is not None:
        rest = tuple(
            each
            for each in _closing(text[change.start() :], low[change.start() :])
            if _differs(each, text, end)
        )
        if rest:
            return rest
    return (place,)


def _changes(low: str) -> list[re.Match[str]]:
    return list(near(_CHANGED, low, _CHANGED_TRIGGERS, 4))


def _last_cue(low: str, stop: int) -> int:
    """Where the last word that draws a conclusion starts before `stop`; -1 for none."""
    for least in (max(0, stop - _NEAR_END), 0):
        best = -1
        for cue in _CUES:
            at = low.rfind(cue, least, stop)
            while at > max(best, 0) and low[at - 1].isalnum():
                at = low.rfind(cue, least, at)
            best = max(best, at)
        if best >= 0:
            return best
    return -1


def _stated(low: str) -> list[re.Match[str]]:
    """The matches of what states an answer, headings included, in order."""
    lines = {low.rfind("\n", 0, at) + 1 for trigger in _HEADING_TRIGGERS for at in occurrences(low, trigger)}
    found = [*near(_STATED, low, _STATED_TRIGGERS, 1), *matches(_HEADING, low, sorted(lines))]
    return sorted(found, key=lambda match: match.start())


def _differs(place: Place, text: str, end: int) -> bool:
    return place.where != "the last line" or place.words not in text[:end]


def _last_stated(text: str, low: str) -> tuple[Place, int] | None:
    found: tuple[Place, int] | None = None
    for match in _stated(low):
        if _NOT_STATED.search(low[max(0, match.start() - 30) : match.start()]):
            continue
        start = match.end()
        heading = low[match.start() : match.start() + 3].lstrip().startswith(("#", "**")) and not low[
            match.start() : match.end()
        ].rstrip("*_ ").endswith((":", "=", "is", "are"))
        own = text[match.start() : match.end()] if heading else ""
        words = _from(text, start)
        if own or words.strip(" \t*_\n"):
            found = Place("the stated answer", f"{own} {words}".strip()), start
    boxed = boxes(text) if "\\boxed" in text or "\\fbox" in text else []
    if boxed and (found is None or boxed[-1][0] > found[1] - 400):
        return Place("the last box", boxed[-1][2]), boxed[-1][1]
    return found


def _from(text: str, start: int) -> str:
    """The words from a place to the end of the paragraph that says something, with its list."""
    while start < len(text) and not text[start : line(text, start)[1]].strip(" \t*_`#>:\\[]()$-="):
        after = line(text, start)[1] + 1
        if after >= len(text):
            break
        start = after
    return text[start : paragraph_end(text, start, 600)]


def _closing(text: str, low: str) -> Iterator[Place]:
    stop = _before_checks(low)
    closing = _closing_line(text[:stop].rstrip())
    if closing:
        yield Place(CLOSING_LINE, closing)
    cue = _last_cue(low, stop)
    if cue >= 0:
        first, last = sentence(low, cue, cue + 1)
        words = text[first:last]
        if words.rstrip(" *_\n").endswith(":"):
            words = text[first : paragraph_end(text, first, 600)]
        yield Place("the last conclusion", _clean(words))
    opening, _, rest = text.lstrip()[:2000].partition("\n")
    if rest.strip() and not _changes(low):
        if len(opening.split()) <= _SHORT:
            yield Place("the opening line", opening.strip())
        else:
            yield Place("the opening sentence", _clean(text[: sentence(low, 0, 1)[1]]))
    bold = [match[1] or match[2] for match in _BOLD.finditer(text, 0, stop)]
    if bold:
        yield Place("the last words in bold", bold[-1])
    ending = text[:stop].rstrip()
    if ending:
        yield Place("the last line", _clean(ending[ending.rfind("\n") + 1 :]))


def _closing_line(text: str) -> str:
    """The last line where it is a number ("31", "A: 31"), or a paragraph that ends with one; else ""."""
    before, _, last = text.rpartition("\n")
    if not before or len(last) > _LINE:
        return ""
    alone = before.endswith("\n") and _RESULT.fullmatch(last)
    return last.strip() if alone or _BARE.fullmatch(last) else ""


def _before_checks(low: str) -> int:
    """Where a check, note or caveat in the later part of the text starts; its end where there is none."""
    at = low.find("\n", len(low) // 3)
    while at >= 0:
        if _CHECKS.match(low, at + 1):
            return at + 1
        at = low.find("\n", at + 1)
    return len(low)


def _clean(words: str) -> str:
    return words.strip()[-600:]
