"""Reading PDF files as lines; page numbers and running heads are marked."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.core.errors import InvalidInput, Problem
from assay.core.unpacking import MIB, Limit
from assay.files.documents.document import DocumentLines, Line, is_page_number
from assay.files.documents.office import damage_refused

if TYPE_CHECKING:
    from pypdf import PdfReader

LEAST_PAGES = 3
MOST_STREAM = 8 * MIB
STREAMS = Limit(total=128 * MIB)
"""The limit for content, forms and fonts of all pages; pictures are not unpacked."""

MOST_TEXT = 16 * MIB
MOST_OPERATORS = 10_000_000
_DIGITS = re.compile(r"\d{1,4}")
_LISTED = re.compile(r"\s*[(（]?\s*(?:[A-Za-z]|\d{1,3})\s*[.)）、．:：]")
"""The number or letter of a question or option. A line with one is never a running head."""


def read_pdf(path: Path) -> DocumentLines:
    """Return a PDF file's lines by page.

    Raises InvalidInput if it is damaged, needs a password, contains only pictures of pages, or is larger than
    the limits.
    """
    from pypdf import apply_configuration
    from pypdf.errors import LimitReachedError

    limited = apply_configuration(
        array_based_stream_maximum_output_length=MOST_STREAM,
        lzw_maximum_output_length=MOST_STREAM,
        run_length_maximum_output_length=MOST_STREAM,
        zlib_maximum_output_length=MOST_STREAM,
    )
    with damage_refused(path), limited:
        try:
            pages, drawn = _read_pages(_open_pdf(path), str(path))
        except LimitReachedError as error:
            raise _too_large(str(path), f"unpacks to more than the limit ({error})") from None
    if not any(pages):
        text = "the file has no text, only pictures of pages: run text recognition (OCR) on it first"
        raise InvalidInput(Problem(text, str(path)))
    without = [str(number) for number, lines in enumerate(pages, 1) if not lines]
    notes = [f"no text on page {', '.join(without)}, which may be a picture"] if without else []
    partly = [str(number) for number in drawn if pages[number - 1]]
    if partly:
        notes.append(
            f"page {', '.join(partly)} contains a picture, which was not read: check the questions there"
        )
    heads = _running_heads(pages)
    lines = [
        Line(text, number, section=f"page {page}", furniture=_is_furniture(text, number, len(texts), heads))
        for page, texts in enumerate(pages, 1)
        for number, text in enumerate(texts, 1)
    ]
    return DocumentLines(lines, wrapped=True, notes=notes)


def _read_pages(reader: PdfReader, place: str) -> tuple[list[list[str]], list[int]]:
    """Return the lines of each page, and the numbers, from 1, of pages with a picture."""
    pages: list[list[str]] = []
    drawn: list[int] = []
    unpacked, characters, operators = 0, 0, 0
    seen: set[int] = set()

    def count(*_: object) -> None:
        nonlocal operators
        operators += 1
        if operators > MOST_OPERATORS:
            raise _too_large(place, f"has more than {MOST_OPERATORS:,} drawing operators")

    packed = Path(place).stat().st_size
    for page in reader.pages:
        streams = _Streams(seen)
        streams.add(page.get("/Contents"))
        streams.resources(page.get("/Resources"))
        unpacked += streams.size
        STREAMS.check(unpacked, packed, place)
        text = page.extract_text(visitor_operand_before=count) or ""
        characters += len(text)
        if characters > MOST_TEXT:
            raise _too_large(place, f"has more than {MOST_TEXT:,} characters of text")
        pages.append([line.rstrip() for line in text.split("\n")] if text.strip() else [])
        if streams.pictures:
            drawn.append(len(pages))
    return pages, drawn


class _Streams:
    """The unpacked size of a page's content, forms and fonts; each stream of a file counts once."""

    def __init__(self, seen: set[int]) -> None:
        self._seen = seen
        self._visited: set[int] = set()
        self.size = 0
        self.pictures = 0

    def add(self, given: Any) -> None:
        """Count a stream, or an array of streams."""
        value = _resolve(given)
        if isinstance(value, list):
            for item in value:
                self.add(item)
        elif hasattr(value, "get_data") and id(value) not in self._seen:
            self._seen.add(id(value))
            self.size += len(value.get_data())

    def resources(self, given: Any) -> None:
        """Count the forms, fonts and pictures that a page or form may use."""
        value = _resolve(given)
        if not isinstance(value, dict) or id(value) in self._visited:
            return
        self._visited.add(id(value))
        for item in _values(value.get("/XObject")):
            if item.get("/Subtype") == "/Image":
                self.pictures += 1
            else:
                self.add(item)
                self.resources(item.get("/Resources"))
        for font in _values(value.get("/Font")):
            self.add(font.get("/ToUnicode"))
            self.add(font.get("/Encoding"))


def _values(given: Any) -> list[Any]:
    entries = _resolve(given)
    values = [_resolve(value) for value in entries.values()] if isinstance(entries, dict) else []
    return [value for value in values if isinstance(value, dict)]


def _resolve(given: Any) -> Any:
    return given.get_object() if hasattr(given, "get_object") else given


def _too_large(place: str, fault: str) -> InvalidInput:
    return InvalidInput(Problem(f"the file {fault}: split it", place))


def _open_pdf(path: Path) -> PdfReader:
    from pypdf import PasswordType, PdfReader
    from pypdf.errors import LimitReachedError, PyPdfError

    try:
        reader = PdfReader(path)
        if reader.is_encrypted and reader.decrypt("") is PasswordType.NOT_DECRYPTED:
            raise InvalidInput(Problem("the file is encrypted: save it without a password", str(path)))
        if not len(reader.pages):
            raise InvalidInput(Problem("the file has no pages: give one with questions", str(path)))
    except LimitReachedError:
        raise
    except (PyPdfError, OSError, ValueError, KeyError) as error:
        raise InvalidInput(Problem(f"the file is damaged, or not a PDF file: {error}", str(path))) from None
    return reader


def _running_heads(pages: list[list[str]]) -> frozenset[str]:
    """Return the lines that are the first or last on most pages."""
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
