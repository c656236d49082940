"""When the service cannot do its work it says so, and when to come again; nothing goes unlogged."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

import pytest
from exam_room import room
from exam_server import serving
from fresh_database import fresh_sqlite


def test_a_database_that_is_held_is_told_to_everybody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """503 with Retry-After for everybody, also where only a 401 was to be logged; then all is well."""
    monkeypatch.setattr("assay.store.engine.BUSY_SECONDS", 0.05)
    engine = fresh_sqlite(tmp_path / "assay.db")
    made = room(engine)
    session = made.open(now=time.time())
    with serving(made) as served:
        token = served.token(made.ada, session)
        other = sqlite3.connect(tmp_path / "assay.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        replies = [
            served.send("POST", f"/sessions/{session}/question", token=token),
            served.send("POST", f"/sessions/{session}/question"),
            served.send("GET", "/nowhere"),
            served.send("GET", "/health"),
        ]
        other.execute("ROLLBACK")
        other.close()
        assert [each.status for each in replies] == [503] * 4
        assert {each.headers["retry-after"] for each in replies} == {"1"}
        assert {each.title for each in replies} == {"Service Unavailable"}
        assert not any(str(tmp_path).encode() in each.raw for each in replies)
        assert served.send("POST", f"/sessions/{session}/question", token=token).status == 200
    assert len([line for line in caplog.messages if "the database does not respond" in line]) == 1
    assert made.count("SELECT count(*) FROM access_log") == 1
    engine.dispose()


def test_a_service_with_too_much_to_do_says_so(tmp_path: Path) -> None:
    """Where nobody may wait, every request is told to come again."""
    engine = fresh_sqlite(tmp_path / "assay.db")
    made = room(engine)
    session = made.open(now=time.time())
    with serving(made, most_waiting=0) as served:
        refused = served.send("POST", f"/sessions/{session}/question", token=served.token(made.ada, session))
    assert (refused.status, refused.headers["retry-after"]) == (503, "1")
    assert made.count("SELECT count(*) FROM served") == 0
    engine.dispose()
