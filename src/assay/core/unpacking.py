"""Unpacking gzip, zlib and zip content up to a limit, so that a small file cannot fill the memory."""

from __future__ import annotations

import gzip
import io
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import BinaryIO, Final

from assay.core.errors import InvalidInput, Problem

MIB: Final = 1 << 20
LONGEST_LINE: Final = 64 * MIB
MOST_MEMBERS: Final = 10_000
_ENCRYPTED = 1


@dataclass(frozen=True, slots=True)
class Limit:
    """The most bytes that packed content may unpack to: `total`, and `ratio` times its packed size.

    The ratio is checked only beyond `free` bytes.
    """

    total: int
    ratio: int = 250
    free: int = 16 * MIB

    def check(self, unpacked: int, packed: int, place: str) -> None:
        """Raise InvalidInput if content unpacks to more than the limit."""
        if unpacked > self.total:
            raise InvalidInput(
                Problem(f"the content unpacks to more than {self.total // MIB:,} MiB: split it", place)
            )
        if unpacked > self.free and unpacked > self.ratio * packed:
            raise InvalidInput(
                Problem(
                    f"the content unpacks to more than {self.ratio} times its {packed:,} packed bytes: "
                    "check where the file comes from; if it is genuine, unpack it and give the plain file",
                    place,
                )
            )


STREAM: Final = Limit(total=16 * 1024 * MIB, free=64 * MIB)
"""The limit for files that are read line by line."""


def read_stream_lines(file: BinaryIO, place: str, *, packed: int | None = None) -> Iterator[bytes]:
    """Yield the lines of an open file with their ends.

    `packed` is the size of a gzip file, None for a plain one. Raises InvalidInput if it is damaged,
    unpacks to more than `STREAM`, or has a line of more than `LONGEST_LINE` bytes.
    """
    stream = file if packed is None else gzip.GzipFile(fileobj=file)
    unpacked = 0
    try:
        while line := stream.readline(LONGEST_LINE + 1):
            if len(line) > LONGEST_LINE:
                raise InvalidInput(
                    Problem(f"a line is longer than the limit of {LONGEST_LINE // MIB} MiB: split it", place)
                )
            if packed is not None:
                unpacked += len(line)
                STREAM.check(unpacked, packed, place)
            yield line
    except (OSError, EOFError, zlib.error) as error:
        raise InvalidInput(Problem(f"cannot read the file: {error}", place)) from error


def unpack_zlib(packed: bytes, place: str, limit: Limit) -> bytes:
    """Return zlib content unpacked. Raises InvalidInput if it is damaged or too large."""
    unpacking = zlib.decompressobj()
    try:
        content = unpacking.decompress(packed, limit.total + 1)
        limit.check(len(content), len(packed), place)
        if not unpacking.eof:
            raise InvalidInput(Problem("the content is incomplete: get the file again", place))
    except zlib.error as error:
        raise InvalidInput(Problem(f"cannot unpack the content: {error}", place)) from None
    return content


@contextmanager
def open_zip(file: BinaryIO, place: str, limit: Limit) -> Iterator[zipfile.ZipFile]:
    """Open a zip file whose members together unpack to no more than a limit.

    The sizes stated in the file are checked: Python's zipfile never unpacks more of a member than its stated
    size. Raises InvalidInput for a damaged file, encrypted members, two members of the same name, and names
    that lead out of the folder.
    """
    try:
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise InvalidInput(Problem(f"the file is damaged: {error}", place)) from None
    with archive:
        members = archive.infolist()
        fault = _member_fault(members)
        if fault is not None:
            raise InvalidInput(Problem(f"the file is damaged: {fault}", place))
        packed = file.seek(0, io.SEEK_END)
        limit.check(sum(member.file_size for member in members), packed, place)
        yield archive


def _member_fault(members: list[zipfile.ZipInfo]) -> str | None:
    if len(members) > MOST_MEMBERS:
        return f"it has {len(members):,} parts, more than {MOST_MEMBERS:,}"
    seen: set[str] = set()
    for member in members:
        name = member.filename
        path = PurePosixPath(name.replace("\\", "/"))
        if path.is_absolute() or ".." in path.parts or ":" in name:
            return f"the path of its part {name!r} leads out of the file"
        if name in seen:
            return f"it has two parts {name!r}"
        if member.flag_bits & _ENCRYPTED:
            return f"its part {name!r} is encrypted"
        seen.add(name)
    return None
