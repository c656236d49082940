"""The styles and scripts of pages: joined for a single file, or files of a site named by their content."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath

from assay.report.bundle import vega_bundle


@dataclass(frozen=True, slots=True)
class Asset:
    """A file of a site. Its name contains a digest of its content, so browsers may keep it for ever."""

    name: str
    content: bytes


def joined(names: Sequence[str]) -> str:
    """Return scripts or style sheets as one text with line feeds only: its hash is over these bytes."""
    folder = files("assay.report").joinpath("templates")
    return "".join(folder.joinpath(name).read_text(encoding="utf-8") for name in names).replace("\r\n", "\n")


@cache
def site_asset(names: tuple[str, ...]) -> Asset:
    """Return scripts or style sheets as one file of a site. A script keeps its variables to itself."""
    ending = PurePosixPath(names[0]).suffix
    text = joined(names)
    stem = "-".join(PurePosixPath(name).stem for name in names)
    return _named(stem, ending, f'"use strict";\n(() => {{\n{text}\n}})();\n' if ending == ".js" else text)


@cache
def charts_asset() -> Asset:
    """Return the charts' JavaScript as a file of a site. Raises InvalidInput if it was not built."""
    return _named("charts", ".js", f"(() => {{\n{vega_bundle()}\n}})();\n")


def _named(stem: str, ending: str, text: str) -> Asset:
    content = text.encode()
    return Asset(f"{stem}.{hashlib.sha256(content).hexdigest()[:12]}{ending}", content)
