"""Pairs of constraints that no answer can follow both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from assay.grading.constraint_kinds.keywords import whole
from assay.grading.constraint_kinds.kind import Demands


def contradictions(demands: Sequence[tuple[str, Demands]]) -> tuple[str, ...]:
    """Return what contradicts what, in words, for constraints named by their place in the list."""
    found: list[str] = []
    for (one, first), (other, second) in combinations(demands, 2):
        reasons = [
            *_ranges(first, second),
            *_absences(first, second),
            *_absences(second, first),
            *_ends(first, second),
            *_language(first, second),
        ]
        found += [f"{one} contradicts {other}: {reason}" for reason in reasons]
    for name, alone in demands:
        found += [
            f"{name} cannot hold: no answer has so many {allowed.quantity}"
            for allowed in alone.ranges
            if allowed.most is not None and allowed.most < allowed.least
        ]
    return tuple(found)


def _ranges(first: Demands, second: Demands) -> Iterator[str]:
    for one in first.ranges:
        for other in second.ranges:
            if one.quantity != other.quantity:
                continue
            tops = [allowed.most for allowed in (one, other) if allowed.most is not None]
            least = max(one.least, other.least)
            if tops and min(tops) < least:
                yield f"{one.quantity} would be at least {least} and at most {min(tops)}"


def _absences(wanting: Demands, barring: Demands) -> Iterator[str]:
    for phrase in wanting.phrases:
        shown = phrase if len(phrase) <= 60 else phrase[:57] + "..."
        yield from (
            f"{shown!r} is wanted, {word!r} forbidden" for word in barring.words if whole(word).search(phrase)
        )
        yield from (
            f"{shown!r} is wanted and holds the forbidden {letter!r}"
            for letter in barring.letters
            if letter in phrase.casefold()
        )


def _ends(first: Demands, second: Demands) -> Iterator[str]:
    if first.begins and second.begins:
        one, other = first.begins.casefold(), second.begins.casefold()
        if not one.startswith(other) and not other.startswith(one):
            yield f"the answer would begin with {first.begins!r} and with {second.begins!r}"
    if first.ends and second.ends:
        one, other = first.ends.casefold(), second.ends.casefold()
        if not one.endswith(other) and not other.endswith(one):
            yield f"the answer would end with {first.ends!r} and with {second.ends!r}"


def _language(first: Demands, second: Demands) -> Iterator[str]:
    if first.case and second.case and first.case != second.case:
        yield "one wants capital letters only, the other small ones"
    if first.language and second.language and first.language != second.language:
        yield f"the language would be {first.language!r} and {second.language!r}"
