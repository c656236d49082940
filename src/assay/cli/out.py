"""`--out PATH`: one result as a page, a table or a document, by the ending of the file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import orjson

from assay.core.errors import InvalidInput
from assay.files.atomic import write_whole
from assay.files.record_file import write_records
from assay.results.published import document


def write_out(
    path: Path,
    *,
    result: Callable[[], object],
    records: Callable[[], Iterable[Mapping[str, Any]]],
    page: Callable[[Path], object],
) -> str:
    """Write a result to a file, whole or not at all, and return its address.

    `.html` is the page, `.csv` and `.parquet` hold the records, `.json` the document. Raises InvalidInput for
    another ending, and where there is no such folder.
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
