"""The example bank: 150 public questions for learning, shipped as files of several kinds."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from assay.core.errors import Conflict

README: Final = "README.md"
PAPERS: Final = {"education.txt": "education", "law.docx": "law"}
"""The disciplines of the files that do not state one."""


def example_bank() -> Traversable:
    """Return the folder of the example bank with `tables`, `papers` and a README."""
    return files("assay.bank") / "example_bank"


def write_example(folder: Path) -> list[Path]:
    """Write the example bank into a new or empty folder and return its question files, sorted.

    Raises Conflict for a folder that is not empty.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Conflict(f"{str(folder)!r} is not empty: give a new folder")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / README).write_bytes((example_bank() / README).read_bytes())
    written = []
    for group, file in _files():
        path = folder / group / file.name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(file.read_bytes())
        written.append(path)
    return sorted(written)


@cache
def example_digests() -> frozenset[str]:
    """Return the SHA-256 of each file of the example bank, so that imports recognise it under any name."""
    return frozenset(hashlib.sha256(file.read_bytes()).hexdigest() for _, file in _files())


def _files() -> Iterator[tuple[str, Traversable]]:
    for group in ("papers", "tables"):
        for file in (example_bank() / group).iterdir():
            yield group, file
