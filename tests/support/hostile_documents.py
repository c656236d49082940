"""Documents made to harm whoever reads them: bombs, entities, lies about sizes, names that lead elsewhere."""

from __future__ import annotations

import gzip
import io
import random
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path

import zstandard
from exam_papers import write_book, write_word

MIB = 1 << 20
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
S = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
DOCUMENT, SHEET, STRINGS = "word/document.xml", "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"
TYPES = "[Content_Types].xml"
STRINGS_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' if n else '<!ENTITY l0 "haha">' for n in range(10))


def repacked(path: Path, parts: Mapping[str, bytes | str]) -> Path:
    """Write an Office file anew with some of its parts replaced, or others added."""
    with zipfile.ZipFile(path) as before:
        kept = {name: before.read(name) for name in before.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as after:
        for name, content in {**kept, **parts}.items():
            after.writestr(name, content)
    return path


def word(path: Path, body: str | bytes, *, doctype: str = "") -> Path:
    """Write a Word document with this body."""
    write_word(path, ["1. What?"])
    raw = body if isinstance(body, bytes) else body.encode()
    opening = f"{HEAD}{doctype}<w:document {W}><w:body>".encode()
    return repacked(path, {DOCUMENT: opening + raw + b"</w:body></w:document>"})


def paragraph(text: str) -> str:
    """Return a paragraph of Word's XML."""
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


def book(path: Path, rows: str | bytes, *, doctype: str = "", **parts: bytes | str) -> Path:
    """Write a workbook whose only sheet has these rows of XML below a header."""
    write_book(path, {"One": [["question", "answer"], ["x", "y"]]})
    raw = rows if isinstance(rows, bytes) else rows.encode()
    opening = f"{HEAD}{doctype}<worksheet {S}><sheetData>{HEADER}".encode()
    repacked(path, {SHEET: opening + raw + b"</sheetData></worksheet>"})
    if "strings" not in parts:
        return path
    with zipfile.ZipFile(path) as file:
        types = file.read(TYPES).decode()
    if STRINGS not in types:
        types = types.replace(
            "</Types>", f'<Override PartName="/{STRINGS}" ContentType="{STRINGS_TYPE}"/></Types>'
        )
    return repacked(path, {STRINGS: parts["strings"], TYPES: types})


def cell(place: str, text: str) -> str:
    """Return a cell with its text in it."""
    return f'<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>'


HEADER = f'<row r="1">{cell("A1", "question")}{cell("B1", "answer")}</row>'


def pdf(path: Path, content: bytes, *, filters: int = 1, pages: int = 1) -> Path:
    """Write a PDF file whose pages share one stream, packed so many times over."""
    packed = content
    for _ in range(filters):
        packed = zlib.compress(packed, 9)
    kids = b" ".join(b"%d 0 R" % (5 + page) for page in range(pages))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, pages),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Length %d /Filter [%s] >>\nstream\n%s\nendstream"
        % (len(packed), b" ".join([b"/FlateDecode"] * filters), packed),
        *[
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
            b"/Resources << /Font << /F1 3 0 R >> >> >>"
        ]
        * pages,
    ]
    written, offsets = b"%PDF-1.4\n", []
    for number, each in enumerate(objects, 1):
        offsets.append(len(written))
        written += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    path.write_bytes(
        written
        + b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table)
        + b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(written))
    )
    return path


def gz(path: Path, line: bytes, times: int) -> Path:
    """Write a line many times over into a .gz file."""
    with gzip.open(path, "wb", 9) as file:
        for _ in range(times // 1000):
            file.write(line * 1000)
    return path


def zst(path: Path, line: bytes, times: int) -> Path:
    """Write a line many times over into a .zst file."""
    with zstandard.open(path, "wb") as file:
        for _ in range(times // 1000):
            file.write(line * 1000)
    return path


def padded(path: Path) -> Path:
    """Add 2 MiB that do not pack, so that a file's ratio looks harmless."""
    folder = path.suffix.replace(".docx", "word").replace(".xlsx", "xl")
    return repacked(path, {f"{folder}/media/noise.bin": random.Random(1).randbytes(2 * MIB)})


def nested(path: Path) -> Path:
    """Write a Word document that holds a zip file of zip files of zeros."""
    inner = bytes(80 * MIB)
    for depth in range(3):
        held = io.BytesIO()
        with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr(f"{depth}.zip", inner)
        inner = held.getvalue()
    write_word(path, ["1. What?"])
    return repacked(path, {"word/embeddings/more.zip": inner})


def styled(path: Path) -> Path:
    """Write a workbook whose styles declare two million formats of cells."""
    formats = "<xf/>" * 2_000_000
    write_book(path, {"One": [["question", "answer"], ["x", "y"]]})
    return repacked(
        path, {"xl/styles.xml": f"{HEAD}<styleSheet {S}><cellXfs>{formats}</cellXfs></styleSheet>"}
    )


BOMBS: Mapping[str, tuple[Callable[[Path], Path], str]] = {
    "spaces.docx": (lambda path: word(path, paragraph(" " * (80 * MIB))), "unpack"),
    "paragraphs.docx": (lambda path: word(path, "<w:p/>" * 8_000_000), "nodes|unpack"),
    "attributes.docx": (
        lambda path: word(path, ("<w:p " + " ".join(f"a{n}=''" for n in range(900)) + "/>") * 9_000),
        "nodes|unpack",
    ),
    "media.docx": (
        lambda path: repacked(write_word(path, ["1. What?"]), {"word/media/a.bin": bytes(80 * MIB)}),
        "unpack",
    ),
    "spans.docx": (
        lambda path: word(
            path,
            '<w:tbl><w:tblGrid/><w:tr><w:tc><w:tcPr><w:gridSpan w:val="200000000"/></w:tcPr>'
            f"{paragraph('1. What?')}</w:tc></w:tr></w:tbl>",
        ),
        "columns",
    ),
    "deep.docx": (lambda path: word(path, "<w:p>" * 5000 + "</w:p>" * 5000), "deep"),
    "nested.docx": (nested, ""),
    "laughs.docx": (
        lambda path: word(path, paragraph("&l9;"), doctype=f"<!DOCTYPE w:document [{LAUGHS}]>"),
        "document type",
    ),
    "quadratic.docx": (
        lambda path: word(
            path,
            paragraph("&a;" * 50_000),
            doctype=f'<!DOCTYPE w:document [<!ENTITY a "{"x" * 50_000}">]>',
        ),
        "document type",
    ),
    "external.docx": (
        lambda path: word(
            path,
            paragraph("1. &a;"),
            doctype='<!DOCTYPE w:document [<!ENTITY a SYSTEM "file:///etc/hostname">]>',
        ),
        "document type",
    ),
    "undeclared.docx": (lambda path: word(path, paragraph("1. a &lsquo;b&nbsp;c")), "undefined entity"),
    "laughs.xlsx": (
        lambda path: book(
            path,
            f'<row r="2">{cell("A2", "&l9;")}</row>',
            doctype=f"<!DOCTYPE worksheet [{LAUGHS}]>",
        ),
        "document type",
    ),
    "undeclared.xlsx": (
        lambda path: book(path, f'<row r="2">{cell("A2", "a&nbsp;b")}</row>'),
        "undefined entity",
    ),
    "strings.xlsx": (
        lambda path: book(path, "", strings=f"{HEAD}<sst {S}>{'<si/>' * 9_000_000}</sst>"),
        "unpack|nodes",
    ),
    "repeated.xlsx": (
        lambda path: book(
            path,
            "".join(f'<row r="{row}"><c r="A{row}" t="s"><v>0</v></c></row>' for row in range(2, 20_000)),
            strings=f"{HEAD}<sst {S}><si><t>{'x' * MIB}</t></si></sst>",
        ),
        "",
    ),
    "wide.xlsx": (
        lambda path: book(
            path,
            "".join(f'<row r="{row}"><c r="XFD{row}"><v>1</v></c></row>' for row in range(2, 20_000)),
        ),
        "cells",
    ),
    "again.xlsx": (
        lambda path: book(path, '<row r="1048576"/><row r="1"/>' * 5_000),
        "order",
    ),
    "outside.xlsx": (
        lambda path: book(path, "</sheetData>" + "<foo/>" * 9_000_000 + "<sheetData>"),
        "nodes|unpack",
    ),
    "styles.xlsx": (styled, "nodes"),
    "padded-text.docx": (lambda path: padded(word(path, paragraph(" " * (70 * MIB)))), "unpack"),
    "padded-nodes.docx": (lambda path: padded(word(path, "<w:p/>" * 3_000_000)), "nodes"),
    "padded-strings.xlsx": (
        lambda path: padded(book(path, "", strings=f"{HEAD}<sst {S}>{'<si/>' * 5_000_000}</sst>")),
        "nodes",
    ),
    "stream.pdf": (lambda path: pdf(path, b"q " * (50 * MIB // 2)), "unpack|damaged"),
    "twice.pdf": (lambda path: pdf(path, b"q Q\n" * (50 * MIB // 4), filters=2), "unpack|damaged"),
    "long.pdf": (
        lambda path: pdf(path, b"BT /F1 9 Tf (" + b"a" * (MIB // 4) + b") Tj ET", pages=300),
        "unpack|text",
    ),
    "line.jsonl.gz": (lambda path: gz(path, bytes(1000), 100_000), "line"),
    "lines.jsonl.gz": (lambda path: gz(path, b'{"q": 1}' + b" " * 191 + b"\n", 1_000_000), "unpack"),
    "line.json.gz": (lambda path: gz(path, b" " * 99 + b"\n", 1_000_000), "unpack|line"),
    "line.jsonl.zst": (lambda path: zst(path, b"x" * 1000, 100_000), "unpack|line"),
    "lines.jsonl.zst": (lambda path: zst(path, b'{"q": 1}' + b" " * 191 + b"\n", 1_000_000), "unpack"),
}
"""A file by its name, how it is written, and what its refusal speaks of; nothing where it is read."""
