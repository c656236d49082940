"""Locating the final answer in a text: after a marker, in a box, on the last line."""

from __future__ import annotations

import re
from functools import lru_cache

DEFAULT_MARKER = "ANSWER:"

_BOX = re.compile(r"\\(?:boxed|fbox)\s*(\{)?")
_WORD = re.compile(r"[^\s$]+")
_LONGEST_BOX = 1000
_MOST_BOXES = 8
_FAR = 200
_EMPTY_LINE = re.compile(r"[\s$*_`\\\[\]()>#:=-]*\Z")
_JOINED = re.compile(r"[\s$.,;]*(?:or|and|,|;|/)[\s$]*\Z", re.IGNORECASE)


def visible(answer: str) -> str:
    """Return the answer without the reasoning that some servers leave in it before `</think>`."""
    if "</think>" in answer:
        return answer.rpartition("</think>")[2]
    return answer


@lru_cache(maxsize=512)
def marker_pattern(marker: str) -> re.Pattern[str]:
    """Return a pattern of a marker as models write it: in other case, in bold, with a space before the colon.

    Markers of one or two letters (`A:`) are case-sensitive, since otherwise articles would match.
    """
    words = marker.strip()
    colon = words.endswith(":")
    body = r"\s+".join(re.escape(word) for word in words.rstrip(":").split())
    before = r"(?<!\w)" if words[:1].isalnum() else ""
    after = r"[*_`]*\s*[:：]" if colon else r"(?!\w)" if words[-1:].isalnum() else ""
    letters = sum(character.isalpha() for character in words)
    return re.compile(f"{before}{body}{after}[*_`]*", re.IGNORECASE if letters > 2 else 0)


def last_marker(text: str, marker: str) -> tuple[int, int] | None:
    """Return where the last marker starts and ends, or None when there is none."""
    at = text.rfind(marker)
    if at < 0 and marker.split()[0].rstrip(":").lower() not in text.lower():
        return None
    pattern = marker_pattern(marker)
    start = at if at > 0 and pattern.match(text, at) else 0
    span = None
    for match in pattern.finditer(text, start):
        span = match.span()
    return span


def line_after(text: str, start: int) -> tuple[int, int]:
    """Return the span of the line from `start`, or of the next line that is not empty.

    After `ANSWER:` alone on its line, or with an opening `$$` or `\\[`, the answer is on a line below.
    """
    for _ in range(4):
        end = text.find("\n", start)
        if end < 0:
            return start, len(text)
        if not _EMPTY_LINE.match(text[start:end]):
            return start, end
        start = end + 1
    return start, len(text) if (end := text.find("\n", start)) < 0 else end


def line_before(text: str, end: int) -> tuple[int, int]:
    """Return the span up to `end` from the start of its line, or of the previous line if that part is blank.

    Looks back at most 200 characters.
    """
    start = max(text.rfind("\n", 0, end) + 1, end - _FAR)
    if text[start:end].strip(" \t*_`#>-"):
        return start, end
    nearby = text[max(0, start - _FAR) : start].rstrip()
    return start - min(_FAR, start) + nearby.rfind("\n") + 1, end


def boxes(text: str) -> list[tuple[int, int, str]]:
    """Return start, end and content of the last eight `\\boxed{...}` (braces balanced) and `\\boxed 5`."""
    spans = []
    for match in list(_BOX.finditer(text))[-_MOST_BOXES:]:
        if match[1] is None:
            word = _WORD.match(text, match.end())
            if word:
                spans.append((match.start(), word.end(), word[0]))
            continue
        depth, at = 1, match.end()
        stop = min(len(text), at + _LONGEST_BOX)
        while at < stop and depth:
            depth += (text[at] == "{") - (text[at] == "}")
            at += 1
        spans.append((match.start(), at, text[match.end() : at - 1 if not depth else at]))
    return spans


def last_box(text: str) -> tuple[int, str] | None:
    """Return the start and the content of the last box; boxes joined by `or` are read as one."""
    if "\\boxed" not in text and "\\fbox" not in text:
        return None
    every = boxes(text)
    if not every:
        return None
    start, _, content = every[-1]
    for earlier in reversed(every[:-1]):
        if not _JOINED.match(text[earlier[1] : start]):
            break
        start, content = earlier[0], f"{earlier[2]} or {content}"
    return start, content


def final_line(text: str) -> tuple[int, int]:
    """Return the span of the last line that is not blank; an empty span for a blank text."""
    end = len(text.rstrip())
    return text.rfind("\n", 0, end) + 1, end


def cut(text: str, most: int = 120) -> str:
    """Return the text, shortened in the middle if it is longer than `most` characters."""
    if len(text) <= most:
        return text
    half = (most - 3) // 2
    return f"{text[:half]}...{text[-half:]}"
