"""Assertions in a text: does it assert the words that a pattern finds, or deny, quote or suppose them?

Also claims that code has a bug, and statements that it has none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from assay.grading.text.lexicon import Lexicon, phrases
from assay.grading.text.prose import Prose
from assay.grading.text.sentence import clause_before, line, sentence

_CLAIMS = Lexicon("claims")

MOST = 50
"""The most matches of one pattern that are examined."""

_LOOK_BACK = 12


@dataclass(frozen=True, slots=True)
class PatternClaims:
    """The first match that the text asserts, or None, and the number of matches that it does not assert."""

    asserted: re.Match[str] | None
    dismissed: int = 0


def claims(prose: Prose, patterns: Iterable[re.Pattern[str]]) -> PatternClaims:
    """Return the first asserted match of any of these patterns, and the number of matches not asserted."""
    dismissed = 0
    for compiled in patterns:
        for count, match in enumerate(compiled.finditer(prose.text)):
            if count >= MOST:
                break
            if not match.group():
                continue
            if not dismissal(prose.low, match.start(), match.end()):
                return PatternClaims(match, dismissed)
            dismissed += 1
    return PatternClaims(None, dismissed)


def dismissal(low: str, start: int, end: int) -> str:
    """Return how a text in lower case dismisses the words at a span; "" if it asserts them.

    They may be denied before or after, attributed to others, quoted, supposed, asked, or listed under a
    heading such as "Common misconceptions".
    """
    first, last = sentence(low, start, end)
    before = low[first:start]
    denied = _CLAIMS.denied_after.match(low, end, last) or _CLAIMS.denied_next.match(
        low, last, min(len(low), last + 120)
    )
    if denied:
        return "denied afterwards"
    if low[end:last].rstrip(" \t\n\"')]").endswith("?"):
        return "asked"
    if _CLAIMS.agreed.search(before):
        return ""
    if before.count('"') % 2 and '"' in low[end:last]:
        return "quoted"
    clause = clause_before(low, first, start)
    if _CLAIMS.denies.search(clause) or _CLAIMS.wrong.search(clause):
        return "denied"
    if _CLAIMS.attributed.search(clause):
        return "attributed"
    if _CLAIMS.supposed.search(clause):
        return "supposed"
    if _CLAIMS.label.search(before) or before.rstrip().endswith("~~"):
        return "labelled as wrong"
    return "listed as wrong" if _under_a_wrong_heading(low, first) else ""


def _under_a_wrong_heading(low: str, at: int) -> bool:
    """Return whether the list item at a position follows a line that announces mistakes."""
    start, end = line(low, at)
    for _ in range(_LOOK_BACK):
        if not _CLAIMS.item.match(low, start, end):
            return bool(_CLAIMS.heads_mistakes.search(low, start, end)) and end < at
        if start == 0:
            return False
        start, end = line(low, start - 1)
    return False


_BUGS = Lexicon("bugs")


@dataclass(frozen=True, slots=True)
class BugClaim:
    """The span of the words that claim a bug."""

    start: int
    end: int


def _clean_statements(prose: Prose) -> list[tuple[int, int]]:
    """Return the spans of statements that the code has no bug, except about a fixed version."""
    low = prose.low
    spans = []
    for match in _BUGS.near("works", low):
        first, last = sentence(low, match.start(), match.end())
        if not _BUGS.fixed.search(low, first, last) and low[last - 1 : last] != "?":
            spans.append(match.span())
    return spans


def bug_claim(prose: Prose) -> BugClaim | None:
    """Return the first claim of a bug that is neither denied, supposed nor taken back, or None.

    Plain "issues", "problems" and ways to fail are a claim only if the text never says that the code is
    correct, or after a "but". Suggestions, and issues called minor, potential or a matter of style, are no
    claims.
    """
    return _claim_by_name(prose) or _claim_by_fault(prose)


def elsewhere(prose: Prose, start: int, end: int) -> bool:
    """Return whether a fault is located in another language or in other code ("in C ... would")."""
    first, _ = sentence(prose.low, start, end)
    before = prose.low[first:start]
    return bool(_BUGS.would_before.search(before)) or phrases("bugs", "elsewhere").first(before) is not None


def _claim_by_fault(prose: Prose) -> BugClaim | None:
    """Return a fault or a required change in an answer that never says the code is correct, or None."""
    low = prose.low
    if _clean_statements(prose) or phrases("bugs", "clean").first(low):
        return None
    for match in phrases("bugs", "orders").find(low):
        if low[match.start() - 2 : match.start()].strip(" .!?:;\n\"'"):
            continue
        if _begins_a_sentence(low, match.start()) and not elsewhere(prose, *match.span()):
            return BugClaim(*match.span())
    for name in ("faults", "changes"):
        for match in phrases("bugs", name).find(low):
            if not elsewhere(prose, *match.span()) and _asserted(low, match):
                return BugClaim(*match.span())
    return None


def _begins_a_sentence(low: str, at: int) -> bool:
    """Return whether an order begins a sentence outside of lists: list items are mostly suggestions."""
    first, _ = sentence(low, at, at)
    begun, _ = line(low, at)
    return not low[first:at].strip(" \t\n\"'") and not _BUGS.item.match(low, begun)


def _claim_by_name(prose: Prose) -> BugClaim | None:
    low = prose.low
    hard = [*_BUGS.near("bug", low), *_labels(low)]
    soft = [*_BUGS.near("fails", low), *_BUGS.near("trouble", low)]
    if not hard and not soft:
        return None
    clean = _clean_statements(prose)
    for match in hard:
        if not _asserted(low, match) or any(start <= match.start() < end for start, end in clean):
            continue
        if any(
            start > match.end() and _BUGS.retracts.search(low, max(match.end(), start - 200), start)
            for start, _ in clean
        ):
            continue
        return BugClaim(*match.span())
    for match in soft:
        first, _ = sentence(low, match.start(), match.end())
        if _asserted(low, match) and (not clean or _BUGS.however.search(low, first, match.start())):
            return BugClaim(*match.span())
    return None


def _labels(low: str) -> Iterator[re.Match[str]]:
    """Yield the lines that are headed "Bug:" or "Issue 1:"."""
    start = 0
    while start >= 0 and start < len(low):
        if match := _BUGS.label.match(low, start):
            yield match
        start = low.find("\n", start) + 1 or -1


def _asserted(low: str, match: re.Match[str]) -> bool:
    first, _ = sentence(low, match.start(), match.end())
    if _BUGS.user_suspects.match(low, match.end()) or _BUGS.raised.search(low, first, match.start()):
        return False
    if _BUGS.supposed_before.search(low, first, match.start()) or _BUGS.none_before.search(
        low, first, match.start()
    ):
        return False
    return not dismissal(low, match.start(), match.end())
