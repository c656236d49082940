"""The shared setup of the exam benchmarks: a bank, candidates with sessions and tokens, and servers."""

from __future__ import annotations

import hashlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, insert

from assay.cli.serve import UVICORN
from assay.core.exam import Role
from assay.core.question import QuestionState
from assay.core.times import DAY_SECONDS
from assay.exam.issuing import issue
from assay.exam.keys import Keyring
from assay.exam.opening import Opening, open_session
from assay.files.sealing import FILE_ENV, bank_sealer, write_bank_key
from assay.questions.draw import REPORTED
from assay.store.bank.changes import next_revision, set_state
from assay.store.bank.questions import QuestionRow, keep_questions, keep_source
from assay.store.engine import writing
from assay.store.schema_exam import organisations, users
from exam_client import SENTENCE, Seat

HERE = Path(__file__).parent


def fill(engine: Engine, families: int) -> None:
    """Fill an empty bank with accepted questions of about 60 words, `families` for each reported subject."""
    now = time.time()
    with writing(engine) as connection:
        source = keep_source(
            connection,
            name="benchmark",
            sha256="0" * 64,
            kind="other",
            profile="none",
            synthetic=True,
            account={},
            now=now,
        )
        ids: list[int] = []
        for discipline in REPORTED:
            rows = [_question(source, discipline, number) for number in range(families)]
            ids += [each for each in keep_questions(connection, rows) if each is not None]
        set_state(
            connection, ids, QuestionState.ACCEPTED, revision=next_revision(connection, "accept", "", now)
        )


def _question(source: int, discipline: str, number: int) -> QuestionRow:
    words = SENTENCE.split()
    turned = words[number % len(words) :] + words
    stem = f"{discipline} {number}: {' '.join(turned)}"
    return QuestionRow(
        uuid=str(uuid.uuid4()),
        kind="short-answer",
        discipline=discipline,
        secondary=None,
        language="en",
        stem=stem,
        options=(),
        passage=None,
        key=b"sealed",
        digest=hashlib.blake2b(stem.encode(), digest_size=16).digest(),
        source=source,
        place="",
        made_by=None,
        parent=None,
    )


def seats(engine: Engine, keyring: Keyring, count: int, n: int) -> list[Seat]:
    """Open sessions of `n` questions, each for a candidate of its own organisation."""
    now = time.time()
    found = []
    for number in range(count):
        user, session = str(uuid.uuid4()), str(uuid.uuid4())
        with writing(engine) as connection:
            row = {"name": f"organisation {uuid.uuid4()}", "operator": 0, "created_at": now}
            organisation = connection.execute(
                insert(organisations).values(row).returning(organisations.c.id)
            ).scalar_one()
            connection.execute(
                insert(users).values(
                    id=user,
                    organisation=organisation,
                    name="candidate",
                    role=Role.CANDIDATE.value,
                    secret_hash="none",
                    created_at=now,
                )
            )
        with writing(engine) as connection:
            opening = Opening(candidate=user, model="benchmark/model", n=n)
            open_session(connection, opening, session=session, seed=number, now=now)
        found.append(Seat(session, issue(engine, keyring, user, session, now=now, life=DAY_SECONDS).token))
    return found


def new_key(folder: Path) -> dict[str, str]:
    """Write a bank key and return the environment that names it."""
    file = folder / "bank.key"
    write_bank_key(file)
    return {**os.environ, FILE_ENV: str(file)}


def new_keyring(engine: Engine, environment: dict[str, str]) -> Keyring:
    """Return the keyring that signs tokens."""
    return Keyring(engine, bank_sealer(environment))


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def exam_command(database: str, port: int, workers: int = 1) -> list[str]:
    """Return the command that serves exams."""
    return [
        str(Path(sys.executable).with_name("assay")),
        "--database",
        database,
        "serve",
        "--port",
        str(port),
        "--workers",
        str(workers),
    ]


def bare_command(port: int) -> list[str]:
    """Return the command that serves the bare route, with the flags that `assay serve` gives uvicorn."""
    flags = ["--loop", UVICORN["loop"], "--http", UVICORN["http"], "--log-level", UVICORN["log_level"]]
    return [
        sys.executable,
        "-m",
        "uvicorn",
        "bare_route:app",
        "--app-dir",
        str(HERE),
        "--port",
        str(port),
        *map(str, flags),
        "--no-access-log",
        "--no-server-header",
    ]


def begin(command: Sequence[str], environment: dict[str, str], cores: set[int] | None) -> Any:
    """Start a server in its own process group."""
    return subprocess.Popen(
        command,
        env=environment,
        start_new_session=True,
        stderr=subprocess.DEVNULL,
        preexec_fn=None if cores is None else lambda: os.sched_setaffinity(0, cores),
    )


def wait_for(port: int, path: str, seconds: float = 30.0) -> None:
    """Wait until a server answers."""
    end = time.monotonic() + seconds
    while True:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5).read()
        except urllib.error.HTTPError:
            return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.02)
        else:
            return


def end(server: Any, sign: int = signal.SIGKILL) -> None:
    """End a server with all its workers."""
    os.killpg(server.pid, sign)
    server.wait()


@contextmanager
def served(
    command: Sequence[str], environment: dict[str, str], port: int, path: str, cores: set[int] | None = None
) -> Iterator[Any]:
    """Serve until the end of the block."""
    server = begin(command, environment, cores)
    try:
        wait_for(port, path)
        yield server
    finally:
        end(server)
