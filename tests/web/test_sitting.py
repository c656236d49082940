"""Sitting over HTTP: what is refused, in which order, with which title; what bodies are taken."""

from __future__ import annotations

import contextlib
import json
import socket
import time
from typing import Any

import pytest
from banked import SEALER
from exam_server import CLIENT, Served, people
from exam_tokens import HEADER, encoded, forged

from assay.exam.delivery import MOST_CHARACTERS
from assay.exam.issuing import revoke
from assay.exam.keys import Keyring, rotate, withdraw
from assay.web.routes import MOST_BYTES, MOST_DRAINED

UNSIGNED = encoded(json.dumps({"alg": "none", "typ": "JWT"}))


def seat(served: Served, n: int = 10, **options: Any) -> tuple[str, str]:
    """Open a session for Ada and return it with a token."""
    session = served.room.open(n, now=time.time(), **options)
    return session, served.token(served.room.ada, session)


def claims(token: str) -> dict[str, Any]:
    """Return what a token says, unproven."""
    import base64

    middle = token.split(".")[1]
    found: dict[str, Any] = json.loads(base64.urlsafe_b64decode(middle + "=" * (-len(middle) % 4)))
    return found


def test_an_exam_can_be_sat(served: Served) -> None:
    """Ten questions are asked for and answered one by one; then the session is finished."""
    session, token = seat(served)
    for position in range(1, 11):
        asked = served.send("POST", f"/sessions/{session}/question", token=token)
        assert (asked.status, asked.json["position"], asked.json["of"]) == (200, position, 10)
        given = served.send("PUT", f"/sessions/{session}/answers/{position}", {"text": "True"}, token=token)
        assert (given.status, given.json["status"]) == (200, "answered")
    done = served.send("POST", f"/sessions/{session}/question", token=token)
    assert (done.status, done.title) == (409, "Conflict")
    assert served.send("GET", f"/sessions/{session}", token=token).json["state"] == "finished"


def test_a_repeated_request_gets_the_same_reply(served: Served) -> None:
    """Question and receipt, byte for byte but for the time left."""
    session, token = seat(served)
    asked = [served.send("POST", f"/sessions/{session}/question", token=token).json for _ in range(2)]
    assert {**asked[0], "seconds_left": 0} == {**asked[1], "seconds_left": 0}
    answer = {"text": "True", "prompt_tokens": 3, "seconds": 1.5, "finish_reason": "stop"}
    given = [served.send("PUT", f"/sessions/{session}/answers/1", answer, token=token).raw for _ in range(2)]
    assert given[0] == given[1]


@pytest.mark.parametrize(
    ("mend", "title"),
    [
        (lambda token: token[:-2], "Unauthorized"),
        (lambda token: "x" + token, "Unauthorized"),
        (
            lambda token: ".".join(
                [encoded(json.dumps({"alg": "none", "typ": "JWT"})), token.split(".")[1], ""]
            ),
            "Unauthorized",
        ),
        (lambda token: forged(HEADER, claims(token)), "Unauthorized"),
        (lambda token: "", "Unauthorized"),
        (lambda token: "a" * 5000, "Unauthorized"),
    ],
)
def test_a_token_that_is_not_ours_is_unauthorized(served: Served, mend: Any, title: str) -> None:
    """Tampered with, unsigned, signed by another, none at all: 401, and nothing is served."""
    session, token = seat(served)
    refused = served.send("POST", f"/sessions/{session}/question", token=mend(token))
    assert (refused.status, refused.title) == (401, title)
    assert refused.headers["www-authenticate"] == "Bearer"
    assert served.room.count("SELECT count(*) FROM served") == 0


def test_an_expired_token_is_told_apart(served: Served) -> None:
    """Token Expired, and whose it was stands in the access log."""
    session, _ = seat(served)
    token = served.token(served.room.ada, session, life=0.01)
    time.sleep(0.02)
    refused = served.send("POST", f"/sessions/{session}/question", token=token)
    assert (refused.status, refused.title) == (401, "Token Expired")
    query = (
        "SELECT count(*) FROM access_log WHERE status = 401 AND user_id = :user AND told = 'Token Expired'"
    )
    assert served.room.count(query, user=served.room.ada) == 1


def test_a_token_for_another_session_is_refused(served: Served) -> None:
    """The same candidate's token holds for one session only."""
    session, _ = seat(served)
    _, token = seat(served)
    refused = served.send("POST", f"/sessions/{session}/question", token=token)
    assert (refused.status, refused.title) == (403, "Session Invalid")


def test_a_replayed_token_of_another_client_is_refused(served: Served) -> None:
    """Somebody who copied the token is told that the session is in use, and when to try again."""
    session, token = seat(served)
    served.send("POST", f"/sessions/{session}/question", token=token)
    thief = served.send(
        "POST",
        f"/sessions/{session}/question",
        token=token,
        headers={"Assay-Client": "somebody-elses-client"},
    )
    assert (thief.status, thief.title) == (403, "Session Invalid")
    assert 1 <= int(thief.headers["retry-after"]) <= 60


def test_a_revoked_token_stops_at_once(served: Served) -> None:
    """The very next request is refused; so it is when the signing key is withdrawn."""
    session, token = seat(served)
    revoke(served.room.engine, claims(token)["jti"], now=time.time())
    refused = served.send("GET", f"/sessions/{session}", token=token)
    assert (refused.status, refused.title) == (403, "Forbidden")
    other = served.token(served.room.ada, session)
    assert served.send("GET", f"/sessions/{session}", token=other).status == 200
    kid = Keyring(served.room.engine, SEALER).signing(now=time.time())[0]
    withdraw(served.room.engine, kid, now=time.time())
    refused = served.send("GET", f"/sessions/{session}", token=other)
    assert (refused.status, refused.title) == (401, "Unauthorized")


def test_a_new_signing_key_is_known_at_once(served: Served) -> None:
    """A token signed with a key that was made after the service began is taken, old ones too."""
    session, token = seat(served)
    rotate(served.room.engine, SEALER, now=time.time())
    fresh = served.token(served.room.ada, session)
    assert served.send("GET", f"/sessions/{session}", token=fresh).status == 200
    assert served.send("GET", f"/sessions/{session}", token=token).status == 200


def test_the_checks_come_in_algorithm_1s_order(served: Served) -> None:
    """With everything wrong at once a request is told the first thing; each one mended tells the next."""
    session, token = seat(served)
    viewer = served.token(people(served.room)["viewer"])
    other, _ = seat(served)
    bad = {"raw": b"{", "headers": {"Assay-Client": "?"}}
    path = f"/sessions/{other}/answers/1"
    found = [served.send("PUT", path, token=each, **bad) for each in ("no", viewer, token)]
    assert [each.title for each in found] == ["Unauthorized", "Forbidden", "Session Invalid"]
    last = served.send("PUT", f"/sessions/{session}/answers/1", token=token, **bad)
    assert (last.status, last.title) == (422, "Invalid Input")


@pytest.mark.parametrize(
    ("sent", "status", "said"),
    [
        ({"raw": b'{"text": "\xff"}'}, 422, "body"),
        ({"raw": b'{"text": "\\ud800"}'}, 422, "body"),
        ({"raw": b'{"text": "a\\u0000b"}'}, 422, r"U\+0000"),
        ({"body": {"text": "a" * (MOST_CHARACTERS + 1)}}, 422, f"{MOST_CHARACTERS} characters"),
        ({"raw": b'{"text": "' + b"a" * MOST_BYTES + b'"}'}, 413, "longer than"),
        ({"raw": b'{"text": "a", "seconds": NaN}'}, 422, "seconds|body"),
        ({"raw": b'{"text": "a", "seconds": 1e999}'}, 422, "seconds"),
        ({"body": {"text": "a", "seconds": -1}}, 422, "seconds"),
        ({"body": {"text": "a", "prompt_tokens": "12"}}, 422, "prompt_tokens"),
        ({"body": {"text": "a", "prompt_tokens": 2**31}}, 422, "prompt_tokens"),
        ({"body": {"text": "a", "stars": 3}}, 422, "stars"),
        ({"body": {}}, 422, "text"),
        ({"body": [1]}, 422, "body"),
        ({"raw": b""}, 422, "body"),
        ({"raw": b"{}", "headers": {"Content-Type": "text/plain"}}, 415, "application/json"),
        ({"raw": b"{}", "headers": {"Content-Type": "application/json; charset=latin-1"}}, 415, "UTF-8"),
        ({"body": {"text": "a"}, "headers": {"Assay-Client": "short"}}, 422, "Assay-Client"),
        ({"body": {"text": "a"}, "headers": {"Assay-Client": "a" * 65}}, 422, "Assay-Client"),
    ],
)
def test_a_body_that_cannot_be_used_is_told(
    served: Served, sent: dict[str, Any], status: int, said: str
) -> None:
    """What is wrong with it and where; nothing is kept, and a good answer is taken afterwards."""
    import re

    session, token = seat(served)
    served.send("POST", f"/sessions/{session}/question", token=token)
    refused = served.send("PUT", f"/sessions/{session}/answers/1", token=token, **sent)
    assert refused.status == status
    assert re.search(said, refused.json["detail"])
    assert served.room.count("SELECT count(*) FROM answers") == 0
    assert served.send("PUT", f"/sessions/{session}/answers/1", {"text": "a"}, token=token).status == 200


def test_an_endless_body_is_cut_off(served: Served) -> None:
    """Chunks without a declared length are read no further than the limit."""
    session, token = seat(served)
    with socket.create_connection(("127.0.0.1", served.port), timeout=20) as line:
        head = (
            f"PUT /api/v1/sessions/{session}/answers/1 HTTP/1.1\r\nHost: x\r\n"
            f"Authorization: Bearer {token}\r\n"
            f"Assay-Client: {CLIENT}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        line.sendall(head.encode())
        chunk = b"10000\r\n" + b" " * 65536 + b"\r\n"
        with contextlib.suppress(ConnectionError):
            for _ in range(MOST_DRAINED // 65536 + 2):
                line.sendall(chunk)
        assert line.recv(4096).startswith(b"HTTP/1.1 413")


@pytest.mark.parametrize("position", ["0", "11", "x", "1.5", "-1", "%00", "9" * 40])
def test_a_position_that_is_not_there_is_not_found(served: Served, position: str) -> None:
    """Whatever stands there is no question of the session."""
    session, token = seat(served)
    served.send("POST", f"/sessions/{session}/question", token=token)
    refused = served.send("PUT", f"/sessions/{session}/answers/{position}", {"text": "a"}, token=token)
    assert (refused.status, refused.title) == (404, "Not Found")


@pytest.mark.parametrize(
    "session", ["nothing", "%00", "%F0%9F%A6%86", "A" * 36, "5b1c1c50-4c0f-4a8e-8f0b-2b9f2d1f7e11"]
)
def test_a_session_that_is_not_there_reads_like_anothers(served: Served, session: str) -> None:
    """Session Invalid, as for a session of somebody else."""
    _, token = seat(served)
    bobs = served.room.open(candidate=served.room.bob, now=time.time())
    unknown = served.send("POST", f"/sessions/{session}/question", token=token)
    others = served.send("POST", f"/sessions/{bobs}/question", token=token)
    assert (unknown.status, unknown.raw) == (others.status, others.raw)


def test_answers_twice_and_out_of_order_are_told(served: Served) -> None:
    """409 each, with what to do."""
    session, token = seat(served)
    path = f"/sessions/{session}/answers"
    early = served.send("PUT", f"{path}/1", {"text": "a"}, token=token)
    served.send("POST", f"/sessions/{session}/question", token=token)
    ahead = served.send("PUT", f"{path}/3", {"text": "a"}, token=token)
    served.send("PUT", f"{path}/1", {"text": "a"}, token=token)
    twice = served.send("PUT", f"{path}/1", {"text": "b"}, token=token)
    assert [each.status for each in (early, ahead, twice)] == [409] * 3
    assert "request question 1 first" in early.json["detail"]
    assert "answer question 1 first" in ahead.json["detail"]
    assert "cannot be changed" in twice.json["detail"]


def test_every_access_is_logged(served: Served) -> None:
    """Granted or refused, with user, time, session, method, path and status; but the health checks."""
    session, token = seat(served)
    served.send("POST", f"/sessions/{session}/question", token=token)
    served.send("GET", f"/sessions/{session}")
    served.send("GET", "/nowhere")
    served.send("PATCH", f"/sessions/{session}")
    served.send("GET", "/health")
    with served.room.engine.connect() as connection:
        rows = connection.exec_driver_sql(
            "SELECT user_id, session, method, status, told FROM access_log ORDER BY id"
        ).all()
    assert [tuple(row) for row in rows] == [
        (served.room.ada, session, "POST", 200, None),
        (None, session, "GET", 401, "Unauthorized"),
        (None, None, "GET", 404, None),
        (None, session, "PATCH", 405, None),
    ]
    assert served.room.count("SELECT count(*) FROM access_log WHERE at < 1e9") == 0


def test_an_address_longer_than_the_log_takes_is_cut_short(served: Served) -> None:
    """It is logged all the same."""
    assert served.send("GET", "/" + "a" * 5000).status == 404
    assert served.room.count("SELECT max(length(path)) FROM access_log") <= 200


def test_a_defect_tells_nothing_of_the_inside(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    """500 with one sentence; what went wrong stands in the service's own log."""
    session, token = seat(served)
    with served.room.engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE served RENAME TO served_away")
    refused = served.send("POST", f"/sessions/{session}/question", token=token)
    assert (refused.status, refused.title) == (500, "Internal Server Error")
    assert b"served" not in refused.raw
    assert "no such table" in caplog.text


def test_security_headers_are_on_everything(served: Served) -> None:
    """On problems, on pages that are not there, on data."""
    for path in ("/health", "/nowhere", "/openapi.json", "/sessions"):
        headers = served.send("GET", path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "server" not in headers


def test_no_other_origin_may_read(served: Served) -> None:
    """A browser's preflight is answered without any leave."""
    told = served.send("OPTIONS", "/sessions", headers={"Origin": "https://evil.example"})
    assert told.status == 405
    assert not [name for name in told.headers if name.startswith("access-control")]


@pytest.mark.slow
def test_ten_thousand_requests_at_once_from_one_candidate(served: Served) -> None:
    """Each gets the one question or is told to come again; the session stands as after a single request."""
    import asyncio

    import aiohttp

    session, token = seat(served)
    url = f"http://127.0.0.1:{served.port}/api/v1/sessions/{session}/question"
    headers = {"Authorization": f"Bearer {token}", "Assay-Client": CLIENT}

    async def flood() -> list[tuple[int, Any, str | None]]:
        connector = aiohttp.TCPConnector(limit=500)
        async with aiohttp.ClientSession(connector=connector, headers=headers) as http:

            async def one() -> tuple[int, Any, str | None]:
                async with http.post(url) as reply:
                    body = await reply.json(content_type=None)
                    return reply.status, body.get("position"), reply.headers.get("Retry-After")

            return await asyncio.gather(*[one() for _ in range(10_000)])

    found = asyncio.run(flood())
    assert {each[:2] for each in found if each[0] == 200} == {(200, 1)}
    assert all(each[2] is not None for each in found if each[0] == 503)
    assert {each[0] for each in found} <= {200, 503}
    assert served.room.count("SELECT count(*) FROM served") == 1
    assert served.room.count("SELECT pending FROM sessions") == 1
    logged = served.room.count("SELECT count(*) FROM access_log WHERE status = 200")
    assert logged == sum(each[0] == 200 for each in found)
