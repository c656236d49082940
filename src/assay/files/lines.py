"""Lines of a file, plain or packed (.gz, .zst), with their numbers."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path

from assay.core.errors import InvalidInput, NotFound, Problem
from assay.files.tables import querying, text

LONGEST = 64 * 1024 * 1024
BATCH = 1000
BOM = b"\xef\xbb\xbf"
_MAGIC = b"\x28\xb5\x2f\xfd"
_WHOLE_LINES = (
    "delim = '\x01', auto_detect = false, quote = '', escape = '', header = false, compression = 'zstd', "
    f"columns = {{'line': 'VARCHAR'}}, max_line_size = {LONGEST}, parallel = false, strict_mode = false"
)


def read_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield each line, without its end, and its number from 1.

    Raises NotFound without a file, and InvalidInput where it cannot be unpacked, or was cut short.
    """
    if not path.is_file():
        raise NotFound(f"there is no file {str(path)!r}")
    if path.suffix == ".zst":
        yield from _zst(path)
        return
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            for number, line in enumerate(file, 1):
                yield number, (line.removeprefix(BOM) if number == 1 else line).rstrip(b"\r\n")
    except (OSError, EOFError, zlib.error) as error:
        raise InvalidInput(Problem(f"cannot be read: {error}", str(path))) from error


def _zst(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a .zst file, unpacked by DuckDB, which says nothing of a file that was cut short."""
    held, number = 0, 0
    with querying(path) as connection:
        found = connection.execute(f"SELECT line FROM read_csv({text(str(path))}, {_WHOLE_LINES})")
        while batch := found.fetchmany(BATCH):
            for (line,) in batch:
                number += 1
                raw = (line or "").encode()
                held += len(raw)
                yield number, raw
    told = _unpacked_size(path)
    if not number if told is None else told not in _whole(held, number):
        raise InvalidInput(Problem("was cut short, or is not packed by zstd: get it again", str(path)))


def _whole(held: int, lines: int) -> set[int]:
    """Return the sizes that a file of so many lines may have, with `held` bytes in them.

    Its lines end in one byte or in two, the last one perhaps in none; a byte order mark may stand first.
    """
    sizes = {held + width * count for width in (1, 2) for count in (lines, max(0, lines - 1))}
    return sizes | {size + len(BOM) for size in sizes}


def _unpacked_size(path: Path) -> int | None:
    """Return the size that a zstd file states for its first frame; None where it states none.

    Source: RFC 8878, section 3.1.1.1 (the frame header).
    """
    with path.open("rb") as file:
        head = file.read(18)
    if len(head) < 6 or head[:4] != _MAGIC:
        return None
    descriptor = head[4]
    single, flag = bool(descriptor & 0x20), descriptor >> 6
    width = (1 if single else 0) if flag == 0 else 1 << flag
    start = 5 + (not single) + (0, 1, 2, 4)[descriptor & 3]
    stated = int.from_bytes(head[start : start + width], "little")
    return stated + (256 if width == 2 else 0) if width else None
