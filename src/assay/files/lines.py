"""Reading the lines of a plain or packed file (.gz, .zst) with their numbers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from assay.core.errors import InvalidInput, NotFound, Problem
from assay.core.unpacking import LONGEST_LINE, MIB, STREAM, Limit, read_stream_lines
from assay.files.tables import PACKED, querying, text

WHOLE = Limit(total=64 * MIB)
"""The limit for packed files that are read as a whole, such as a JSON array."""

BATCH = 1000
BOM = b"\xef\xbb\xbf"
_MAGIC = b"\x28\xb5\x2f\xfd"
_WHOLE_LINES = (
    "delim = '\x01', auto_detect = false, quote = '', escape = '', header = false, compression = 'zstd', "
    f"columns = {{'line': 'VARCHAR'}}, max_line_size = {LONGEST_LINE}, parallel = false, strict_mode = false"
)


def read_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the number of each line, from 1, and the line without its end.

    Raises NotFound without a file, and InvalidInput if it cannot be unpacked, is incomplete, or is larger
    than the limits of `assay.core.unpacking`.
    """
    if not path.is_file():
        raise NotFound(f"no file {str(path)!r}: check the path")
    if path.suffix.lower() == ".zst":
        yield from _read_zst(path)
        return
    packed = path.stat().st_size if path.suffix.lower() == ".gz" else None
    with path.open("rb") as file:
        for number, line in enumerate(read_stream_lines(file, str(path), packed=packed), 1):
            yield number, (line.removeprefix(BOM) if number == 1 else line).rstrip(b"\r\n")


def read_whole(path: Path) -> bytes:
    """Return all lines of a file, joined by newlines.

    Raises what `read_lines` raises, and InvalidInput if a packed file unpacks to more than `WHOLE`.
    """
    packed = path.stat().st_size if path.suffix.lower() in PACKED and path.is_file() else None
    lines, size = [], 0
    for _, line in read_lines(path):
        lines.append(line)
        size += len(line) + 1
        if packed is not None:
            WHOLE.check(size, packed, str(path))
    return b"\n".join(lines)


def _read_zst(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a .zst file, unpacked by DuckDB, which does not notice incomplete files."""
    size, number, packed = 0, 0, path.stat().st_size
    with querying(path) as connection:
        lines = connection.execute(f"SELECT line FROM read_csv({text(str(path))}, {_WHOLE_LINES})")
        while batch := lines.fetchmany(BATCH):
            for (line,) in batch:
                number += 1
                raw = (line or "").encode()
                size += len(raw)
                STREAM.check(size + number, packed, str(path))
                yield number, raw
    stated = _stated_size(path)
    if not number if stated is None else stated not in _possible_sizes(size, number):
        raise InvalidInput(Problem("the file is incomplete, or not packed by zstd: get it again", str(path)))


def _possible_sizes(size: int, lines: int) -> set[int]:
    """Return the sizes that a file with `size` bytes within its lines may have.

    Lines end in one byte or two, the last one possibly in none; there may be a byte order mark.
    """
    sizes = {size + width * count for width in (1, 2) for count in (lines, max(0, lines - 1))}
    return sizes | {whole + len(BOM) for whole in sizes}


def _stated_size(path: Path) -> int | None:
    """Return the unpacked size that a zstd file states for its first frame, or None.

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
