"""The delivery log: what was told to whom, and what became of it."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import ColumnElement, Engine, insert, select, update

from assay.core.notification import Delivery, DeliveryStatus
from assay.store.engine import reading, writing
from assay.store.schema import deliveries

_FIELDS = [column for column in deliveries.columns if column.name != "id"]


def add_deliveries(engine: Engine, new: Iterable[Delivery]) -> None:
    """Write deliveries down before they are sent; one that was written for the same event and hook stays."""
    with writing(engine) as connection:
        for delivery in new:
            known = select(deliveries.c.id).where(_same(delivery))
            if connection.execute(known).first() is None:
                connection.execute(insert(deliveries).values(_values(delivery)))


def finish_delivery(engine: Engine, delivery: Delivery) -> None:
    """Record what became of a delivery."""
    with writing(engine) as connection:
        connection.execute(update(deliveries).where(_same(delivery)).values(_values(delivery)))


def list_deliveries(
    engine: Engine, *, status: DeliveryStatus | None = None, limit: int | None = None
) -> list[Delivery]:
    """Return deliveries, the newest first."""
    query = select(*_FIELDS).order_by(deliveries.c.id.desc())
    if status is not None:
        query = query.where(deliveries.c.status == status.value)
    if limit is not None:
        query = query.limit(limit)
    with reading(engine) as connection:
        return [
            Delivery(**{**row._mapping, "status": DeliveryStatus(row.status)})
            for row in connection.execute(query)
        ]


def _same(delivery: Delivery) -> ColumnElement[bool]:
    return (deliveries.c.event == delivery.event) & (deliveries.c.hook == delivery.hook)


def _values(delivery: Delivery) -> dict[str, object]:
    return {column.name: getattr(delivery, column.name) for column in _FIELDS}
