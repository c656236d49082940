"""Scanning Office files (.docx, .xlsx) before they are parsed: limits, and no declared entities.

Source: ECMA-376, part 2 (parts and relationships); XML in Office files has no document type declaration.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from xml.parsers import expat

from assay.core.errors import AssayError, InvalidInput, Problem
from assay.core.unpacking import MIB, Limit, open_zip

WHOLE = Limit(total=512 * MIB)
"""The limit for all parts of a file together, including pictures."""

DEEPEST = 200
_BEGINNINGS = (b"<", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\x00", b"\x4c\x6f\xa7\x94")
_XML_NAMES = (".xml", ".rels", ".vml")
_BLOCK = 1 << 16


@dataclass(slots=True)
class XmlPart:
    """One scanned part. Subclasses record what a reader needs to know beforehand.

    `nodes` is the number of elements and attributes that a reader would hold in memory.
    """

    name: str
    nodes: int = 0
    depth: int = 0

    def begin(self, tag: str, attributes: list[str]) -> None:
        """Record an element's start; `attributes` alternates names and values."""
        self.nodes += 1 + len(attributes) // 2

    def text(self, text: str) -> None:
        """Record a piece of text."""

    def end(self, tag: str) -> None:
        """Record an element's end."""


def scan_package(
    path: Path, *, xml: Limit, most_nodes: int, part: Callable[[str], XmlPart] = XmlPart
) -> dict[str, XmlPart]:
    """Scan the XML of an Office file and return its parts by name; `part` makes the record of a part.

    Raises InvalidInput if the file is damaged, unpacks to more than `WHOLE` or its XML to more than `xml`,
    has more than `most_nodes` nodes, is nested deeper than `DEEPEST`, names an unknown entity, or declares a
    document type (in which entities that expand endlessly can be declared).
    """
    place, parts, unpacked = str(path), dict[str, XmlPart](), 0
    with path.open("rb") as file, open_zip(file, place, WHOLE) as archive, damage_refused(path):
        for member in archive.infolist():
            with archive.open(member) as stream:
                head = stream.read(8)
            if not head.lstrip().startswith(_BEGINNINGS) and not member.filename.endswith(_XML_NAMES):
                continue
            unpacked += member.file_size
            xml.check(unpacked, path.stat().st_size, place)
            scanned = parts[member.filename] = part(member.filename)
            with archive.open(member) as stream:
                _scan(stream, scanned, place, most_nodes)
            most_nodes -= scanned.nodes
    return parts


@contextmanager
def damage_refused(path: Path) -> Iterator[None]:
    """Turn errors that a reader raises on a damaged file into InvalidInput, with their first line."""
    try:
        yield
    except AssayError:
        raise
    except Exception as error:  # noqa: BLE001 (readers raise errors of many kinds on damaged files)
        reason = (str(error).splitlines() or [type(error).__name__])[0][:200]
        text = f"the file is damaged, or not a {path.suffix.lower()} file: {reason}"
        raise InvalidInput(Problem(text, str(path))) from None


def part_beside(name: str, target: str) -> str:
    """Return the name of the part that is the target of a relationship of another part."""
    return posixpath.normpath(posixpath.join("/", posixpath.dirname(name), target)).lstrip("/")


def relations_of(name: str) -> str:
    """Return the name of the part with the relationships of another part."""
    folder, base = posixpath.split(name)
    return f"{folder}/_rels/{base}.rels".lstrip("/")


def _scan(stream: IO[bytes], part: XmlPart, place: str, most_nodes: int) -> None:
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.ordered_attributes = True

    def begin(tag: str, attributes: list[str]) -> None:
        part.depth += 1
        part.begin(tag, attributes)
        if part.depth > DEEPEST:
            raise _refusal(part, place, f"is nested deeper than {DEEPEST} elements")
        if part.nodes > most_nodes:
            raise InvalidInput(Problem("the file has more XML nodes than the limit: split it", place))

    def end(tag: str) -> None:
        part.depth -= 1
        part.end(tag)

    def doctype(*_: object) -> None:
        raise _refusal(part, place, "declares a document type (DTD), which no Office program writes")

    parser.StartElementHandler = begin
    parser.EndElementHandler = end
    parser.CharacterDataHandler = part.text
    parser.StartDoctypeDeclHandler = doctype
    try:
        while block := stream.read(_BLOCK):
            parser.Parse(block, False)
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise _refusal(part, place, f"is not XML: {error}") from None


def _refusal(part: XmlPart, place: str, fault: str) -> InvalidInput:
    return InvalidInput(Problem(f"the file is damaged: its part {part.name!r} {fault}", place))
