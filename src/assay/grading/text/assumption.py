"""Saying what was taken for granted where a request is unclear, or that it can be read in several ways."""

from __future__ import annotations

import re

from assay.grading.text.prose import Prose
from assay.grading.text.sentence import sentence

_STATED = re.compile(
    r"\bassum(?:e|es|ed|ing|ption|ptions)\b|\bpresum(?:e|ing|ably)\b"
    r"|\bi(?:'ll|'m|'ve|\s+will|\s+am|\s+have|'d|\s+would)?\s+(?:going\s+to\s+|also\s+"
    r"|here\s+)?(?:interpret(?:ed|ing)?|read(?:ing)?\s+(?:this|that|it|your|the)|treat(?:ed|ing)?\s+(?:this"
    r"|that|it|your|the)|understand\s+(?:this|that|it|your)|"
    r"understood|tak(?:e|ing)\s+(?:this|that|it|your|the|\")|took|went\s+with|go\s+with|going\s+with"
    r"|chose\s+to\s+interpret)\b"
    r"|\b(?:interpretations?|interpreting|interpreted\s+as|readings?\s+of\s+(?:your|the|this))\b|\b(?:two"
    r"|three|several|multiple|many|different|various|a\s+few|couple\s+of)\s+(?:possible\s+|different\s+"
    r"|common\s+|main\s+)?"
    r"(?:ways\s+to\s+(?:read|interpret|understand)|meanings|things|readings|possibilities|senses|scenarios"
    r"|definitions)\b"
    r"|\b(?:could|can|may|might)\s+(?:also\s+|either\s+)?(?:mean|refer\s+to|be\s+(?:read|interpreted"
    r"|understood|taken)|stand\s+for)\b|\b(?:ambiguous|ambiguity|underspecified|unspecified|vague"
    r"|open-ended)\b"
    r"|\b(?:unclear|not\s+(?:entirely\s+|fully\s+|completely\s+|quite\s+)?(?:clear|sure|certain|specified"
    r"|stated)|n't\s+(?:clear|specified|specify|say|said|mention|mentioned|state|stated|given|provide"
    r"|provided|include|see))\b"
    r"|\b(?:haven't|hasn't|have\s+not|didn't|did\s+not|don't|do\s+not|doesn't"
    r"|does\s+not)\s+(?:yet\s+)?(?:said|say|specif\w+|mention\w*|stated?|told|provided?|included?|given?"
    r"|attach\w*|see|have\s+(?:the|any|your|enough|access))\b"
    r"|\bwithout\s+(?:knowing|seeing|more|further|additional|any)\b|\bdepend(?:s|ing)\s+on\s+(?:what"
    r"|whether|which|how|your|where|who)\b"
    r"|\b(?:if|in\s+case|when)\s+(?:by\s+\S+\s+)?you(?:'re|\s+are)?\s+(?:\w+ly\s+|instead\s+"
    r"|just\s+)?(?:mean|meant|referring|talking|asking|looking\s+for|thinking|working\s+with)\b"
    r"|\bmissing\s+(?:context|information|details)\b|\b(?:as|since)\s+you\s+(?:didn't|did\s+not|haven't"
    r"|don't)\b|\bby\s+\"[^\"\n]{1,40}\"\s*,?\s+(?:i|you)\s+(?:mean|assume)"
)
_BRANCH = re.compile(
    r"(?:^|[.:]\s+|\n)[ \t]*[-+\u2022\d.)]*\s*(?:if|for|in\s+case)\s+(?:you(?:'re|r|\s+are|\s+want|\s+need"
    r"|\s+have|\s+mean|\s+prefer|\s+use)?|it(?:'s|\s+is)|this\s+is|the\s+\w+\s+is)\b",
    re.MULTILINE,
)
_DENIED = re.compile(
    r"(?:\bnot|n't|\bnever|\bavoid|\bwithout|\bthe\s+null|\bsafe\s+to|\bwrongly)\s+(?:\w+\s+)?\Z"
)


def assumption(prose: Prose) -> tuple[int, int] | None:
    """Return the span of the first words that state an assumption or several readings, or None.

    Two branches or more that turn on what the user means ("If you ... If you ...") count as several readings.
    """
    low = prose.low
    for found in _STATED.finditer(low):
        first, last = sentence(low, found.start(), found.end())
        if found[0].startswith(("assum", "presum")) and _DENIED.search(low, first, found.start()):
            continue
        if low[last - 1 : last] != "?":
            return found.span()
    branches = list(_BRANCH.finditer(low))
    return branches[0].span() if len(branches) > 1 else None
