"""Rows of sealed suites: texts, scores and evidence are encrypted before they are written.

A copy of the database then shows which models were run, when and at what cost, but no prompt, answer, grade
or score of a sealed suite. The key comes from `ASSAY_SUITE_KEY` and is never stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar

import orjson
from sqlalchemy import ColumnElement, Connection, Engine, Table, or_, select

from assay.core.errors import Denied
from assay.core.sealed import Sealer
from assay.store.engine import SEALER
from assay.store.rows import Batch, CallRow, GradeRow, MarkRow, SampleRow
from assay.store.schema import runs, suites

PLACEHOLDER: Final = "sealed"
"""The text in place of an encrypted reason, which still shows that there is no value."""
ROOM: Final = 64
"""Texts are padded to a multiple of this many bytes, so that their lengths do not reveal right answers."""

AnyRow = TypeVar("AnyRow", CallRow, SampleRow, GradeRow, MarkRow)


class _Secrets(NamedTuple):
    """The encrypted columns of a row with their placeholders, and the columns that identify the row."""

    placeholders: Mapping[str, Any]
    identity: tuple[str, ...]


SECRETS: Final[Mapping[type, _Secrets]] = {
    CallRow: _Secrets({"answer": None, "detail": None}, ("run", "position", "purpose", "model", "attempt")),
    SampleRow: _Secrets({"score": None}, ("run", "position")),
    GradeRow: _Secrets(
        {"value": None, "reason": None, "evidence": "{}"}, ("run", "position", "ordinal", "grader")
    ),
    MarkRow: _Secrets(
        {"value": None, "reason": None, "rationale": ""}, ("run", "position", "ordinal", "judge", "metric")
    ),
}


def sealer_of(place: Engine | Connection) -> Sealer:
    """Return the sealer of a database's sealed rows. Raises Denied without a key."""
    sealer: Callable[[], Sealer] | None = place.get_execution_options().get(SEALER)
    if sealer is None:
        raise Denied("these rows belong to a sealed suite: set ASSAY_SUITE_KEY and open the workspace again")
    return sealer()


def has_key(place: Engine | Connection) -> bool:
    """Return whether there is a key for sealed suites."""
    try:
        sealer_of(place)
    except Denied:
        return False
    return True


def filled(table: Table, column: str) -> ColumnElement[bool]:
    """Return the condition that a row has a value in `column`, in the clear or encrypted."""
    value = table.c[column].is_not(None)
    if "reason" in table.c:
        return or_(value, table.c.sealed.is_not(None) & table.c.reason.is_(None))
    return or_(value, table.c.sealed.is_not(None))


def seal_batch(batch: Batch, is_sealed: Callable[[int], bool], sealer: Callable[[], Sealer]) -> Batch:
    """Return a batch whose rows of sealed runs are encrypted; the batch itself without such rows."""
    sealed_runs = {run for run in batch.runs if is_sealed(run)}
    if not sealed_runs:
        return batch
    key = sealer()

    def seal(rows: Sequence[AnyRow]) -> list[AnyRow]:
        return [seal_row(row, key) if row.run in sealed_runs else row for row in rows]

    sealed = Batch()
    sealed.conditions = batch.conditions
    sealed.calls, sealed.samples = seal(batch.calls), seal(batch.samples)
    sealed.grades, sealed.marks = seal(batch.grades), seal(batch.marks)
    return sealed


def seal_row(row: AnyRow, sealer: Sealer) -> AnyRow:
    """Return a row with its texts, scores and evidence encrypted.

    A row that has none, or that is sealed already, is returned unchanged.
    """
    secrets = SECRETS[type(row)]
    values = {name: getattr(row, name) for name in secrets.placeholders}
    if row.sealed is not None or all(value is None for value in values.values()):
        return row
    placeholders: dict[str, Any] = dict(secrets.placeholders)
    if values.get("reason") is not None:
        placeholders["reason"] = PLACEHOLDER
    return row._replace(**placeholders, sealed=seal_values(values, sealer, _about(row)))


def open_row(row: AnyRow, place: Engine | Connection) -> AnyRow:
    """Return a row with its sealed values. Raises Denied without its key, or if it was altered."""
    if row.sealed is None:
        return row
    return row._replace(**open_values(bytes(row.sealed), sealer_of(place), _about(row)), sealed=None)


def opened(kind: type[AnyRow], rows: Iterable[Sequence[Any]], place: Engine | Connection) -> list[AnyRow]:
    """Return rows of the database as opened rows of `kind`."""
    return [open_row(kind(*row), place) for row in rows]


def seal_values(values: Mapping[str, Any], sealer: Sealer, about: str) -> bytes:
    """Return values encrypted as JSON."""
    text = orjson.dumps(values).decode()
    return sealer.seal(text + " " * (-len(text.encode()) % ROOM), about)


def open_values(sealed: bytes, sealer: Sealer, about: str) -> dict[str, Any]:
    """Return the values that `seal_values` encrypted."""
    values: dict[str, Any] = orjson.loads(sealer.open(sealed, about))
    return values


def sealed_suite(connection: Connection, digest: str) -> bool:
    """Return whether a suite is stored sealed."""
    query = select(suites.c.sealed_with).where(suites.c.digest == digest)
    return connection.execute(query).scalar() is not None


def sealed_run(connection: Connection, run: int) -> bool:
    """Return whether a run's suite is stored sealed."""
    query = select(suites.c.sealed_with).join(runs, runs.c.suite == suites.c.digest).where(runs.c.id == run)
    return connection.execute(query).scalar() is not None


def _about(row: CallRow | SampleRow | GradeRow | MarkRow) -> str:
    """Return the context that a row is sealed for; its values cannot be opened in another row."""
    place = " ".join(f"{name} {getattr(row, name)}" for name in SECRETS[type(row)].identity)
    return f"{type(row).__name__} of {place}"
