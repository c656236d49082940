"""Exam papers made for tests: Word documents with counted lists, PDF files, workbooks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import docx
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from openpyxl import Workbook

LEVELS = """<w:abstractNum {ns} w:abstractNumId="{number}">
<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="{form}"/><w:lvlText w:val="{text}"/></w:lvl>
<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="upperLetter"/><w:lvlText w:val="%2."/></w:lvl>
</w:abstractNum>"""
NUMBERED = '<w:numPr {ns}><w:ilvl w:val="{level}"/><w:numId w:val="{list}"/></w:numPr>'


def add_list(document: Any, number: int, *, form: str = "decimal", text: str = "%1.") -> None:
    """Declare a list whose second level counts A, B, C."""
    root = document.part.numbering_part.element
    declared = parse_xml(LEVELS.format(ns=nsdecls("w"), number=100 + number, form=form, text=text))
    root.insert(0, declared)
    root.append(
        parse_xml(
            f'<w:num {nsdecls("w")} w:numId="{number}"><w:abstractNumId w:val="{100 + number}"/></w:num>'
        )
    )


def add_counted(document: Any, text: str, number: int, level: int = 0) -> None:
    """Add a paragraph that a list counts."""
    paragraph = document.add_paragraph(text)
    paragraph._p.get_or_add_pPr().append(
        parse_xml(NUMBERED.format(ns=nsdecls("w"), level=level, list=number))
    )


def write_word(path: Path, lines: Sequence[str]) -> Path:
    """Write a Word document with a paragraph for each line."""
    document = docx.Document()
    for line in lines:
        document.add_paragraph(line)
    document.save(str(path))
    return path


def write_book(path: Path, sheets: dict[str, Sequence[Sequence[Any]]]) -> Path:
    """Write a workbook with a sheet for each name."""
    book = Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    book.save(path)
    return path


def write_pdf(path: Path, pages: Sequence[Sequence[str]]) -> Path:
    """Write a PDF file with these lines of Latin text on its pages; a page without lines is blank."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    kids = []
    for lines in pages:
        shown = "\n".join(
            f"1 0 0 1 50 {760 - 16 * place} Tm ({_escaped(line)}) Tj" for place, line in enumerate(lines)
        )
        stream = f"BT /F1 12 Tf\n{shown}\nET".encode("latin-1")
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
        content = len(objects)
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R >> >> >>" % content
        )
        kids.append(len(objects))
    listed = b" ".join(b"%d 0 R" % kid for kid in kids)
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (listed, len(kids))
    path.write_bytes(_file(objects))
    return path


def _escaped(line: str) -> str:
    return line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


def _file(objects: Sequence[bytes]) -> bytes:
    written, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        offsets.append(len(written))
        written += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(written)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(objects) + 1
    return (
        written
        + b"xref\n0 %d\n0000000000 65535 f \n%s" % (size, table)
        + b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, start)
    )
