"""Which rows of a long-form table were imported before, and which contradict what was."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, date, datetime
from itertools import groupby

import orjson
from sqlalchemy import Engine

from assay.core.errors import Conflict
from assay.core.model import Model
from assay.core.suite import Suite
from assay.files.long_form import LongForm, LongFormRow
from assay.files.shape import cut
from assay.store.ledger import request_hashes
from assay.store.runs import imported_runs

SHOWN = 10
BATCH = 2_000
EPOCH = date(1970, 1, 1)
IDENTITY = 16
"""Bytes of a request's hash that say which row it was; the rest says what stood in it."""

RunKey = tuple[int, str | None]
"""A run of a table: its UTC day, counted from 1970-01-01, and its label."""


def known_runs(engine: Engine, digest: str) -> dict[RunKey, list[int]]:
    """Return the numbers of the runs that an import made before, by day and label."""
    found: dict[RunKey, list[int]] = {}
    for run, day, label in imported_runs(engine, digest):
        found.setdefault(((date.fromisoformat(day) - EPOCH).days, label), []).append(run)
    return found


def refuse_contradictions(
    engine: Engine,
    table: LongForm,
    suite: Suite,
    known: Mapping[RunKey, Sequence[int]],
    models: Mapping[str, Model],
) -> None:
    """Raise Conflict where rows that were imported before have other values now."""
    if not known:
        return
    changed = 0
    shown: list[str] = []
    with grouped(table) as groups:
        for key, rows in groups:
            if key not in known:
                continue
            seen = Seen.of(engine, known[key])
            for row in rows:
                if seen.contradicts(fingerprint(row, models)):
                    changed += 1
                    if len(shown) < SHOWN:
                        shown.append(_told(row))
    if changed:
        more = f"; and {changed - len(shown)} more" if changed > len(shown) else ""
        raise Conflict(
            f"{changed} rows were imported before into {suite.name!r} {suite.version} with other values: "
            f"{'; '.join(shown)}{more}; nothing was imported. If the history was put right, import the whole "
            "of it as another --version"
        )


def _told(row: LongFormRow) -> str:
    when = datetime.fromtimestamp(row.at or 0.0, UTC).isoformat()
    return f"row {row.row} (prompt {cut(row.prompt)}, model {row.model!r}, at {when})"


@contextmanager
def grouped(table: LongForm) -> Iterator[Iterator[tuple[RunKey, Iterator[LongFormRow]]]]:
    """Give the rows run by run; each run's rows must be taken before the next run's."""
    with closing(table.batches(BATCH, by_run=True)) as batches:
        rows = (row for batch in batches for row in batch)
        yield groupby(rows, key=lambda row: (int((row.at or 0.0) // 86_400), row.run))


def fingerprint(row: LongFormRow, models: Mapping[str, Model]) -> bytes:
    """Return 32 bytes: half of them say which row this is, the other half what it holds."""
    identity = [row.prompt, models[row.model].name, row.generation, row.at]
    held = [row.status, row.quality, row.cost, row.latency, row.provider]
    hashed = (hashlib.sha256(orjson.dumps(part)).digest()[:IDENTITY] for part in (identity, held))
    return b"".join(hashed)


class Seen:
    """The rows of one run that were imported before."""

    def __init__(self, held: dict[bytes, bytes]) -> None:
        self._held = held

    @classmethod
    def of(cls, engine: Engine, runs: Sequence[int]) -> Seen:
        """Return what the import of these runs left in the ledger."""
        found = (request for run in runs for request in request_hashes(engine, run).values())
        return cls({request[:IDENTITY]: request[IDENTITY:] for request in found})

    def contradicts(self, mark: bytes) -> bool:
        """Whether this row was imported with other values."""
        return self._held.get(mark[:IDENTITY], mark[IDENTITY:]) != mark[IDENTITY:]

    def __contains__(self, mark: bytes) -> bool:
        return mark[:IDENTITY] in self._held
