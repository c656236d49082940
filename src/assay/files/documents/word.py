"""Reading Word documents as lines: paragraphs with their list numbers, formulas, and tables row by row."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.core.errors import InvalidInput, Problem
from assay.core.unpacking import MIB, Limit
from assay.files.documents.document import DocumentLines, Line, is_page_number
from assay.files.documents.office import damage_refused, scan_package

if TYPE_CHECKING:
    from docx.document import Document


_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_RAISED = dict(zip("0123456789+-=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ", strict=True))
_LOWERED = dict(zip("0123456789+-=()", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎", strict=True))
_PICTURES = frozenset(f"{_W}{name}" for name in ("drawing", "pict", "object"))
_PARAGRAPH, _TABLE, _ROW, _CELL = (f"{_W}{name}" for name in ("p", "tbl", "tr", "tc"))
_AROUND = frozenset(f"{_W}{name}" for name in ("sdt", "sdtContent", "ins", "moveTo", "customXml", "smartTag"))
"""Elements around paragraphs, tables, rows and cells: content controls, inserted text, tags."""

_ALTERNATIVES = "{http://schemas.openxmlformats.org/markup-compatibility/2006}AlternateContent"
_DELETED = (f"{_W}trPr/{_W}del", f"{_W}trPr/{_W}moveFrom")

XML = Limit(total=64 * MIB)
MOST_NODES = 2_000_000
MOST_TEXT = 64 * MIB
MOST_COLUMNS = 1000
_SKIPPED = frozenset(f"{_W}{name}" for name in ("del", "moveFrom", "pPr", "rPr", "instrText", "delText"))
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
LONGEST_TEXT = 200
HIGHEST = 5000
"""Higher list numbers are written in digits."""
_PLACE = re.compile(r"%(\d)")


def read_word(path: Path) -> DocumentLines:
    """Return a .docx file's paragraphs, and the rows of its tables, in order.

    Superscripts, subscripts and formulas keep their meaning (x², `(1)/(2)`); deleted text is left out. A
    paragraph with a picture is marked. Raises InvalidInput if the file is damaged or has no text.
    """
    import docx

    scan_package(path, xml=XML, most_nodes=MOST_NODES)
    with damage_refused(path):
        document = docx.Document(str(path))
        lines = _limit(_lines(document, word_numbers(document)), path)
    if not any(line.text.strip() for line in lines):
        content = "only pictures" if any(line.picture for line in lines) else "no text"
        raise InvalidInput(Problem(f"the file has {content}: give a document with text", str(path)))
    body = document.element.body
    unread = {
        "text boxes": sum(1 for _ in body.iter(f"{_W}txbxContent")),
        "footnotes": sum(1 for _ in body.iter(f"{_W}footnoteReference")),
        "passages of hidden text": sum(map(is_hidden, body.iter(f"{_W}r"))),
    }
    notes = [
        f"{count} {what} were not read: move them into the text" for what, count in unread.items() if count
    ]
    return DocumentLines(lines, notes=notes)


def _limit(lines: Iterator[Line], path: Path) -> list[Line]:
    """Return lines as a list. Raises InvalidInput beyond `MOST_TEXT` characters, including list numbers."""
    read, characters = [], 0
    for line in lines:
        characters += len(line.text) + 1
        if characters > MOST_TEXT:
            raise InvalidInput(
                Problem(f"the file has more than {MOST_TEXT:,} characters of text: split it", str(path))
            )
        read.append(line)
    return read


def _lines(document: Document, numbers: WordNumbers) -> Iterator[Line]:
    paragraph, table = 0, 0
    for block in _within(document.element.body, _PARAGRAPH, _TABLE):
        if block.tag == _PARAGRAPH:
            paragraph += 1
            text, picture = _text(block)
            label = numbers.label(block)
            whole = f"{label} {text}" if label and (text.strip() or picture) else text
            for part in whole.split("\n"):
                yield Line(part, paragraph, "paragraph", furniture=is_page_number(part), picture=picture)
        else:
            table += 1
            yield from _rows(block, table, numbers)


def _within(element: Any, *tags: str) -> Iterator[Any]:
    """Yield an element's children with these tags, including those in content controls and inserted text."""
    for child in element:
        if child.tag in tags:
            yield child
        elif child.tag in _AROUND:
            yield from _within(child, *tags)


def _rows(table: Any, number: int, numbers: WordNumbers) -> Iterator[Line]:
    """Yield a table's rows; a cell merged with the one above repeats its text."""
    above: dict[int, tuple[str, bool]] = {}
    for place, row in enumerate(_within(table, _ROW), 1):
        if any(row.find(path) is not None for path in _DELETED):
            continue
        cells, picture, column = [], False, 0
        for cell in _within(row, _CELL):
            merged = cell.find(f"{_W}tcPr/{_W}vMerge")
            continues = merged is not None and merged.get(f"{_W}val", "continue") == "continue"
            if not continues or column not in above:
                above[column] = _cell(cell, numbers)
            text, drawn = above[column]
            cells.append(text)
            picture = picture or drawn
            column += _span(cell)
            if column > MOST_COLUMNS:
                raise ValueError(f"table {number} has more than {MOST_COLUMNS:,} columns")
        text = "\t".join(" ".join(cell.split("\n")) for cell in cells)
        yield Line(text, place, "row", f"table {number}", picture=picture, table=number, cells=tuple(cells))


def _span(cell: Any) -> int:
    span = cell.find(f"{_W}tcPr/{_W}gridSpan")
    return 1 if span is None else max(1, int(span.get(f"{_W}val")))


def _cell(cell: Any, numbers: WordNumbers) -> tuple[str, bool]:
    """Return the text of a cell, including tables within it, and whether it has a picture."""
    texts, picture = [], False
    for block in _within(cell, _PARAGRAPH, _TABLE):
        if block.tag == _TABLE:
            for line in _rows(block, 0, numbers):
                texts.append(line.text)
                picture = picture or line.picture
            continue
        text, drawn = _text(block)
        label = numbers.label(block)
        texts.append(f"{label} {text}" if label else text)
        picture = picture or drawn
    return "\n".join(texts).strip(), picture


def _text(element: Any) -> tuple[str, bool]:
    """Return the text of a paragraph's element, and whether it has a picture."""
    parts: list[str] = []
    picture = False
    for child in element:
        tag = child.tag
        if tag == f"{_W}t":
            parts.append(_raise_or_lower(child.text or "", element))
        elif tag == f"{_W}tab":
            parts.append("\t")
        elif tag in (f"{_W}br", f"{_W}cr"):
            parts.append("\n")
        elif tag == f"{_W}noBreakHyphen":
            parts.append("-")
        elif tag in _PICTURES:
            picture = True
        elif isinstance(tag, str) and tag.startswith(_M):
            parts.append(_formula(child))
        elif tag == _ALTERNATIVES:
            chosen = next(iter(child), None)
            text, drawn = ("", False) if chosen is None else _text(chosen)
            parts.append(text)
            picture = picture or drawn or next(child.iter(*_PICTURES), None) is not None
        elif tag not in _SKIPPED and not is_hidden(child):
            text, drawn = _text(child)
            parts.append(text)
            picture = picture or drawn
    return "".join(parts), picture


def is_hidden(element: Any) -> bool:
    """Whether an element is a run of text that Word does not show."""
    vanish = element.find(f"{_W}rPr/{_W}vanish") if element.tag == f"{_W}r" else None
    return vanish is not None and vanish.get(f"{_W}val", "true") not in ("0", "false", "off")


def _raise_or_lower(text: str, run: Any) -> str:
    """Return the text of a run as superscript or subscript if the run is."""
    align = run.find(f"{_W}rPr/{_W}vertAlign")
    place = None if align is None else align.get(f"{_W}val")
    if place not in ("superscript", "subscript") or not text.strip():
        return text
    signs, mark = (_RAISED, "^") if place == "superscript" else (_LOWERED, "_")
    if all(sign in signs for sign in text):
        return "".join(signs[sign] for sign in text)
    return f"{mark}{text}" if len(text) == 1 else f"{mark}({text})"


def _formula(element: Any) -> str:
    """Return a formula in one line: `(a)/(b)`, `x^(2)`, `√(x)`."""
    name = element.tag.removeprefix(_M)
    if name == "t":
        return element.text or ""

    def part(child: str) -> str:
        inner = element.find(f"{_M}{child}")
        return "" if inner is None else "".join(map(_formula, inner))

    if name == "f":
        return f"({part('num')})/({part('den')})"
    if name == "sSup":
        return f"{part('e')}^({part('sup')})"
    if name == "sSub":
        return f"{part('e')}_({part('sub')})"
    if name == "sSubSup":
        return f"{part('e')}_({part('sub')})^({part('sup')})"
    if name == "rad":
        return f"√[{part('deg')}]({part('e')})" if part("deg") else f"√({part('e')})"
    if name == "d":
        return f"({part('e')})"
    return "".join(
        _formula(child) for child in element if isinstance(child.tag, str) and child.tag.startswith((_M, _W))
    )


@dataclass(frozen=True, slots=True)
class Level:
    """One level of a list: the form of its numbers, the first number, and its text (`%1.`)."""

    form: str
    start: int
    text: str


@dataclass(slots=True)
class WordNumbers:
    """The numbers of a document's lists, counted as in Word, paragraph by paragraph."""

    lists: dict[int, tuple[int, dict[int, Level]]]
    styles: dict[str, tuple[int, int]]
    counts: dict[int, list[int | None]] = field(default_factory=dict)

    def label(self, paragraph: Any) -> str:
        """Return the number that Word shows before a paragraph, such as `3.`, or an empty text."""
        place = _place(paragraph.pPr) or self.styles.get(_style(paragraph))
        if place is None or place[0] not in self.lists:
            return ""
        abstract, levels = self.lists[place[0]]
        depth = place[1]
        if depth not in levels:
            return ""
        counts = self.counts.setdefault(abstract, [None] * 9)
        before = counts[depth]
        counts[depth] = levels[depth].start if before is None else before + 1
        counts[depth + 1 :] = [None] * (8 - depth)
        return _PLACE.sub(lambda match: _number(levels, counts, int(match.group(1)) - 1), levels[depth].text)


def word_numbers(document: Document) -> WordNumbers:
    """Return the lists that a document declares."""
    try:
        root: Any = document.part.numbering_part.element
    except (KeyError, NotImplementedError):
        return WordNumbers({}, {})
    abstracts = {
        int(node.get(f"{_W}abstractNumId")): _levels(node) for node in root.findall(f"{_W}abstractNum")
    }
    lists = {}
    for node in root.findall(f"{_W}num"):
        number = int(node.get(f"{_W}numId"))
        abstract = int(node.find(f"{_W}abstractNumId").get(f"{_W}val"))
        restarted = node.find(f"{_W}lvlOverride") is not None
        lists[number] = (-number if restarted else abstract, abstracts.get(abstract, {}))
    styles = {}
    for style in document.styles.element.findall(f"{_W}style"):
        place = _place(style.find(f"{_W}pPr"))
        if place is not None:
            styles[style.get(f"{_W}styleId")] = place
    return WordNumbers(lists, styles)


def _levels(abstract: Any) -> dict[int, Level]:
    levels = {}
    for level in abstract.findall(f"{_W}lvl"):
        parts = {name: level.find(f"{_W}{name}") for name in ("numFmt", "start", "lvlText")}
        values = {name: None if part is None else part.get(f"{_W}val") for name, part in parts.items()}
        form = values["numFmt"] or "decimal"
        text = "" if form in ("bullet", "none") else values["lvlText"] or ""
        if len(text) > LONGEST_TEXT:
            raise ValueError(f"the number of a list has {len(text):,} characters of text around it")
        levels[int(level.get(f"{_W}ilvl"))] = Level(form, int(values["start"] or 1), text)
    return levels


def _place(properties: Any) -> tuple[int, int] | None:
    """Return a paragraph's list and level, or None if it is in no list."""
    if properties is None:
        return None
    listed = properties.find(f"{_W}numPr")
    number = None if listed is None else listed.find(f"{_W}numId")
    if number is None:
        return None
    level = listed.find(f"{_W}ilvl")
    return int(number.get(f"{_W}val")), 0 if level is None else int(level.get(f"{_W}val"))


def _style(paragraph: Any) -> str:
    properties = paragraph.pPr
    style = None if properties is None else properties.find(f"{_W}pStyle")
    return "" if style is None else str(style.get(f"{_W}val"))


def _number(levels: dict[int, Level], counts: list[int | None], depth: int) -> str:
    level = levels.get(depth)
    if level is None:
        return ""
    return in_form(counts[depth] if counts[depth] is not None else level.start, level.form)


def in_form(number: int | None, form: str) -> str:
    """Return a number in a list's format."""
    if number is None:
        return ""
    if number > HIGHEST:
        return str(number)
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
