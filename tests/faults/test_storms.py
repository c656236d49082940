"""Upstreams that refuse, break off, dawdle and talk nonsense: runs complete and statuses are right."""

from __future__ import annotations

import asyncio
import base64
import random
import zlib
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
from small_suite import make_suite
from sqlalchemy import Engine
from upstream import Upstream, chat, serving

from assay.core.model import Provider
from assay.core.suite import Suite
from assay.results.runs import RunOutcome
from assay.runs.conduct import RunContext, conduct
from assay.runs.plan import stored_plan
from assay.sandbox.choose import open_sandbox
from assay.store.runs import StoredRun
from assay.store.samples import StoredSample, read_samples

Behaviour = Callable[[int, asyncio.StreamWriter], Awaitable[None]]
OK = orjson.dumps(chat("right"))


def http(body: bytes, status: str = "200 OK", *headers: str, length: int | None = None) -> bytes:
    """Return the bytes of an HTTP reply; `length` lies about the body's."""
    stated = len(body) if length is None else length
    lines = [f"HTTP/1.1 {status}", "Content-Type: application/json", f"Content-Length: {stated}", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body


class RawServer:
    """Speaks bytes: `behave` writes what it likes, then the line is cut.

    It is told how many times (from 0) the same request came before.
    """

    def __init__(self, behave: Behaviour) -> None:
        self._asked: Counter[bytes] = Counter()
        self._behave = behave

    @property
    def requests(self) -> int:
        """How many requests came."""
        return self._asked.total()

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Read one request and misbehave."""
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(
            int(line.split(b":")[1])
            for line in head.split(b"\r\n")
            if line.lower().startswith(b"content-length")
        )
        body = await reader.readexactly(length)
        number, self._asked[body] = self._asked[body], self._asked[body] + 1
        try:
            await self._behave(number, writer)
            await writer.drain()
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()


@pytest.fixture
def run_of(sqlite: Engine, store_run: Callable[..., StoredRun]) -> Callable[[int], tuple[StoredRun, Suite]]:
    """Stores a run of a suite with so many cases."""

    def make(cases: int) -> tuple[StoredRun, Suite]:
        suite = make_suite(use_cases=1, cases=cases)
        return store_run(sqlite, suite), suite

    return make


class Storm:
    """A stored run executed against servers that misbehave."""

    def __init__(self, engine: Engine, run: StoredRun, suite: Suite) -> None:
        self.engine, self.run = engine, run
        self.environment: dict[str, str] = {}
        self.plan = stored_plan(suite, [model for _, model in run.models], run.plan)

    async def execute(self, address: str, **provider: Any) -> RunOutcome:
        """Execute the run."""
        options = {"attempts": 3, "timeout": 5.0, "concurrency": 8, **provider}
        setting = RunContext(
            self.engine,
            {"test": Provider("test", address, **options)},
            self.environment,
            rng=random.Random(0),
            sandbox=lambda: open_sandbox(()),
        )
        return await conduct(setting, self.run, self.plan)

    def raw(self, behave: Behaviour, **provider: Any) -> tuple[RunOutcome, RawServer]:
        """Execute the run against a server of bytes."""
        server = RawServer(behave)

        async def main() -> RunOutcome:
            served = await asyncio.start_server(server, "127.0.0.1", 0)
            async with served:
                port = served.sockets[0].getsockname()[1]
                return await self.execute(f"http://127.0.0.1:{port}/v1", **provider)

        return asyncio.run(main()), server

    def scripted(self, answer: Callable[[str, int], Any], **provider: Any) -> tuple[RunOutcome, Upstream]:
        """Execute the run against a scripted upstream."""
        upstream = Upstream(answer)

        async def main() -> RunOutcome:
            async with serving(upstream):
                return await self.execute(upstream.address, **provider)

        return asyncio.run(main()), upstream

    def samples(self) -> list[StoredSample]:
        """Return the stored samples."""
        return list(read_samples(self.engine, self.run.id))

    def errors(self) -> Counter[str | None]:
        """Return the kinds of error that the last attempts ended in, counted."""
        return Counter(sample.calls[-1].error for sample in self.samples())


@pytest.fixture
def storm(sqlite: Engine, run_of: Callable[[int], tuple[StoredRun, Suite]]) -> Storm:
    """A run of twelve cases."""
    return Storm(sqlite, *run_of(12))


async def reset(number: int, writer: asyncio.StreamWriter) -> None:
    """Cut the line without a word."""
    transport = writer.transport
    assert isinstance(transport, asyncio.Transport)
    transport.abort()


async def reset_in_body(number: int, writer: asyncio.StreamWriter) -> None:
    """Promise a body, send half of it, and cut the line."""
    writer.write(http(OK[: len(OK) // 2], length=len(OK)))
    await writer.drain()
    await asyncio.sleep(0.02)
    await reset(number, writer)


async def garbage(number: int, writer: asyncio.StreamWriter) -> None:
    """Send what is no HTTP at all."""
    writer.write(random.Random(number).randbytes(500))


async def no_json(number: int, writer: asyncio.StreamWriter) -> None:
    """Send an HTTP 200 with bytes that are neither text nor JSON."""
    writer.write(http(b"\xff\xfe\x00{garbage" * 20, "200 OK", "Connection: close"))


async def wrong_encoding(number: int, writer: asyncio.StreamWriter) -> None:
    """Claim gzip and send none."""
    writer.write(http(OK, "200 OK", "Content-Encoding: gzip", "Connection: close"))


async def unknown_encoding(number: int, writer: asyncio.StreamWriter) -> None:
    """Claim an encoding that was not asked for."""
    writer.write(http(OK, "200 OK", "Content-Encoding: br", "Connection: close"))


async def huge_headers(number: int, writer: asyncio.StreamWriter) -> None:
    """Send a header of 100 kB."""
    writer.write(http(OK, "200 OK", "X-Long: " + "x" * 100_000, "Connection: close"))


FREE = [reset, reset_in_body, garbage, wrong_encoding, unknown_encoding, huge_headers]
BROKEN = [*FREE, no_json]


@pytest.mark.slow
def test_a_success_without_json_is_tried_again_once(storm: Storm) -> None:
    """It was probably paid for: six attempts are allowed, and two are made."""
    outcome, server = storm.raw(no_json, attempts=6)
    assert (outcome.status, outcome.counts.error) == ("finished", 12)
    assert server.requests == 24


@pytest.mark.slow
@pytest.mark.parametrize("misbehave", BROKEN, ids=lambda each: each.__name__)
def test_replies_that_stay_broken_are_errors_of_their_kind(storm: Storm, misbehave: Behaviour) -> None:
    """When every reply is broken the run finishes with errors: the connection's, or a malformed reply's."""
    outcome, server = storm.raw(misbehave, attempts=2)
    assert (outcome.status, outcome.counts.error, outcome.counts.ok) == ("finished", 12, 0)
    assert server.requests == 24
    assert set(storm.errors()) <= {"connection", "malformed reply"}
    assert outcome.spend.known == 0.0


@pytest.mark.slow
def test_a_server_that_dawdles_is_a_time_out(storm: Storm) -> None:
    """A byte every 50 ms keeps no request alive beyond the time-out, and nothing hangs."""

    async def dawdle(number: int, writer: asyncio.StreamWriter) -> None:
        for byte in http(OK):
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(0.05)

    outcome, server = storm.raw(dawdle, attempts=2, timeout=0.3, concurrency=12)
    assert (outcome.status, outcome.counts.error) == ("finished", 12)
    assert storm.errors() == {"time-out": 12}
    assert server.requests == 24


@pytest.mark.slow
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "a bomb of zeros"])
def test_gigantic_bodies_are_broken_off(
    sqlite: Engine, run_of: Callable[[int], tuple[StoredRun, Suite]], packed: bool
) -> None:
    """A reply of 200 MB is cut off at 8 MiB, and counts as one that cannot be read."""
    piece = b"x" * 1_000_000
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    bomb = b"".join(packer.compress(piece) for _ in range(200)) + packer.flush()

    async def flood(number: int, writer: asyncio.StreamWriter) -> None:
        if packed:
            writer.write(http(bomb, "200 OK", "Content-Encoding: gzip", "Connection: close"))
            return
        writer.write(http(b"", length=200 * len(piece)))
        for _ in range(200):
            writer.write(piece)
            await writer.drain()

    storm = Storm(sqlite, *run_of(1))
    outcome, _ = storm.raw(flood, attempts=1)
    assert outcome.counts.error == 1
    assert storm.errors() == {"malformed reply": 1}
    assert storm.samples()[0].calls[0].detail == "the reply is larger than 8 MiB"


@pytest.mark.parametrize("headers", [None, {"Retry-After": "0"}, {"retry-after-ms": "20"}])
@pytest.mark.slow
def test_refusals_with_and_without_retry_after_are_survived(
    storm: Storm, headers: dict[str, str] | None
) -> None:
    """Every case is refused twice with 429 and then answered; the attempts are in the ledger."""
    seen: Counter[str] = Counter()

    async def main() -> RunOutcome:
        from aiohttp import web

        async def handle(request: web.Request) -> web.Response:
            prompt = orjson.loads(await request.read())["messages"][-1]["content"]
            seen[prompt] += 1
            if seen[prompt] <= 2:
                return web.json_response({"error": {"message": "slow down"}}, status=429, headers=headers)
            return web.json_response(chat("right"))

        app = web.Application()
        app.router.add_post("/v1/chat/completions", handle)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        try:
            return await storm.execute(f"http://127.0.0.1:{runner.addresses[0][1]}/v1", attempts=4)
        finally:
            await runner.cleanup()

    outcome = asyncio.run(main())
    assert outcome.counts.ok == 12
    assert {tuple(call.attempt for call in sample.calls) for sample in storm.samples()} == {(1, 2, 3)}


@pytest.mark.parametrize("asked", ["inf", "tomorrow", "Fri, 20 Nov 2020 12:00:00 GMT"])
@pytest.mark.slow
def test_a_wait_that_makes_no_sense_holds_nobody_back(storm: Storm, asked: str) -> None:
    """A wait without end, in no known form or until a time that has passed: all are asked and answered."""

    came: list[int] = []

    async def behave(number: int, writer: asyncio.StreamWriter) -> None:
        came.append(number)
        if len(came) == 1:
            body = b'{"error": {"message": "come back later"}}'
            refusal = http(body, "429 Too Many Requests", f"Retry-After: {asked}", "Connection: close")
            writer.write(refusal)
        else:
            writer.write(http(OK, "200 OK", "Connection: close"))

    outcome, _ = storm.raw(behave, concurrency=2, attempts=2)
    assert outcome.status == "finished"
    assert outcome.counts.ok == 12


ERRORS_IN_200: list[tuple[dict[str, Any], str, int]] = [
    ({"error": {"code": 429, "message": "too many"}}, "rate limited", 2),
    ({"error": {"code": "503", "message": "no endpoints"}}, "no provider meets the routing", 2),
    ({"error": {"code": "²", "message": "odd"}}, "server error", 2),
    ({"error": "it broke"}, "server error", 2),
    ({"error": {"code": 400, "message": "no such parameter"}}, "refused by the provider", 1),
    ({"error": {"code": 429, "metadata": {"headers": {"Retry-After": [1]}}}}, "rate limited", 2),
    ({"choices": [{"error": {"code": 502}, "message": {"content": "ri"}}]}, "server error", 2),
    ({"choices": []}, "malformed reply", 2),
    ({"choices": None}, "malformed reply", 2),
    ({"choices": ["right"]}, "malformed reply", 2),
    ({"object": "list"}, "malformed reply", 2),
]


@pytest.mark.slow
@pytest.mark.parametrize(("body", "kind", "attempts"), ERRORS_IN_200)
def test_errors_inside_a_200_are_errors(storm: Storm, body: dict[str, Any], kind: str, attempts: int) -> None:
    """An HTTP 200 that carries an error, or no choice, never counts as an answer."""
    outcome, upstream = storm.scripted(lambda prompt, before: body, attempts=2, concurrency=12)
    assert (outcome.counts.ok, outcome.counts.invalid, outcome.counts.error) == (0, 0, 12)
    assert storm.errors() == {kind: 12}
    assert upstream.calls == 12 * attempts


@pytest.mark.slow
def test_replies_that_need_a_repair_are_paid_for_once(storm: Storm) -> None:
    """Lone surrogates, invalid bytes and impossible log-probabilities lose no answer."""
    broken = OK.replace(b"right", b"right \\ud800 \xff").replace(
        b'"finish_reason"', b'"logprobs":{"content":[{"token":"a","logprob":-Infinity}]},"finish_reason"'
    )

    async def behave(number: int, writer: asyncio.StreamWriter) -> None:
        writer.write(http(broken, "200 OK", "Connection: close"))

    outcome, server = storm.raw(behave, attempts=6)
    assert (outcome.counts.ok, outcome.counts.error, server.requests) == (12, 0, 12)
    call = storm.samples()[0].calls[0]
    assert str(call.answer).startswith("right \ufffd \ufffd")
    assert str(call.detail).startswith("the reply was repaired: ")


@pytest.mark.slow
def test_a_key_that_is_echoed_in_base64_reaches_no_row(storm: Storm, sqlite: Engine) -> None:
    """Answers, errors and names of a run are searched for pieces of it, byte by byte, in the database."""
    key = "sk-test-0123456789-abcdefghij"
    echoed = base64.b64encode(f"Authorization: Bearer {key}".encode()).decode()

    def answer(prompt: str, before: int) -> Any:
        if int(prompt.split()[1]) % 2:
            return {"error": {"code": 400, "message": f"bad key {echoed} {'.'.join(key)}"}}
        return chat(f"right {echoed} {key[::-1]}", provider=echoed, model=key.upper())

    storm.environment = {"TEST_KEY": key}
    outcome, _ = storm.scripted(answer, api_key_env="TEST_KEY")
    assert (outcome.counts.ok, outcome.counts.error) == (6, 6)
    with sqlite.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    stored = Path(str(sqlite.url.database)).read_bytes()
    pieces = [echoed[start : start + 11] for start in range(28, len(echoed) - 12)]
    pieces += [text[start : start + 8] for text in (key, key[::-1]) for start in range(len(key) - 7)]
    pieces += [key.upper()[start : start + 8] for start in range(len(key) - 7)]
    assert [piece for piece in pieces if piece.encode() in stored] == []
    assert stored.count(b"[key]") >= 12


def test_odd_choices_and_usage_are_no_crash(storm: Storm) -> None:
    """Fields of the wrong type or beyond every size are unknown; the answer beside them counts."""
    odd: list[dict[str, Any]] = [
        {"usage": {"prompt_tokens": 10**18, "completion_tokens": 2**62, "cost": 0.001}},
        {"usage": {"prompt_tokens": -3, "completion_tokens": True, "cost": "free"}},
        {"usage": {"prompt_tokens": 1.5, "cost": -4.0}},
        {"usage": {"cost": True}},
        {"usage": [1, 2]},
        {"provider": {"name": "x"}, "model": 7, "system_fingerprint": []},
        {"provider": "\x00nul\x00"},
        {"usage": {"completion_tokens_details": 5, "prompt_tokens_details": "x"}},
    ]

    def answer(prompt: str, before: int) -> Any:
        number = int(prompt.split()[1])
        return chat("right", **odd[number]) if number < len(odd) else chat("right \x00 nul")

    outcome, _ = storm.scripted(answer)
    assert (outcome.status, outcome.counts.ok) == ("finished", 12)
    first = storm.samples()[0].calls[0]
    assert (first.prompt_tokens, first.completion_tokens) == (None, None)
    assert outcome.spend.known == pytest.approx(0.007)
    assert outcome.spend.unknown == 5


@pytest.mark.slow
def test_a_storm_of_everything_is_survived(
    sqlite: Engine, run_of: Callable[..., tuple[StoredRun, Suite]]
) -> None:
    """Two hundred samples, each met twice by another kind of failure, are all answered in the end."""
    storm = Storm(sqlite, *run_of(200))
    rng = random.Random(3)
    refusals = [
        "429 Too Many Requests",
        "500 Internal Server Error",
        "503 Service Unavailable",
        "408 Timeout",
    ]

    async def behave(number: int, writer: asyncio.StreamWriter) -> None:
        if number >= 2:
            writer.write(http(OK, "200 OK", "Connection: close"))
        elif rng.random() < 0.3:
            writer.write(http(b"{}", rng.choice(refusals), "retry-after-ms: 5", "Connection: close"))
        else:
            # A second success without JSON would be the last: it was probably paid for.
            await rng.choice(BROKEN if number == 0 else FREE)(number, writer)

    outcome, server = storm.raw(behave, attempts=3, concurrency=200)
    assert (outcome.status, outcome.counts.ok) == ("finished", 200)
    assert server.requests == 600
