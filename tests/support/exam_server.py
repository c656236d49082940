"""A real exam server in a thread, with people of every role and tokens, and a plain client for it."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from banked import SEALER
from exam_room import Room, add_organisation, add_user

from assay.exam.issuing import issue
from assay.exam.keys import Keyring
from assay.web.app import create_app
from assay.web.serving import serving_here

CLIENT = "a-client-for-tests"


@dataclass(frozen=True, slots=True)
class Reply:
    """What the server sent."""

    status: int
    headers: dict[str, str]
    raw: bytes

    @property
    def json(self) -> Any:
        """The body as a document."""
        return json.loads(self.raw)

    @property
    def title(self) -> str:
        """The title of a problem."""
        assert self.headers["content-type"] == "application/problem+json"
        return str(self.json["title"])


@dataclass
class Served:
    """A server with its room."""

    room: Room
    port: int
    tokens: dict[str, str] = field(default_factory=dict)

    def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        token: str | None = None,
        headers: Mapping[str, str] | None = None,
        raw: bytes | None = None,
    ) -> Reply:
        """Send one request over a connection of its own. `path` follows /api/v1."""
        sent = {"Assay-Client": CLIENT, **(headers or {})}
        if token is not None:
            sent["Authorization"] = f"Bearer {token}"
        if body is not None:
            raw = json.dumps(body).encode()
        if raw is not None:
            sent.setdefault("Content-Type", "application/json")
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, f"/api/v1{path}", raw, sent)
            reply = connection.getresponse()
            named = {name.lower(): value for name, value in reply.getheaders()}
            return Reply(reply.status, named, reply.read())
        finally:
            connection.close()

    def token(self, user: str, session: str | None = None, life: float = 3600.0) -> str:
        """Return a fresh token for a user."""
        keyring = Keyring(self.room.engine, SEALER)
        return issue(self.room.engine, keyring, user, session, now=time.time(), life=life).token


@contextmanager
def serving(
    room: Room,
    *,
    clock: Callable[[], float] = time.time,
    most_waiting: int = 2048,
    access_log_days: float = 180,
) -> Iterator[Served]:
    """Serve a room's exams on a free port until the end of the block."""
    Keyring(room.engine, SEALER).signing(now=time.time())
    app = create_app(
        room.engine, SEALER, clock=clock, most_waiting=most_waiting, access_log_days=access_log_days
    )
    with serving_here(app) as port:
        yield Served(room, port)


def people(room: Room) -> dict[str, str]:
    """Add a user of every other role, and one of another organisation; return their ids by role."""
    other = add_organisation(room.engine, "Elsewhere")
    return {
        "examiner": add_user(room.engine, room.organisation, "emma", "examiner"),
        "admin": add_user(room.engine, room.organisation, "alan", "admin"),
        "viewer": add_user(room.engine, room.organisation, "vera", "viewer"),
        "candidate elsewhere": add_user(room.engine, other, "eve"),
        "examiner elsewhere": add_user(room.engine, other, "egon", "examiner"),
    }
