"""Word documents as lines: paragraphs with the numbers that Word counts, formulas, and tables row by row."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

from assay.core.errors import InvalidInput, Problem
from assay.files.documents.document import Line, Lines
from assay.files.documents.text import is_page_number

if TYPE_CHECKING:
    from docx.document import Document
    from docx.table import Table

    from assay.files.documents.word_numbers import WordNumbers

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_RAISED = dict(zip("0123456789+-=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ", strict=True))
_LOWERED = dict(zip("0123456789+-=()", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎", strict=True))
_PICTURES = frozenset(f"{_W}{name}" for name in ("drawing", "pict", "object"))
_SKIPPED = frozenset(f"{_W}{name}" for name in ("del", "moveFrom", "pPr", "rPr", "instrText", "delText"))


def read_word(path: Path) -> Lines:
    """Return a .docx file's paragraphs, and the rows of its tables, in order.

    Raised and lowered text and formulas keep what they mean (x², `(1)/(2)`); deleted text is left out. A
    paragraph with a picture is marked. Raises InvalidInput for a file that is damaged or holds no text.
    """
    import docx
    from docx.opc.exceptions import OpcError

    from assay.files.documents.word_numbers import word_numbers

    try:
        document = docx.Document(str(path))
        lines = list(_lines(document, word_numbers(document)))
    except (OpcError, BadZipFile, KeyError, ValueError, OSError) as error:
        raise InvalidInput(Problem(f"is damaged, or no .docx file: {error}", str(path))) from None
    if not any(line.text.strip() for line in lines):
        held = "only pictures" if any(line.picture for line in lines) else "no text"
        raise InvalidInput(Problem(f"holds {held}: give a document with text in it", str(path)))
    body = document.element.body
    left = {
        "text boxes": sum(1 for _ in body.iter(f"{_W}txbxContent")),
        "footnotes": sum(1 for _ in body.iter(f"{_W}footnoteReference")),
    }
    notes = [
        f"{count} {what} were not read: move them into the text" for what, count in left.items() if count
    ]
    return Lines(lines, notes=notes)


def _lines(document: Document, numbers: WordNumbers) -> Iterator[Line]:
    from docx.text.paragraph import Paragraph

    paragraph, table = 0, 0
    for block in document.iter_inner_content():
        if isinstance(block, Paragraph):
            paragraph += 1
            text, picture = _text(block._p)
            label = numbers.label(block)
            whole = f"{label} {text}" if label and (text.strip() or picture) else text
            for part in whole.split("\n"):
                yield Line(part, paragraph, "paragraph", furniture=is_page_number(part), picture=picture)
        else:
            table += 1
            yield from _rows(block, table, numbers)


def _rows(table: Table, number: int, numbers: WordNumbers) -> Iterator[Line]:
    for place, row in enumerate(table.rows, 1):
        cells, picture, seen = [], False, []
        for cell in row.cells:
            if cell._tc in seen:
                continue
            seen.append(cell._tc)
            texts = []
            for paragraph in cell.paragraphs:
                text, drawn = _text(paragraph._p)
                label = numbers.label(paragraph)
                texts.append(f"{label} {text}" if label else text)
                picture = picture or drawn
            cells.append("\n".join(texts).strip())
        text = "\t".join(" ".join(cell.split("\n")) for cell in cells)
        yield Line(text, place, "row", f"table {number}", picture=picture, table=number, cells=tuple(cells))


def _text(element: Any) -> tuple[str, bool]:
    """Return the text of a paragraph's element, and whether it holds a picture."""
    parts: list[str] = []
    picture = False
    for child in element:
        tag = child.tag
        if tag == f"{_W}t":
            parts.append(_placed(child.text or "", element))
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
        elif tag not in _SKIPPED:
            text, drawn = _text(child)
            parts.append(text)
            picture = picture or drawn
    return "".join(parts), picture


def _placed(text: str, run: Any) -> str:
    """Return the text of a run, raised or lowered where the run is."""
    found = run.find(f"{_W}rPr/{_W}vertAlign")
    place = None if found is None else found.get(f"{_W}val")
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
        found = element.find(f"{_M}{child}")
        return "" if found is None else "".join(map(_formula, found))

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
