"""Saying what was taken for granted where a request is unclear, or that it can be read in several ways."""

from __future__ import annotations

import re

from assay.grading.text.lexicon import phrases
from assay.grading.text.near import matches, near, starts
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
    r"|whether|which|how|your(?!\s+(?:\w+\s+){0,2}?(?:needs?|requirements?|preferences?|goals?|situation"
    r"|circumstances)\b)|where|who)\b"
    r"|\b(?:if|in\s+case|when)\s+(?:by\s+\S+\s+)?you(?:'re|\s+are)?\s+(?:\w+ly\s+|instead\s+"
    r"|just\s+)?(?:mean|meant|referring|talking|asking|looking\s+for|thinking|working\s+with)\b"
    r"|\bmissing\s+(?:context|information|details)\b|\b(?:as|since)\s+you\s+(?:didn't|did\s+not|haven't"
    r"|don't)\b|\bby\s+\"[^\"\n]{1,40}\"\s*,?\s+(?:i|you)\s+(?:mean|assume)"
)
_BRANCH = re.compile(
    r"(?:if|in\s+case)\s+you(?:'re|r|\s+are|\s+want|\s+need|\s+have|\s+mean|\s+prefer|\s+use)?\b"
)
_OPENING = (
    "assum", "presum", "interpret", "if ", "in case ", "when you", "when by", "without ", "depend",
    "missing ", "as you ", "since you ", 'by "', "ambigu", "vague", "open-ended", "unclear",
    "unspecified", "underspecified", "readings",
)  # fmt: skip
_AFTER_VERB = ("n't ", "not ")
_AFTER_MODAL = (" mean", "refer to", "stand for")
_AFTER_I = (
    "interpret", " read", "treat", "underst", " taking", " take ", "took", "went with", "go with",
    "going with", "ways to", "meanings", "things", "possibilit", "senses", "scenarios", "definitions",
)  # fmt: skip
_PASSIVE = ("be read", "be interpreted", "be understood", "be taken")
_TRIGGERS = ((_OPENING, 0), (_AFTER_VERB, 1), (_AFTER_MODAL, 2), (_AFTER_I, 3), (_PASSIVE, 4))
"""What the wordings hold, with how many words before it they may start."""
_DENIED = re.compile(
    r"(?:\bnot|n't|\bnever|\bavoid|\bwithout|\bthe\s+null|\bsafe\s+to|\bwrongly)\s+(?:\w+\s+)?\Z"
)


def assumption(prose: Prose) -> tuple[int, int] | None:
    """Return the span of the first words that state an assumption or several readings, or None.

    Two branches or more that turn on what the user means ("If you ... If you ...") count as several readings.
    """
    low = prose.low
    places = sorted({place for words, back in _TRIGGERS for place in starts(low, words, back)})
    for found in matches(_STATED, low, places):
        first, last = sentence(low, found.start(), found.end())
        if found[0].startswith(("assum", "presum")) and _DENIED.search(low, first, found.start()):
            continue
        if low[last - 1 : last] != "?":
            return found.span()
    listed = phrases("assumption", "stated").first(low)
    if listed and low[sentence(low, *listed.span())[1] - 1 :][:1] != "?":
        return listed.span()
    branches = [
        found
        for found in near(_BRANCH, low, ("if you", "in case you"), 0)
        if not low[sentence(low, *found.span())[0] : found.start()].strip(" \t\n-+\u2022.)0123456789")
    ]
    return branches[0].span() if len(branches) > 1 else None
