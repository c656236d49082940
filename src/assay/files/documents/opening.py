"""Opening a file of questions by its kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from assay.core.errors import InvalidInput, NotFound, Problem
from assay.files.documents.document import Lines, Records
from assay.files.documents.pdf import read_pdf
from assay.files.documents.records import read_csv, read_json, read_json_lines
from assay.files.documents.sheets import read_workbook
from assay.files.documents.text import read_text
from assay.files.documents.word import read_word

PACKED = (".gz", ".zst")
_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_READERS: Final[Mapping[str, Callable[[Path], Lines | Records]]] = {
    ".txt": read_text,
    ".docx": read_word,
    ".pdf": read_pdf,
    ".xlsx": read_workbook,
    ".csv": read_csv,
    ".tsv": read_csv,
    ".json": read_json,
    ".jsonl": read_json_lines,
    ".ndjson": read_json_lines,
}
_PACKABLE = frozenset([".json", ".jsonl", ".ndjson"])


def open_document(path: Path) -> Lines | Records:
    """Return what a file holds, as lines or as records.

    Raises NotFound without a file, and InvalidInput for one of another kind, and for one that is empty,
    damaged, encrypted, or holds pictures only.
    """
    if not path.is_file():
        raise NotFound(f"there is no file {str(path)!r}")
    packed = path.suffix.lower() in PACKED
    suffix = (path.with_suffix("").suffix if packed else path.suffix).lower()
    reader = _READERS.get(suffix)
    if reader is None or (packed and suffix not in _PACKABLE):
        hint = " (save it in today's format)" if suffix in (".doc", ".xls", ".wps", ".rtf", ".odt") else ""
        kinds = ", ".join(_READERS)
        raise InvalidInput(Problem(f"is not of a known kind{hint}: give {kinds}, or .jsonl.zst", str(path)))
    with path.open("rb") as file:
        head = file.read(8)
    if not head:
        raise InvalidInput(Problem("is empty", str(path)))
    if head == _COMPOUND and suffix in (".docx", ".xlsx"):
        raise InvalidInput(
            Problem(
                "is encrypted with a password, or in an old format: save it without, as .docx or .xlsx",
                str(path),
            )
        )
    return reader(path)
