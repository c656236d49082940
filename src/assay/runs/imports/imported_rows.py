"""Recognising the rows of a table that were imported before, and those that contradict earlier imports."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, date, datetime
from itertools import groupby
from typing import Any

import orjson
from sqlalchemy import Engine

from assay.core.errors import Conflict
from assay.core.model import Model
from assay.core.suite import Suite
from assay.core.times import DAY_SECONDS
from assay.files.long_form import LongForm, LongFormRow
from assay.files.shape import cut
from assay.store.ledger import request_hashes
from assay.store.runs import imported_runs

SHOWN = 10
BATCH = 2_000
EPOCH = date(1970, 1, 1)
IDENTITY = 16
"""Bytes of a row's hash that identify the row; the other bytes are the hash of its content."""

RunKey = tuple[int, str | None]
"""A run of a table: its UTC day, counted from 1970-01-01, and its label."""


def known_runs(engine: Engine, digest: str) -> dict[RunKey, list[int]]:
    """Return the numbers of the runs that earlier imports made, by day and label."""
    runs: dict[RunKey, list[int]] = {}
    for run, day, label in imported_runs(engine, digest):
        runs.setdefault(((date.fromisoformat(day) - EPOCH).days, label), []).append(run)
    return runs


def refuse_contradictions(
    engine: Engine,
    table: LongForm,
    suite: Suite,
    known: Mapping[RunKey, Sequence[int]],
    models: Mapping[str, Model],
) -> None:
    """Raise Conflict if rows were imported before with other values."""
    if not known:
        return
    changed = 0
    shown: list[str] = []
    with grouped(table) as groups:
        for key, rows in groups:
            if key not in known:
                continue
            stored = StoredRows.read(engine, known[key])
            for row in rows:
                if stored.contradicts(table_row_hash(row, models)):
                    changed += 1
                    if len(shown) < SHOWN:
                        shown.append(_describe(row))
    if changed:
        more = f"; and {changed - len(shown)} more" if changed > len(shown) else ""
        raise Conflict(
            f"{changed} rows were imported before into {suite.name!r} {suite.version} with other values: "
            f"{'; '.join(shown)}{more}; nothing was imported. If the history was corrected, import all of it "
            "as another --version"
        )


def _describe(row: LongFormRow) -> str:
    when = datetime.fromtimestamp(row.at or 0.0, UTC).isoformat()
    return f"row {row.row} (prompt {cut(row.prompt)}, model {row.model!r}, at {when})"


@contextmanager
def grouped(table: LongForm) -> Iterator[Iterator[tuple[RunKey, Iterator[LongFormRow]]]]:
    """Yield the rows run by run; each run's rows must be read before the next run's."""
    with closing(table.batches(BATCH, by_run=True)) as batches:
        rows = (row for batch in batches for row in batch)
        yield groupby(rows, key=lambda row: (int((row.at or 0.0) // DAY_SECONDS), row.run))


def table_row_hash(row: LongFormRow, models: Mapping[str, Model]) -> bytes:
    """Return the hash of a table's row (`row_hash`)."""
    content = [row.status, row.quality, row.cost, row.latency, row.provider]
    return row_hash([row.prompt, models[row.model].name, row.generation, row.at], content)


def row_hash(identity: list[Any], content: list[Any]) -> bytes:
    """Return 32 bytes: the hash of the values that identify a row, then that of its other values."""
    return b"".join(hashlib.sha256(orjson.dumps(part)).digest()[:IDENTITY] for part in (identity, content))


class StoredRows:
    """The rows that earlier imports stored, by the hash of their identity."""

    def __init__(self, contents: dict[bytes, bytes]) -> None:
        self._contents = contents

    @classmethod
    def read(cls, engine: Engine, runs: Sequence[int]) -> StoredRows:
        """Return the rows of these runs from the ledger."""
        hashes = (row for run in runs for row in request_hashes(engine, run).values())
        return cls({row[:IDENTITY]: row[IDENTITY:] for row in hashes})

    def contradicts(self, row_hash: bytes) -> bool:
        """Return whether this row was imported with other values."""
        return self._contents.get(row_hash[:IDENTITY], row_hash[IDENTITY:]) != row_hash[IDENTITY:]

    def __contains__(self, row_hash: bytes) -> bool:
        return row_hash[:IDENTITY] in self._contents
