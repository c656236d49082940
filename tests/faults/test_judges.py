"""Judged work that is killed: what was marked stays, and no judge is paid twice for a mark that is recorded."""

from __future__ import annotations

import random
import re
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from judged import Court, JudgedRun, always, judged_suite
from sqlalchemy import Engine, select

from assay.calls.record import MOST
from assay.store.schema import calls, marks, samples

pytestmark = pytest.mark.slow
JUDGES = ("kind", "stern", "calm", "quick")
CASES = 250
CONCURRENCY = 16
ANSWER = re.compile(r"subject on Write (\d+)\.")
Pair = tuple[int, str]


class Counting(Court):
    """A panel of four that counts how often each judge was asked about each answer; every judge is slow."""

    def __init__(self) -> None:
        super().__init__({name: always(number + 2) for number, name in enumerate(JUDGES)})
        self.pairs: Counter[Pair] = Counter()
        self.delay = 0.01

    def noted(self, body: dict[str, Any]) -> None:
        """Count a request to a judge."""
        if body["model"] in self.judges:
            (case,) = set(ANSWER.findall(body["messages"][-1]["content"]))
            self.pairs[int(case), body["model"]] += 1


def address(engine: Engine) -> str:
    """Return what another process opens the same database with."""
    return engine.url.render_as_string(hide_password=False)


def marked(run: JudgedRun) -> set[Pair]:
    """Return which judge's mark on which answer is recorded, the mark readable."""
    names = {row: model.upstream for row, model in run.plan.judges}
    query = select(marks.c.position, marks.c.judge).where(
        marks.c.run == run.run.id, marks.c.value.is_not(None)
    )
    with run.engine.connect() as connection:
        return {(row.position, names[row.judge]) for row in connection.execute(query)}


def called(run: JudgedRun) -> Counter[Pair]:
    """Return how often the ledger holds an answered call to each judge about each answer."""
    names = {row: model.upstream for row, model in run.plan.judges}
    query = select(calls.c.position, calls.c.model).where(
        calls.c.run == run.run.id, calls.c.purpose == "judge", calls.c.status == "ok"
    )
    with run.engine.connect() as connection:
        return Counter((row.position, names[row.model]) for row in connection.execute(query))


def kill_again_and_again(
    run: JudgedRun, court: Counting, start: Callable[[], subprocess.Popen[str]], kills: int, seed: int
) -> list[int]:
    """Kill the work at random instants; return how many of the judges' replies each kill lost.

    Asserts after each that marks and calls stand together, that no mark is lost, and that nobody was asked
    again for a mark that was recorded before.
    """
    rng, lost = random.Random(seed), []
    known: set[Pair] = set()
    before: Counter[Pair] = Counter()
    for _ in range(kills):
        goal = court.pairs.total() + rng.randrange(1, len(JUDGES) * CASES // (2 * kills))
        child = start()
        while child.poll() is None and court.pairs.total() < goal:
            time.sleep(0.001)
        time.sleep(rng.random() * 0.1)
        assert child.poll() is None, "the work ended before it was killed: " + child.communicate()[1]
        child.kill()
        child.wait()
        time.sleep(0.2)
        asked, recorded = Counter(court.pairs), marked(run)
        assert known <= recorded
        assert called(run) == Counter(dict.fromkeys(recorded, 1))
        assert [pair for pair in known if asked[pair] != before[pair]] == []
        lost.append((asked - before).total() - len(recorded - known))
        known, before = recorded, asked
    return lost


def complete(run: JudgedRun) -> None:
    """Assert that every sample and every judge's mark on it is there once, with the score they make."""
    with run.engine.connect() as connection:
        found = connection.execute(
            select(samples.c.position, samples.c.score).where(samples.c.run == run.run.id)
        ).all()
        rows = connection.execute(
            select(marks.c.position, marks.c.reused, marks.c.value).where(marks.c.run == run.run.id)
        ).all()
    assert sorted(row.position for row in found) == list(range(CASES))
    assert {row.score for row in found} == {62.5}
    assert Counter(row.position for row in rows) == Counter(dict.fromkeys(range(CASES), len(JUDGES)))
    assert {row.reused for row in rows} == {0}
    assert marked(run) == {(position, name) for position in range(CASES) for name in JUDGES}


def test_a_killed_panel_asks_no_judge_again_for_a_recorded_mark(
    engine: Engine,
    court_in_thread: Callable[[Counting], Counting],
    start_child: Callable[..., subprocess.Popen[str]],
    finish: Callable[[Any], dict[str, Any]],
) -> None:
    """After four kills every mark is there once, and each kill lost at most what was in flight."""
    court = court_in_thread(Counting())
    run = JudgedRun(engine, court, suite=judged_suite(cases=CASES))

    def start() -> subprocess.Popen[str]:
        told = {"database": address(engine), "address": court.address, "run": run.run.id}
        return start_child(**told, concurrency=CONCURRENCY)

    lost = kill_again_and_again(run, court, start, 4, 1)
    assert finish(start()) == {"status": "finished", "reason": None, "ok": CASES}
    complete(run)
    assert all(0 <= each <= CONCURRENCY + MOST for each in lost), lost
    assert court.pairs.total() == len(JUDGES) * CASES + sum(lost)
