"""Whether a text asserts what a pattern finds in it, or denies, quotes, supposes or asks it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from assay.grading.text.prose import Prose
from assay.grading.text.sentence import clause_before, line, sentence

MOST = 50
"""Matches of one pattern that are looked at."""

_WRONGNESS = (
    r"(?:myths?|misconceptions?|fallac(?:y|ies)|false(?:ly|hood)?|incorrect(?:ly)?|wrong(?:ly)?|mistak(?:e"
    r"|es|en|enly)|"
    r"errors?|erroneous(?:ly)?|untrue|inaccurate(?:ly)?|traps?|pitfalls?|tempt(?:ing|ation)|naive(?:ly)?"
    r"|misleading|"
    r"confus(?:e|es|ed|ing|ion)|misunderst\w+|misread\w*|misremember\w*|debunked|refuted|disproven"
    r"|unfounded|avoid)"
)
_NOT = re.compile(
    r"\b(?:not(?!\s+(?:only|just|surprising(?:ly)?|to\s+mention))|never|neither|nor|cannot"
    r"|without(?!\s+(?:a\s+)?(?:doubt|question))|hardly|no\s+longer|nothing|"
    r"no(?=\s+(?:evidence|proof|reason|sense|basis|way|truth|data|guarantee|support|indication|such))"
    r"|rather\s+than|instead\s+of|"
    r"contrary\s+to|as\s+opposed\s+to|unlike|far\s+from|(?<!no\s)(?<!without\s)(?<!\sa\s)doubt(?:ful)?"
    r"|disagree|deny|reject|refute)\b|n't\b"
)
_WRONG = re.compile(rf"\b{_WRONGNESS}\b")
_THINKING = (
    r"(?:say|says|said|saying|think|thinks|thought|thinking|believe[sd]?|believing|assume[sd]?|assuming"
    r"|claim(?:s|ed|ing)?|"
    r"argue[sd]?|suggest(?:s|ed)?|repeat(?:s|ed)?|hear|heard|told|taught|imagine[sd]?|expect(?:s|ed)?"
    r"|conclude[sd]?|wrote|stated?|"
    r"mention(?:ed|s)?|reads?|describe[sd]?|suppose[sd]?|call(?:s|ed)?|proposed?|insist(?:s|ed)?|asserts?|asserted)"
)
_ATTRIBUTED = re.compile(
    rf"\b(?:people|many|some|most|folks|students|beginners|others|textbooks|sources|they|you|one|someone"
    rf"|everyone|anyone|"
    rf"candidates|colleagues?|boss|friend|teacher)(?:\s+(?!right\b|correct\b)[\w'-]+){{0,3}}?\s+{_THINKING}\b"
    r"|\b(?:common|popular|widespread|old)\s+(?:belief|idea|notion|view|saying|story|assumption)\b"
    r"|\b(?:commonly|often|widely|frequently|sometimes|usually|popularly"
    r"|traditionally)\s+(?:\w+\s+)?(?:said|thought|believed|"
    r"assumed|claimed|cited|repeated|stated|described|misunderstood|taught|attributed|quoted)\b"
    r"|\b(?:the|your|their|this|that|any)\s+(?:\w+\s+){0,2}?(?:claim|idea|notion|belief|assumption|premise"
    r"|view|argument|"
    r"assertion|statement|suggestion|intuition|impression|reasoning|conclusion|myth|story"
    r"|legend)(?:s)?\s+(?:that|of|is\s+that|was\s+that)\b"
    r"|\b(?:may|might|could|can)\s+(?:\w+\s+)?(?:seem|appear|look|sound|think|believe|assume|expect|say"
    r"|suspect|wonder|worry|guess|conclude)\b"
    r"|\b(?:at\s+first\s+(?:glance|sight)|on\s+the\s+surface|intuitively|superficially)\b"
)
_SUPPOSED = re.compile(r"\b(?:if|whether|unless|suppose|supposing|imagine|assuming|were\s+to)\b[^,]*\Z")
_LABEL = re.compile(
    rf"(?:\b{_WRONGNESS}\b|\b(?:claim|statement|before|instead\s+of)\b|\u274c|\u2717"
    rf"|\u2718)[^.\n]{{0,60}}?:\s*[\"'(]?[^.:\n]{{0,80}}\Z"
)
_AGREED = re.compile(
    r"\byou(?:'re| are)(?:\s+(?!not\b|only\b|partly\b|partially\b|half\b)\w+)?\s+(?:right|correct)\b"
    r"|\bi\s+(?:\w+\s+)?agree\b|\bas\s+you\s+(?:\w+\s+)?(?:said|say|note|noted|point)\b"
)
_BAD = (
    r"(?:not\s+(?:\w+\s+)?(?:true|correct|right|accurate|quite|the\s+case|valid|supported|so|how|what|why)"
    r"|false|incorrect|wrong|"
    r"untrue|inaccurate|mistaken|misleading|unfounded|an?\s+(?:\w+\s+){0,2}(?:myth|misconception|mistake"
    r"|fallacy|trap|error)|"
    r"a\s+myth|debunked|oversimplif\w+|backwards)"
)
_DENIED_AFTER = re.compile(
    rf"[^.!?\n]{{0,60}}?(?:\b(?:is|are|was|were|would\s+be|turns?\s+out\s+to\s+be)|'s)\s+(?:\w+ly\s+"
    rf"|just\s+|simply\s+)?{_BAD}\b"
    r"|[^.!?\n]{0,20}?\bwould\s+(?:only\s+)?(?:be\s+(?:\w+\s+)?(?:right|correct|true|valid)|hold|apply)"
    r"\s+(?:only\s+)?(?:if|for|when|with|in)\b"
    r"|[^.!?\n]{0,60}?\b(?:isn't|aren't|wasn't|doesn't|does\s+not|don't)\s+(?:\w+ly\s+)?(?:true|correct"
    r"|right|accurate|quite|the\s+case|"
    r"valid|supported|so|hold|exist|apply)\b"
)
_DENIED_NEXT = re.compile(
    rf"\W*(?:(?:but|however|yet|unfortunately|in\s+fact|actually|in\s+reality),?\s+)?(?:(?:this|that|it"
    rf"|which|both)\s*"
    rf"(?:(?:is|was|are)|'s|,)\s*(?:\w+ly\s+|just\s+|simply\s+|also\s+)?{_BAD}|(?:this|that|it)\s+(?:isn't"
    rf"|wasn't|doesn't|does\s+not)\s+"
    r"(?:\w+ly\s+)?(?:true|correct|right|accurate|quite|the\s+case|valid|supported|so|hold)|(?:nope|wrong"
    r"|incorrect|false|not\s+(?:quite|true|exactly|so))\b)"
)
_LISTED = re.compile(r"[ \t]*(?:[-+\u2022|]|\d{1,3}[.)]|\Z)")
_HEADS_WRONG = re.compile(
    r"\b(?:myths?|misconceptions?|(?:common|typical|frequent)\s+(?:mistakes?|errors?|traps?|confusions?)"
    r"|pitfalls?|"
    r"people\s+get\s+wrong|is\s+wrong|are\s+wrong|not\s+true|incorrect)\b"
)
_LOOK_BACK = 12


@dataclass(frozen=True, slots=True)
class Claims:
    """What a pattern found: the first match that the text asserts (None: none), and those it does not."""

    asserted: re.Match[str] | None
    dismissed: int = 0


def claims(prose: Prose, patterns: Iterable[re.Pattern[str]]) -> Claims:
    """Return the first asserted match of any of these patterns, and how many were not asserted."""
    dismissed = 0
    for compiled in patterns:
        for count, match in enumerate(compiled.finditer(prose.text)):
            if count >= MOST:
                break
            if not match.group():
                continue
            if not dismissal(prose.low, match.start(), match.end()):
                return Claims(match, dismissed)
            dismissed += 1
    return Claims(None, dismissed)


def dismissal(low: str, start: int, end: int) -> str:
    """Return how a text in small letters takes back the words at a span; "" where it asserts them.

    They may be denied before or after, said to be others' view, quoted, supposed, asked, or stand under
    a heading such as "Common misconceptions".
    """
    first, last = sentence(low, start, end)
    before = low[first:start]
    denied = _DENIED_AFTER.match(low, end, last) or _DENIED_NEXT.match(low, last, min(len(low), last + 120))
    if denied:
        return "denied afterwards"
    if low[end:last].rstrip(" \t\n\"')]").endswith("?"):
        return "asked"
    if _AGREED.search(before):
        return ""
    if before.count('"') % 2 and '"' in low[end:last]:
        return "quoted"
    clause = clause_before(low, first, start)
    if _NOT.search(clause) or _WRONG.search(clause):
        return "denied"
    if _ATTRIBUTED.search(clause):
        return "attributed"
    if _SUPPOSED.search(clause):
        return "supposed"
    if _LABEL.search(before) or before.rstrip().endswith("~~"):
        return "labelled as wrong"
    return "listed as wrong" if _under_a_wrong_heading(low, first) else ""


def _under_a_wrong_heading(low: str, at: int) -> bool:
    """Whether the list item at a place stands under a line that announces mistakes."""
    start, end = line(low, at)
    for _ in range(_LOOK_BACK):
        if not _LISTED.match(low, start, end):
            return bool(_HEADS_WRONG.search(low, start, end)) and end < at
        if start == 0:
            return False
        start, end = line(low, start - 1)
    return False
