"""Which uuids the bank knows, and the content they stand for."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import Connection, select

from assay.store.schema_bank import questions

CHUNK = 500


class Known(NamedTuple):
    """A question of the bank: its id and the digest of its content."""

    id: int
    digest: bytes


def known_uuids(connection: Connection, uuids: Collection[str]) -> dict[str, Known]:
    """Return those of some uuids that the bank knows."""
    listed, found = list(uuids), {}
    for start in range(0, len(listed), CHUNK):
        query = select(questions.c.uuid, questions.c.id, questions.c.digest).where(
            questions.c.uuid.in_(listed[start : start + CHUNK])
        )
        for row in connection.execute(query):
            found[row.uuid] = Known(row.id, bytes(row.digest))
    return found
