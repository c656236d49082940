"""The board's page of a real run of a private suite: it has no prompt, answer, rationale or case id."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import orjson
import pytest
from command_line import SCRIPT
from judged import Court, JudgedRun, judged_suite, mark

from assay.core.ask import Message
from assay.core.suite import Suite
from assay.report.board.judged import board_page
from assay.runs.board.stored import BoardRequest, read_board
from assay.store.engine import open_database

MADE = datetime(2026, 3, 22, 6, 30, tzinfo=UTC)
SECRETS = {
    "prompt": "nonce-prompt-5c1d7be04f",
    "answer": "nonce-answer-90ab33e7d2",
    "rationale": "nonce-rationale-f4417c8e61",
    "case": "nonce-case-2b86d05a9f",
}


def secret_suite() -> Suite:
    """Return the judged suite, private, with a nonce in everything that may not be shown."""
    suite = judged_suite(check=True)
    use_case = suite.use_cases[0]
    cases = tuple(
        replace(
            case,
            id=f"{SECRETS['case']}-{place}",
            messages=(Message("user", f"{SECRETS['prompt']} {place}"),),
        )
        for place, case in enumerate(use_case.cases)
    )
    return replace(suite, visibility="private", use_cases=(replace(use_case, cases=cases),))


@pytest.fixture
def database(tmp_path: Path) -> str:
    """A database with a run of the secret suite: two models and two judges, one of them unreliable."""
    address = f"sqlite:///{tmp_path / 'board.db'}"
    engine = open_database(address)

    def judge(body: dict[str, object], before: int) -> object:
        verdict = orjson.loads(mark(2 + before % 4, body))
        return orjson.dumps({**verdict, "rationale": SECRETS["rationale"]}).decode()

    court = Court(
        {"kind": judge, "stern": lambda body, before: judge(body, before) if before % 3 else "no mark"},
        lambda body: f"{SECRETS['answer']} {body['messages'][-1]['content']}",
    )
    run = JudgedRun(engine, court, subjects=("one", "two"), suite=secret_suite())
    run.execute()
    engine.dispose()
    return address


def test_the_page_of_a_private_run_has_no_secret(database: str) -> None:
    """The nonces are in the database but not in the page, which has the scores."""
    engine = open_database(database)
    stored = read_board(engine, BoardRequest("judged"), replicates=50)
    content = Path(engine.url.database or "").read_bytes()
    wal = Path(f"{engine.url.database}-wal")
    content += wal.read_bytes() if wal.exists() else b""
    page = board_page(stored, made=MADE).encode()
    engine.dispose()
    assert [name for name, nonce in SECRETS.items() if nonce.encode() not in content] == []
    assert [name for name, nonce in SECRETS.items() if nonce.encode() in page] == []
    assert b"test/one" in page.replace(b'<span class="quiet prefix">test/</span><wbr>', b"test/")
    assert b"The suite is private" in page


@pytest.mark.slow
def test_the_command_writes_the_page(database: str, tmp_path: Path) -> None:
    """`assay board SUITE --out FILE` prints the table and the address of the page."""
    done = subprocess.run(
        [SCRIPT, "--database", database, "board", "judged", "--out", "board.html"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "board.html").read_text(encoding="utf-8")
    assert "wrote file://" in re.sub(r"\s+", " ", done.stderr)
    assert "one" in done.stdout
    assert "<h2" in page
    assert not any(nonce in page for nonce in SECRETS.values())
