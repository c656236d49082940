"""The option `--out FILE`: a result written as a page, a table or a document, by the ending of the file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import orjson

from assay.cli.output import notes
from assay.core.errors import InvalidInput
from assay.files.atomic import write_whole
from assay.files.record_file import write_records
from assay.report.save import write_page
from assay.report.study_page import StudyPage, study_page
from assay.results.published import document


def write_out(
    path: Path,
    *,
    result: Callable[[], object],
    records: Callable[[], Iterable[Mapping[str, Any]]],
    page: Callable[[Path], object],
) -> str:
    """Write a result completely or not at all, and return the address of the file.

    An `.html` file gets the page, `.csv` and `.parquet` the records, `.json` the document. Raises
    InvalidInput for another ending and for a folder that does not exist.
    """
    if path.is_dir() or not path.parent.is_dir():
        raise InvalidInput(f"cannot write to {str(path)!r}: give a file in a folder that exists")
    ending = path.suffix.lower()
    if ending == ".html":
        page(path)
    elif ending == ".json":
        write_whole(path, orjson.dumps(document(result()), option=orjson.OPT_INDENT_2) + b"\n")
    elif ending in (".csv", ".parquet"):
        write_records(path, records())
    else:
        raise InvalidInput(
            f"cannot write to {str(path)!r}: give a file that ends in .html, .csv, .parquet or .json"
        )
    return path.resolve().as_uri()


def write_study(
    path: Path | None,
    result: object,
    records: Iterable[Mapping[str, Any]],
    page: StudyPage,
) -> None:
    """Write the result of a ranking or a study to `--out`, if it was given, and say where it is.

    Raises InvalidInput for another ending.
    """
    if path is None:
        return
    written = write_out(
        path,
        result=lambda: result,
        records=lambda: records,
        page=lambda path: write_page(path, partial(study_page, page)),
    )
    notes().print(f"wrote {written}")
