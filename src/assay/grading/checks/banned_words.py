"""The check that flags banned words."""

from __future__ import annotations

import re

from assay.core.documented import HelpText
from assay.core.grade import Grade
from assay.grading.check import Switch, Texts, check, flag, grade
from assay.grading.checks.flags import FlagCode
from assay.grading.text.inflection import pattern
from assay.grading.text.lexicon import Lexicon
from assay.grading.text.prose import prose
from assay.grading.text.sentence import line, sentence

_BANS = Lexicon("bans")

SHORT = 40
_ARROW = re.compile(r"[\"')\s]*(?:->|=>|\u2192|\|)")


def _pattern(*, words: Texts, forms: Switch = True) -> re.Pattern[str]:
    return pattern(tuple(words), inflected=forms)


@check(
    "banned_words",
    version="2",
    prepare=_pattern,
    about=HelpText("""
        An auto-check that flags each forbidden word in an answer (`BANNED_WORD`).

        "Do not use the word X" is easy to test exactly and often broken. Code is left out, and so are words
        that the answer quotes while it speaks about the ban.

        List words or phrases in `words`. Inflected forms count too ("leveraging" for "leverage") unless the
        suite sets `forms: false`.
    """),
)
def banned_words(answer: str, banned: re.Pattern[str]) -> Grade:
    """Flag an answer that uses a banned word, unless it writes about the ban.

    Parameters: `words` (words and phrases), `forms` (default true: inflected forms count). Code does not
    count, and neither does a word that is quoted or listed in a sentence about the ban or its replacement, or
    in a line that repeats the original.
    """
    text = prose(answer)
    low = text.low
    used: dict[str, list[re.Match[str]]] = {}
    spared = 0
    every = list(banned.finditer(low))
    for at, match in enumerate(every):
        if _listed(low, every, at) or _mentioned(low, *match.span(1)):
            spared += 1
        else:
            used.setdefault(re.sub(r"\s+", " ", match[1]), []).append(match)
    flags = [
        flag(
            FlagCode.BANNED_WORD,
            f"uses {word!r}",
            word=word,
            count=len(matches),
            line=text.excerpt(*matches[0].span(1))["line"],
        )
        for word, matches in used.items()
    ]
    return grade(*flags, used=sum(map(len, used.values())), mentioned=spared)


def _listed(low: str, every: list[re.Match[str]], at: int) -> bool:
    """Return whether a word is in a row of three or more banned words, joined by commas, "and" or "or"."""
    first = last = at
    while first and _BANS.between.fullmatch(low, every[first - 1].end(1), every[first].start(1)):
        first -= 1
    while last + 1 < len(every) and _BANS.between.fullmatch(
        low, every[last].end(1), every[last + 1].start(1)
    ):
        last += 1
    return last - first >= 2


def _mentioned(low: str, start: int, end: int) -> bool:
    """Return whether the words at a span are mentioned and not used."""
    first, last = sentence(low, start, end)
    closing = _closing_quote(low, first, start, end, last)
    quoted = closing > 0
    if quoted and (_BANS.swap.search(low, first, last) or _ARROW.match(low, closing, last)):
        return True
    opened = low.rfind('"', first, start)
    if opened >= 0 and low.count('"', first, start) % 2 and _BANS.replaced_before.search(low[first:opened]):
        return True
    if _BANS.ban.search(low, first, start) and (quoted or "," in low[first:last] or low[start - 1] == "("):
        return True
    return _BANS.original.match(low, *line(low, start)) is not None


def _closing_quote(low: str, first: int, start: int, end: int, last: int) -> int:
    """Return the end of the short quotation around a span; 0 if it is not quoted."""
    opened = low.rfind('"', max(first, start - SHORT), start)
    closed = low.find('"', end, min(last, end + SHORT))
    if opened >= 0 and closed >= 0 and (opened == start - 1 or low.count('"', first, start) % 2):
        return closed + 1
    return end + 1 if low[start - 1 : start] == "'" and low[end : end + 1] == "'" else 0
