"""Which number in an answer is the final one, where it stands, and whether it contradicts itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import pairwise

from assay.grading.numbers.numerals import Numeral, numerals
from assay.grading.numbers.plain_math import plain
from assay.grading.numbers.units import unit_of
from assay.grading.text.answer import cut, final_line, last_box, last_marker, line_after, line_before, visible

Joins = Callable[[str], re.Match[str] | None]

_STATED = re.compile(
    r"\banswer\b(?:[^.\n:=!?]{0,60}?\b(?:is|equals|are|be)\b(?!\s+not\b)|\s*[*_]*\s*[:=])", re.IGNORECASE
)
_HASHES = re.compile(r"^#{4}(?![ \t]*\d+[.)]\s)(.{1,60})$", re.MULTILINE)
_STATED_WITHIN = 80
_MOST_WORDS = 1000

_ASIDE = re.compile(r"(?<![\^√/])\([^()]*\)")
_SENTENCE_END = re.compile(r"[.!?](?=\s+\S)|;(?=\s+[a-z]{3})")
_EXPLAINS = re.compile(r"\b(?:because|since|as|where|given|due to|which|so that)\b|\bi\.e\.", re.IGNORECASE)
_EQUALS = re.compile(r"[=≈→]")
_NAMED = re.compile(r"(?:^|[\s,;(])([A-Za-z]\w{0,2})\s*=\s*\(?\s*[-+]?\s*[$€£]?\.?\d")
_OR = re.compile(r"\bor\b|\boder\b|\bou\b", re.IGNORECASE)
_OPERATOR = re.compile(r"\s*[)%]*\s*(?:[-+*×x·÷/^])\s*\(*\s*")
_HEDGE = r"(?:maybe|perhaps|possibly|even|either|about|approximately|both)?"
_LIST = re.compile(
    rf"[^\w,;&–—-]*\s*(?:\b(?:and|und|et|to|bis)\b|[,;&]|--?|–|—)\s*{_HEDGE}[\s$€£(]*", re.IGNORECASE
)
_RANGE = re.compile(r"[\s$€£%]*(?:-|–|—|\bto\b|\bbis\b)[\s$€£]*", re.IGNORECASE)
_BETWEEN = re.compile(r"\b(?:between|zwischen|entre)\b", re.IGNORECASE)
_BOLD = re.compile(r"\*\*([^*\n]*\d[^*\n]*)\*\*")
_DIGIT = re.compile(r"[\d¼½¾⅐-⅞]")
_TO_LAST_DIGIT = re.compile(r".*[\d¼½¾⅐-⅞]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Final:
    """The final number of an answer: where it was found, in which words, and what is wrong with it.

    `numeral` is None, and `problem` says why, when there is none or several that differ.
    """

    numeral: Numeral | None
    where: str
    words: str
    problem: str = ""


def final_number(
    answer: str,
    marker: str,
    *,
    decimal: str = ".",
    units: Collection[str] = (),
    scaled: bool = True,
) -> Final:
    """Return the number that an answer ends up with.

    Looks after the last marker; without one, at the last of `#### n`, `\\boxed{n}` and "the answer is
    n"; without those, at the final line, or else at the last line that holds a number. `units` are
    canonical units (see `units.unit_of`) that decide between restatements of one quantity.
    """
    text = visible(answer)
    options = (decimal, frozenset(units), scaled)
    if marked := last_marker(text, marker):
        start, end = line_after(text, marked[1])
        where = f"after the last {marker!r}"
        found = _choose(text[start:end], where, options) or _nothing(text[start:end], where)
        return _against_neighbour(text, marked[0], marker, found, options)
    for where, words in _conclusions(text):
        if chosen := _choose(words, where, options):
            return chosen
    digit = _TO_LAST_DIGIT.match(text)
    if digit is None:
        return _nothing(text[-200:], "in the answer")
    start, stop = final_line(text)
    where = "on the final line"
    if digit.end() <= start:
        start = text.rfind("\n", 0, digit.end()) + 1
        stop = text.find("\n", digit.end())
        where = "on the last line with a number"
    words = text[start : stop if stop >= 0 else len(text)]
    return _choose(words, where, options, prose=True) or _nothing(words, where)


def _nothing(words: str, where: str) -> Final:
    return Final(None, where, cut(words.strip()), f"no number {where}")


def _conclusions(text: str) -> list[tuple[str, str]]:
    """The places where the answer is stated outright, the last one first."""
    found: list[tuple[int, str, str]] = []
    if "####" in text:
        found.extend((match.start(), "after the last '####'", match[1]) for match in _HASHES.finditer(text))
    if box := last_box(text):
        found.append((box[0], "in the last \\boxed{}", box[1]))
    for match in _STATED.finditer(text) if "answer" in text.lower() else ():
        start, end = line_after(text, match.end())
        words = text[start:end]
        if _DIGIT.search(words, 0, _STATED_WITHIN):
            found.append((match.start(), "after 'the answer is'", words))
    found.sort(key=lambda place: place[0], reverse=True)
    return [(where, words) for _, where, words in found]


def _against_neighbour(
    text: str, at: int, marker: str, found: Final, options: tuple[str, frozenset[str], bool]
) -> Final:
    """Fail a final answer whose neighbour, stated in the same breath, says something else."""
    if found.numeral is None or at == 0:
        return found
    start, end = line_before(text, at)
    before = text[start:end]
    earlier = last_marker(before, marker)
    if earlier is None:
        return found
    other = _choose(before[earlier[1] :], found.where, options)
    if other is None or other.numeral is None or other.numeral.value == found.numeral.value:
        return found
    words = f"{before[earlier[0] :].strip()} / {found.words}"
    return Final(None, found.where, cut(words), "two final answers in a row contradict each other")


def _choose(
    words: str, where: str, options: tuple[str, frozenset[str], bool], *, prose: bool = False
) -> Final | None:
    """Return the number that these words give, or what is wrong with it; None when they hold no number."""
    decimal, units, scaled = options
    if len(words) > _MOST_WORDS:
        words = words[-_MOST_WORDS:] if prose else words[:_MOST_WORDS]
    bold = _BOLD.findall(words) if prose else []
    text = plain(bold[0] if len(bold) == 1 else words).strip()
    if text.startswith("- ") and not prose:
        text = "-" + text[2:].lstrip()
    text, found = _head(text, prose, decimal, scaled)
    shown = cut(words.strip())
    if not found:
        return None
    if "±" in text and any(numeral.value for numeral in found):
        return Final(None, where, shown, "several final answers: both signs (±)")
    problem = ""
    if len(found) > 1:
        found, problem = _settle(text, found, units, prose)
    if problem:
        return Final(None, where, shown, problem)
    numeral = found[-1] if prose else found[0]
    if numeral.value is None:
        return Final(None, where, shown, f"{cut(numeral.text, 40)!r} is not read as a number: {numeral.why}")
    return Final(numeral, where, shown)


def _head(text: str, prose: bool, decimal: str, scaled: bool) -> tuple[str, list[Numeral]]:
    """Cut asides, later sentences and explanations off, as long as a number remains before them."""
    found = numerals(text, decimal, scaled)
    if len(found) < 2:
        return text, found
    shorter = _ASIDE.sub(lambda aside: " " * len(aside[0]), text) if "(" in text else text
    if shorter is not text:
        outside = numerals(shorter, decimal, scaled)
        text, found = (shorter, outside) if outside else (text, found)
    if prose:
        return text, found
    for pattern in (_SENTENCE_END, _EXPLAINS):
        stop = pattern.search(text, found[0].end)
        if stop:
            text = text[: stop.start()]
            found = [numeral for numeral in found if numeral.end <= len(text)]
    return text, found


def _settle(text: str, found: list[Numeral], units: frozenset[str], prose: bool) -> tuple[list[Numeral], str]:
    """Narrow several numerals down to the ones that answer, or say how they contradict each other."""
    listing = _several(text, found, _OR.search)
    if listing and units:
        fitting = [numeral for numeral in found if unit_of(numeral.unit) in units]
        if len(fitting) == 1:
            return fitting, ""
    if listing:
        return found, f"contradictory final answers: {listing}"
    names = set(_NAMED.findall(text))
    if len(names) > 1:
        return found, f"several final answers: {', '.join(sorted(names))}"
    sides = _sides(text, found)
    if not sides:
        return found, "an expression that is not worked out, not a number"
    side = sides[-1]
    if len(side) == 1:
        return side, ""
    joined = _RANGE.fullmatch if prose and not _BETWEEN.search(text) else _LIST.fullmatch
    if listing := _several(text, side, joined):
        return side, f"several final answers: {listing}"
    if units:
        fitting = [numeral for numeral in side if unit_of(numeral.unit) in units]
        side = fitting or side
    return side, ""


def _sides(text: str, found: list[Numeral]) -> list[list[Numeral]]:
    """The numerals between equals signs, without the sides that hold arithmetic still to be done."""
    bounds = [0, *(match.end() for match in _EQUALS.finditer(text)), len(text) + 1]
    sides = []
    for start, end in pairwise(bounds):
        side = [numeral for numeral in found if start <= numeral.start < end]
        gaps = pairwise(side)
        if side and not any(_is_operator(text, one, two, len(bounds) > 2) for one, two in gaps):
            sides.append(side)
    return sides


def _is_operator(text: str, one: Numeral, two: Numeral, equated: bool) -> bool:
    """Whether arithmetic stands between two numerals. `3-4` is a range, unless it stands in an equation."""
    gap = text[_stop(text, one) : two.start]
    if gap == "-" and not equated:
        return False
    if not gap.strip() and two.text[:1] in "+-":
        return True
    return bool(_OPERATOR.fullmatch(gap))


def _stop(text: str, numeral: Numeral) -> int:
    """Where a numeral ends with its unit."""
    at = text.find(numeral.unit, numeral.end, numeral.end + len(numeral.unit) + 2) if numeral.unit else -1
    return numeral.end if at < 0 else at + len(numeral.unit)


def _several(text: str, found: list[Numeral], joins: Joins) -> str:
    """The first two neighbours that are joined so and differ, as words; nothing where none do."""
    for one, two in pairwise(found):
        if one.value != two.value and joins(text[_stop(text, one) : two.start]):
            return f"{one.text} and {two.text}"
    return ""
