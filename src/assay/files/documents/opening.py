"""Opening files of questions of all kinds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from assay.core.errors import InvalidInput, NotFound, Problem
from assay.files.documents.document import DocumentLines, DocumentRecords, read_text
from assay.files.documents.pdf import read_pdf
from assay.files.documents.records import read_csv, read_json, read_json_lines
from assay.files.documents.sheets import read_workbook
from assay.files.documents.word import read_word
from assay.files.tables import PACKED, suffix_of

_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_READERS: Final[Mapping[str, Callable[[Path], DocumentLines | DocumentRecords]]] = {
    ".docx": read_word,
    ".pdf": read_pdf,
    ".xlsx": read_workbook,
}
_TEXT_READERS: Final[Mapping[str, Callable[[Path, str | None], DocumentLines | DocumentRecords]]] = {
    ".txt": read_text,
    ".csv": read_csv,
    ".tsv": read_csv,
    ".json": read_json,
    ".jsonl": read_json_lines,
    ".ndjson": read_json_lines,
}
_KINDS: Final = (".txt", *_READERS, *list(_TEXT_READERS)[1:])
_PACKABLE = frozenset([".json", ".jsonl", ".ndjson"])


def open_document(path: Path, *, encoding: str | None = None) -> DocumentLines | DocumentRecords:
    """Return the content of a file as lines or records. `encoding` is that of a text file; None detects it.

    Raises NotFound without a file, and InvalidInput if it is of another kind, empty, damaged, encrypted, in
    an unknown encoding, or contains only pictures.
    """
    if not path.is_file():
        raise NotFound(f"no file {str(path)!r}: check the path")
    packed, suffix = path.suffix.lower() in PACKED, suffix_of(path)
    if suffix not in _KINDS or (packed and suffix not in _PACKABLE):
        old = suffix in (".doc", ".xls", ".wps", ".rtf", ".odt")
        advice = f"{'save it as' if old else 'give'} {', '.join(_KINDS)} or .jsonl.zst"
        raise InvalidInput(Problem(f"unknown kind of file {path.suffix!r}: {advice}", str(path)))
    with path.open("rb") as file:
        head = file.read(8)
    if not head:
        raise InvalidInput(Problem("the file is empty: give one with questions", str(path)))
    if head == _COMPOUND and suffix in (".docx", ".xlsx"):
        text = "the file is encrypted or in an old format: save it without a password, as .docx or .xlsx"
        raise InvalidInput(Problem(text, str(path)))
    return _READERS[suffix](path) if suffix in _READERS else _TEXT_READERS[suffix](path, encoding)
