"""What an answer concludes about statistical significance."""

from __future__ import annotations

import re
from dataclasses import dataclass

from assay.grading.text.lexicon import phrases
from assay.grading.text.near import near
from assay.grading.text.prose import Prose
from assay.grading.text.sentence import line, sentence

_NO = (
    r"(?:\b(?:not|isn't|wasn't|aren't|weren't|doesn't|didn't|never|no|nor|neither|hardly|without|lacks?"
    r"|lacking|fails?|failed|failing|cannot|can't|couldn't|far\s+from|short\s+of|"
    r"insufficient|falls?|fell|barely\s+misses|none)\b|n't\b)"
)
_WORDS = re.compile(
    r"\b(?P<negative>insignificant|non-?significant|nonsignificance|inconclusive|(?:fail(?:s|ed)?"
    r"|unable)\s+to\s+reject|(?:cannot|can't|can\s+not|don't|do\s+not|not"
    r"|\w+n't)\s+(?:\w+\s+)?reject\s+(?:the\s+)?(?:null|h0|h_0)|"
    r"(?:not|\w+n't)\s+(?:\w+\s+){0,2}?(?:enough|sufficient|strong)\s+(?:evidence|data)"
    r"|insufficient\s+(?:evidence"
    r"|data)|(?:consistent\s+with|explained\s+by|due\s+to|down\s+to|just|within|attribut\w+\s+to|could\s+be"
    r"|likely)\s+"
    r"(?:random\s+|just\s+|pure\s+|sampling\s+)*(?:chance|noise|random\s+variation|luck|randomness)"
    r"|(?:cannot|can't|can\s+not|shouldn't|should\s+not)\s+(?:\w+\s+)?(?:conclude|declare|claim|say)"
    r"|no\s+(?:\w+\s+){0,3}?"
    r"(?:evidence\s+(?:of|that|for)|difference)|(?:too\s+(?:early|small|soon))\s+to\s+(?:conclude|tell|say"
    r"|call))\b"
    r"|\b(?P<reject>reject(?:s|ed|ing)?\s+(?:the\s+)?(?:null|h0|h_0))\b"
    r"|\b(?P<word>significan(?:t|ce|tly))\b"
    r"|\b(?P<positive>(?:unlikely|not|isn't|\w+n't)\s+(?:\w+\s+){0,3}?(?:due\s+to|explained\s+by|just"
    r"|by)\s+(?:\w+\s+)?(?:chance|noise|luck)|(?:strong|sufficient|convincing"
    r"|clear)\s+(?:statistical\s+)?evidence\s+(?:that|of|for|against))\b"
)
_OTHER_SENSE = re.compile(
    r"(?:practical|clinical|economic|business|commercial|operational|substantive|material"
    r"|biological)(?:ly)?\s+\Z|(?:threshold|cut-?off|criteri(?:on|a)|levels?|bar|tests?|testing"
    r"|numbers|checks?"
    r"|standard|measure)\s+(?:for|of)\s+(?:statistical(?:ly)?\s+)?\Z"
    r"|(?:\b(?:not|is|are|of)\s+)?(?:practical|clinical|business)\s+\Z"
)
_AFTER_OTHER = re.compile(
    r"\s*(?:levels?|figures?|digits?|tests?(?:ing)?\b|thresholds?|at\s+what|cutoff|=|\(alpha|,?\s*alpha"
    r"|assumption)|\s+(?:at\s+all\s+)?levels?\b"
)
_SUPPOSED = re.compile(
    r"\b(?:if|whether|when|unless|would|could|might|should|to\s+(?:be|reach|achieve|claim|determine|assess"
    r"|test|get|obtain|declare|detect|check|see)|need(?:s|ed)?\s+to|before|until|only\s+if|how|in\s+order"
    r"|for\s+it\s+to|"
    r"may|ensur\w+|will\s+(?:become|reach)|call(?:ing|ed)?|claim(?:ing|ed)?|tempting|seems?|appears?"
    r"|naive(?:ly)?|looks?|doesn't\s+mean"
    r"|does\s+not\s+mean|assum\w+|considered|conventional(?:ly)?|deemed|typical(?:ly)?|usually"
    r"|require[sd]?)\b[^,;:]*\Z"
)
_TESTED = re.compile(
    r"\b(?:if|whether|unless)\b[^,;:]*\Z"
    r"|\b(?:ensure|check|determine|see|verify)\s+(?:that\s+|if\s+|whether\s+)[^,;:]*\Z"
    r"|\A\W*(?:\d+[.)]\s*)?(?:however,?\s+|but\s+)?if\s+(?:the\s+|this\s+|your\s+|our\s+)?(?:\w+\s+)?"
    r"(?:p[- ]?values?|results?|tests?|differences?|analysis)\b"
)
_NULL = re.compile(r"\b(?:null|hypothes[ie]s|h_?[0\u2080])\b")
_LABEL = 60
LEVEL = 0.05
_P_VALUE = re.compile(r"\bp(?:[- ]?value)?(?:\s+(?:of|is))?\s*[=:\u2248~]?\s*(0?[.,]\d{1,6})")
_LEVEL = re.compile(r"(?:\s+only)?(?:\s+at)?(?:\s+the)?\s+(\d{1,2}(?:[.,]\d)?)\s*(?:%|per\s?cent)")
_NAIVE = re.compile(
    r"\b(?:at\s+first|alone|in\s+isolation|individually|by\s+itself|on\s+its\s+own|nominally"
    r"|before\s+correct\w*|uncorrected|without\s+(?:a\s+)?correct\w*)\b"
)
_CONCLUDES = re.compile(
    r"\b(?:conclusion|conclude|therefore|thus|hence|so|overall|bottom\s+line|in\s+short|short\s+answer"
    r"|verdict|answer|result|final|summary|consequently|this\s+means|tl;dr)\b|\A\W*(?:no|yes)\b"
)


_TRIGGERS = (
    "significan", "inconclusive", "reject", "evidence", "data", "chance", "noise", "random", "luck",
    "conclude", "declare", "claim", "say", "difference", "too early", "too small", "too soon",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement about significance: whether it says significant, where, and whether it concludes."""

    significant: bool
    start: int
    end: int
    concludes: bool


def statements(prose: Prose) -> list[Statement]:
    """Return the statements about the significance of the result, in order; conditions and questions are
    none.
    """
    low = prose.low
    found: list[Statement] = []
    for match in near(_WORDS, low, _TRIGGERS, 5):
        first, last = sentence(low, match.start(), match.end())
        before = low[first : match.start()]
        if low[match.end() : last].rstrip().endswith("?"):
            continue
        if match["word"] and (_OTHER_SENSE.search(before) or _AFTER_OTHER.match(low, match.end())):
            continue
        clause = re.split(
            r"[;:]|,\s+(?=(?:but|and|so|it|the|this|which|although|though)\b)|\bbut\b|\balthough\b"
            r"|\bthough\b",
            before,
        )[-1]
        if _SUPPOSED.search(clause) and not match["negative"]:
            continue
        if _TESTED.search(before) or _titles(low, match) or _null(low, match):
            continue
        if match["negative"] or match["positive"]:
            significant = bool(match["positive"])
        else:
            significant = not re.search(rf"{_NO}(?!\s+only\b)", clause)
            significant = significant and not _at_another_level(low, match, last)
        if significant and _NAIVE.search(low, first, last):
            continue
        found.append(
            Statement(
                significant,
                match.start(),
                match.end(),
                bool(_CONCLUDES.search(low, max(0, first - 40), match.start())),
            )
        )
    return found


def _in_lists(prose: Prose) -> list[Statement]:
    """Return the statements by the wordings of `lexicon/significance.txt`, in order."""
    found = []
    for name, significant in (("not significant", False), ("significant", True)):
        for match in phrases("significance", name).find(prose.low):
            first, last = sentence(prose.low, match.start(), match.end())
            if _SUPPOSED.search(prose.low[first : match.start()]) or prose.low[:last].endswith("?"):
                continue
            concludes = bool(_CONCLUDES.search(prose.low, max(0, first - 40), match.start()))
            found.append(Statement(significant, match.start(), match.end(), concludes))
    return sorted(found, key=lambda one: one.start)


def _by_p_value(prose: Prose) -> list[Statement]:
    """Return what the only p-value that is given says at 5 %, where nothing is said in words."""
    values = {match[1]: match for match in _P_VALUE.finditer(prose.low)}
    if len(values) != 1:
        return []
    ((value, match),) = values.items()
    if float(value.replace(",", ".")) == LEVEL:
        return []
    return [Statement(float(value.replace(",", ".")) < LEVEL, match.start(), match.end(), False)]


def _at_another_level(low: str, match: re.Match[str], last: int) -> bool:
    """Whether significance is stated at a level above 5 % ("significant at 10 %"), which denies it at 5 %."""
    level = _LEVEL.match(low, match.end(), last)
    return level is not None and float(level[1].replace(",", ".")) > 100 * LEVEL


def _titles(low: str, match: re.Match[str]) -> bool:
    """Whether the word is a heading of its own ("2. Statistical significance:")."""
    first, last = line(low, match.start())
    if match.start() - first > _LABEL:
        return False
    before, after = low[first : match.start()], low[match.end() : min(last, match.end() + _LABEL)]
    return after.lstrip(" *_").startswith(":") and not re.search(r"[a-z]", before.replace("statistical", ""))


def _null(low: str, match: re.Match[str]) -> bool:
    """Whether the words only state the null hypothesis ("H0: there is no difference")."""
    first, _ = line(low, match.start())
    return match[0].endswith("difference") and bool(
        _NULL.search(low, max(first, match.start() - 2 * _LABEL), match.start())
    )


def conclusion(prose: Prose) -> Statement | None:
    """Return the statement that an answer ends up with, or None when it makes none.

    The last one that concludes ("therefore", "bottom line", a first "No"); without one, the last when
    the first says the same, and else what most of them say, the last among equals.
    """
    every = statements(prose) or _in_lists(prose) or _by_p_value(prose)
    if not every:
        return None
    concluding = [one for one in every if one.concludes]
    if concluding:
        return concluding[-1]
    yes = sum(one.significant for one in every)
    if 2 * yes == len(every):
        return every[-1]
    most = 2 * yes > len(every)
    return next(one for one in reversed(every) if one.significant is most)
