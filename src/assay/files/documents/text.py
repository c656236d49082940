"""Plain text as lines."""

from __future__ import annotations

import re
from pathlib import Path

from assay.core.errors import InvalidInput, Problem
from assay.files.documents.decoding import decode
from assay.files.documents.document import Line, Lines

_LINE_END = re.compile("\r\n|\r|\n")
_PAGE_NUMBER = re.compile(
    r"\s*(?:第\s*\d+\s*页(?:\s*[,，/]?\s*\(?共\s*\d+\s*页\)?)?|Page\s+\d+(?:\s+of\s+\d+)?|[-–—]\s*\d{1,4}\s*[-–—])\s*",
    re.IGNORECASE,
)


def is_page_number(text: str) -> bool:
    """Whether a line is a page number beyond doubt: `第 3 页`, `Page 3 of 9`, `- 3 -`."""
    return _PAGE_NUMBER.fullmatch(text) is not None


def read_text(path: Path) -> Lines:
    """Return a text file's lines. Raises InvalidInput for an empty one, and for what is no text."""
    raw = path.read_bytes()
    if not raw.strip():
        raise InvalidInput(Problem("is empty", str(path)))
    text, encoding = decode(raw, str(path))
    parts = _LINE_END.split(text)
    if not parts[-1]:
        parts.pop()
    lines = [
        Line(part.strip("\x0c"), number, furniture=is_page_number(part))
        for number, part in enumerate(parts, 1)
    ]
    return Lines(lines, encoding=encoding)
