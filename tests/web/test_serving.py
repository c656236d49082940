"""Serving the application in this process: endless heads, incomplete requests and ambiguous hosts."""

from __future__ import annotations

import json
import logging
import socket
import time
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from exam_server import CLIENT, Served
from fastapi import FastAPI
from sqlalchemy import text

from assay.core.errors import Upstream
from assay.store.engine import reading
from assay.web.serving import MOST_HEAD, Bounded, serving_here

HEALTH = b"GET /api/v1/health HTTP/1.1\r\nHost: x\r\n"
LOGIN = b"POST /api/v1/tokens HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
PIECE = 65_536
MANY = 200


def test_the_application_is_served_until_the_block_ends() -> None:
    """The port is open inside the block and closed afterwards."""
    app = FastAPI()

    @app.get("/")
    def root() -> str:
        return "here"

    with serving_here(app) as port, urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=10) as reply:
        assert reply.read() == b'"here"'
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=10)


def test_an_application_that_does_not_start_is_an_error() -> None:
    """The error names the service, and the block is left."""

    @asynccontextmanager
    async def broken(app: FastAPI) -> AsyncIterator[None]:
        raise RuntimeError("no desk")
        yield

    with pytest.raises(Upstream, match="did not start"), serving_here(FastAPI(lifespan=broken)):
        pass


def connect(served: Served) -> socket.socket:
    """Open a new connection."""
    connection = socket.create_connection(("127.0.0.1", served.port))
    connection.settimeout(30)
    return connection


def receive_all(connection: socket.socket) -> bytes:
    """Return all bytes until the server closes the connection."""
    received = b""
    try:
        while piece := connection.recv(PIECE):
            received += piece
    except ConnectionResetError:
        pass
    return received


def count_accepted(served: Served, begin: bytes, piece: bytes) -> int:
    """Send a beginning and then pieces; return how many pieces were accepted."""
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
def test_an_endless_head_is_cut_off(served: Served, begin: bytes, piece: bytes) -> None:
    """The connection is closed before all pieces are sent."""
    assert count_accepted(served, begin, piece) < MANY


def test_a_head_that_is_too_long_is_refused(served: Served) -> None:
    """The reply is 400."""
    with connect(served) as connection:
        connection.sendall(HEALTH + b"X: " + b"a" * MOST_HEAD)
        assert receive_all(connection).startswith(b"HTTP/1.1 400 ")


def test_a_long_body_does_not_count_as_head(served: Served) -> None:
    """A body that is longer than the limit of heads is read."""
    session = served.room.open(10, now=time.time())
    token = served.token(served.room.ada, session)
    assert served.send("POST", f"/sessions/{session}/question", token=token).status == 200
    body = b'{"text": "' + b"\\u0041" * 60_000 + b'"}'
    reply = served.send("PUT", f"/sessions/{session}/answers/1", raw=body, token=token)
    assert reply.status == 200


def test_heads_of_several_requests_are_not_added_up(served: Served) -> None:
    """Each request of a connection has its own limit."""
    with connect(served) as connection:
        for _ in range(20):
            connection.sendall(HEALTH + b"X: " + b"a" * 8000 + b"\r\n\r\n")
            assert connection.recv(PIECE).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("begun", [b"", HEALTH, LOGIN + b"Content-Length: 9\r\n\r\n{"])
def test_an_incomplete_request_is_dropped(
    served: Served, begun: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server closes a connection that sends nothing more."""
    monkeypatch.setattr(Bounded, "most_seconds", 0.05)
    with connect(served) as connection:
        connection.sendall(begun)
        receive_all(connection)


def test_an_incomplete_body_is_not_a_defect(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    """A client that leaves during a login causes no traceback, and the access is logged."""
    with caplog.at_level(logging.ERROR), connect(served) as connection:
        connection.sendall(LOGIN + b"Content-Length: 100\r\n\r\n{")
        connection.shutdown(socket.SHUT_WR)
        time.sleep(0.05)
    with reading(served.room.engine) as database:
        for _ in range(500):
            statuses = database.execute(text("SELECT status FROM access_log")).scalars().all()
            if statuses:
                break
            database.rollback()
            time.sleep(0.02)
    assert (statuses, caplog.records) == ([422], [])


def test_a_request_with_two_tokens_is_unauthorized(served: Served) -> None:
    """A proxy in front of the service could use the other one."""
    session = served.room.open(10, now=time.time())
    token = served.token(served.room.ada, session)
    line = f"Authorization: Bearer {token}\r\n".encode()
    statuses = []
    for lines in (line, line + line, line + b"Authorization: Bearer e30.e30.e30\r\n"):
        with connect(served) as connection:
            head = f"GET /api/v1/sessions/{session} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n".encode()
            connection.sendall(head + lines + b"\r\n")
            statuses.append(receive_all(connection)[9:12])
    assert statuses == [b"200", b"401", b"401"]


@pytest.mark.parametrize(
    ("version", "hosts", "status"),
    [
        ("1.1", ("x",), 200),
        ("1.1", ("x", "y"), 400),
        ("1.1", ("x", "x"), 400),
        ("1.1", (), 400),
        ("1.0", ("x", "x"), 400),
        ("1.0", (), 200),
    ],
)
def test_a_request_needs_one_host(served: Served, version: str, hosts: tuple[str, ...], status: int) -> None:
    """Two `Host` headers, even equal ones, or none in HTTP/1.1 are refused with a problem."""
    lines = "".join(f"Host: {host}\r\n" for host in hosts)
    with connect(served) as connection:
        connection.sendall(f"GET /api/v1/health HTTP/{version}\r\n{lines}Connection: close\r\n\r\n".encode())
        head, _, body = receive_all(connection).partition(b"\r\n\r\n")
    assert int(head[9:12]) == status
    if status == 400:
        assert b"content-type: application/problem+json" in head.lower()
        assert json.loads(body)["title"] == "Bad Request"
        assert f"{len(hosts)} Host headers" in json.loads(body)["detail"]


def test_a_request_with_two_hosts_has_no_effect(served: Served) -> None:
    """No question is served, and the access log has the refusal without a user."""
    session = served.room.open(10, now=time.time())
    token = served.token(served.room.ada, session)
    head = f"POST /api/v1/sessions/{session}/question HTTP/1.1\r\nHost: x\r\nHost: x\r\nContent-Length: 0\r\n"
    with connect(served) as connection:
        connection.sendall(f"{head}Assay-Client: {CLIENT}\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
        assert receive_all(connection).startswith(b"HTTP/1.1 400 ")
    assert served.room.count("SELECT count(*) FROM served") == 0
    with reading(served.room.engine) as database:
        (entry,) = database.execute(text("SELECT user_id, status, told FROM access_log")).all()
    assert tuple(entry) == (None, 400, "Bad Request")
