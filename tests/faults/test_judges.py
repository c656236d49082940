"""Judged work that is killed: what was marked stays, and no judge is paid twice for a recorded mark."""

from __future__ import annotations

import random
import re
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from judged import Court, JudgedRun, always, judged_suite, loaded
from sqlalchemy import Engine, select

from assay.calls.record import MOST
from assay.core.judging import Panel
from assay.store.runs import list_runs
from assay.store.samples import read_samples
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


def test_grading_again_that_is_killed_is_done_by_calling_it_again(
    sqlite: Engine,
    court_in_thread: Callable[[Counting], Counting],
    start_child: Callable[..., subprocess.Popen[str]],
    finish: Callable[[Any], dict[str, Any]],
) -> None:
    """Killed twice among stored answers: no subject is asked, and no judge for a mark that is recorded."""
    court = court_in_thread(Counting())
    run = JudgedRun(sqlite, court, suite=loaded(cases=CASES), panel=Panel())
    bare = {"database": address(sqlite), "address": court.address, "run": run.run.id}
    finish(start_child(**bare, concurrency=CONCURRENCY))
    run.judged_by(*JUDGES)

    def start() -> subprocess.Popen[str]:
        return start_child(**bare, concurrency=CONCURRENCY, deed="grade")

    lost = kill_again_and_again(run, court, start, 2, 2)
    assert finish(start())["status"] == "finished"
    complete(run)
    assert court.pairs.total() == len(JUDGES) * CASES + sum(lost)
    assert court.asked["subject"] == CASES


def test_what_a_killed_grading_left_unmarked_counts_as_ungraded(sqlite: Engine) -> None:
    """Answers that have a score without the new judge's mark are graded again, and only they."""
    court = Court({"kind": always(5), "stern": always(1)})
    run = JudgedRun(sqlite, court, suite=loaded(cases=6), panel=Panel(("test/kind",)))
    run.execute()
    run.judged_by("kind", "stern")
    run.grade(max_cost=0.0021)
    half = court.asked["stern"]
    assert 1 <= half < 6
    run.grade(only="ungraded")
    assert (court.asked["kind"], court.asked["stern"]) == (6, 6)
    assert {sample.row.score for sample in read_samples(sqlite, run.run.id)} == {50.0}


@pytest.mark.parametrize("freeze", [False, True])
def test_a_killed_calibration_is_nobodys_reference(
    sqlite: Engine,
    court_in_thread: Callable[[Court], Court],
    start_child: Callable[..., subprocess.Popen[str]],
    finish: Callable[[Any], dict[str, Any]],
    freeze: bool,
) -> None:
    """What it had marked is not held against later ones; the next whole one is the first that is frozen."""
    court = court_in_thread(Court({"kind": always(3)}))
    court.delay = 0.02
    run = JudgedRun(sqlite, court, suite=judged_suite(cases=30))
    told = {"database": address(sqlite), "address": court.address, "run": run.run.id, "deed": "calibrate"}
    child = start_child(**told, concurrency=2, freeze=freeze)
    while child.poll() is None and court.asked["kind"] < 75:
        time.sleep(0.002)
    child.kill()
    child.wait()
    assert len(list_runs(sqlite, kind="calibrate")) == 1
    court.delay = 0.0
    ended = finish(start_child(**told))
    assert (ended["reference"], ended["missing"]) == (ended["run"], 0)
    assert [run.status for run in list_runs(sqlite, kind="calibrate")] == ["finished", "dead"]
