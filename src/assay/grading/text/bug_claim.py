"""Saying that code holds a bug, and saying that it holds none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from assay.grading.text.claim import dismissal
from assay.grading.text.lexicon import phrases
from assay.grading.text.near import near
from assay.grading.text.prose import Prose
from assay.grading.text.sentence import line, sentence

_BUG = (
    r"(?:bugs?|mistakes?|errors?|flaws?|defects?|off-by-one(?:\s+(?:errors?|bugs?|issues?|mistakes?))?"
    r"|logic(?:al)?\s+(?:errors?|issues?|problems?))"
)
_TROUBLE = r"(?:issues?|problems?)"
_MILD = (
    r"(?:minor|small|potential|possible|stylistic|style|readability|performance|naming|cosmetic|design"
    r"|edge[- ]case|theoretical|future|formatting|documentation|efficiency|pep\s*8|optional|non-critical"
    r"|subtle\s+style|common|typical|frequent)"
)
_HARD = re.compile(
    rf"\b(?:the|a|an|one|two|three|another|this|main|primary|critical|subtle|real|actual|major|several|some"
    rf"|few|there(?:'s|\s+is|\s+are)|has|have|contains?|found|spotted|identified|see|introduces?|causes?"
    rf"|following|key|your)\s+"
    rf"(?!(?:\w+\s+){{0,2}}{_MILD})(?:(?!no\b|not\b|any\b|without\b"
    rf"|{_MILD})\w+\s+){{0,2}}?{_BUG}\b(?!\s+(?:handling|messages?|checks?|cases?|types?|codes?|prone|bars?"
    rf"|rates?|margin|reports?|free|terms?|tracker|if\s+(?:you|the|someone|it)|is\s+raised"
    rf"|when\s+you))(?!-free)"
    rf"|\bthe\s+(?:main\s+|real\s+|key\s+|actual\s+|core\s+)?(?:{_TROUBLE}|bug|culprit)\s+(?:here\s+"
    rf"|(?:in|with)\s+(?:your|the|this)\s+(?:\w+\s+){{1,2}})?(?:is\s+(?!that\s+there|not\b|n't)|lies|comes"
    rf"|occurs|arises|stems)"
    r"|\b(?:here(?:'s|\s+is)|below\s+is|the)\s+(?:a\s+|the\s+|your\s+)?(?:fixed|corrected|bug-free"
    r"|debugged)\s+(?:\w+\s+)?(?:version|code|function|implementation|class|method|loop|line)\b"
    r"|\b(?:corrected|fixed)\s+(?:code|version|function|implementation)\b|\bto\s+fix\s+(?:this|the\s+(?:bug"
    r"|issue|problem|error)|it)\b"
    r"|\b(?:code|function|loop|condition|logic|implementation|line|it|this|which)\s+(?:\w+ly\s+)?(?:is|are"
    r"|'s)\s+(?:\w+ly\s+)?(?:buggy|broken|incorrect|wrong|flawed)\b",
)
_LABEL = re.compile(
    rf"[^\w\n]{{0,20}}(?:the\s+)?(?:{_BUG}|{_TROUBLE}|fix)(?:\s*#?\d+)?(?:\s+(?:found|identified"
    rf"|fixed))?\s*:(?!\s*(?:none|no\b|n/a|nothing))"
    rf"|#+\s*(?:the\s+)?(?:{_BUG}|{_TROUBLE})(?:\s+(?:found|identified|in\s+\w+\s+\w+))?[ \t]*$",
    re.MULTILINE,
)
_FAILS = re.compile(
    r"\b(?:code|function|loop|implementation|it|this|which|that)\s+(?:will|would"
    r"|can)\s+(?:\w+ly\s+)?(?:fail|crash|break|return\s+(?:the\s+|an?\s+)?(?:wrong|incorrect)"
    r"|produce\s+(?:the\s+|an?\s+)?(?:wrong|incorrect)|miss\s+(?:the\s+)?(?:last|first)"
    r"|skip\s+(?:the\s+)?(?:last|first)|"
    r"loop\s+forever|never\s+terminate|raise\s+an?\s+(?:indexerror|keyerror|typeerror|zerodivisionerror"
    r"|valueerror|exception|error)|cause\s+an?\s+(?:error|infinite|index))"
    r"|\b(?:should\s+be|needs\s+to\s+be|must\s+be)\s+\S+(?:\s+\S+){0,4}?,?\s+(?:instead\s+of"
    r"|rather\s+than|not)\s+\S"
)
_SOFT = re.compile(
    rf"\b(?:an?|the|one|two|some|this)\s+(?:\w+\s+)?(?:potential|possible|subtle|small"
    rf"|minor)\s+(?:\w+\s+)?(?:bugs?|off-by-one(?:\s+errors?)?|mistakes?|logic(?:al)?\s+errors?)\b"
    rf"|\b(?:there(?:'s|\s+is|\s+are)|has|have|i\s+(?:see|found|spotted|notice|noticed|can\s+see)"
    rf"|with)\s+(?:an?\s+|one\s+|two\s+|some\s+|several\s+|a\s+few\s+|a\s+couple\s+of\s+"
    rf"|the\s+following\s+)(?!(?:\w+\s+){{0,2}}{_MILD})(?:\w+\s+)?{_TROUBLE}\b"
)
_CLEAN = re.compile(
    rf"\b(?:no|not\s+(?:\w+\s+){{0,3}}?(?:any|an?)|\w+n't\s+(?:\w+\s+){{0,3}}?(?:any|an?)|without\s+(?:any"
    rf"|an?)|zero|free\s+of)\s+(?:\w+\s+){{0,3}}?(?:{_BUG}|{_TROUBLE})\b|\bbug-free\b|\bnothing\s+(?:is\s+"
    rf"|actually\s+|'s\s+)?(?:wrong|incorrect|broken)\b"
    r"|\b(?:code|function|implementation|logic|algorithm|it|this|snippet|method|class|everything|program"
    r"|version|that)\s*(?:is|are|'s|looks?|appears?|seems?"
    r"|does\s+look)\s+(?:to\s+be\s+)?(?:(?!not\b|almost\b|nearly\b|mostly\b|partially\b|partly\b"
    r"|largely\b)\w+\s+){0,2}?(?:correct|right|fine|good|sound|solid|valid"
    r"|okay|ok|well)\b"
    r"|\bworks?\s+(?:\w+\s+)?(?:correctly|as\s+(?:\w+\s+)?(?:intended|expected|described|written|is"
    r"|specified|it\s+should)|fine|properly|perfectly|well)\b|\b(?:not|\w+n't)\s+(?:actually\s+"
    r"|really\s+)?(?:an?\s+)?(?:bugs?|buggy|broken|incorrect|wrong)\b"
    r"|\b(?:handles?|computes?|returns?|calculates?|finds?|sorts?)\s+(?:[^\s.,;:]+\s+){1,4}?correctly\b"
    r"|\bcorrectly\s+(?:implements?|handles?|computes?|returns?|calculates?|finds?|does)\b|\b(?:can't"
    r"|couldn't|cannot|could\s+not|don't|do\s+not|didn't|did\s+not)\s+(?:\w+\s+)?(?:find|see|spot"
    r"|identify)\s+(?:any|an?)\b"
)
_RETRACTS = re.compile(
    r"\b(?:wait|actually|on\s+(?:closer|second|further|careful)\s+\w+|upon\s+(?:closer|further"
    r"|careful)?\s*\w+|looking\s+(?:again|closer|more\s+closely)|re-?(?:reading|checking|examining|tracing"
    r"|reviewing)|my\s+mistake|i\s+was\s+wrong|scratch\s+that|hmm|in\s+fact|so\s+the\s+(?:code|original"
    r"|function))\b"
)
_AS_IF = re.compile(
    r"\b(?:if|would|could|might|may|any|look(?:ed|ing)?\s+for|check(?:ed|ing)?\s+for|search(?:ed"
    r"|ing)?\s+for|asked|whether|potential(?:ly)?|suspect\w*|expect\w*|hunt\w*|claim\w*|say(?:s|ing)?"
    r"|prevent\w*|avoid\w*|catch\w*|introduc\w*)\b[^.\n]{0,60}\Z"
)
_EMITS = re.compile(
    r"\b(?:rais|throw|return|log|print|catch|handl|prevent|avoid|report|emit|signal|propagat|swallow|yield"
    r"|get|giv|trigger|caus)\w*\s+\Z"
)
_YOURS = re.compile(
    r"[*_\"'\s]{1,4}(?:that\s+)?you(?:'re|\s+are)?\s+(?:\w+ly\s+)?(?:refer|mention|describ|hint|ask"
    r"|suspect|think|look|have\s+in\s+mind)"
)
_HOWEVER = re.compile(r"\b(?:but|however|except)\b")
_ITEM = re.compile(r"[ \t>]*(?:[-+\u2022|]|#{1,6}[ \t]|\d{1,3}[.)])")
_NONE = re.compile(r"\b(?:no|not\s+an?|without\s+an?)\s+(?:\w+\s+)?\Z")
_WOULD = re.compile(r"\b(?:would|could|might)\b[^.;\n]{0,80}\Z")
_FIXED = re.compile(
    r"\b(?:fixed|corrected|now|after|with\s+(?:this|these|the)\s+(?:fix|change)|updated|revised|new)\b"
)


_HARD_TRIGGERS = (
    "bug", "mistake", "error", "flaw", "defect", "off-by-one", "logic", "issue", "problem", "culprit",
    "fix", "corrected", "incorrect", "wrong", "broken",
)  # fmt: skip
_FAIL_TRIGGERS = (
    " fail", " crash", " break", " wrong", " incorrect", " miss ", " skip", "forever", "terminate",
    "error", "exception", "infinite", "should be", "needs to be", "must be",
)  # fmt: skip
_SOFT_TRIGGERS = ("issue", "problem", "bug", "off-by-one", "mistake", "logic")
_CLEAN_TRIGGERS = (
    "bug", "mistake", "error", "flaw", "defect", "off-by-one", "issue", "problem", "nothing", "correct",
    "right", "fine", "good", "sound", "solid", "valid", "okay", " ok", "well", "work", "broken",
    "wrong", " find ", " see ", " spot ", " identify ",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class BugClaim:
    """The words that claim a bug, as a span."""

    start: int
    end: int


def says_clean(prose: Prose) -> list[tuple[int, int]]:
    """Return the spans of words that say the code holds no bug; what is said of a fixed version is none."""
    low = prose.low
    found = []
    for match in near(_CLEAN, low, _CLEAN_TRIGGERS, 4):
        first, last = sentence(low, match.start(), match.end())
        if not _FIXED.search(low, first, last) and low[last - 1 : last] != "?":
            found.append(match.span())
    return found


def bug_claim(prose: Prose) -> BugClaim | None:
    """Return the first claim of a bug that is neither denied, supposed nor taken back, or None.

    Plain "issues", "problems" and ways to fail are a claim only where nothing says that the code is
    correct, or after a "but"; suggestions, and issues called minor, potential or a matter of style,
    never are.
    """
    return _claim_by_name(prose) or _claim_by_fault(prose)


def elsewhere(prose: Prose, start: int, end: int) -> bool:
    """Whether a fault is placed in another language or in code that is not the user's ("in C ... would")."""
    first, _ = sentence(prose.low, start, end)
    before = prose.low[first:start]
    return bool(_WOULD.search(before)) or phrases("bugs", "elsewhere").first(before) is not None


def _claim_by_fault(prose: Prose) -> BugClaim | None:
    """Return a fault or a prescribed change in an answer that nowhere says the code is correct, or None."""
    low = prose.low
    if says_clean(prose) or phrases("bugs", "clean").first(low):
        return None
    for found in phrases("bugs", "orders").find(low):
        if low[found.start() - 2 : found.start()].strip(" .!?:;\n\"'"):
            continue
        if _begins_a_sentence(low, found.start()) and not elsewhere(prose, *found.span()):
            return BugClaim(*found.span())
    for name in ("faults", "changes"):
        for found in phrases("bugs", name).find(low):
            if not elsewhere(prose, *found.span()) and _asserted(low, found):
                return BugClaim(*found.span())
    return None


def _begins_a_sentence(low: str, at: int) -> bool:
    """Whether an order opens a sentence of the text itself; items of lists are suggestions more often."""
    first, _ = sentence(low, at, at)
    begun, _ = line(low, at)
    return not low[first:at].strip(" \t\n\"'") and not _ITEM.match(low, begun)


def _claim_by_name(prose: Prose) -> BugClaim | None:
    low = prose.low
    hard = [*near(_HARD, low, _HARD_TRIGGERS, 4), *_labels(low)]
    soft = [*near(_FAILS, low, _FAIL_TRIGGERS, 5), *near(_SOFT, low, _SOFT_TRIGGERS, 4)]
    if not hard and not soft:
        return None
    clean = says_clean(prose)
    for match in hard:
        if not _asserted(low, match) or any(start <= match.start() < end for start, end in clean):
            continue
        if any(
            start > match.end() and _RETRACTS.search(low, max(match.end(), start - 200), start)
            for start, _ in clean
        ):
            continue
        return BugClaim(*match.span())
    for match in soft:
        first, _ = sentence(low, match.start(), match.end())
        if _asserted(low, match) and (not clean or _HOWEVER.search(low, first, match.start())):
            return BugClaim(*match.span())
    return None


def _labels(low: str) -> Iterator[re.Match[str]]:
    """Yield the lines that are headed "Bug:" or "Issue 1:"."""
    start = 0
    while start >= 0 and start < len(low):
        if found := _LABEL.match(low, start):
            yield found
        start = low.find("\n", start) + 1 or -1


def _asserted(low: str, match: re.Match[str]) -> bool:
    first, _ = sentence(low, match.start(), match.end())
    if _YOURS.match(low, match.end()) or _EMITS.search(low, first, match.start()):
        return False
    if _AS_IF.search(low, first, match.start()) or _NONE.search(low, first, match.start()):
        return False
    return not dismissal(low, match.start(), match.end())
