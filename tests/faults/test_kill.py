"""A process killed at any instant loses only what was in flight, and pays for nothing twice."""

from __future__ import annotations

import random
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from small_suite import make_suite
from sqlalchemy import Engine, select
from upstream import Upstream

from assay.calls.record import MOST
from assay.store.runs import StoredRun, count_runs
from assay.store.schema import calls, samples

CASES = 1500
CONCURRENCY = 16
pytestmark = pytest.mark.slow


def address(engine: Engine) -> str:
    """Return what another process opens the same database with."""
    return engine.url.render_as_string(hide_password=False)


def recorded_prompts(engine: Engine, run: StoredRun) -> set[str]:
    """Return the prompts whose answers are in the ledger."""
    suite = make_suite(use_cases=1, cases=CASES)
    with engine.connect() as connection:
        found = connection.execute(select(calls.c.position).where(calls.c.run == run.id)).scalars()
        return {suite.cases[position].messages[0].content for position in found}


def kill_and_resume(
    engine: Engine,
    run: StoredRun,
    upstream: Upstream,
    start: Callable[..., subprocess.Popen[str]],
    instants: list[Callable[[], bool]],
) -> list[int]:
    """Kill the run once at each instant; return how many answers each kill lost.

    Asserts after each that nothing which was in the ledger before was asked for again.
    """
    lost, settled, asked_before = [], set[str](), Counter[str]()
    for instant in instants:
        child = start(database=address(engine), address=upstream.address, run=run.id, concurrency=CONCURRENCY)
        while child.poll() is None and not instant():
            time.sleep(0.001)
        assert child.poll() is None, "the run ended before it was killed: " + child.communicate()[1]
        child.kill()
        child.wait()
        time.sleep(0.2)
        asked = Counter(upstream.asked)
        again = {prompt: asked[prompt] for prompt in settled if asked[prompt] != asked_before[prompt]}
        assert not again
        recorded = recorded_prompts(engine, run)
        lost.append((asked - asked_before).total() - len(recorded - settled))
        settled, asked_before = recorded, asked
    return lost


def instants(upstream: Upstream, count: int, seed: int) -> list[Callable[[], bool]]:
    """Return moments to kill at: after a random number of further calls, and a random while later."""
    rng = random.Random(seed)

    def instant(further: int, wait: float) -> Callable[[], bool]:
        reached: list[float] = []
        goal: list[int] = []

        def now() -> bool:
            goal[:] = goal or [upstream.calls + further]
            if upstream.calls >= goal[0] and not reached:
                reached.append(time.monotonic() + wait)
            return bool(reached) and time.monotonic() >= reached[0]

        return now

    return [instant(rng.randrange(1, CASES // (2 * count)), rng.random() * 0.1) for _ in range(count)]


def complete(engine: Engine, run: StoredRun) -> None:
    """Assert that every sample is there exactly once, with its score."""
    with engine.connect() as connection:
        found = connection.execute(
            select(samples.c.position, samples.c.status, samples.c.score).where(samples.c.run == run.id)
        ).all()
    assert sorted(row.position for row in found) == list(range(CASES))
    assert {(row.status, row.score) for row in found} == {("ok", 100.0)}


def test_kills_at_random_instants_lose_only_what_was_in_flight(
    engine: Engine,
    store_run: Callable[..., StoredRun],
    start_child: Callable[..., subprocess.Popen[str]],
    finish: Callable[[Any], dict[str, Any]],
    upstream_in_thread: Callable[..., Upstream],
) -> None:
    """After four kills every sample is there once, and each kill lost at most concurrency + one batch."""
    upstream = upstream_in_thread(lambda prompt, before: "right", delay=0.02)
    run = store_run(engine, make_suite(use_cases=1, cases=CASES))
    lost = kill_and_resume(engine, run, upstream, start_child, instants(upstream, 4, 1))
    ended = finish(
        start_child(database=address(engine), address=upstream.address, run=run.id, concurrency=CONCURRENCY)
    )
    assert ended == {"status": "finished", "reason": None, "ok": CASES}
    complete(engine, run)
    assert all(0 <= each <= CONCURRENCY + MOST for each in lost), lost
    assert upstream.calls == CASES + sum(lost)
    assert count_runs(engine, [run.id])[run.id].spend.calls == CASES


def test_a_kill_while_starting_harms_nothing(
    sqlite: Engine,
    store_run: Callable[..., StoredRun],
    start_child: Callable[..., subprocess.Popen[str]],
    finish: Callable[[Any], dict[str, Any]],
    upstream_in_thread: Callable[..., Upstream],
) -> None:
    """Killed again and again within its first second, before and after its first call, it still finishes."""
    upstream = upstream_in_thread(lambda prompt, before: "right", delay=0.02)
    run = store_run(sqlite, make_suite(use_cases=1, cases=CASES))
    rng = random.Random(5)
    for _ in range(4):
        child = start_child(database=address(sqlite), address=upstream.address, run=run.id)
        with pytest.raises(subprocess.TimeoutExpired):
            child.wait(rng.random() * 0.9)
        child.kill()
        child.wait()
    finish(start_child(database=address(sqlite), address=upstream.address, run=run.id))
    complete(sqlite, run)
