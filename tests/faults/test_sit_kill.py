"""A sitting killed at any instant goes on where it stood, and no answer in the ledger is paid for again."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import SCRIPT
from exam_service import SECRET, SESSION, USER, ExamService, examining
from sqlalchemy import select
from upstream import Upstream

from assay.store.engine import connect
from assay.store.schema import calls

QUESTIONS = [f"Question {number}, whatever it is?" for number in range(1, 61)]
KILLS = 5
pytestmark = pytest.mark.slow


def begin(folder: Path, service: ExamService) -> subprocess.Popen[bytes]:
    """Start `assay sit` as a user does."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ASSAY_")}
    return subprocess.Popen(
        [SCRIPT, "sit", service.address, "--session", SESSION, "-m", "mine/a", "--user", USER],
        cwd=folder,
        env={**kept, "ASSAY_EXAM_SECRET": SECRET},
        stdout=sys.stderr,
        stderr=subprocess.PIPE,
    )


def settled(database: Path) -> set[str]:
    """Return the questions whose answers are in the ledger."""
    if not database.exists():
        return set()
    engine = connect(str(database))
    try:
        with engine.connect() as connection:
            positions = connection.execute(select(calls.c.position).where(calls.c.status == "ok")).scalars()
            return {QUESTIONS[position - 1] for position in positions}
    finally:
        engine.dispose()


def test_a_killed_sitting_goes_on_and_pays_for_nothing_twice(
    tmp_path: Path, upstream_in_thread: Callable[..., Upstream]
) -> None:
    """After five kills every question is answered once; each cost the answer in flight at most."""
    model = upstream_in_thread(lambda prompt, before: f"To {prompt} yes, {before}", delay=0.02)
    text = f"database: exam.db\nproviders:\n  mine:\n    base_url: {model.address}\n"
    (tmp_path / "assay.yaml").write_text(text)
    rng, database = random.Random(3), tmp_path / "exam.db"
    with examining(ExamService(list(QUESTIONS))) as service:
        for kill in range(KILLS):
            child = begin(tmp_path, service)
            goal = model.calls + rng.randrange(2, 8)
            while child.poll() is None and model.calls < goal:
                time.sleep(0.001)
            time.sleep(rng.random() * 0.06)
            assert child.poll() is None, f"ended before kill {kill}"
            child.kill()
            child.communicate()
            time.sleep(0.1)
            paid, asked = settled(database), dict(model.asked)
            service.lose.add(service.completed + 1)
        child = begin(tmp_path, service)
        _, errors = child.communicate(timeout=120)
    assert child.returncode == 0, errors
    assert {prompt: model.asked[prompt] for prompt in paid} == {prompt: asked[prompt] for prompt in paid}
    assert model.calls <= len(QUESTIONS) + KILLS
    assert sorted(service.answers) == list(range(1, len(QUESTIONS) + 1))
    assert b"60 receipts" in errors
