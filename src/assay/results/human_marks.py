"""Published results of `assay export marks` and `assay import marks`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from assay.results.figure import Figure
from assay.results.table import Table


@dataclass(frozen=True, slots=True)
class MarksExport:
    """A sheet of answers that people mark."""

    file: Annotated[Path, Figure("file")]
    run: Annotated[int, Figure("run")]
    suite: Annotated[str, Figure("suite")]
    version: Annotated[str, Figure("version")]
    answers: Annotated[int, Figure("answers", meaning="rows of the sheet", of="visible")]
    visible: Annotated[int, Figure("visible", meaning="answers of the run that people can mark")]
    seed: Annotated[int, Figure("seed", meaning="seed of the random order")]
    cut: Annotated[int, Figure("cut", meaning="cells whose text was longer than a workbook can hold")]


@dataclass(frozen=True, slots=True)
class MarksImport:
    """The marks of a filled sheet, stored as those of a human judge."""

    file: Annotated[Path, Figure("file")]
    run: Annotated[int, Figure("run")]
    judge: Annotated[str, Figure("judge", meaning="human, or human/NAME")]
    rows: Annotated[int, Figure("rows", meaning="rows of the sheet")]
    added: Annotated[int, Figure("added", meaning="marks that are new", of="rows")]
    replaced: Annotated[int, Figure("replaced", meaning="marks that replace other ones", of="rows")]
    known: Annotated[int, Figure("known", meaning="marks that were imported before", of="rows")]
    blank: Annotated[int, Figure("blank", meaning="rows without a mark", of="rows")]


SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "export-marks": (MarksExport, "assay export marks --json: a sheet of answers to mark"),
    "import-marks": (MarksImport, "assay import marks --json: marks of people that were stored"),
}
