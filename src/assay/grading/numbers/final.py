"""Finding the final number of an answer, and contradictions between final numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import pairwise

from assay.grading.numbers.numerals import Numeral, numerals
from assay.grading.numbers.units import unit_of
from assay.grading.text.answer import cut, final_line, last_box, last_marker, line_after, line_before, visible
from assay.grading.text.plain_math import plain

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
class FinalNumber:
    """The final number of an answer, where it was found, and its words.

    `numeral` is None if there is none, or several that differ; `problem` gives the reason.
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
) -> FinalNumber:
    """Return the number that an answer gives in the end.

    It is read after the last marker; without one, from the last of `#### n`, `\\boxed{n}` and "the answer is
    n"; without those, from the final line, or else from the last line with a number. `units` are canonical
    units (see `units.unit_of`) that decide between restatements of one quantity.
    """
    text = visible(answer)
    options = (decimal, frozenset(units), scaled)
    if marked := last_marker(text, marker):
        start, end = line_after(text, marked[1])
        where = f"after the last {marker!r}"
        final = _choose(text[start:end], where, options) or _nothing(text[start:end], where)
        return _against_neighbour(text, marked[0], marker, final, options)
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


def _nothing(words: str, where: str) -> FinalNumber:
    return FinalNumber(None, where, cut(words.strip()), f"no number {where}")


def _conclusions(text: str) -> list[tuple[str, str]]:
    """Return the statements of the answer, each with where it was found, the last one first."""
    statements: list[tuple[int, str, str]] = []
    if "####" in text:
        statements.extend(
            (match.start(), "after the last '####'", match[1]) for match in _HASHES.finditer(text)
        )
    if box := last_box(text):
        statements.append((box[0], "in the last \\boxed{}", box[1]))
    for match in _STATED.finditer(text) if "answer" in text.lower() else ():
        start, end = line_after(text, match.end())
        words = text[start:end]
        if _DIGIT.search(words, 0, _STATED_WITHIN):
            statements.append((match.start(), "after 'the answer is'", words))
    statements.sort(key=lambda statement: statement[0], reverse=True)
    return [(where, words) for _, where, words in statements]


def _against_neighbour(
    text: str, at: int, marker: str, final: FinalNumber, options: tuple[str, frozenset[str], bool]
) -> FinalNumber:
    """Return the final number, or a contradiction if another one is stated directly before it."""
    if final.numeral is None or at == 0:
        return final
    start, end = line_before(text, at)
    before = text[start:end]
    earlier = last_marker(before, marker)
    if earlier is None:
        return final
    other = _choose(before[earlier[1] :], final.where, options)
    if other is None or other.numeral is None or other.numeral.value == final.numeral.value:
        return final
    words = f"{before[earlier[0] :].strip()} / {final.words}"
    return FinalNumber(None, final.where, cut(words), "two final answers in a row contradict each other")


def _choose(
    words: str, where: str, options: tuple[str, frozenset[str], bool], *, prose: bool = False
) -> FinalNumber | None:
    """Return the final number in these words, with its problem if it has one; None without a number."""
    decimal, units, scaled = options
    if len(words) > _MOST_WORDS:
        words = words[-_MOST_WORDS:] if prose else words[:_MOST_WORDS]
    bold = _BOLD.findall(words) if prose else []
    text = plain(bold[0] if len(bold) == 1 else words).strip()
    if text.startswith("- ") and not prose:
        text = "-" + text[2:].lstrip()
    text, candidates = _head(text, prose, decimal, scaled)
    shown = cut(words.strip())
    if not candidates:
        return None
    if "±" in text and any(numeral.value for numeral in candidates):
        return FinalNumber(None, where, shown, "several final answers: both signs (±)")
    problem = ""
    if len(candidates) > 1:
        candidates, problem = _settle(text, candidates, units, prose)
    if problem:
        return FinalNumber(None, where, shown, problem)
    numeral = candidates[-1] if prose else candidates[0]
    if numeral.value is None:
        return FinalNumber(
            None, where, shown, f"{cut(numeral.text, 40)!r} is not read as a number: {numeral.why}"
        )
    return FinalNumber(numeral, where, shown)


def _head(text: str, prose: bool, decimal: str, scaled: bool) -> tuple[str, list[Numeral]]:
    """Remove asides, later sentences and explanations, as long as a number remains before them."""
    every = numerals(text, decimal, scaled)
    if len(every) < 2:
        return text, every
    shorter = _ASIDE.sub(lambda aside: " " * len(aside[0]), text) if "(" in text else text
    if shorter is not text:
        outside = numerals(shorter, decimal, scaled)
        text, every = (shorter, outside) if outside else (text, every)
    if prose:
        return text, every
    for pattern in (_SENTENCE_END, _EXPLAINS):
        stop = pattern.search(text, every[0].end)
        if stop:
            text = text[: stop.start()]
            every = [numeral for numeral in every if numeral.end <= len(text)]
    return text, every


def _settle(text: str, every: list[Numeral], units: frozenset[str], prose: bool) -> tuple[list[Numeral], str]:
    """Return the numerals that can be the answer, and the contradiction between them, "" for none."""
    listing = _several(text, every, _OR.search)
    if listing and units:
        fitting = [numeral for numeral in every if unit_of(numeral.unit) in units]
        if len(fitting) == 1:
            return fitting, ""
    if listing:
        return every, f"contradictory final answers: {listing}"
    names = set(_NAMED.findall(text))
    if len(names) > 1:
        return every, f"several final answers: {', '.join(sorted(names))}"
    sides = _sides(text, every)
    if not sides:
        return every, "an expression that is not worked out, not a number"
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


def _sides(text: str, every: list[Numeral]) -> list[list[Numeral]]:
    """Return the numerals between equals signs, without the sides that are unevaluated arithmetic."""
    bounds = [0, *(match.end() for match in _EQUALS.finditer(text)), len(text) + 1]
    sides = []
    for start, end in pairwise(bounds):
        side = [numeral for numeral in every if start <= numeral.start < end]
        gaps = pairwise(side)
        if side and not any(_is_operator(text, one, two, len(bounds) > 2) for one, two in gaps):
            sides.append(side)
    return sides


def _is_operator(text: str, one: Numeral, two: Numeral, equated: bool) -> bool:
    """Return whether two numerals are joined by arithmetic. Outside of equations `3-4` is a range."""
    gap = text[_stop(text, one) : two.start]
    if gap == "-" and not equated:
        return False
    if not gap.strip() and two.text[:1] in "+-":
        return True
    return bool(_OPERATOR.fullmatch(gap))


def _stop(text: str, numeral: Numeral) -> int:
    """Return the end of a numeral with its unit."""
    at = text.find(numeral.unit, numeral.end, numeral.end + len(numeral.unit) + 2) if numeral.unit else -1
    return numeral.end if at < 0 else at + len(numeral.unit)


def _several(text: str, every: list[Numeral], joins: Joins) -> str:
    """Return the first two different neighbours that are joined in this way, as words; "" without any."""
    for one, two in pairwise(every):
        if one.value != two.value and joins(text[_stop(text, one) : two.start]):
            return f"{one.text} and {two.text}"
    return ""
