"""The marks of a document's profile in lines: numbers, headings, option letters, marks of answers.

The patterns are compiled once for each profile.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from assay.core.question import QuestionKind
from assay.questions.profiles.profile import DocumentProfile, kind_words
from assay.questions.splitting.parts import QuestionPart

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
PLAIN_KEY = re.compile(
    r"\s*[\[(]?\s*(?:[A-K](?:[\s,、]*[A-K])*|true|false|[TF√×对错]|正确|错误)\s*[\])]?\s*[.。]?\s*",
    re.IGNORECASE,
)
_LETTER = re.compile("[A-K]")


class LineNumber(NamedTuple):
    """A number at the start of a line: its style, its value, and the start of the text after it."""

    style: str
    value: int
    end: int


class Heading(NamedTuple):
    """A heading of a section, with the kind of its questions, or None."""

    kind: QuestionKind | None
    single: bool
    material: bool


@dataclass(frozen=True, slots=True)
class ProfileMarks:
    """A profile's marks as patterns, which are matched with `flat` lines."""

    numbers: tuple[tuple[str, re.Pattern[str]], ...]
    option: re.Pattern[str]
    marker: re.Pattern[str]
    headings: tuple[re.Pattern[str], ...]
    chapters: tuple[re.Pattern[str], ...]
    answer_section: re.Pattern[str]
    material: re.Pattern[str]
    kinds: tuple[tuple[re.Pattern[str], Heading], ...]

    def number(self, line: str) -> list[LineNumber]:
        """Return the numbers at the start of a line, one for each style that fits."""
        numbers = []
        for style, pattern in self.numbers:
            match = pattern.match(line)
            if match:
                numbers.append(LineNumber(style, value_of_number(match["n"]), match.end()))
        return numbers

    def heading(self, line: str) -> Heading | None:
        """Return a line as a heading, or None."""
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
    """Return a line with half-width instead of full-width characters, of the same length.

    A full-width point between the number at the start of a line and digits becomes `、`: it is not a decimal
    point.
    """
    return line if line.isascii() else _WIDE_POINT.sub("、", line).translate(_FLAT)


def value_of_number(text: str) -> int:
    """Return the value of an Arabic, Chinese or Roman number, or of a letter."""
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
def marks_of(profile: DocumentProfile) -> ProfileMarks:
    """Return the compiled marks of a profile."""
    numbers = tuple((_style(text), re.compile(_pattern(text, number=True))) for text in profile.numbers)
    letters = "|".join(map(_option_pattern, sorted(profile.options, key=len, reverse=True)))
    kinds = sorted(
        ((word, words) for words in (*profile.kinds, *kind_words()) for word in words.words),
        key=lambda entry: -len(entry[0]),
    )
    answers, explanations = _any_of(profile.answers), _any_of(profile.explanations)
    return ProfileMarks(
        numbers=numbers,
        option=re.compile(rf"(?<![A-Za-z0-9(])(?:{letters})"),
        marker=re.compile(
            rf"[【\[(]\s*(?:(?P<a1>{answers})|(?P<e1>{explanations}))\s*[】\])]\s*:?\s*"
            rf"|(?:^|(?<=[\s。.;)，,]))(?:(?P<a2>{answers})|(?P<e2>{explanations}))\s*:\s*",
            re.IGNORECASE | re.MULTILINE,
        ),
        headings=tuple(re.compile(_pattern(text)) for text in profile.headings),
        chapters=tuple(re.compile(_pattern(text)) for text in profile.chapters),
        answer_section=re.compile(
            rf"(?:.{{0,30}}?[\s年卷题])?(?:{_any_of(profile.answer_sections)})\s*:?", re.IGNORECASE
        ),
        material=re.compile(rf"\s*[【\[(]?\s*(?:{_any_of(profile.materials)})", re.IGNORECASE),
        kinds=tuple(
            (
                re.compile(rf"{re.escape(word)}{_AFTER_WORD}", re.IGNORECASE),
                Heading(
                    words.kind,
                    words.single,
                    words.material or words.kind is QuestionKind.MATERIAL_ANALYSIS,
                ),
            )
            for word, words in kinds
        ),
    )


def _pattern(template: str, *, number: bool = False) -> str:
    pattern = re.escape(flat(template)).replace(r"\ ", r"\s*")
    for place, regex in _PLACES.items():
        pattern = pattern.replace(place, regex)
    if template.endswith("}"):
        return rf"\s*{pattern}(?![A-Za-z0-9])\s*[.:、)]?\s*"
    decimal = number and template.endswith((".", ":"))
    return rf"\s*{pattern}(?!\d(?!\d{{3}}\s*年))\s*" if decimal else rf"\s*{pattern}\s*"


def _option_pattern(template: str) -> str:
    return re.escape(flat(template)).replace(r"\{A\}", r"\s*[A-K]\s*") + r"\s*"


def _style(template: str) -> str:
    """Return the style of a number: `1.`, `1、` and `1)` have the same style, `(1)` another."""
    return "1" if template.startswith("{1}") else template


def _any_of(words: tuple[str, ...]) -> str:
    longest = sorted(words, key=len, reverse=True)
    return "|".join(re.escape(flat(word)).replace(r"\ ", r"\s+") for word in longest) or r"(?!)"


class OptionLabel(NamedTuple):
    """An option's letter in a line, with its start and the start of the option's text."""

    letter: str
    begin: int
    end: int


class Marker(NamedTuple):
    """The mark of an answer (`key`) or an `explanation` in a line, with its start and end."""

    field: str
    begin: int
    end: int


def begins_option(marks: ProfileMarks, part: QuestionPart | None, line: str) -> bool:
    """Whether a line begins with an option's letter: any letter if the part has options, else A or B."""
    if part is None:
        return False
    match = marks.option.match(line.lstrip())
    letter = match and _LETTER.search(match.group())
    return letter is not None and (bool(part.options) or letter.group() in "AB")


def labels_in(marks: ProfileMarks, part: QuestionPart, line: str) -> list[OptionLabel]:
    """Return the option letters in a line: any letter at its start, and rising letters after it."""
    labels: list[OptionLabel] = []
    for match in marks.option.finditer(line):
        letter = _LETTER.search(match.group())
        assert letter is not None
        at_start = not line[: match.start()].strip()
        known = [label.letter for label in labels] or [option for option, _ in part.options]
        if at_start:
            fits = bool(known) or letter.group() in "AB"
        else:
            fits = letter.group() > known[-1] if known else letter.group() == "A"
        if fits:
            labels.append(OptionLabel(letter.group(), match.start(), match.end()))
    if not part.options and len(labels) == 1 and labels[0].begin:
        return []
    return labels


def markers_in(marks: ProfileMarks, part: QuestionPart, line: str) -> list[Marker]:
    """Return the marks of answers and explanations in a line.

    Within a line a mark without brackets counts only before a plain key, or after one.
    """
    markers: list[Marker] = []
    for match in marks.marker.finditer(line):
        field = "key" if match["a1"] or match["a2"] else "explanation"
        bracketed = bool(match["a1"] or match["e1"])
        before = line[: match.start()]
        if before.strip() and not bracketed and not markers:
            options = part.options or marks.option.search(before)
            plain = PLAIN_KEY.match(line, match.end()) is not None and bool(options)
            if not (part.key is not None if field == "explanation" else plain):
                continue
        markers.append(Marker(field, match.start(), match.end()))
    return markers


def next_question(
    marks: ProfileMarks, part: QuestionPart, number: int, line: str, below: Sequence[str]
) -> tuple[int, int] | None:
    """Return the place of question `number` in a line, with options before it and A after it or below."""
    match = re.search(rf"(?<=[\s。.?])\s*{number}\s*[.、]\s*(?=\D)", line)
    if match is None:
        return None
    letters = {label.letter for label in labels_in(marks, part, line[: match.start()])}
    letters.update(letter for letter, _ in part.options)
    following = next((flat(text).lstrip() for text in below if text.strip()), "")
    after = marks.option.search(line, match.end()) or marks.option.match(following)
    return (match.start(), match.end()) if len(letters) > 1 and after and "A" in after.group() else None
