"""Published result of `assay site`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from assay.results.figure import Figure
from assay.results.table import Table


@dataclass(frozen=True, slots=True)
class SiteExport:
    """A written site: the number of its files, and what the export changed."""

    files: Annotated[int, Figure("files", meaning="files of the site")]
    written: Annotated[int, Figure("written", meaning="files that are new or have changed", of="files")]
    removed: Annotated[int, Figure("removed", meaning="files of an earlier export that are gone")]


SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {"site": (SiteExport, "assay site --json")}
