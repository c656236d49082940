"""Rows that could not be committed: saved in a file beside the database, and imported exactly once.

A line is a checksum and a JSON array: batch, table, row. A batch is one transaction; the database records
the last batch of each writer (`ledger.claim`). Sealed values stay encrypted, as in the ledger.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, select

from assay.core.errors import Conflict
from assay.store.engine import address, in_parts, writing
from assay.store.ledger import claim, write
from assay.store.rows import Batch, CallRow, ConditionsRow, GradeRow, MarkRow, SampleRow
from assay.store.schema import calls, conditions, grades, marks, samples

KINDS: Mapping[str, Callable[..., Any]] = {
    "conditions": ConditionsRow,
    "calls": CallRow,
    "grades": GradeRow,
    "marks": MarkRow,
    "samples": SampleRow,
}
"""A sample's other rows come before it, so that a file that was cut off has no sample without them."""


def keep_batches(engine: Engine, writer: str, number: int, batches: Sequence[Batch]) -> str:
    """Save batches, the first of them numbered `number`, in a new file that only its owner may read.

    Returns a sentence with the path and what to do, or that the rows are lost.
    """
    lines = list(_lines(number, batches))
    rows = sum(len(batch) for batch in batches)
    if not rows:
        return "no reply is lost"
    run = next(run for batch in batches for run in batch.runs)
    for folder in _folders(engine):
        path = folder / f"{_stem(engine, run)}{writer}.jsonl"
        try:
            with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
                file.writelines(lines)
                file.flush()
                os.fsync(file.fileno())
        except OSError:
            with suppress(OSError):
                path.unlink()
            continue
        return f"{rows} rows that it lacks are saved in {str(path)!r}: `assay resume {run}` imports them"
    return f"{rows} rows of calls, samples and marks could not be saved and are lost"


def take_in(engine: Engine, run: int) -> int:
    """Import the saved rows of a run, whose lock is held, and return the number of new batches.

    Positions that another process has finished in the meantime keep their rows. Raises Conflict for a file
    of another version.
    """
    new = 0
    for path in kept_files(engine, run):
        writer, batches = path.stem.rpartition("-")[2], _read(path)
        newest = max((batch.newest for batch in batches.values()), default=0.0)
        with writing(engine) as connection:
            for number, batch in sorted(batches.items()):
                if claim(connection, writer, number):
                    _write(connection, run, batch, newest)
                    new += 1
        path.unlink(missing_ok=True)
    return new


def _write(connection: Connection, run: int, batch: Batch, newest: float) -> None:
    """Write a batch without the positions whose sample in the database is newer than the whole file."""
    done: set[int] = set()
    query = select(samples.c.position).where(samples.c.run == run, samples.c.finished_at > newest)
    for part in in_parts(sorted(batch.positions)):
        done |= set(connection.execute(query.where(samples.c.position.in_(part))).scalars())
    write(connection, conditions, batch.conditions)
    for table, rows in (
        (calls, batch.calls),
        (samples, batch.samples),
        (grades, batch.grades),
        (marks, batch.marks),
    ):
        write(connection, table, [row for row in rows if row.position not in done])


def _lines(number: int, batches: Sequence[Batch]) -> Iterator[str]:
    for ordinal, batch in enumerate(batches, number):
        for name in KINDS:
            for row in getattr(batch, name):
                values = {key: _plain(value) for key, value in row._asdict().items()}
                text = json.dumps([ordinal, name, values])
                yield f"{_checksum(text)} {text}\n"


def _read(path: Path) -> dict[int, Batch]:
    batches: dict[int, Batch] = {}
    with path.open(encoding="utf-8") as file:
        for line in file:
            checksum, _, text = line.rstrip("\n").partition(" ")
            if checksum != _checksum(text):
                break  # the disk was full, or the file was damaged: the lines before are complete
            number, name, values = json.loads(text)
            row = {key: _value(value) for key, value in values.items()}
            try:
                getattr(batches.setdefault(number, Batch()), name).append(KINDS[name](**row))
            except TypeError as error:
                raise Conflict(
                    f"{str(path)!r} was written by another version of Assay ({error}): resume with that "
                    "version, or delete the file, and its samples are requested again"
                ) from error
    return batches


def _plain(value: object) -> object:
    return {"hex": value.hex()} if isinstance(value, bytes) else value


def _value(value: Any) -> Any:
    return bytes.fromhex(value["hex"]) if isinstance(value, dict) else value


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _folders(engine: Engine) -> list[Path]:
    beside = []
    if engine.dialect.name == "sqlite" and engine.url.database:
        beside = [Path(engine.url.database).absolute().parent]
    return [*beside, Path(tempfile.gettempdir())]


def _stem(engine: Engine, run: int | str) -> str:
    return f"assay-unsaved-{_checksum(address(engine))}-run{run}-"


def kept_files(engine: Engine, run: int | str = "*") -> list[Path]:
    """Return the files of a run, or of all, that this user wrote; the temporary folder is open to others."""
    files = []
    for folder in _folders(engine):
        for path in sorted(folder.glob(f"{_stem(engine, run)}*.jsonl")):
            status = path.lstat()
            own = not hasattr(os, "getuid") or status.st_uid == os.getuid()
            if stat.S_ISREG(status.st_mode) and own:
                files.append(path)
    return files
