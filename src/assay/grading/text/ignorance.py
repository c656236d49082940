"""Statements that a thing does not exist, is not known, or cannot be verified.

Some wordings are such a statement by themselves ("I'm not familiar with it"). Others depend on their subject
("it creates the file if it does not exist" is not about the library), so they count only if the thing, or a
word for it, is the subject and the sentence is not a condition.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain

from assay.grading.text.lexicon import Lexicon, matches, phrases, words
from assay.grading.text.prose import Prose
from assay.grading.text.sentence import sentence

_UNKNOWN = Lexicon("unknown")


@lru_cache(maxsize=1024)
def name_pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern of these names in lower case; hyphens, underscores and spaces are interchangeable."""
    cleaned = sorted({name.lower().strip(" `") for name in names} - {""}, key=len, reverse=True)
    return re.compile(rf"(?:{'|'.join(map(_source, cleaned))})(?:'s|s|es)?(?!\w)")


def _source(name: str) -> str:
    """Return the pattern of one name. For speed the look-behind comes after its first letter."""
    first, rest = re.escape(name[0]), name[1:]
    return rf"{first}(?<!\w{first})" + r"[\s_-]*".join(map(re.escape, re.split(r"[\s_-]+", rest)))


def acknowledgement(prose: Prose, name: re.Pattern[str]) -> tuple[int, int] | None:
    """Return the span of the first statement that the thing is not known or not real, or None."""
    return next(acknowledgements(prose, name), None)


def acknowledgements(prose: Prose, name: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Yield the span of each statement that the thing is not known or not real.

    Statements about an aspect of the thing (an implementation, its records), or about what others do not
    know, do not count: see the lists [aspect] and [other speaker] of `lexicon/unknown.txt`.
    """
    for start, end in chain(_in_patterns(prose.low, name), _in_lists(prose.low, name)):
        if not _is_about_something_else(prose.low, start, end, name):
            yield start, end


def _is_about_something_else(low: str, start: int, end: int, name: re.Pattern[str]) -> bool:
    first, last = sentence(low, start, end)
    if low.startswith("never existed", start) and not (
        name.search(low, first, start) or _UNKNOWN.subject.search(low, first, start)
    ):
        return True
    if _UNKNOWN.other_object.match(low, end) and not name.search(low, first, last):
        return True
    if phrases("unknown", "other speaker").first(low, first, end):
        return True
    if not phrases("unknown", "aspect").first(low, start, last):
        return False
    return not name.search(low, first, last) and not _UNKNOWN.by_name.search(low, start, last)


def _in_lists(low: str, name: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    for match in phrases("unknown", "alone").find(low):
        if not _conditional(low, match):
            yield match.span()
    for match in phrases("unknown", "doubt").find(low):
        if name.search(low, *sentence(low, match.start(), match.end())) and not _conditional(low, match):
            yield match.span()
    for match in phrases("unknown", "of subject").find(low):
        first, last = sentence(low, match.start(), match.end())
        if _UNKNOWN.condition.search(low, first, match.start()):
            continue
        if name.search(low, first, last) or _UNKNOWN.subject.search(low, first, match.start()):
            yield match.span()


def _in_patterns(low: str, name: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    denials = _UNKNOWN.places("lacks", low)
    places = sorted({*denials, *_UNKNOWN.places("unknown", low)})
    for match in matches(_UNKNOWN.unknown, low, places):
        if not _conditional(low, match):
            yield match.span()
    unsure = (
        _UNKNOWN.uncertain.finditer(low)
        if any(word in low for word in words("unknown", "words of uncertainty"))
        else ()
    )
    for match in (*matches(_UNKNOWN.unreal, low, places), *unsure):
        first, last = sentence(low, match.start(), match.end())
        if "install" in low and "standard lib" in low[match.start() : last]:
            continue  # "not in the standard library, so install it" treats the thing as real
        if _UNKNOWN.condition.search(low, first, match.start()) or _UNKNOWN.relative.search(
            low, first, match.start()
        ):
            continue
        if name.search(low, first, match.start()) or _UNKNOWN.subject.search(low, first, match.start()):
            yield match.span()
    for match in matches(_UNKNOWN.lacks, low, denials):
        first, last = sentence(low, match.start(), match.end())
        if _UNKNOWN.condition.search(low, first, match.start()):
            continue
        for thing in name.finditer(low, match.end(), last):
            if _UNKNOWN.between.match(low, match.end(), thing.start()):
                yield match.start(), thing.end()


def _conditional(low: str, match: re.Match[str]) -> bool:
    first, _ = sentence(low, match.start(), match.end())
    asking = match[0].startswith(("if", "where"))
    return not asking and bool(_UNKNOWN.condition.search(low, first, match.start()))
