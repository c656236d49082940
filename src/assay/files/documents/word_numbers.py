"""The numbers that Word counts itself: they stand in no text, only in a paragraph's list properties.

Source: ECMA-376, part 1, section 17.9 (numbering).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from docx.oxml.ns import qn

if TYPE_CHECKING:
    from docx.document import Document
    from docx.text.paragraph import Paragraph

_CHINESE = "零一二三四五六七八九十"
_ROMAN = ((100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))
_CHINESE_FORMATS = frozenset(
    [
        "chineseCounting",
        "chineseCountingThousand",
        "japaneseCounting",
        "taiwaneseCounting",
        "ideographDigital",
    ]
)
_PLACE = re.compile(r"%(\d)")


@dataclass(frozen=True, slots=True)
class Level:
    """One level of a list: how it counts, from where, and its text (`%1.`)."""

    form: str
    start: int
    text: str


@dataclass(slots=True)
class WordNumbers:
    """Counts a document's lists as Word does; ask paragraph by paragraph, in order."""

    lists: dict[int, tuple[int, dict[int, Level]]]
    styles: dict[str, tuple[int, int]]
    counts: dict[int, list[int | None]] = field(default_factory=dict)

    def label(self, paragraph: Paragraph) -> str:
        """Return what Word shows before a paragraph, such as `3.`; an empty text without a number."""
        found = _place(paragraph._p.pPr) or self.styles.get(_style(paragraph))
        if found is None or found[0] not in self.lists:
            return ""
        abstract, levels = self.lists[found[0]]
        depth = found[1]
        if depth not in levels:
            return ""
        counts = self.counts.setdefault(abstract, [None] * 9)
        before = counts[depth]
        counts[depth] = levels[depth].start if before is None else before + 1
        counts[depth + 1 :] = [None] * (8 - depth)
        return _PLACE.sub(lambda place: _shown(levels, counts, int(place.group(1)) - 1), levels[depth].text)


def word_numbers(document: Document) -> WordNumbers:
    """Return the lists that a document declares."""
    try:
        root: Any = document.part.numbering_part.element
    except (KeyError, NotImplementedError):
        return WordNumbers({}, {})
    abstracts = {
        int(each.get(qn("w:abstractNumId"))): _levels(each) for each in root.findall(qn("w:abstractNum"))
    }
    lists = {}
    for each in root.findall(qn("w:num")):
        number = int(each.get(qn("w:numId")))
        abstract = int(each.find(qn("w:abstractNumId")).get(qn("w:val")))
        restarted = each.find(qn("w:lvlOverride")) is not None
        lists[number] = (-number if restarted else abstract, abstracts.get(abstract, {}))
    styles = {}
    for style in document.styles.element.findall(qn("w:style")):
        found = _place(style.find(qn("w:pPr")))
        if found is not None:
            styles[style.get(qn("w:styleId"))] = found
    return WordNumbers(lists, styles)


def _levels(abstract: Any) -> dict[int, Level]:
    found = {}
    for level in abstract.findall(qn("w:lvl")):
        parts = {name: level.find(qn(f"w:{name}")) for name in ("numFmt", "start", "lvlText")}
        values = {name: None if part is None else part.get(qn("w:val")) for name, part in parts.items()}
        form = values["numFmt"] or "decimal"
        text = "" if form in ("bullet", "none") else values["lvlText"] or ""
        found[int(level.get(qn("w:ilvl")))] = Level(form, int(values["start"] or 1), text)
    return found


def _place(properties: Any) -> tuple[int, int] | None:
    """Return a paragraph's list and level; None where it is in no list."""
    if properties is None:
        return None
    found = properties.find(qn("w:numPr"))
    number = None if found is None else found.find(qn("w:numId"))
    if number is None:
        return None
    level = found.find(qn("w:ilvl"))
    return int(number.get(qn("w:val"))), 0 if level is None else int(level.get(qn("w:val")))


def _style(paragraph: Paragraph) -> str:
    properties = paragraph._p.pPr
    style = None if properties is None else properties.find(qn("w:pStyle"))
    return "" if style is None else str(style.get(qn("w:val")))


def _shown(levels: dict[int, Level], counts: list[int | None], depth: int) -> str:
    level = levels.get(depth)
    if level is None:
        return ""
    return in_form(counts[depth] if counts[depth] is not None else level.start, level.form)


def in_form(number: int | None, form: str) -> str:
    """Return a number as a list's format shows it."""
    if number is None:
        return ""
    if form in ("upperLetter", "lowerLetter"):
        letter = chr(ord("A") + (number - 1) % 26) * ((number - 1) // 26 + 1)
        return letter if form == "upperLetter" else letter.lower()
    if form in ("upperRoman", "lowerRoman"):
        roman = ""
        for value, sign in _ROMAN:
            while number >= value:
                roman, number = roman + sign, number - value
        return roman if form == "upperRoman" else roman.lower()
    if form in _CHINESE_FORMATS and number < 100:
        tens, ones = divmod(number, 10)
        begin = "" if not tens else "十" if tens == 1 else f"{_CHINESE[tens]}十"
        return begin + (_CHINESE[ones] if ones or not tens else "")
    if form == "decimalEnclosedCircle" and 1 <= number <= 20:
        return chr(0x2460 + number - 1)
    return str(number)
