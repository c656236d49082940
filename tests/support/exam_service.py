"""A small exam service over real HTTP: the contract of the examiner's interface, with faults to order."""

from __future__ import annotations

import hashlib
import uuid
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import orjson
from aiohttp import web
from in_thread import in_thread

from assay.providers.served import serving

SESSION = "3f0c7a52-0000-4000-8000-000000000001"
USER = "candidate-1"
SECRET = "nonce-secret-6b1f0d"


@dataclass
class ExamService:
    """One session of a candidate. Positions count from 1.

    `unavailable` and `expire` are numbers of requests to answer so; `lose` holds the positions whose reply
    is lost after the answer was kept; `held` requests are refused as another client's.
    """

    questions: list[str]
    most_characters: int = 2000
    unavailable: int = 0
    expire: int = 0
    held: int = 0
    lose: set[int] = field(default_factory=set)
    state: str = "open"
    over_after: int | None = None
    address: str = ""
    answers: dict[int, dict[str, Any]] = field(default_factory=dict)
    puts: Counter[int] = field(default_factory=Counter)
    tokens: set[str] = field(default_factory=set)
    revoked: int = 0
    clients: set[str] = field(default_factory=set)
    served: deque[int] = field(default_factory=deque)

    @property
    def completed(self) -> int:
        """How many questions are answered."""
        return len(self.answers)

    def application(self) -> web.Application:
        """Return the web application."""
        app = web.Application(middlewares=[self._guard])
        app.router.add_post("/api/v1/tokens", self._sign)
        app.router.add_delete("/api/v1/tokens/current", self._revoke)
        app.router.add_get("/api/v1/sessions/{session}", self._standing)
        app.router.add_post("/api/v1/sessions/{session}/question", self._question)
        app.router.add_put("/api/v1/sessions/{session}/answers/{position}", self._answer)
        return app

    @web.middleware
    async def _guard(self, request: web.Request, handler: Any) -> web.StreamResponse:
        if self.unavailable > 0:
            self.unavailable -= 1
            return _problem(503, "Service Unavailable")
        if not request.path.endswith("/tokens"):
            token = request.headers.get("Authorization", "").removeprefix("Bearer ")
            if token not in self.tokens:
                return _problem(401, "Unauthorized")
            if self.expire > 0:
                self.expire -= 1
                self.tokens.discard(token)
                return _problem(401, "Token Expired", f"the token {token} has expired")
            if "session" in request.match_info and request.match_info["session"] != SESSION:
                return _problem(403, "Session Invalid")
            if request.method != "GET" and "session" in request.match_info:
                self.clients.add(request.headers["Assay-Client"])
                if self.held > 0:
                    self.held -= 1
                    return _problem(403, "Session Invalid")
                if self.state not in ("open", "finished"):
                    return _problem(403, "Session Invalid")
        found: web.StreamResponse = await handler(request)
        return found

    async def _sign(self, request: web.Request) -> web.Response:
        given = await request.json()
        if (given["user_id"], given["secret"]) != (USER, SECRET):
            return _problem(401, "Unauthorized")
        token = f"token-{uuid.uuid4().hex}"
        self.tokens.add(token)
        return web.json_response({"token": token, "expires_at": "2026-11-22T12:00:00Z"})

    async def _revoke(self, request: web.Request) -> web.Response:
        self.tokens.discard(request.headers["Authorization"].removeprefix("Bearer "))
        self.revoked += 1
        return web.Response(status=204)

    async def _standing(self, request: web.Request) -> web.Response:
        quota = len(self.questions)
        return web.json_response(
            {
                "state": self.state,
                "quota": quota,
                "allocated": quota - self.completed,
                "pending": 0,
                "completed": self.completed,
                "deadline": "2026-11-23T12:00:00Z",
            }
        )

    async def _question(self, request: web.Request) -> web.Response:
        if self.over_after == self.completed:
            self.state = "expired"
            return _problem(403, "Session Invalid")
        if self.completed == len(self.questions):
            return _problem(409, "Conflict", "all questions are done")
        position = self.completed + 1
        self.served.append(position)
        return web.json_response(
            {
                "position": position,
                "of": len(self.questions),
                "messages": [{"role": "user", "content": self.questions[position - 1]}],
                "max_answer_characters": self.most_characters,
                "seconds_left": 600.0,
            }
        )

    async def _answer(self, request: web.Request) -> web.Response:
        position, raw = int(request.match_info["position"]), await request.read()
        self.puts[position] += 1
        body = orjson.loads(raw)
        kept = self.answers.get(position)
        if kept is not None and kept != body:
            return _problem(409, "Conflict", "another answer was given")
        if kept is None and position != self.completed + 1:
            return _problem(409, "Conflict", "that question is not pending")
        if len(body["text"]) > self.most_characters:
            return _problem(422, "Unprocessable", "the answer is too long")
        self.answers[position] = body
        if self.completed == len(self.questions):
            self.state = "finished"
        if position in self.lose:
            self.lose.discard(position)
            assert request.transport is not None
            request.transport.abort()
        receipt = hashlib.sha256(raw).hexdigest()[:32]
        return web.json_response(
            {
                "receipt": receipt,
                "position": position,
                "status": "answered",
                "received_at": "2026-11-22T12:00:00Z",
            }
        )


def _problem(status: int, title: str, detail: str = "") -> web.Response:
    body = {"type": "about:blank", "title": title, "status": status, "detail": detail}
    return web.json_response(body, status=status, content_type="application/problem+json")


@contextmanager
def examining(service: ExamService) -> Iterator[ExamService]:
    """Serve a session on a free port from a thread of its own until the end of the block."""
    with in_thread(serving(service.application(), 0)) as service.address:
        yield service
