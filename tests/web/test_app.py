"""A running service deletes old entries of its access log."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from exam_room import Room, room
from exam_server import serving
from fresh_database import fresh_sqlite

from assay.core.times import DAY_SECONDS
from assay.store.engine import writing
from assay.store.exam.access import Access, keep_accesses


def wait_for(made: Room, left: int) -> None:
    """Wait until this many accesses are left, for at most ten seconds."""
    for _ in range(500):
        if made.count("SELECT count(*) FROM access_log") == left:
            return
        time.sleep(0.02)
    assert made.count("SELECT count(*) FROM access_log") == left


@pytest.mark.parametrize(("days", "left"), [(None, [20.0, 40.0, 179.0]), (30, [20.0])])
def test_old_log_entries_are_deleted_while_the_service_runs(
    tmp_path: Path, days: int | None, left: list[float]
) -> None:
    """They are deleted after 180 days or the days given; entries of open sessions stay."""
    engine = fresh_sqlite(tmp_path / "assay.db")
    made = room(engine)
    session = made.open(now=time.time())
    line = Access(time.time(), None, None, None, "GET", "/", 404, None)
    with writing(engine) as connection:
        old = [line._replace(at=line.at - age * DAY_SECONDS) for age in (20, 40, 179, 181, 900)]
        keep_accesses(connection, [*old, old[-1]._replace(session=session)])
    with serving(made, **({} if days is None else {"access_log_days": days})):
        wait_for(made, len(left) + 1)
    assert made.count("SELECT count(*) FROM access_log WHERE session = :session", session=session) == 1
    engine.dispose()
