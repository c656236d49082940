"""Sitting over HTTP: refusals with their order and titles, bodies, and the access log."""

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
    """Return the claims of a token, without verification."""
    import base64

    middle = token.split(".")[1]
    payload: dict[str, Any] = json.loads(base64.urlsafe_b64decode(middle + "=" * (-len(middle) % 4)))
    return payload


def test_an_exam_can_be_sat(served: Served) -> None:
    """Ten questions are requested and answered one by one; then the session is finished."""
    session, token = seat(served)
    for position in range(1, 11):
        question = served.send("POST", f"/sessions/{session}/question", token=token)
        assert (question.status, question.json["position"], question.json["of"]) == (200, position, 10)
        receipt = served.send("PUT", f"/sessions/{session}/answers/{position}", {"text": "True"}, token=token)
        assert (receipt.status, receipt.json["status"]) == (200, "answered")
    done = served.send("POST", f"/sessions/{session}/question", token=token)
    assert (done.status, done.title) == (409, "Conflict")
    assert served.send("GET", f"/sessions/{session}", token=token).json["state"] == "finished"


def test_a_repeated_request_gets_the_same_reply(served: Served) -> None:
    """Question and receipt are the same, except for the time left."""
    session, token = seat(served)
    questions = [served.send("POST", f"/sessions/{session}/question", token=token).json for _ in range(2)]
    assert {**questions[0], "seconds_left": 0} == {**questions[1], "seconds_left": 0}
    answer = {"text": "True", "prompt_tokens": 3, "seconds": 1.5, "finish_reason": "stop"}
    first, second = (
        served.send("PUT", f"/sessions/{session}/answers/1", answer, token=token).raw for _ in range(2)
    )
    assert first == second


@pytest.mark.parametrize(
    ("tamper", "title"),
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
def test_an_invalid_token_is_unauthorized(served: Served, tamper: Any, title: str) -> None:
    """A changed, unsigned, forged or missing token gets 401, and no question is served."""
    session, token = seat(served)
    refused = served.send("POST", f"/sessions/{session}/question", token=tamper(token))
    assert (refused.status, refused.title) == (401, title)
    assert refused.headers["www-authenticate"] == "Bearer"
    assert served.room.count("SELECT count(*) FROM served") == 0


def test_an_expired_token_has_its_own_title(served: Served) -> None:
    """The title is Token Expired, and the access log has the user."""
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
    """A candidate's token is for one session only."""
    session, _ = seat(served)
    _, token = seat(served)
    refused = served.send("POST", f"/sessions/{session}/question", token=token)
    assert (refused.status, refused.title) == (403, "Session Invalid")


def test_a_token_used_by_a_second_client_is_refused(served: Served) -> None:
    """The second client gets Session Invalid and the seconds to wait."""
    session, token = seat(served)
    served.send("POST", f"/sessions/{session}/question", token=token)
    thief = served.send(
        "POST",
        f"/sessions/{session}/question",
        token=token,
        headers={"Assay-Client": "another-clients-name"},
    )
    assert (thief.status, thief.title) == (403, "Session Invalid")
    assert 1 <= int(thief.headers["retry-after"]) <= 60


def test_a_revoked_token_stops_at_once(served: Served) -> None:
    """The next request is refused, also after the signing key is withdrawn."""
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


def test_a_new_signing_key_works_at_once(served: Served) -> None:
    """Tokens of a key that was made after the start of the service are accepted, and old ones too."""
    session, token = seat(served)
    rotate(served.room.engine, SEALER, now=time.time())
    new = served.token(served.room.ada, session)
    assert served.send("GET", f"/sessions/{session}", token=new).status == 200
    assert served.send("GET", f"/sessions/{session}", token=token).status == 200


def test_checks_are_in_the_order_of_algorithm_1(served: Served) -> None:
    """A request with several errors is refused for the first one."""
    session, token = seat(served)
    viewer = served.token(people(served.room)["viewer"])
    other, _ = seat(served)
    bad = {"raw": b"{", "headers": {"Assay-Client": "?"}}
    path = f"/sessions/{other}/answers/1"
    refusals = [served.send("PUT", path, token=bearer, **bad) for bearer in ("no", viewer, token)]
    assert [refusal.title for refusal in refusals] == ["Unauthorized", "Forbidden", "Session Invalid"]
    last = served.send("PUT", f"/sessions/{session}/answers/1", token=token, **bad)
    assert (last.status, last.title) == (422, "Invalid Input")


@pytest.mark.parametrize(
    ("options", "status", "detail"),
    [
        ({"raw": b'{"text": "\xff"}'}, 422, "invalid JSON"),
        ({"raw": b'{"text": "\\ud800"}'}, 422, "invalid JSON"),
        ({"raw": b'{"text": "a\\u0000b"}'}, 422, r"U\+0000"),
        ({"body": {"text": "a" * (MOST_CHARACTERS + 1)}}, 422, f"{MOST_CHARACTERS} characters"),
        ({"raw": b'{"text": "' + b"a" * MOST_BYTES + b'"}'}, 413, "longer than"),
        ({"raw": b'{"text": "a", "seconds": NaN}'}, 422, "seconds|invalid JSON"),
        ({"raw": b'{"text": "a", "seconds": 1e999}'}, 422, "seconds"),
        ({"body": {"text": "a", "seconds": -1}}, 422, "seconds"),
        ({"body": {"text": "a", "prompt_tokens": "12"}}, 422, "prompt_tokens"),
        ({"body": {"text": "a", "prompt_tokens": 2**31}}, 422, "prompt_tokens"),
        ({"body": {"text": "a", "stars": 3}}, 422, "stars"),
        ({"body": {}}, 422, "text"),
        ({"body": [1]}, 422, "write a mapping"),
        ({"raw": b""}, 422, "invalid JSON"),
        ({"raw": b"{}", "headers": {"Content-Type": "text/plain"}}, 415, "application/json"),
        ({"raw": b"{}", "headers": {"Content-Type": "application/json; charset=latin-1"}}, 415, "UTF-8"),
        ({"body": {"text": "a"}, "headers": {"Assay-Client": "short"}}, 422, "Assay-Client"),
        ({"body": {"text": "a"}, "headers": {"Assay-Client": "a" * 65}}, 422, "Assay-Client"),
    ],
)
def test_an_invalid_body_is_refused(
    served: Served, options: dict[str, Any], status: int, detail: str
) -> None:
    """The detail says what is wrong; nothing is stored, and a valid answer is accepted afterwards."""
    import re

    session, token = seat(served)
    served.send("POST", f"/sessions/{session}/question", token=token)
    refused = served.send("PUT", f"/sessions/{session}/answers/1", token=token, **options)
    assert refused.status == status
    assert re.search(detail, refused.json["detail"])
    assert served.room.count("SELECT count(*) FROM answers") == 0
    assert served.send("PUT", f"/sessions/{session}/answers/1", {"text": "a"}, token=token).status == 200


def test_an_endless_body_is_cut_off(served: Served) -> None:
    """Chunks without a declared length are read only up to the limit."""
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
def test_an_unknown_position_is_not_found(served: Served, position: str) -> None:
    """The session has no question at this position."""
    session, token = seat(served)
    served.send("POST", f"/sessions/{session}/question", token=token)
    refused = served.send("PUT", f"/sessions/{session}/answers/{position}", {"text": "a"}, token=token)
    assert (refused.status, refused.title) == (404, "Not Found")


@pytest.mark.parametrize(
    "session", ["nothing", "%00", "%F0%9F%A6%86", "A" * 36, "5b1c1c50-4c0f-4a8e-8f0b-2b9f2d1f7e11"]
)
def test_an_unknown_session_gets_the_reply_of_another_users_session(served: Served, session: str) -> None:
    """The title is Session Invalid for both."""
    _, token = seat(served)
    bobs = served.room.open(candidate=served.room.bob, now=time.time())
    unknown = served.send("POST", f"/sessions/{session}/question", token=token)
    others = served.send("POST", f"/sessions/{bobs}/question", token=token)
    assert (unknown.status, unknown.raw) == (others.status, others.raw)


def test_changed_and_early_answers_are_conflicts(served: Served) -> None:
    """The detail says what to do."""
    session, token = seat(served)
    path = f"/sessions/{session}/answers"
    early = served.send("PUT", f"{path}/1", {"text": "a"}, token=token)
    served.send("POST", f"/sessions/{session}/question", token=token)
    ahead = served.send("PUT", f"{path}/3", {"text": "a"}, token=token)
    served.send("PUT", f"{path}/1", {"text": "a"}, token=token)
    twice = served.send("PUT", f"{path}/1", {"text": "b"}, token=token)
    assert [reply.status for reply in (early, ahead, twice)] == [409] * 3
    assert "request question 1 first" in early.json["detail"]
    assert "answer question 1 first" in ahead.json["detail"]
    assert "cannot be changed" in twice.json["detail"]


def test_every_access_is_logged(served: Served) -> None:
    """Allowed and refused requests are logged, except health checks."""
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


def test_a_long_address_is_cut_in_the_log(served: Served) -> None:
    """The entry has at most 200 characters of it."""
    assert served.send("GET", "/" + "a" * 5000).status == 404
    assert served.room.count("SELECT max(length(path)) FROM access_log") <= 200


def test_a_defect_is_reported_without_details(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    """The reply is 500 with one sentence; the cause is in the service's own log."""
    session, token = seat(served)
    with served.room.engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE served RENAME TO served_away")
    refused = served.send("POST", f"/sessions/{session}/question", token=token)
    assert (refused.status, refused.title) == (500, "Internal Server Error")
    assert b"served" not in refused.raw
    assert "no such table" in caplog.text


def test_security_headers_are_on_everything(served: Served) -> None:
    """On data, problems and missing pages."""
    for path in ("/health", "/nowhere", "/openapi.json", "/sessions"):
        headers = served.send("GET", path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "server" not in headers


def test_other_origins_are_not_allowed(served: Served) -> None:
    """A browser's preflight request gets no permission."""
    reply = served.send("OPTIONS", "/sessions", headers={"Origin": "https://evil.example"})
    assert reply.status == 405
    assert not [name for name in reply.headers if name.startswith("access-control")]


@pytest.mark.slow
def test_ten_thousand_requests_at_once_from_one_candidate(served: Served) -> None:
    """Each gets the same question or 503; the session is in the state of a single request."""
    import asyncio

    import aiohttp

    session, token = seat(served)
    url = f"http://127.0.0.1:{served.port}/api/v1/sessions/{session}/question"
    headers = {"Authorization": f"Bearer {token}", "Assay-Client": CLIENT}

    async def flood() -> list[tuple[int, Any, str | None]]:
        connector = aiohttp.TCPConnector(limit=500)
        async with aiohttp.ClientSession(connector=connector, headers=headers) as http:

            async def request_question() -> tuple[int, Any, str | None]:
                async with http.post(url) as reply:
                    body = await reply.json(content_type=None)
                    return reply.status, body.get("position"), reply.headers.get("Retry-After")

            return await asyncio.gather(*[request_question() for _ in range(10_000)])

    replies = asyncio.run(flood())
    assert {(status, position) for status, position, _ in replies if status == 200} == {(200, 1)}
    assert all(after is not None for status, _, after in replies if status == 503)
    assert {status for status, *_ in replies} <= {200, 503}
    assert served.room.count("SELECT count(*) FROM served") == 1
    assert served.room.count("SELECT pending FROM sessions") == 1
    logged = served.room.count("SELECT count(*) FROM access_log WHERE status = 200")
    assert logged == sum(status == 200 for status, *_ in replies)
