"""PDF files as lines, without page numbers and running heads."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from assay.core.errors import InvalidInput, Problem
from assay.files.documents.document import Line, Lines
from assay.files.documents.text import is_page_number

if TYPE_CHECKING:
    from pypdf import PdfReader

LEAST_PAGES = 3
_DIGITS = re.compile(r"\d{1,4}")
_LISTED = re.compile(r"\s*[(（]?\s*(?:[A-Za-z]|\d{1,3})\s*[.)）、．:：]")
"""The number or letter of a question or option: such a line is never taken for a running head."""


def read_pdf(path: Path) -> Lines:
    """Return a PDF file's lines by page.

    Raises InvalidInput for one that is damaged, needs a password, or holds pictures of pages only.
    """
    reader = _opened(path)
    pages: list[list[str]] = []
    try:
        for page in reader.pages:
            text = page.extract_text() or ""
            pages.append([line.rstrip() for line in text.split("\n")] if text.strip() else [])
    except Exception as error:  # noqa: BLE001 (pypdf raises errors of many kinds on damaged pages)
        raise InvalidInput(Problem(f"is damaged: page {len(pages) + 1}: {error}", str(path))) from None
    if not any(pages):
        raise InvalidInput(
            Problem(
                "holds no text, only pictures of pages: run a text recognition (OCR) on it first", str(path)
            )
        )
    without = [str(number) for number, lines in enumerate(pages, 1) if not lines]
    notes = [f"no text on page {', '.join(without)}: a picture?"] if without else []
    heads = _running_heads(pages)
    lines = [
        Line(text, number, section=f"page {page}", furniture=_is_furniture(text, number, len(found), heads))
        for page, found in enumerate(pages, 1)
        for number, text in enumerate(found, 1)
    ]
    return Lines(lines, wrapped=True, notes=notes)


def _opened(path: Path) -> PdfReader:
    from pypdf import PasswordType, PdfReader
    from pypdf.errors import PyPdfError

    try:
        reader = PdfReader(path)
        if reader.is_encrypted and reader.decrypt("") is PasswordType.NOT_DECRYPTED:
            raise InvalidInput(Problem("is encrypted: save it without its password", str(path)))
        if not len(reader.pages):
            raise InvalidInput(Problem("has no pages", str(path)))
    except (PyPdfError, OSError, ValueError, KeyError) as error:
        raise InvalidInput(Problem(f"is damaged, or no PDF file: {error}", str(path))) from None
    return reader


def _running_heads(pages: list[list[str]]) -> frozenset[str]:
    """Return the lines that stand first or last on most pages, word for word."""
    edges: Counter[str] = Counter()
    for lines in pages:
        edges.update({line.strip() for line in (*lines[:1], *lines[-1:]) if not _LISTED.match(line)})
    filled = sum(1 for lines in pages if lines)
    return frozenset(line for line, count in edges.items() if count >= LEAST_PAGES and 2 * count > filled)


def _is_furniture(text: str, number: int, of: int, heads: frozenset[str]) -> bool:
    if is_page_number(text):
        return True
    bare = text.strip()
    return number in (1, of) and bool(bare) and (bare in heads or _DIGITS.fullmatch(bare) is not None)
