"""Judged runs side by side on one database, and stopped with judges in flight: nothing lost or doubled."""

from __future__ import annotations

import asyncio
import gc
import random
import subprocess
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

import pytest
from judged import Court, JudgedRun, always, held, judged_suite, loaded, mark, provider
from sqlalchemy import Engine

from assay.calls.control import RunControl, Stop
from assay.core.judging import Panel
from assay.core.model import Model
from assay.results.runs import RunOutcome
from assay.results.watch import WatchDay
from assay.runs.calibrating.calibrate import calibrate
from assay.runs.conduct import RunContext, conduct
from assay.runs.plan import stored_plan
from assay.runs.watch.daily import finish_watch, watch_day
from assay.sandbox.choose import open_sandbox
from assay.store.marks import read_marks
from assay.store.runs import keep_models, list_runs

DAY = date(2026, 11, 20)


def readable(run: JudgedRun) -> Counter[tuple[int, str]]:
    """Return how many readable marks there are of each judge on each answer."""
    found = read_marks(run.engine, [run.run.id])
    return Counter((each.row.position, each.judge) for each in found if each.row.value is not None)


@pytest.mark.slow
def test_two_runs_at_once_share_a_database(
    engine: Engine,
    court_in_thread: Callable[[Court], Court],
    start_child: Callable[..., subprocess.Popen[str]],
    finish: Callable[[Any], dict[str, Any]],
) -> None:
    """Two processes judge the same suite on one database: each run has all its marks, once."""
    court = court_in_thread(Court({"kind": always(5), "stern": always(2), "calm": always(3)}))
    runs = [JudgedRun(engine, court, suite=judged_suite(cases=150)) for _ in range(2)]
    url = engine.url.render_as_string(hide_password=False)
    children = [start_child(database=url, address=court.address, run=run.run.id) for run in runs]
    assert [finish(child)["status"] for child in children] == ["finished", "finished"]
    for run in runs:
        assert len(readable(run)) == 450
        assert set(readable(run).values()) == {1}


def quietly(engine: Engine, court: Court, work: Callable[[RunContext], Any]) -> Any:
    """Carry out work against a court; the loop must have nothing to complain about at its end."""
    told: list[Mapping[str, Any]] = []

    async def main() -> Any:
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: told.append(context))
        async with asyncio.timeout(20), held(court):
            setting = RunContext(
                engine,
                {"test": provider(court, timeout=30.0)},
                {},
                rng=random.Random(0),
                sandbox=lambda: open_sandbox(()),
            )
            ended = await work(setting)
        await asyncio.sleep(0)
        gc.collect()
        left = [task for task in asyncio.all_tasks() if "assay" in repr(task.get_coro())]
        assert not left
        return ended

    ended = asyncio.run(main())
    assert told == []
    return ended


class Slow(Court):
    """A panel whose judge `stuck` never answers while it is shut; what comes after the stop is counted."""

    def __init__(self, stop: Stop, at: int) -> None:
        super().__init__({"kind": self.judge, "stuck": self.judge, "stern": self.judge})
        self.stop, self.at, self.shut = stop, at, True
        self.late = 0

    def noted(self, body: dict[str, Any]) -> None:
        """Count a request, and stop at one of them."""
        self.late += self.stop.reason is not None
        if self.asked.total() >= self.at:
            self.stop.request("enough")

    def judge(self, body: dict[str, Any], before: int) -> Any:
        """Mark, or never."""
        return None if self.shut and body["model"] == "stuck" else mark(4, body)


@pytest.mark.parametrize("at", [3, 40, 75, 120])
def test_after_a_stop_nobody_is_asked_anything_more(engine: Engine, at: int) -> None:
    """What is in flight comes back and is kept, no judge gets a new question, and the rest is resumed."""
    stop = Stop()
    court = Slow(stop, at)
    court.shut, court.delay = False, 0.01
    run = JudgedRun(engine, court, suite=judged_suite(cases=60))
    first: RunOutcome = quietly(
        engine, court, lambda setting: conduct(setting, run.run, run.plan, control=RunControl(stop=stop))
    )
    assert (first.status, first.reason) == ("stopped", "enough")
    # Those that the stop found on their way to the server are in flight.
    assert court.late <= 32
    assert first.spend.calls == court.asked.total()
    stop.__init__()  # type: ignore[misc]
    court.at = 10_000
    quietly(engine, court, lambda setting: conduct(setting, run.run, run.plan))
    assert court.asked == {"subject": 60, "kind": 60, "stuck": 60, "stern": 60}
    assert readable(run).total() == 180


@pytest.mark.parametrize("at", [50, 70])
def test_giving_up_leaves_judges_in_flight_and_a_run_that_resumes(sqlite: Engine, at: int) -> None:
    """The second Ctrl-C waits for nobody: what had come is there, and resuming asks for the rest."""
    stop = Stop()
    court = Slow(stop, at)
    run = JudgedRun(sqlite, court, suite=judged_suite(cases=60))

    async def work(setting: RunContext) -> RunOutcome:
        running = asyncio.create_task(conduct(setting, run.run, run.plan, control=RunControl(stop=stop)))
        await stop.event.wait()
        await asyncio.sleep(0.1)
        assert not running.done()
        stop.give_up()
        return await running

    outcome: RunOutcome = quietly(sqlite, court, work)
    assert (outcome.status, outcome.reason) == ("stopped", "enough")
    known, court.shut, court.at = readable(run), False, 10_000
    before = Counter(court.asked)
    stop.__init__()  # type: ignore[misc]
    quietly(sqlite, court, lambda setting: conduct(setting, run.run, run.plan))
    assert readable(run).total() == 180
    marked = Counter(judge.removeprefix("test/") for _, judge in known)
    asked = court.asked - before
    assert {name: asked[name] + marked[name] for name in court.judges} == dict.fromkeys(court.judges, 60)


@pytest.mark.parametrize("given_up", [False, True])
def test_a_calibration_can_be_stopped_and_given_up(sqlite: Engine, given_up: bool) -> None:
    """It ends at once, is never frozen, and the next one is."""
    stop = Stop()
    court = Slow(stop, 4)
    court.shut = given_up
    name = "stuck"

    async def work(setting: RunContext) -> Any:
        (seat,) = keep_models(sqlite, [Model("test", name)])
        suite = judged_suite(cases=20)
        running = asyncio.create_task(
            calibrate(
                setting,
                suite,
                seat,
                DAY,
                panel=Panel(),
                control=None if stop.reason else RunControl(stop=stop),
            )
        )
        if stop.reason is None:
            await stop.event.wait()
            if given_up:
                await asyncio.sleep(0.1)
                assert not running.done()
                stop.give_up()
        return await running

    first = quietly(sqlite, court, work)
    assert first.reference is None
    assert list_runs(sqlite, kind="calibrate")[0].status == "stopped"
    court.shut = False
    second = quietly(sqlite, court, work)
    assert (second.reference, second.missing) == (second.run, 0)


@pytest.mark.parametrize("why", ["stopped", "no money"])
def test_a_watch_whose_calibration_ended_early_calibrates_when_it_is_resumed(
    sqlite: Engine, why: str
) -> None:
    """The unfinished calibration bars nothing: resuming makes a whole one, and the day is judged."""
    stop = Stop()
    court = Slow(stop, 4 if why == "stopped" else 10_000)
    court.shut = False
    suite, limit = loaded(cases=8), 0.004 if why == "no money" else None

    async def first(setting: RunContext) -> WatchDay:
        judge, subject = Model("test", "kind"), [Model("test", "subject")]
        return await watch_day(
            setting, suite, subject, DAY, judge=judge, control=RunControl(stop=stop), max_cost=limit
        )

    ended: WatchDay = quietly(sqlite, court, first)
    assert ended.outcome.status == "stopped"
    assert ended.verdicts == ()
    (run,) = list_runs(sqlite, kind="watch")
    assert (run.status, run.plan["calibrations"]) == ("stopped", [])
    court.at = 10_000

    async def resumed(setting: RunContext) -> WatchDay:
        plan = stored_plan(suite, [model for _, model in run.models], run.plan, run.judges)
        return await finish_watch(setting, run, plan)

    day: WatchDay = quietly(sqlite, court, resumed)
    assert day.outcome.status == "finished"
    assert [found.missing for found in day.calibrations] == [0]
    assert [found.moved for found in day.calibrations] == [()]
