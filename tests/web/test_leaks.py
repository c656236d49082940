"""No reply and no log entry contains a key, an explanation or a judge's rationale."""

from __future__ import annotations

import base64
import itertools
import json
import os
import secrets
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from banked import SEALER, fill
from command_line import SCRIPT
from exam_room import SUBJECTS, Room, add_organisation, add_user
from exam_server import CLIENT, Reply, Served, people
from sqlalchemy import insert, text

from assay.core.exam import EXAM_JUDGE
from assay.core.question import Question, QuestionKind, QuestionState
from assay.core.sealed import AnswerKey, mark_about
from assay.exam.keys import Keyring
from assay.exam.series import NewSeries, make_series
from assay.files.sealing import KEY_ENV
from assay.store.engine import open_database, writing
from assay.store.schema_exam import exam_marks

JUDGE = EXAM_JUDGE
METHODS = ("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE")
BODIES: tuple[bytes | None, ...] = (
    None,
    b"{}",
    b'{"text": "A"}',
    b'{"text": "A", "key": true, "explain": true}',
    b"\xff\xfe{",
    b'{"candidate": "5b1c1c50-4c0f-4a8e-8f0b-2b9f2d1f7e11", "model": "a/b", "n": 10}',
    b'{"user_id": "5b1c1c50-4c0f-4a8e-8f0b-2b9f2d1f7e11", "secret": "x"}',
)
QUERIES = ("", "?with_keys=1&explain=true&debug=1", "?limit=1&state=finished", "?after=%00")


@dataclass
class Planted:
    """A service whose keys and rationales are nonces, with all bytes that it sent."""

    served: Served
    nonces: list[str]
    sealed: list[bytes]
    received: list[bytes] = field(default_factory=list)

    def send(self, method: str, path: str, **more: Any) -> Reply:
        """Send a request and keep every byte of the reply."""
        reply = self.served.send(method, path, **more)
        self.received.append(b"\n".join([json.dumps(reply.headers).encode(), reply.raw]))
        return reply


def nonce() -> str:
    """Return a unique text."""
    return f"nonce{secrets.token_hex(20)}"


def plant(room_engine: Any) -> tuple[list[str], list[bytes]]:
    """Fill a bank; each key and each explanation is a nonce."""
    nonces, items = [], []
    for number, subject in enumerate(SUBJECTS * 4):
        answer, explanation = nonce(), nonce()
        nonces += [answer, explanation]
        question = Question(
            f"00000000-0000-4000-8000-{number:012}",
            QuestionKind.SHORT_ANSWER,
            f"What is meant by the {number}th term of {subject}?",
            subject,
        )
        items.append((question, AnswerKey((answer,), explanation)))
    fill(room_engine, items, state=QuestionState.ACCEPTED)
    with room_engine.connect() as connection:
        sealed = [bytes(row) for row in connection.execute(text("SELECT key FROM questions")).scalars()]
    return nonces, sealed


def mark(planted: Planted, session: str) -> None:
    """Give each answer of a session three stars, with a nonce as rationale."""
    rows = []
    for position in range(1, 11):
        words = nonce()
        planted.nonces.append(words)
        sealed = SEALER.seal(words, mark_about(session, position, JUDGE))
        planted.sealed.append(sealed)
        rows.append(
            {
                "session": session,
                "position": position,
                "judge": JUDGE,
                "stars": 3,
                "rationale": sealed,
                "reply": sealed,
                "prompt": "1",
                "marked_at": time.time(),
            }
        )
    with writing(planted.served.room.engine) as connection:
        connection.execute(insert(exam_marks), rows)


@pytest.fixture
def planted(tmp_path: Path) -> Iterator[tuple[Planted, Path]]:
    """The real command in its own process, with its output in a file."""
    database, log = tmp_path / "assay.db", tmp_path / "log"
    engine = open_database(str(database))
    nonces, sealed = plant(engine)
    organisation = add_organisation(engine, "Lovelace Labs")
    ada, bob = (add_user(engine, organisation, name) for name in ("ada", "bob"))
    made = Room(engine, organisation, ada, bob)
    Keyring(engine, SEALER).signing(now=time.time())
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    key = base64.urlsafe_b64encode(bytes(range(32))).decode()
    with log.open("wb") as written:
        process = subprocess.Popen(
            [SCRIPT, "--database", str(database), "serve", "--port", str(port)],
            cwd=tmp_path,
            env={**os.environ, KEY_ENV: key},
            stdout=written,
            stderr=subprocess.STDOUT,
        )
        try:
            wait(port)
            yield Planted(Served(made, port), nonces, sealed), log
        finally:
            process.terminate()
            process.wait()
            engine.dispose()


def wait(port: int) -> None:
    """Wait until the service responds."""
    for _ in range(3000):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/health", timeout=10).close()
        except OSError:
            time.sleep(0.02)
        else:
            return
    raise AssertionError("the service did not start")


def sit(planted: Planted, candidate: str) -> str:
    """Answer all questions of a new session and return its id."""
    room = planted.served.room
    session = room.open(10, candidate=candidate, now=time.time(), series="spring")
    token = planted.served.token(candidate, session)
    for position in range(1, 11):
        assert planted.send("POST", f"/sessions/{session}/question", token=token).status == 200
        body = {"text": f"My answer to {position}", "completion_tokens": 5}
        path = f"/sessions/{session}/answers/{position}"
        assert planted.send("PUT", path, body=body, token=token).status == 200
    return session


def paths(document: dict[str, Any], sessions: list[str]) -> list[str]:
    """Return all addresses of the description, with the sessions and some positions filled in."""
    addresses = {"", "/", "/keys", "/questions", "/bank", "/marks", "/docs", "/redoc", "/../../etc/passwd"}
    for path in document["paths"]:
        relative = path.removeprefix("/api/v1")
        for session, position in itertools.product(sessions, ("1", "10", "0")):
            for name in ("{session}", "{question}", "{code}"):
                filled = relative.replace("{position}", position).replace(name, session)
                if "{" not in filled:
                    addresses.add(filled)
    return sorted(addresses)


def forms(secret: bytes) -> Iterator[bytes]:
    """Yield the forms of a secret in a reply: plain, reversed, hexadecimal, base64 at each alignment."""
    yield from (secret, secret[::-1], secret.hex().encode(), secret.hex().upper().encode())
    for start in range(3):
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            # Complete groups of three bytes have the same code at every position.
            yield encode(secret[start : start + 3 * ((len(secret) - start) // 3)])


@pytest.mark.slow
def test_no_key_is_served(planted: tuple[Planted, Path]) -> None:
    """For all addresses, methods, roles and bodies: headers, bodies and the log have no secret."""
    service, log = planted
    room = service.served.room
    users = people(room)
    new = NewSeries("spring", "Lovelace Labs/simulated/steady", 10, hours=1.0)
    make_series(room.engine, new, now=time.time(), by="op")
    finished = [sit(service, room.ada) for _ in range(3)]
    for session in finished:
        mark(service, session)
    pending = room.open(10, candidate=room.bob, now=time.time())
    tokens: dict[str, str | None] = {
        "stranger": None,
        "forger": "e30.e30.e30",
        "candidate": service.served.token(room.bob, pending),
    }
    for role in ("examiner", "admin", "viewer", "examiner elsewhere"):
        tokens[role] = service.served.token(users[role])
    document = service.send("GET", "/openapi.json").json
    addresses = paths(document, [*finished[:1], pending, "5b1c1c50-4c0f-4a8e-8f0b-2b9f2d1f7e11"])
    statuses = set()
    for (name, token), path, method in itertools.product(tokens.items(), addresses, METHODS):
        if (name, method, path) == ("candidate", "DELETE", "/tokens/current"):
            continue
        if method == "POST" and path == "/tokens" and name != "stranger":
            continue
        many = method in ("POST", "PUT") and name in ("candidate", "examiner", "stranger")
        bodies = BODIES if many else (None,)
        for body in bodies:
            reply = service.send(method, path, token=token, raw=body, headers={"Assay-Client": CLIENT})
            statuses.add(reply.status)
        if method == "GET":
            for query in QUERIES[1:]:
                service.send(method, path + query, token=token)
    results = service.send("GET", "/results", token=service.served.token(users["viewer"]))
    assert results.json["series"][0]["results"], "no result was published, so the marks were not read"
    assert {200, 401, 403, 404, 405, 409, 415, 422} <= statuses
    assert 500 not in statuses
    output = b"\n".join(service.received) + log.read_bytes()
    assert b"My answer to" not in output
    leaked = [
        secret
        for secret in [*(nonce.encode() for nonce in service.nonces), *service.sealed]
        if any(form in output for form in forms(secret))
    ]
    assert leaked == []


def test_the_search_finds_a_secret_in_every_form() -> None:
    """A nonce inside another text is found after encoding."""
    secret = nonce().encode()
    for wrapped in (b"xy" + secret + b"z", b"x" + secret, secret):
        for encode in (bytes, base64.b16encode, base64.b64encode, base64.urlsafe_b64encode):
            assert any(form in encode(wrapped) for form in forms(secret))
