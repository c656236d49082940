"""An overloaded service, and one without its database: 503 with the seconds to wait."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

import pytest
from exam_room import room
from exam_server import serving
from fresh_database import fresh_sqlite


def test_a_locked_database_gives_503_on_every_route(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Also requests that would be refused get 503 with Retry-After; later the service works again."""
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
        assert [reply.status for reply in replies] == [503] * 4
        assert {reply.headers["retry-after"] for reply in replies} == {"1"}
        assert {reply.title for reply in replies} == {"Service Unavailable"}
        assert not any(str(tmp_path).encode() in reply.raw for reply in replies)
        assert served.send("POST", f"/sessions/{session}/question", token=token).status == 200
    assert len([line for line in caplog.messages if "the database does not respond" in line]) == 1
    assert made.count("SELECT count(*) FROM access_log") == 1
    engine.dispose()


def test_an_overloaded_service_refuses_requests(tmp_path: Path) -> None:
    """If no request may wait, each gets 503."""
    engine = fresh_sqlite(tmp_path / "assay.db")
    made = room(engine)
    session = made.open(now=time.time())
    with serving(made, most_waiting=0) as served:
        refused = served.send("POST", f"/sessions/{session}/question", token=served.token(made.ada, session))
    assert (refused.status, refused.headers["retry-after"]) == (503, "1")
    assert made.count("SELECT count(*) FROM served") == 0
    engine.dispose()
