"""What comes over a raw connection: heads without end, requests that never become whole, bodies cut short."""

from __future__ import annotations

import logging
import socket
import time

import pytest
from exam_server import Served
from sqlalchemy import text

from assay.store.engine import reading
from assay.web.protocol import MOST_HEAD, Bounded

HEALTH = b"GET /api/v1/health HTTP/1.1\r\nHost: x\r\n"
LOGIN = b"POST /api/v1/tokens HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
PIECE = 65_536
MANY = 200


def connect(served: Served) -> socket.socket:
    """Open a connection of its own."""
    connection = socket.create_connection(("127.0.0.1", served.port))
    connection.settimeout(30)
    return connection


def heard(connection: socket.socket) -> bytes:
    """Return all that comes until the server ends the connection."""
    found = b""
    try:
        while piece := connection.recv(PIECE):
            found += piece
    except ConnectionResetError:
        pass
    return found


def pushed(served: Served, begin: bytes, piece: bytes) -> int:
    """Send a beginning and then one piece after the other; return how many were taken."""
    with connect(served) as connection:
        connection.sendall(begin)
        for count in range(MANY):
            try:
                connection.sendall(piece)
            except (ConnectionResetError, BrokenPipeError):
                return count
    return MANY


@pytest.mark.parametrize(
    ("begin", "piece"),
    [
        (HEALTH + b"X: ", b"a" * PIECE),
        (HEALTH, b"X: a\r\n" * (PIECE // 6)),
        (b"GET /", b"a" * PIECE),
        (HEALTH + b"Transfer-Encoding: chunked\r\n\r\n0\r\nX: ", b"a" * PIECE),
        (HEALTH + b"Transfer-Encoding: chunked\r\n\r\n1;x=", b"a" * PIECE),
    ],
    ids=["a header", "headers", "an address", "a trailer", "a chunk's name"],
)
def test_what_has_no_end_is_cut_off(served: Served, begin: bytes, piece: bytes) -> None:
    """The connection ends long before all of it is sent."""
    assert pushed(served, begin, piece) < MANY


def test_a_head_that_is_too_long_is_refused(served: Served) -> None:
    """A sender that waits for an answer hears 400."""
    with connect(served) as connection:
        connection.sendall(HEALTH + b"X: " + b"a" * MOST_HEAD)
        assert heard(connection).startswith(b"HTTP/1.1 400 ")


def test_a_long_body_is_no_long_head(served: Served) -> None:
    """A body longer than any head may be, sent with its head or bit by bit, is read."""
    session = served.room.open(10, now=time.time())
    token = served.token(served.room.ada, session)
    assert served.send("POST", f"/sessions/{session}/question", token=token).status == 200
    body = b'{"text": "' + b"\\u0041" * 60_000 + b'"}'
    reply = served.send("PUT", f"/sessions/{session}/answers/1", raw=body, token=token)
    assert reply.status == 200


def test_many_requests_over_one_connection_are_no_long_head(served: Served) -> None:
    """What came before does not count against the next request."""
    with connect(served) as connection:
        for _ in range(20):
            connection.sendall(HEALTH + b"X: " + b"a" * 8000 + b"\r\n\r\n")
            assert connection.recv(PIECE).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("begun", [b"", HEALTH, LOGIN + b"Content-Length: 9\r\n\r\n{"])
def test_a_request_that_never_becomes_whole_is_dropped(
    served: Served, begun: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection that sends nothing more is ended by the server: waiting for that comes to an end."""
    monkeypatch.setattr(Bounded, "most_seconds", 0.05)
    with connect(served) as connection:
        connection.sendall(begun)
        heard(connection)


def test_a_body_cut_short_is_no_defect(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    """A client that goes away in the middle of a login fills no log with tracebacks; the access is noted."""
    with caplog.at_level(logging.ERROR), connect(served) as connection:
        connection.sendall(LOGIN + b"Content-Length: 100\r\n\r\n{")
        connection.shutdown(socket.SHUT_WR)
        time.sleep(0.05)
    with reading(served.room.engine) as database:
        for _ in range(500):
            found = database.execute(text("SELECT status FROM access_log")).scalars().all()
            if found:
                break
            database.rollback()
            time.sleep(0.02)
    assert (found, caplog.records) == ([422], [])


def test_two_tokens_at_once_are_unauthorized(served: Served) -> None:
    """Whoever stands before the service might look at the other one."""
    session = served.room.open(10, now=time.time())
    token = served.token(served.room.ada, session)
    line = f"Authorization: Bearer {token}\r\n".encode()
    statuses = []
    for lines in (line, line + line, line + b"Authorization: Bearer e30.e30.e30\r\n"):
        with connect(served) as connection:
            head = f"GET /api/v1/sessions/{session} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n".encode()
            connection.sendall(head + lines + b"\r\n")
            statuses.append(heard(connection)[9:12])
    assert statuses == [b"200", b"401", b"401"]
