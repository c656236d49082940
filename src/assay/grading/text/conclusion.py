"""Where an answer concludes: the place that states the result, after all working and changes of mind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from assay.grading.text.answer import boxes, visible
from assay.grading.text.sentence import line, paragraph_end, sentence

_STATED = re.compile(
    r"\b(?:final\s+)?answer\b(?:[^.\n:=!?]{0,60}?\b(?:is|are|equals|becomes)\b(?!\s+not\b)"
    r"|\s*[*_]*\s*[:=\u2192])|\b(?:final\s+(?:result|total|count|figure|number|value|tally|verdict|cost"
    r"|price|score|schedule|order)|conclusion|solution|verdict|bottom\s+line)\b"
    r"(?:[^.\n:=!?]{0,40}?\b(?:is|are|equals)\b(?!\s+not\b)|\s*[*_]*\s*[:=\u2192])|^[ \t]*(?:#{1,6}[^\n]*"
    r"|\*\*[^*\n]{0,30})\b(?:final|answer|conclusion|result|solution|bottom\s+line)\b[^\n]*$"
    r"|^####(?![#])[ \t]*",
    re.MULTILINE,
)
_NOT_STATED = re.compile(
    r"\b(?:no|any|an|first|initial|naive|tempting|obvious|wrong|incorrect|intuitive|check(?:ing)?"
    r"|verify(?:ing)?|your|their|the\s+wrong)\s+\Z"
)
_CUE = re.compile(
    r"\b(?:therefore|thus|hence|so|in\s+total|altogether|overall|in\s+conclusion|to\s+conclude|in\s+summary"
    r"|consequently|in\s+all|which\s+(?:means|gives|leaves|makes)|this\s+(?:means|gives|leaves|makes)|"
    r"that\s+(?:means|gives|leaves|makes)|we\s+(?:get|need|have|find|conclude)|it\s+follows|ends?\s+up"
    r"|must\s+be|total(?:s|\s+is|\s+cost|\s+time)?|results?\s+in|comes?\s+to)\b|\u2234|\u21d2|=>"
    r"|\\therefore"
)
_CHANGED = re.compile(
    r"\b(?:wait|correction|scratch\s+that|oops|on\s+second\s+thought|i\s+made\s+an?\s+(?:\w+\s+)?(?:mistake"
    r"|error|slip)|let\s+me\s+(?:re-?(?:check|do|calculate|compute|consider|think|examine|visit)|correct"
    r"|fix|double)|"
    r"i\s+(?:mis\w+|overlooked|forgot)|that(?:'s|\s+is)\s+(?:not\s+right|wrong|incorrect)|actually,)"
)
_CHECKS = re.compile(
    r"^[ \t]*[#*_-]*[ \t]*(?:\d+[.)]\s*)?(?:\w+\s+){0,2}?(?:check|verif\w+|sanity|proof|double-check|note"
    r"|caveat|assumption|why\s+not|alternativ\w+)\b",
    re.MULTILINE,
)
_BOLD = re.compile(r"\*\*([^*\n]{1,200})\*\*|__([^_\n]{1,200})__")
_SHORT = 16


@dataclass(frozen=True, slots=True)
class Place:
    """Words that may conclude an answer, and why they are looked at."""

    where: str
    words: str


def conclusions(answer: str) -> tuple[Place, ...]:
    """Return the places where the answer concludes, the most telling first; empty for a blank answer.

    A stated answer (marker, box, "the answer is", a "Final answer" heading) stands alone: the last one
    counts, unless the text changes its mind after it. Without one: the last sentence that draws a
    conclusion, a short opening line, the last words in bold, the last line.
    """
    text = visible(answer).replace("\u2019", "'")
    low = text.lower()
    low = low if len(low) == len(text) else text
    stated = _last_stated(text, low)
    if stated is None:
        return tuple(_closing(text, low))
    place, end = stated
    change = _last(_CHANGED, low, end, len(low))
    if change is not None:
        rest = tuple(
            each
            for each in _closing(text[change.start() :], low[change.start() :])
            if _differs(each, text, end)
        )
        if rest:
            return rest
    return (place,)


def _last(pattern: re.Pattern[str], low: str, start: int, stop: int) -> re.Match[str] | None:
    found = None
    for match in pattern.finditer(low, start, stop):
        found = match
    return found


def _differs(place: Place, text: str, end: int) -> bool:
    return place.where != "the last line" or place.words not in text[:end]


def _last_stated(text: str, low: str) -> tuple[Place, int] | None:
    found: tuple[Place, int] | None = None
    for match in _STATED.finditer(low):
        if _NOT_STATED.search(low[max(0, match.start() - 30) : match.start()]):
            continue
        start = match.end()
        heading = low[match.start() : match.start() + 3].lstrip().startswith(("#", "**")) and not low[
            match.start() : match.end()
        ].rstrip("*_ ").endswith((":", "=", "is", "are"))
        own = text[match.start() : match.end()] if heading else ""
        words = _from(text, start)
        if own or words.strip(" \t*_\n"):
            found = Place("the stated answer", f"{own} {words}".strip()), start + len(words)
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
    stop = len(text)
    for check in _CHECKS.finditer(low):
        if check.start() > len(low) // 3:
            stop = check.start()
            break
    cue = _last(_CUE, low, 0, stop)
    if cue is not None:
        first, last = sentence(low, cue.start(), cue.end())
        yield Place("the last conclusion", _clean(text[first:last]))
    opening, _, rest = text.lstrip()[:2000].partition("\n")
    if rest.strip() and not _CHANGED.search(low):
        if len(opening.split()) <= _SHORT:
            yield Place("the opening line", opening.strip())
        else:
            yield Place("the opening sentence", _clean(text[: sentence(low, 0, 1)[1]]))
    bold = [match[1] or match[2] for match in _BOLD.finditer(text, 0, stop)]
    if bold:
        yield Place("the last words in bold", bold[-1])
    lines = [each for each in text[:stop].splitlines() if each.strip()]
    if lines:
        yield Place("the last line", _clean(lines[-1]))


def _clean(words: str) -> str:
    return words.strip()[-600:]
