"""What the fault tests share: upstreams in a thread, and child processes to kill."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from in_thread import in_thread
from judged import Court, held
from small_suite import make_suite
from sqlalchemy import Engine
from upstream import Answer, Upstream, serving

from assay.core.model import Model
from assay.core.suite import Suite
from assay.runs.plan import plan_run
from assay.store.runs import StoredRun, new_run
from assay.store.suites import keep_suite

CHILD = Path(__file__).with_name("child.py")
SUPPORT = Path(__file__).parents[1] / "support"


@pytest.fixture
def upstream_in_thread() -> Iterator[Callable[..., Upstream]]:
    """Serves a scripted upstream from a thread of this process, so that child processes can ask it."""
    with ExitStack() as stack:

        def serve(answer: Answer, *, delay: float = 0.0) -> Upstream:
            return stack.enter_context(in_thread(serving(Upstream(answer, delay=delay))))

        yield serve


@pytest.fixture
def court_in_thread() -> Iterator[Callable[[Court], Court]]:
    """Serves a court of judges likewise."""
    with ExitStack() as stack:

        def serve(court: Court) -> Court:
            return stack.enter_context(in_thread(held(court)))

        yield serve


def stored_run(engine: Engine, suite: Suite | None = None, *, epochs: int = 1) -> StoredRun:
    """Store a new run of a suite against `test/a`."""
    plan = plan_run(suite or make_suite(), [Model("test", "a")], epochs=epochs)
    keep_suite(engine, plan.suite, clock=time.time)
    return new_run(
        engine,
        kind="run",
        suite=plan.suite.digest,
        subjects=plan.models,
        plan=plan.described(),
        day=None,
        simulated=False,
        clock=time.time,
    )


@pytest.fixture
def store_run() -> Callable[..., StoredRun]:
    """Stores a new run of a suite."""
    return stored_run


Start = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def start_child() -> Iterator[Start]:
    """Starts a process that executes a stored run; what is still alive at the end is killed."""
    started: list[subprocess.Popen[str]] = []

    def start(**told: Any) -> subprocess.Popen[str]:
        path = os.pathsep.join([str(SUPPORT), os.environ.get("PYTHONPATH", "")])
        process = subprocess.Popen(
            [sys.executable, str(CHILD), json.dumps(told)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
        )
        started.append(process)
        return process

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
        with suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=10)


@pytest.fixture
def finish() -> Callable[[subprocess.Popen[str]], dict[str, Any]]:
    """Waits for a child that is to end well, and returns what it printed."""

    def wait(process: subprocess.Popen[str]) -> dict[str, Any]:
        out, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors
        told: dict[str, Any] = json.loads(out)
        return told

    return wait
