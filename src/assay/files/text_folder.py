"""Reading a folder of text files (.txt, .md, .jsonl, .csv, also packed) in blocks, whatever their size."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import orjson

from assay.core.errors import InvalidInput, NotFound
from assay.files.documents.decoding import sampled_encoding
from assay.files.lines import read_lines
from assay.files.tables import PACKED, suffix_of

LINES_OF_JSON: Final = (".jsonl", ".ndjson")
ENDINGS: Final = (".txt", ".md", *LINES_OF_JSON, ".csv", ".tsv")
BLOCK: Final = 1 << 17
"""Characters of a block; a longer line is cut between words."""

TextBlock = tuple[int, str]
"""The number of a block's first line, from 1, and its text."""


def text_files(place: Path) -> tuple[list[Path], int]:
    """Return the text files in a folder and its folders, in order, and the number of other files.

    A file stands for itself. Links to folders are not followed. Raises NotFound without the folder, and
    InvalidInput if it has no text file.
    """
    if place.is_file() and suffix_of(place) in ENDINGS:
        return [place], 0
    if not place.exists():
        raise NotFound(f"no folder {str(place)!r}: check the path")
    chosen: list[Path] = []
    others = 0
    for folder, folders, names in os.walk(place):
        folders.sort()
        for path in (Path(folder) / name for name in sorted(names)):
            if suffix_of(path) in ENDINGS and path.is_file():
                chosen.append(path)
            else:
                others += 1
    if not chosen:
        raise InvalidInput(
            f"no text file in {str(place)!r}: give files that end in {', '.join(ENDINGS)}, "
            f"or these with {' or '.join(PACKED)}"
        )
    return chosen, others


def text_blocks(path: Path) -> Iterator[TextBlock]:
    """Yield the text of a file in blocks of about `BLOCK` characters.

    The texts of a JSON line's values are joined by spaces, so that a line stays a line. Raises InvalidInput
    for an unknown encoding and for files beyond the limits of `assay.core.unpacking`.
    """
    json = suffix_of(path) in LINES_OF_JSON
    pending: list[str] = []
    first = size = 0
    for number, text in _json_lines(path) if json else _text_lines(path):
        if not pending:
            first = number
        pending.append(text)
        size += len(text) + 1
        if size >= BLOCK:
            yield from _pieces(first, "\n".join(pending))
            pending, size = [], 0
    if pending:
        yield from _pieces(first, "\n".join(pending))


def _text_lines(path: Path) -> Iterator[TextBlock]:
    packed = path.suffix.lower() in PACKED
    encoding = "utf-8" if packed else sampled_encoding(path)
    if encoding.startswith(("utf-16", "utf-32")):
        with path.open(encoding=encoding, errors="replace") as file:
            yield from enumerate((line.rstrip("\n") for line in file), 1)
        return
    for number, raw in read_lines(path):
        yield number, raw.decode(encoding, errors="replace")


def _json_lines(path: Path) -> Iterator[TextBlock]:
    for number, raw in read_lines(path):
        try:
            value = orjson.loads(raw) if raw.strip() else ""
        except orjson.JSONDecodeError:
            value = raw.decode(errors="replace")
        yield number, " ".join(_texts(value)).replace("\n", " ")


def _texts(value: Any) -> Iterable[str]:
    """Yield the texts within a JSON value in their order, without the keys."""
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            waiting.extend(reversed(value.values()))
        elif isinstance(value, list):
            waiting.extend(reversed(value))


def _pieces(first: int, block: str) -> Iterator[TextBlock]:
    """Yield a block, cut between words if it is much too long."""
    start = 0
    while len(block) - start > 2 * BLOCK:
        end = start + BLOCK
        cut = max(block.rfind(" ", start, end), block.rfind("\n", start, end))
        end = cut if cut > start else end
        yield first, block[start:end]
        first += block.count("\n", start, end)
        start = end
    yield first, block[start:]
