"""Asking the user back: questions and requests whose reply would change the answer.

An offer ("Would you like me to ...?"), a closing courtesy ("Does that help?") and a rhetorical
question, which the text goes on to answer, are none. A question that offers a choice ("Should I sort by
date or by name?") is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.grading.text.lexicon import phrases
from assay.grading.text.near import near
from assay.grading.text.prose import Prose
from assay.grading.text.sentence import line, paragraph_end, sentence

MOST = 80
"""Questions that are looked at: the first and the last ones."""

_MARK = re.compile(r"\?+(?=[\s\"')\]]|\Z)")
_OFFER = re.compile(
    r"\b(?:would\s+you\s+like|do\s+you\s+want|want|shall|should|may|can|could|might|need)\s+(?:me|i|us"
    r"|we)\b|\bwould\s+you\s+like\s+(?:to\s+(?:see|know|hear|explore|discuss|try|do|learn|start)|an?\b|some\b|more\b"
    r"|help\b|the\b)"
    r"|\b(?:does|did|do)\s+(?:that|this|it)\s+(?:help|make\s+sense|answer|work|sound|look|clarify)"
    r"|\bmake\s+sense\b|\bsounds?\s+good\b|\bany\s+(?:other\s+|more\s+|further\s+)?questions\b"
    r"|\banything\s+else\b|\bhow\s+can\s+i\s+(?:help|assist)|\b(?:help"
    r"|assist)\s+(?:you\s+)?(?:with\s+(?:anything|something)|further)|\bready\s+to\b|\bcurious\s+(?:about"
    r"|to)\b|\binterested\s+in\b|\bhow\s+does\s+(?:that|this)\s+(?:sound|look)"
    r"|\bwhat\s+do\s+you\s+think\b|\bright\s*\Z|\bwhy\s+not\b|\bhave\s+you\s+ever\b|\bdid\s+you\s+know\b"
    r"|\bwho\s+(?:doesn't|wouldn't|knows)\b|\bsee\s+the\s+(?:problem|difference|issue|pattern)"
)
_CHOICE = re.compile(r"\bor\b(?!\s+(?:not|anything|something)\b)")
_ADDRESSED = re.compile(r"\b(?:you|your|you're|yours)\b")
_KIND = re.compile(
    r"\W*(?:\d{1,2}[.)]\s*)?(?:[\w /&-]{1,40}:\s*)?(?:(?:and|or|also|first|second|so|then|next|finally"
    r"|lastly),?\s+)?(?:what|which|who|whom|whose|where|when|how|is|are|was|were|do|does|did|should|will"
    r"|would|can|could|has|have|"
    r"must|any|by|for|in|on|to|at|from|with|need|specific)\b"
)
_WHICH = re.compile(
    r"\W*(?:(?:sure|ok|okay|certainly|of\s+course|and|so)\W+)?(?:which|what|where|when|how)\b[^?]{0,40}?"
    r"\b(?:(?:should|shall)\s+(?:i|we)"
    r"|would\s+you\s+(?:like|prefer)"
    r"|do\s+you\s+(?:want|need|prefer))\b(?!\s+(?:to\s+(?:know|see|do|explore|learn|discuss|hear)|help|next"
    r"|me\s+to\s+(?:do|help)))"
)
_REQUEST = re.compile(
    r"\b(?:please\s+)?(?:clarify|specify)\b(?<!can\sclarify)(?<!to\sclarify\sthat)|\bclarif(?:ying|ication)\b"
    r"|\b(?:could|can|would)\s+you\s+(?:please\s+|also\s+|first\s+|kindly\s+|maybe\s+|briefly\s+)?(?:tell"
    r"|share|provide|let\s+me\s+know|confirm|specify|clarify|give|explain|elaborate|describe|paste|send"
    r"|point|expand|say|mention|be\s+more)\b"
    r"|\bplease\s+(?:also\s+|first\s+)?(?:tell|share|provide|confirm|specify|clarify|give\s+me|describe"
    r"|paste|send|let\s+me\s+know\s+(?:which|what|whether|how|your|the|more|about|if\s+(?:you\s+mean|it's"
    r"|this\s+is|these|the)|where|who))\b"
    r"|\blet\s+me\s+know\s+(?:which|what|whether|how|your|more\s+about|a\s+(?:bit|little)\s+more|where|who"
    r"|if\s+(?:you\s+(?:mean|meant)|it's|this\s+is|these))\b|\btell\s+me\s+(?:which|what|whether|how|your"
    r"|more|a\s+bit|about|where|who)\b"
    r"|\b(?:i|i'd|i'll|i\s+would)\s+(?:just\s+|also\s+|first\s+)?need\s+(?:to\s+know|(?:a\s+(?:bit|little"
    r"|few)\s+)?(?:more|some|additional|further)\s+(?:\w+\s+){0,2}?(?:information|details?|context|info"
    r"|clarity|specifics|about))"
    r"|\b(?:a\s+few|a\s+couple\s+of|couple|some|several|two|three|four|quick|following|these)\s+(?:quick\s+"
    r"|clarifying\s+|short\s+|key\s+)*(?:questions|details|things\s+(?:to|i)|points\s+to\s+clarify)\b"
    r"|\bit\s+(?:would|'d)\s+help\s+(?:to\s+know|me|if)\b|\bif\s+you\s+(?:can\s+|could\s+)?(?:tell"
    r"|let\s+me\s+know|share|give\s+me|provide|clarify|specify|paste|describe|send)\b[^.\n]{0,120}\bi(?:'ll"
    r"|\s+can|\s+could|\s+will|'d|\s+would)\b"
    r"|\bhelp\s+me\s+understand\b|\bwhat\s+i\s+need\s+(?:to\s+know|from\s+you)\b|\bonce\s+(?:i\s+know"
    r"|you\s+(?:share|tell|provide|clarify|let|confirm|answer|reply))\b|\bbefore\s+i\s+(?:can\s+)?(?:start"
    r"|write|begin|answer|dive|proceed|give|help|draft|recommend|suggest|build|go)\b"
)
_QUOTED = re.compile(r'(?m)^[ \t]*>[^\n]*$|(?<![\w"])"[^"\n]{0,400}[.!?][^"\n]{0,400}"')
_PARAGRAPH = re.compile(r"[^\n]+(?:\n(?!\s*\n)[^\n]+)*\n*|\n+")
_BLANKED = re.compile(r"[^\n]")
_TRIGGERS = (
    "clarif", "specify", "could you", "can you", "would you", "please", "let me know", "tell me",
    "need", "questions", "details", "things ", "points to", " help ", "if you", "once i", "once you",
    "before i",
)  # fmt: skip
_COURTESY = re.compile(
    r"\blet\s+me\s+know\s+if\s+you\b|\bfeel\s+free\b|\bany\s+(?:other\s+)?questions\b"
    r"|\bhappy\s+to\s+clarify\b|\bto\s+clarify\b|\bclarify\s+(?:that|this|any)\b"
)


def requests(prose: Prose) -> Iterator[tuple[int, int]]:
    """Yield the span of each question or request to the user, with the list that belongs to it."""
    if "?" not in prose.low and not any(trigger in prose.low for trigger in _TRIGGERS):
        return
    low = _without_drafts(prose.low)
    asked = list(_requested(low))
    yield from asked
    if "?" not in low:
        return
    ends = list(_MARK.finditer(low))
    if len(ends) > MOST:
        ends = [*ends[: MOST // 2], *ends[-MOST // 2 :]]
    marks = [(sentence(low, found.start(), found.start())[0], found.end()) for found in ends]
    listed = sum(1 for first, last in marks if _is_item(low, first, last))
    for first, last in marks:
        words = low[first:last]
        if low.count('"', first, last) % 2 or words.lstrip().startswith(("#", ">", "|")):
            continue
        offers = _OFFER.search(words) and not _WHICH.match(words)
        if offers and (_is_courtesy(words) or not _CHOICE.search(words)):
            continue
        if _answered_at_once(low, last):
            continue
        if _ADDRESSED.search(words) or (
            _KIND.match(words) and (asked or listed > 1 or _at_the_end(low, last))
        ):
            yield first, last


def _without_drafts(low: str) -> str:
    """The text with blanks in the place of drafts: what it asks there, it asks the draft's readers.

    A draft is a paragraph that opens as a letter does (`lexicon/assumption.txt`, [draft]) with the paragraphs
    after it up to a rule or a remark in brackets, a quotation on lines of their own (">"), and a text in
    quotation marks that holds a whole sentence.
    """
    blanked = _QUOTED.sub(lambda found: " " * len(found[0]), low)
    opening = phrases("assumption", "draft")
    kept, drafting = [], False
    for paragraph in _PARAGRAPH.findall(blanked):
        words = paragraph.lstrip(" \t\n*_#")
        begins = opening.opens(words)
        ends = words.startswith(("---", "(", "[", "note"))
        drafting = (begins or drafting) and not (ends and not begins)
        kept.append(_BLANKED.sub(" ", paragraph) if drafting else paragraph)
    return "".join(kept)


def _requested(low: str) -> Iterator[tuple[int, int]]:
    for found in near(_REQUEST, low, _TRIGGERS, 3):
        first, last = sentence(low, found.start(), found.end())
        if not _COURTESY.search(low, first, last):
            follows = low[first:last].rstrip().endswith(":") or low[last : last + 3].lstrip(" \n")[:1] in (
                "-",
                "1",
            )
            yield first, paragraph_end(low, first) if follows else last


def _is_courtesy(words: str) -> bool:
    return bool(re.search(r"\b(?:sense|questions|anything|help|further|sounds?)\b", words))


def _is_item(low: str, first: int, last: int) -> bool:
    return bool(re.match(r"[ \t]*(?:[-+\u2022]|\d{1,2}[.)])", low[line(low, first)[0] : last]))


def _at_the_end(low: str, last: int) -> bool:
    """Whether little or nothing follows, so that the text does not answer the question itself."""
    return len(low[last:].split()) <= 12


def _answered_at_once(low: str, last: int) -> bool:
    """Whether the same paragraph goes on with a plain answer ("How do you fix this? You add ...")."""
    end = low.find("\n", last)
    rest = low[last : end if end >= 0 else len(low)].strip()
    return bool(
        re.match(
            r"(?:you|it|the\s+answer|simple|easy|yes|no|because|by|simply|just|with(?!\s+(?:that|those|this|these|it)\b)|in\s+short|well|here"
            r"|use|add|that's|this)\b",
            rest,
        )
    )
