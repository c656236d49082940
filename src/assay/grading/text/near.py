"""Matching long patterns only near words that must occur in them: a scan for plain text is many times
faster.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_LONGEST_WORD = 60


def starts(low: str, triggers: Iterable[str], back: int) -> list[int]:
    """Return where the words start that hold a trigger, or stand at most `back` words before one, in
    order.
    """
    found: set[int] = set()
    flat = low.replace("\n", " ")
    for trigger in triggers:
        at = flat.find(trigger)
        while at >= 0:
            place = at
            for _ in range(back + 1):
                least = max(0, place - _LONGEST_WORD)
                start = max(flat.rfind(" ", least, place), least - 1) + 1
                word = start
                while word < place and not flat[word].isalnum():
                    word += 1
                found.add(word)
                if not start:
                    break
                place = start - 1
            at = flat.find(trigger, at + 1)
    return sorted(found)


def occurrences(low: str, trigger: str, start: int = 0, end: int | None = None) -> Iterator[int]:
    """Yield where a text occurs, or occurs between two places."""
    last = len(low) if end is None else end
    at = low.find(trigger, start, last)
    while at >= 0:
        yield at
        at = low.find(trigger, at + 1, last)


def matches(pattern: re.Pattern[str], low: str, places: Iterable[int]) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern at these places, in order, without overlaps."""
    end = 0
    for place in places:
        if place >= end and (found := pattern.match(low, place)):
            end = found.end()
            yield found


def near(pattern: re.Pattern[str], low: str, triggers: Iterable[str], back: int) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern that start at most `back` words before one of the triggers."""
    return matches(pattern, low, starts(low, triggers, back))
