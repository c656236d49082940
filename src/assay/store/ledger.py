"""The ledger: writing calls, samples and grades in batches, and reading calls with their costs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import chain
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, Engine, Subquery, Table, case, func, or_, select

from assay.store.engine import driver_sql, in_parts, reading
from assay.store.rows import CallRow
from assay.store.schema import calls, conditions, marks, samples
from assay.store.sealing import filled, open_row

CHUNK = 64
CLAIM = (
    "INSERT INTO writers (writer, number) VALUES ({mark}, {mark}) ON CONFLICT (writer) DO UPDATE "
    "SET number = excluded.number WHERE writers.number < excluded.number"
)
REFUSED = 300
"""The HTTP status from which on a reply is a refusal, which is free unless the reply has a cost."""


def claim(connection: Connection, writer: str, number: int) -> bool:
    """Claim a writer's batch in the transaction that writes it; return False if it is written already.

    So a commit whose outcome is unknown, because the connection broke, can be tried again.
    """
    statement = driver_sql(CLAIM, connection.dialect.name)
    return connection.exec_driver_sql(statement, (writer, number)).rowcount > 0


def write(connection: Connection, table: Table, rows: Sequence[tuple[object, ...]]) -> None:
    """Insert rows, many per statement: other threads can run while the driver executes one."""
    whole = len(rows) - len(rows) % CHUNK
    for start in range(0, whole, CHUNK):
        _insert(connection, table, rows[start : start + CHUNK])
    if whole < len(rows):
        _insert(connection, table, rows[whole:])


def _insert(connection: Connection, table: Table, rows: Sequence[tuple[object, ...]]) -> None:
    statement = _statement(table, connection.dialect.name, len(rows))
    connection.exec_driver_sql(statement, tuple(chain.from_iterable(rows)))


@cache
def _statement(table: Table, dialect: str, rows: int) -> str:
    """Return the SQL that inserts `rows` rows; it replaces rows with the same key, except for conditions."""
    mark = "?" if dialect == "sqlite" else "%s"
    names = [column.name for column in table.columns if table is not calls or column.name != "id"]
    row = "(" + ",".join([mark] * len(names)) + ")"
    text = f"INSERT INTO {table.name} ({','.join(names)}) VALUES {','.join([row] * rows)}"
    if table is calls:
        return text
    if table is conditions:
        # Two workers may insert the same row at the same moment. If a key were named here, PostgreSQL would
        # still fail on the unique digest.
        return f"{text} ON CONFLICT DO NOTHING"
    keys = [column.name for column in table.primary_key.columns]
    updates = ",".join(f"{name}=excluded.{name}" for name in names if name not in keys)
    text = f"{text} ON CONFLICT ({','.join(keys)}) DO UPDATE SET {updates}"
    if table is marks:
        text += " WHERE excluded.reused = 0 OR marks.value IS NULL OR marks.key IS NULL"
        text += " OR marks.key <> excluded.key"
    return text


def finished_positions(
    engine: Engine, run: int, *, errored: bool = False, span: tuple[int, int] | None = None
) -> set[int]:
    """Return the positions of a run's finished samples; errored ones count only with `errored`.

    `span` selects the positions from its first to its second number.
    """
    query = select(samples.c.position).where(samples.c.run == run)
    if not errored:
        query = query.where(samples.c.status != "error")
    if span is not None:
        query = query.where(samples.c.position.between(*span))
    with reading(engine) as connection:
        return set(connection.execute(query).scalars())


def unread_answers(engine: Engine, run: int, *, span: tuple[int, int] | None = None) -> dict[int, CallRow]:
    """Return the answers of the model under test whose samples were not finished, by position.

    They were paid for; resuming grades them instead of asking again. `span` selects the positions from its
    first to its second number.
    """
    done = select(samples.c.position).where(samples.c.run == run, samples.c.status != "error")
    query = (
        select(*[column for column in calls.columns if column.name != "id"])
        .where(
            calls.c.run == run,
            calls.c.purpose == "subject",
            calls.c.status != "error",
            calls.c.position.not_in(done),
        )
        .order_by(calls.c.id)
    )
    if span is not None:
        query = query.where(calls.c.position.between(*span))
    with reading(engine) as connection:
        return {row.position: open_row(CallRow(*row), engine) for row in connection.execute(query)}


def last_call(engine: Engine, run: int) -> int:
    """Return the number of the newest attempt of a run in the ledger; 0 if there is none."""
    query = select(func.max(calls.c.id)).where(calls.c.run == run)
    with reading(engine) as connection:
        return connection.execute(query).scalar() or 0


class AttemptCost(NamedTuple):
    """The cost of an attempt in US dollars; `missing` if it may have been charged and no cost is known."""

    position: int
    purpose: str
    cost: float | None
    missing: bool


def calls_since(engine: Engine, run: int, call: int, *, span: tuple[int, int]) -> list[AttemptCost]:
    """Return the costs of the attempts newer than `call` for the positions of a span."""
    query = select(calls.c.position, calls.c.purpose, calls.c.cost, cost_missing().label("missing")).where(
        calls.c.run == run, calls.c.id > call, calls.c.position.between(*span)
    )
    with reading(engine) as connection:
        return [
            AttemptCost(row.position, row.purpose, row.cost, bool(row.missing))
            for row in connection.execute(query)
        ]


def cost_missing() -> ColumnElement[bool]:
    """Return the condition that an attempt may have been charged and has no known cost.

    An attempt that an HTTP error refused costs nothing unless the reply says so (`ModelReply.chargeable`).
    """
    unanswered = (calls.c.status == "error") & (calls.c.http_status >= REFUSED)
    return calls.c.cost.is_(None) & func.coalesce(~unanswered, True)


def last_attempts(runs: Sequence[int]) -> Subquery:
    """Return the last attempt of the model under test for each sample, with the cost of all attempts.

    `paid` is None if one of them may have been charged and has no known cost, or if no attempt has a cost.
    """
    missing = func.sum(case((cost_missing(), 1), else_=0))
    by_sample = (
        select(
            func.max(calls.c.id).label("id"),
            case((missing == 0, func.sum(calls.c.cost)), else_=None).label("paid"),
        )
        .where(calls.c.run.in_(runs), calls.c.purpose == "subject")
        .group_by(calls.c.run, calls.c.position)
        .subquery()
    )
    return select(calls, by_sample.c.paid).join(by_sample, by_sample.c.id == calls.c.id).subquery()


def dearest_calls(engine: Engine, runs: Sequence[int]) -> dict[int, float]:
    """Return the largest known cost (US dollars) of a call to each model of some runs, by the model's row."""
    query = (
        select(calls.c.model, func.max(calls.c.cost).label("cost"))
        .where(calls.c.run.in_(runs), calls.c.cost.is_not(None))
        .group_by(calls.c.model)
    )
    with reading(engine) as connection:
        return {row.model: row.cost for row in connection.execute(query)}


def request_hashes(engine: Engine, run: int) -> dict[int, bytes]:
    """Return the hash of the request to the model under test for each sample of a run, by position.

    It is that of the last attempt, which may lack a parameter that the endpoint refused.
    """
    query = (
        select(calls.c.position, calls.c.request_hash)
        .where(calls.c.run == run, calls.c.purpose == "subject")
        .order_by(calls.c.id)
    )
    with reading(engine) as connection:
        return {row.position: bytes(row.request_hash) for row in connection.execute(query)}


def stored_answers(engine: Engine, run: int, *, ungraded: bool = False) -> set[int]:
    """Return the positions of a run's samples with a visible answer.

    With `ungraded`, only those that have no score, or a judge's mark that could not be read.
    """
    query = select(samples.c.position).where(samples.c.run == run, samples.c.status == "ok")
    if ungraded:
        unread = select(marks.c.position).where(marks.c.run == run, ~filled(marks, "value"))
        query = query.where(~filled(samples, "score") | samples.c.position.in_(unread))
    with reading(engine) as connection:
        return set(connection.execute(query).scalars())


def subject_calls(engine: Engine, run: int, positions: Sequence[int]) -> dict[int, CallRow]:
    """Return the last answered call to the model under test for each of these positions."""
    answered: dict[int, CallRow] = {}
    columns = [column for column in calls.columns if column.name != "id"]
    query = select(*columns).where(
        calls.c.run == run, calls.c.purpose == "subject", calls.c.status != "error"
    )
    with reading(engine) as connection:
        for part in in_parts(positions):
            rows = connection.execute(query.where(calls.c.position.in_(part)).order_by(calls.c.id))
            answered.update((row.position, open_row(CallRow(*row), engine)) for row in rows)
    return answered


def judge_calls(engine: Engine, run: int, positions: Sequence[int]) -> dict[int, list[CallRow]]:
    """Return the answered calls to judges for each of these positions, oldest first."""
    answered: dict[int, list[CallRow]] = {}
    columns = [column for column in calls.columns if column.name != "id"]
    query = select(*columns).where(calls.c.run == run, calls.c.purpose == "judge", calls.c.status != "error")
    with reading(engine) as connection:
        for part in in_parts(positions):
            for row in connection.execute(query.where(calls.c.position.in_(part)).order_by(calls.c.id)):
                answered.setdefault(row.position, []).append(open_row(CallRow(*row), engine))
    return answered


class PaidCall(NamedTuple):
    """The purpose of a row of the ledger, and its cost in US dollars; None if it is not known."""

    run: int
    position: int
    purpose: str
    model: int
    cost: float | None


def paid_calls(engine: Engine, run_ids: Sequence[int]) -> list[PaidCall]:
    """Return the calls of some runs that were answered or have a cost, oldest first."""
    c = calls.c
    query = (
        select(c.run, c.position, c.purpose, c.model, c.cost)
        .where(c.run.in_(run_ids), or_(c.status != "error", c.cost.is_not(None)))
        .order_by(c.id)
    )
    with reading(engine) as connection:
        return [PaidCall(*row) for row in connection.execute(query)]
