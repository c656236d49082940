"""`assay serve`."""

from __future__ import annotations

import os
import signal
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from command_line import SCRIPT, Assay
from exam_room import room

from assay.files.sealing import FILE_ENV, write_bank_key
from assay.store.engine import open_database, writing
from assay.store.exam.access import Access, keep_accesses


@pytest.fixture
def key(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bank key that the environment names."""
    file = folder / "bank.key"
    write_bank_key(file)
    monkeypatch.setenv(FILE_ENV, str(file))
    return file


@contextmanager
def started(*arguments: str) -> Iterator[tuple[Any, str]]:
    """Start the service; yield the process and the line that tells its address."""
    server = subprocess.Popen([SCRIPT, *arguments], stderr=subprocess.PIPE, text=True, env=dict(os.environ))
    assert server.stderr is not None
    try:
        line = ""
        while "serving on" not in line:
            line = server.stderr.readline()
            assert line, server.poll()
        yield server, line
    finally:
        server.kill()
        server.wait()
        server.stderr.close()


def look(address: str) -> bytes:
    """Return what the service says of its health, once it listens."""
    for _ in range(2000):
        try:
            with urllib.request.urlopen(f"{address}/health", timeout=10) as reply:
                return bytes(reply.read())
        except OSError:
            time.sleep(0.02)
    raise AssertionError("the service did not answer")


@pytest.mark.slow
def test_the_service_answers_where_it_says_and_stops_on_ctrl_c(folder: Path, key: Path) -> None:
    """A free port is chosen and printed; an interrupt ends the service without a traceback."""
    room(open_database(str(folder / "assay.db"))).engine.dispose()
    with started("serve", "--port", "0") as (server, line):
        assert look(line.split()[2].rstrip(";")) == b'{"status":"ok"}'
        server.send_signal(signal.SIGINT)
        rest = server.stderr.read()
        assert server.wait(20) == 0
        assert "Traceback" not in rest


@pytest.mark.slow
@pytest.mark.parametrize("words", [("--access-log-days", "30"), ()])
def test_the_access_log_is_kept_for_the_days_that_are_given(
    folder: Path, key: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """By the option, or by its variable."""
    if not words:
        monkeypatch.setenv("ASSAY_SERVE_ACCESS_LOG_DAYS", "30")
    made = room(open_database(str(folder / "assay.db")))
    with writing(made.engine) as connection:
        line = Access(time.time(), None, None, None, "GET", "/", 404, None)
        keep_accesses(connection, [line._replace(at=line.at - age * 86_400) for age in (20, 40)])
    with started("serve", "--port", "0", *words) as (_, line):
        look(line.split()[2].rstrip(";"))
        for _ in range(500):
            if made.count("SELECT count(*) FROM access_log") == 1:
                break
            time.sleep(0.02)
    assert made.count("SELECT count(*) FROM access_log") == 1
    made.engine.dispose()


@pytest.mark.slow
@pytest.mark.postgres
def test_two_workers_serve_from_postgresql(folder: Path, key: Path, postgres_server: str) -> None:
    """Subjects and judges answer at the same address."""
    open_database(postgres_server).dispose()
    with started("--database", postgres_server, "serve", "--port", "0", "--workers", "2") as (server, line):
        assert look(line.split()[2].rstrip(";")) == b'{"status":"ok"}'
        server.send_signal(signal.SIGTERM)
        server.wait(20)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--workers", "2"), "SQLite allows only one"),
        (("--workers", "0"), "invalid --workers 0"),
        (("--port", "70000"), "invalid --port 70000"),
        (("--access-log-days", "0"), "invalid --access-log-days 0"),
        (("--host", "192.0.2.1"), "cannot listen on '192.0.2.1'"),
    ],
)
def test_invalid_settings_end_with_a_message(
    assay: Assay, folder: Path, key: Path, arguments: tuple[str, ...], message: str
) -> None:
    """Exit 2 with one message, before anything is started."""
    ended = assay("serve", *arguments)
    assert ended.status == 2
    assert message in ended.err


def test_an_exam_without_the_banks_key_is_told_how_to_get_one(assay: Assay, folder: Path) -> None:
    """Its signing keys are sealed with it; only the pages can be served without."""
    ended = assay("serve", "--no-pages")
    assert ended.status == 2
    assert "new-key" in ended.err
