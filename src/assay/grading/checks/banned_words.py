"""Flags an answer that uses a banned word."""

from __future__ import annotations

import re
from typing import ClassVar

from assay.core.ask import Ask, Reply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.flag import flag, graded
from assay.grading.checks.parameters import faults
from assay.grading.constraint_kinds.kind import flag as switch
from assay.grading.constraint_kinds.kind import texts
from assay.grading.prepared import Prepared
from assay.grading.text.inflection import pattern
from assay.grading.text.prose import prose
from assay.grading.text.sentence import line, sentence

PARAMETERS = (
    texts("words"),
    switch("forms"),
)

SHORT = 40
_BAN = re.compile(
    r"\b(?:banned|forbidden|off-limits|prohibited|disallowed|lea(?:ve|ft|ving)\s+out|do(?:es)?\s+without|avoid(?:ed|ing|s)?|(?:the|these|those|your"
    r"|listed|following|any|restricted|overused)\s+(?:\w+\s+){0,2}?(?:words?|terms?|phrases?|"
    r"buzzwords?|clich[e\u00e9]s?)|(?:the\s+)?(?:word|term|phrase)\b)"
)
_SWAP = re.compile(
    r"\b(?:avoid(?:ed|ing|s)?|without|instead\s+of|rather\s+than|replac\w+|remov\w+|swap\w+|cut|dropp?\w*"
    r"|delet\w+|omit\w*|excluded?|banned|forbidden|changed?|no|not|free\s+of|words?|terms?|"
    r"phrases?|buzzwords?|clich[e\u00e9]s?)\b|->|=>|\u2192"
)
_ORIGINAL = re.compile(
    r"[\s>#|-]*(?:the\s+)?(?:original|before|old|your\s+(?:text|draft|version))\b[^:\n]{0,30}:"
)
_REPLACED = re.compile(
    r"\b(?:replac|remov|swapp|chang|dropp|delet)(?:e|ed|ing|d)\s+(?:the\s+)?(?:\w+\s+){0,2}\Z"
)
_BETWEEN = re.compile(r"[\"'\s]*(?:,|/|;|\b(?:and|or|nor)\b)[\"'\s]*(?:(?:and|or|nor)\b[\"'\s]*)?")
_ARROW = re.compile(r"[\"')\s]*(?:->|=>|\u2192|\|)")


class BannedWords:
    """Flags an answer that uses a banned word outside of speaking about the ban.

    Parameters: `words` (words and phrases), `forms` (default true: inflected forms count). Code does
    not count, nor a word that is quoted or listed while the ban, or its replacement, is spoken of,
    nor a line that repeats the original.
    """

    name: ClassVar[str] = "banned_words"
    version: ClassVar[str] = "2"

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return what is wrong with the parameters."""
        return tuple(faults(spec, PARAMETERS))

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]:
        """Ask nothing: the check is mechanical."""
        return ()

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade:
        """Return 1, or 0 with each banned word used, how often, and where first."""
        text = prose(answer)
        low = text.low
        used: dict[str, list[re.Match[str]]] = {}
        spared = 0
        every = list(_PREPARED(spec).finditer(low))
        for at, found in enumerate(every):
            if _listed(low, every, at) or _mentioned(low, *found.span(1)):
                spared += 1
            else:
                used.setdefault(re.sub(r"\s+", " ", found[1]), []).append(found)
        flags = [
            flag(
                "BANNED_WORD",
                f"uses {word!r}",
                word=word,
                count=len(places),
                line=text.place(*places[0].span(1))["line"],
            )
            for word, places in used.items()
        ]
        return graded(flags, used=sum(map(len, used.values())), mentioned=spared)


def _listed(low: str, every: list[re.Match[str]], at: int) -> bool:
    """Whether a word stands in a row of three banned words or more, joined by commas, "and" or "or"."""
    first = last = at
    while first and _BETWEEN.fullmatch(low, every[first - 1].end(1), every[first].start(1)):
        first -= 1
    while last + 1 < len(every) and _BETWEEN.fullmatch(low, every[last].end(1), every[last + 1].start(1)):
        last += 1
    return last - first >= 2


def _mentioned(low: str, start: int, end: int) -> bool:
    """Whether the words at a span are spoken of and not used."""
    first, last = sentence(low, start, end)
    closing = _closing_quote(low, first, start, end, last)
    quoted = closing > 0
    if quoted and (_SWAP.search(low, first, last) or _ARROW.match(low, closing, last)):
        return True
    opened = low.rfind('"', first, start)
    if opened >= 0 and low.count('"', first, start) % 2 and _REPLACED.search(low[first:opened]):
        return True
    if _BAN.search(low, first, start) and (quoted or "," in low[first:last] or low[start - 1] == "("):
        return True
    return _ORIGINAL.match(low, *line(low, start)) is not None


def _closing_quote(low: str, first: int, start: int, end: int, last: int) -> int:
    """Where the short quotation around a span ends; 0 where it is not quoted."""
    opened = low.rfind('"', max(first, start - SHORT), start)
    closed = low.find('"', end, min(last, end + SHORT))
    if opened >= 0 and closed >= 0 and (opened == start - 1 or low.count('"', first, start) % 2):
        return closed + 1
    return end + 1 if low[start - 1 : start] == "'" and low[end : end + 1] == "'" else 0


_PREPARED: Prepared[re.Pattern[str]] = Prepared(
    lambda spec: pattern(
        tuple(map(str, spec.parameters["words"])), inflected=bool(spec.parameters.get("forms", True))
    )
)
