"""What a document's profile looks for in a line, compiled: numbers, option letters, markers, headings."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from assay.core.question import QuestionKind
from assay.questions.profiles.built_in import kind_words
from assay.questions.profiles.documents import DocumentProfile

HEADING_LENGTH = 100
_PLACES = {
    r"\{1\}": r"(?P<n>\d{1,3})",
    r"\{一\}": r"(?P<n>[一二三四五六七八九十]{1,3}|\d{1,2})",
    r"\{I\}": r"(?P<n>[IVX]{1,5}|[Ⅰ-Ⅻ])",
    r"\{A\}": r"(?P<n>[A-K])",
}
_FLAT = str.maketrans({**{0xFF01 + place: 0x21 + place for place in range(94)}, 0x3000: 0x20, 0xA0: 0x20})
_WIDE_POINT = re.compile(r"(?:(?<=^\d)|(?<=^\d\d)|(?<=^\d\d\d))．(?=\d)")
_CHINESE = "一二三四五六七八九"
_ANSWER_SPACE = re.compile(r"\(\s*\)|__")
_AFTER_WORD = r"\s*(?:[:(\[【,，。.、;]|\d|$|each\b|\(|for\b|[-–—])"


class Number(NamedTuple):
    """A number at the start of a line: its style, its value, and where the text after it begins."""

    style: str
    value: int
    end: int


class Heading(NamedTuple):
    """A heading of a section: what kind of questions stand below it, None where it does not say."""

    kind: QuestionKind | None
    single: bool
    material: bool


@dataclass(frozen=True, slots=True)
class Marks:
    """A profile's marks as patterns; all are matched against `flat` lines."""

    numbers: tuple[tuple[str, re.Pattern[str]], ...]
    option: re.Pattern[str]
    marker: re.Pattern[str]
    headings: tuple[re.Pattern[str], ...]
    chapters: tuple[re.Pattern[str], ...]
    answer_section: re.Pattern[str]
    material: re.Pattern[str]
    kinds: tuple[tuple[re.Pattern[str], Heading], ...]

    def number(self, line: str) -> list[Number]:
        """Return the numbers that a line may begin with, one for each style that fits."""
        found = []
        for style, pattern in self.numbers:
            match = pattern.match(line)
            if match:
                found.append(Number(style, counted(match["n"]), match.end()))
        return found

    def heading(self, line: str) -> Heading | None:
        """Return the heading that a line is; None for another line."""
        text = line.strip()
        if not text or len(text) > HEADING_LENGTH or _ANSWER_SPACE.search(text):
            return None
        after = next((match.end() for pattern in self.headings if (match := pattern.match(text))), 0)
        rest = text[after:].strip()
        for pattern, heading in self.kinds:
            if pattern.match(rest):
                return heading
        if any(pattern.match(text) for pattern in self.chapters) and not text.endswith("?"):
            return Heading(None, False, False)
        named = re.match(r"(?:Part|Section|第)", text) and after
        return Heading(None, False, False) if named and not text.endswith("?") else None

    def opens_answers(self, line: str) -> bool:
        """Whether a line is the heading of a section with answers."""
        text = line.strip()
        after = next((match.end() for pattern in self.headings if (match := pattern.match(text))), 0)
        return bool(
            self.answer_section.fullmatch(text) or self.answer_section.fullmatch(text[after:].strip())
        )


def flat(line: str) -> str:
    """Return a line with full-width signs as half-width ones, of the same length.

    A full-width point between the number that begins a line and digits becomes `、`: it is no decimal.
    """
    return line if line.isascii() else _WIDE_POINT.sub("、", line).translate(_FLAT)


def counted(text: str) -> int:
    """Return the value of a number in Arabic, Chinese, Roman digits or a letter."""
    if text.isdigit():
        return int(text)
    if text[0] in _CHINESE or text[0] == "十":
        tens, ten, ones = text.partition("十")
        if not ten:
            return _CHINESE.index(text[0]) + 1
        return 10 * (_CHINESE.index(tens[0]) + 1 if tens else 1) + (
            _CHINESE.index(ones[0]) + 1 if ones else 0
        )
    values = {"I": 1, "V": 5, "X": 10}
    if all(sign in values for sign in text):
        signs = [values[sign] for sign in text]
        return sum(-one if one < after else one for one, after in zip(signs, [*signs[1:], 0], strict=True))
    return ord(text[0]) - 0x2160 + 1 if text[0] >= "Ⅰ" else ord(text[0]) - 0x40


@lru_cache(maxsize=16)
def marks_of(profile: DocumentProfile) -> Marks:
    """Return a profile's marks, compiled."""
    numbers = tuple((_style(each), re.compile(_templated(each, number=True))) for each in profile.numbers)
    letters = "|".join(_lettered(each) for each in sorted(profile.options, key=len, reverse=True))
    kinds = sorted(
        ((word, each) for each in (*profile.kinds, *kind_words()) for word in each.words),
        key=lambda one: -len(one[0]),
    )
    answers, explanations = _any_of(profile.answers), _any_of(profile.explanations)
    return Marks(
        numbers=numbers,
        option=re.compile(rf"(?<![A-Za-z0-9(])(?:{letters})"),
        marker=re.compile(
            rf"[【\[(]\s*(?:(?P<a1>{answers})|(?P<e1>{explanations}))\s*[】\])]\s*:?\s*"
            rf"|(?:^|(?<=[\s。.;)，,]))(?:(?P<a2>{answers})|(?P<e2>{explanations}))\s*:\s*",
            re.IGNORECASE | re.MULTILINE,
        ),
        headings=tuple(re.compile(_templated(each)) for each in profile.headings),
        chapters=tuple(re.compile(_templated(each)) for each in profile.chapters),
        answer_section=re.compile(
            rf"(?:.{{0,30}}?[\s年卷题])?(?:{_any_of(profile.answer_sections)})\s*:?", re.IGNORECASE
        ),
        material=re.compile(rf"\s*[【\[(]?\s*(?:{_any_of(profile.materials)})", re.IGNORECASE),
        kinds=tuple(
            (
                re.compile(rf"{re.escape(word)}{_AFTER_WORD}", re.IGNORECASE),
                Heading(each.kind, each.single, each.material or each.kind is QuestionKind.MATERIAL_ANALYSIS),
            )
            for word, each in kinds
        ),
    )


def _templated(template: str, *, number: bool = False) -> str:
    pattern = re.escape(flat(template)).replace(r"\ ", r"\s*")
    for place, regex in _PLACES.items():
        pattern = pattern.replace(place, regex)
    if template.endswith("}"):
        return rf"\s*{pattern}(?![A-Za-z0-9])\s*[.:、)]?\s*"
    decimal = number and template.endswith((".", ":"))
    return rf"\s*{pattern}(?!\d(?!\d{{3}}\s*年))\s*" if decimal else rf"\s*{pattern}\s*"


def _lettered(template: str) -> str:
    return re.escape(flat(template)).replace(r"\{A\}", r"\s*[A-K]\s*") + r"\s*"


def _style(template: str) -> str:
    """Return what is common to a style's spellings: `1.`, `1、` and `1)` are one, `(1)` another."""
    return "1" if template.startswith("{1}") else template


def _any_of(words: tuple[str, ...]) -> str:
    longest = sorted(words, key=len, reverse=True)
    return "|".join(re.escape(flat(word)).replace(r"\ ", r"\s+") for word in longest) or r"(?!)"
