"""Questions written to a file one by one, as JSON lines or CSV: whole or not at all."""

from __future__ import annotations

import csv
import json
import os
import secrets
from collections.abc import Iterable, Mapping, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from assay.core.errors import Conflict, InvalidInput

SUFFIXES = (".jsonl", ".csv")


def check_target(path: Path, *, private: bool) -> None:
    """Raise InvalidInput for a file of another kind, Conflict where a private one would replace another."""
    if path.suffix.lower() not in SUFFIXES:
        raise InvalidInput(f"{str(path)!r} ends in {path.suffix!r}: give .jsonl or .csv")
    if private and path.exists():
        raise Conflict(f"{str(path)!r} exists, perhaps open to others: name a new file for what holds keys")


def write_questions(
    path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, Any]], *, private: bool
) -> int:
    """Write rows and return how many; a file appears only when all of them are in it.

    In CSV lists and objects stand as JSON. Private questions are readable by their owner alone from the first
    byte on; a `private` file, which holds keys, replaces none. Raises what `check_target` raises, and OSError
    as usual.
    """
    check_target(path, private=private)
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="surrogatepass", newline="") as file:
            count = _write(file, path.suffix.lower() == ".csv", columns, rows)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    return count


def _write(
    file: TextIOWrapper, as_csv: bool, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]
) -> int:
    table = csv.writer(file)
    if as_csv:
        table.writerow(columns)
    count = 0
    for row in rows:
        count += 1
        if as_csv:
            table.writerow([_cell(row[column]) for column in columns])
        else:
            file.write(json.dumps({column: row[column] for column in columns}, ensure_ascii=False) + "\n")
    return count


def _cell(value: object) -> object:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict | bool) else value
