"""A small load client for the exam service, with one keep-alive connection for each candidate."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import orjson

SENTENCE = (
    "the flow of goods between two ports rises while its price at the second port falls because a third one "
    "opened which of the accounts below is the better one and why"
)


@dataclass(frozen=True, slots=True)
class Seat:
    """A candidate with a session and a token."""

    session: str
    token: str


class Line:
    """One keep-alive HTTP connection with a minimal client."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def send(self, head: bytes, body: bytes) -> tuple[int, bytes]:
        """Send a request and return status and body. Raises OSError or EOFError if the connection breaks."""
        if self._writer is None or self._reader is None:
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        self._writer.write(b"%bContent-Length: %d\r\n\r\n%b" % (head, len(body), body))
        told = await self._reader.readuntil(b"\r\n\r\n")
        at = told.lower().index(b"content-length:") + 15
        length = int(told[at : told.index(b"\r\n", at)])
        return int(told[9:12]), await self._reader.readexactly(length)

    def close(self) -> None:
        """Close the connection."""
        if self._writer is not None:
            self._writer.transport.abort()
            self._writer = self._reader = None


def answer_body(position: int) -> bytes:
    """Return an answer of about 40 words."""
    text = f"Answer {position}: the second account, since {SENTENCE}"
    return orjson.dumps({"text": text, "prompt_tokens": 120, "completion_tokens": 44, "seconds": 1.5})


class Candidate:
    """A client that takes one session, question by question."""

    def __init__(self, port: int, seat: Seat) -> None:
        self.line = Line(port)
        self.seat = seat
        shared = (
            f"Host: 127.0.0.1\r\nAuthorization: Bearer {seat.token}\r\n"
            f"Assay-Client: benchmark-{seat.session}\r\nContent-Type: application/json\r\n"
        )
        self._shared = shared.encode()
        self._ask = f"POST /api/v1/sessions/{seat.session}/question HTTP/1.1\r\n{shared}".encode()

    async def ask(self) -> tuple[int, bytes]:
        """Ask for a question."""
        return await self.line.send(self._ask, b"")

    async def answer(self, position: int, body: bytes) -> tuple[int, bytes]:
        """Submit an answer."""
        head = f"PUT /api/v1/sessions/{self.seat.session}/answers/{position} HTTP/1.1\r\n".encode()
        return await self.line.send(head + self._shared, body)
