"""The issued verdicts, which are never replaced, and the log of deliveries."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import ColumnElement, Engine, Select, bindparam, func, insert, select, update

from assay.core.notification import DeliveryStatus
from assay.results.watch import NotificationDelivery
from assay.store.engine import reading, writing
from assay.store.schema import deliveries, issued_verdicts
from assay.store.sealing import open_values, seal_values, sealed_suite, sealer_of

_DELIVERY_COLUMNS = [column for column in deliveries.columns if column.name != "id"]


@dataclass(frozen=True, slots=True)
class KeptVerdict:
    """The record of a verdict on a model's day.

    `model` is the model's row, and `verdict` is the whole verdict as JSON text. `thresholds` is the digest of
    the thresholds that it was judged by, and `rules` is the version of the watch's rules; None if unknown.
    """

    model: int
    day: str
    state: str
    verdict: str
    thresholds: str | None = None
    rules: int | None = None


@dataclass(frozen=True, slots=True)
class IssuedVerdict:
    """An issued verdict with its time (UTC seconds since 1970)."""

    kept: KeptVerdict
    issued_at: float


def keep_verdicts(
    engine: Engine, suite: str, verdicts: Sequence[KeptVerdict], *, clock: Callable[[], float]
) -> None:
    """Record verdicts as issued now; earlier verdicts on the same model and day are kept."""
    now = clock()

    def texts(record: KeptVerdict) -> dict[str, Any]:
        if not sealed:
            return {"verdict": record.verdict}
        about = _about(suite, record.model, record.day)
        return {"verdict": "", "sealed": seal_values({"verdict": record.verdict}, sealer_of(engine), about)}

    with reading(engine) as connection:
        sealed = sealed_suite(connection, suite)
    rows = [
        {
            "model": record.model,
            "suite": suite,
            "day": record.day,
            "state": record.state,
            **texts(record),
            "thresholds": record.thresholds,
            "rules": record.rules,
            "issued_at": now,
        }
        for record in verdicts
    ]
    if rows:
        with writing(engine) as connection:
            connection.execute(insert(issued_verdicts), rows)


def _issued_query() -> Select[Any]:
    v = issued_verdicts.c
    columns = (v.model, v.day, v.state, v.verdict, v.thresholds, v.rules, v.issued_at, v.sealed)
    given = (column == bindparam(column.name) for column in (v.suite, v.model, v.day))
    return select(*columns).where(*given).order_by(v.id)


_ISSUED = _issued_query()
"""Built once, as building it takes longer than its answer."""


def read_issued(engine: Engine, suite: str, *, model: int, day: str) -> list[IssuedVerdict]:
    """Return the verdicts issued on a model's day, oldest first."""
    with reading(engine) as connection:
        rows = connection.execute(_ISSUED, {"suite": suite, "model": model, "day": day}).all()
    issued = [IssuedVerdict(KeptVerdict(*row[:-2]), row.issued_at) for row in rows]
    return [
        verdict
        if row.sealed is None
        else replace(verdict, kept=_opened(engine, suite, verdict.kept, row.sealed))
        for verdict, row in zip(issued, rows, strict=True)
    ]


def _opened(engine: Engine, suite: str, record: KeptVerdict, sealed: bytes) -> KeptVerdict:
    about = _about(suite, record.model, record.day)
    return replace(record, **open_values(bytes(sealed), sealer_of(engine), about))


def _about(suite: str, model: int, day: str) -> str:
    return f"verdict of suite {suite} model {model} day {day}"


def last_states(engine: Engine, suite: str, *, before: str) -> dict[int, str]:
    """Return each model's last recorded state before an ISO day; GAP days are skipped.

    A day's state is the one that was issued last.
    """
    v = issued_verdicts.c
    newest = select(func.max(v.id)).where(v.suite == suite, v.day < before).group_by(v.model, v.day)
    states = select(v.model, v.day, v.state).where(v.id.in_(newest), v.state != "GAP")
    with reading(engine) as connection:
        rows = connection.execute(states.order_by(v.day)).all()
    return {row.model: row.state for row in rows}


def add_deliveries(engine: Engine, new: Iterable[NotificationDelivery]) -> None:
    """Record deliveries before they are sent; an earlier record of the same event and hook is kept."""
    with writing(engine) as connection:
        for delivery in new:
            known = select(deliveries.c.id).where(_same_delivery(delivery))
            if connection.execute(known).first() is None:
                connection.execute(insert(deliveries).values(_delivery_values(delivery)))


def finish_delivery(engine: Engine, delivery: NotificationDelivery) -> None:
    """Record the outcome of a delivery."""
    with writing(engine) as connection:
        change = update(deliveries).where(_same_delivery(delivery))
        connection.execute(change.values(_delivery_values(delivery)))


def reopen_failed(engine: Engine, hooks: Collection[str]) -> int:
    """Make the failed deliveries to these webhooks pending again; return their number."""
    failed = (deliveries.c.status == DeliveryStatus.FAILED.value) & deliveries.c.hook.in_(list(hooks))
    change = update(deliveries).where(failed).values(status=DeliveryStatus.PENDING.value, finished_at=None)
    with writing(engine) as connection:
        return connection.execute(change).rowcount


def count_deliveries(engine: Engine) -> dict[DeliveryStatus, int]:
    """Return the number of deliveries by status."""
    query = select(deliveries.c.status, func.count()).group_by(deliveries.c.status)
    with reading(engine) as connection:
        return {DeliveryStatus(status): int(number) for status, number in connection.execute(query)}


def list_deliveries(
    engine: Engine, *, status: DeliveryStatus | None = None, limit: int | None = None
) -> list[NotificationDelivery]:
    """Return deliveries, the newest first."""
    query = select(*_DELIVERY_COLUMNS).order_by(deliveries.c.id.desc())
    if status is not None:
        query = query.where(deliveries.c.status == status.value)
    if limit is not None:
        query = query.limit(limit)
    with reading(engine) as connection:
        return [
            NotificationDelivery(**{**row._mapping, "status": DeliveryStatus(row.status)})
            for row in connection.execute(query)
        ]


def _same_delivery(delivery: NotificationDelivery) -> ColumnElement[bool]:
    return (deliveries.c.event == delivery.event) & (deliveries.c.hook == delivery.hook)


def _delivery_values(delivery: NotificationDelivery) -> dict[str, object]:
    return {column.name: getattr(delivery, column.name) for column in _DELIVERY_COLUMNS}
