"""Providers that ask to be left alone, or are down: nothing is fired into them, and nothing is lost."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import date
from email.utils import formatdate
from itertools import pairwise
from typing import TypeVar

import orjson
import pytest
from aiohttp import web
from small_suite import make_suite
from sqlalchemy import Engine
from upstream import chat

from assay.calls.circuit import CircuitOpen
from assay.calls.control import RunControl
from assay.calls.progress import Progress
from assay.core.model import Model, Provider
from assay.core.verdict import ModelState
from assay.results.runs import RunOutcome
from assay.runs.conduct import RunContext, conduct
from assay.runs.plan import plan_run, stored_plan
from assay.runs.watch.daily import finish_watch, watch_day
from assay.sandbox.choose import open_sandbox
from assay.store.runs import StoredRun, new_run, read_run
from assay.store.samples import read_samples
from assay.store.suites import keep_suite

T = TypeVar("T")
Refuse = Callable[[str, int], tuple[int, Mapping[str, str]] | None]


class Hostile:
    """A server that refuses as `refuse(model, requests so far)` says, or answers."""

    def __init__(self, refuse: Refuse) -> None:
        self.asked: Counter[str] = Counter()
        self.in_flight: Counter[str] = Counter()
        self.beside: list[int] = []
        self._refuse = refuse

    async def handle(self, request: web.Request) -> web.Response:
        """Answer or refuse."""
        model = orjson.loads(await request.read())["model"]
        before = self.asked[model]
        self.asked[model] += 1
        self.in_flight[model] += 1
        self.beside.append(self.in_flight[model])
        await asyncio.sleep(0.01)
        self.in_flight[model] -= 1
        refused = self._refuse(model, before)
        if refused is None:
            return web.json_response(chat("right"))
        status, headers = refused
        return web.json_response({"error": {"message": "not now"}}, status=status, headers=headers)


def stored(engine: Engine, models: Sequence[str], cases: int) -> StoredRun:
    """Store a run of so many cases against models of one provider."""
    plan = plan_run(make_suite(use_cases=1, cases=cases), [Model("test", name) for name in models])
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


def execute(
    engine: Engine, run: StoredRun, cases: int, server: Hostile, *, concurrency: int = 8
) -> tuple[RunOutcome, Progress]:
    """Execute a stored run against a server."""
    progress = Progress(0)
    suite = make_suite(use_cases=1, cases=cases)
    plan = stored_plan(suite, [model for _, model in run.models], run.plan)
    outcome = beside(
        engine,
        server,
        lambda setting: conduct(setting, run, plan, control=RunControl(progress)),
        concurrency=concurrency,
    )
    return outcome, progress


def beside(
    engine: Engine, server: Hostile, work: Callable[[RunContext], Awaitable[T]], *, concurrency: int = 8
) -> T:
    """Do some work while the provider `test` is served."""

    async def main() -> T:
        app = web.Application()
        app.router.add_post("/v1/chat/completions", server.handle)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        provider = Provider(
            "test", f"http://127.0.0.1:{runner.addresses[0][1]}/v1", concurrency=concurrency, attempts=6
        )
        setting = RunContext(
            engine,
            {"test": provider},
            {},
            rng=random.Random(0),
            sandbox=lambda: open_sandbox(()),
        )
        try:
            return await work(setting)
        finally:
            await runner.cleanup()

    return asyncio.run(main())


@pytest.mark.parametrize("form", ["seconds", "date"])
def test_a_provider_that_asks_for_an_hour_gets_no_more_requests(sqlite: Engine, form: str) -> None:
    """Of 400 positions no more are fired than were in flight; the run stops, and resuming finishes it."""

    def refuse(model: str, before: int) -> tuple[int, Mapping[str, str]]:
        asked = "3600" if form == "seconds" else formatdate(time.time() + 3600, usegmt=True)
        return 429, {"Retry-After": asked}

    server, run = Hostile(refuse), stored(sqlite, ["a"], 400)
    outcome, progress = execute(sqlite, run, 400, server)
    assert 1 <= server.asked["a"] <= 8
    assert (outcome.status, outcome.counts.n) == ("stopped", 0)
    assert isinstance(outcome.error, CircuitOpen)
    assert "test/a asked to wait 60 minutes" in str(read_run(sqlite, run.id).reason)
    assert [line.rpartition("; ")[2] for line in progress.notices] == ["400 samples"]
    again, _ = execute(sqlite, run, 400, Hostile(lambda model, before: None), concurrency=32)
    assert (again.status, again.counts.ok) == ("finished", 400)


def test_one_model_that_asks_for_a_day_holds_no_other_back(sqlite: Engine) -> None:
    """Two models of one provider: the other is asked to the end, and the first one's samples stay open."""

    def refuse(model: str, before: int) -> tuple[int, Mapping[str, str]] | None:
        return (429, {"Retry-After": "86400"}) if model == "a" else None

    server, run = Hostile(refuse), stored(sqlite, ["a", "b"], 60)
    outcome, _ = execute(sqlite, run, 60, server)
    assert server.asked["a"] <= 8
    assert (outcome.status, outcome.counts.ok, server.asked["b"]) == ("stopped", 60, 60)
    assert {sample.row.position % 2 for sample in read_samples(sqlite, run.id)} == {1}


def test_a_watch_judges_the_models_that_are_whole(sqlite: Engine) -> None:
    """Of two watched models one asks for a day: the other has its verdict, and resuming judges the first."""
    models, days = [Model("test", "a"), Model("test", "b")], [date(2026, 11, n) for n in range(1, 8)]
    suite = make_suite()
    open_to_all = Hostile(lambda model, before: None)
    for day in days[:-1]:
        beside(sqlite, open_to_all, lambda setting, day=day: watch_day(setting, suite, models, day))

    def refuse(model: str, before: int) -> tuple[int, Mapping[str, str]] | None:
        return (429, {"Retry-After": "86400"}) if model == "a" else None

    ended = beside(sqlite, Hostile(refuse), lambda setting: watch_day(setting, suite, models, days[-1]))
    assert (ended.outcome.status, isinstance(ended.outcome.error, CircuitOpen)) == ("stopped", True)
    assert [(verdict.model, verdict.state) for verdict in ended.verdicts] == [("test/b", ModelState.OK)]
    run = read_run(sqlite, ended.outcome.run)
    plan = stored_plan(suite, models, run.plan)
    again = beside(sqlite, open_to_all, lambda setting: finish_watch(setting, run, plan))
    assert again.outcome.status == "finished"
    assert {verdict.model: verdict.state for verdict in again.verdicts} == {
        "test/a": ModelState.OK,
        "test/b": ModelState.OK,
    }


def test_the_limit_of_a_provider_holds_for_its_models_together(sqlite: Engine) -> None:
    """Three models with four requests in flight: never five together."""
    server, run = Hostile(lambda model, before: None), stored(sqlite, ["a", "b", "c"], 20)
    most = 0

    def refuse(model: str, before: int) -> None:
        nonlocal most
        most = max(most, server.in_flight.total() + 1)

    server._refuse = refuse
    outcome, _ = execute(sqlite, run, 20, server, concurrency=4)
    assert (outcome.counts.ok, most) == (60, 4)


@pytest.mark.slow
def test_a_provider_that_is_down_is_paused_until_it_answers_again(sqlite: Engine) -> None:
    """After 30 failures in a row one request goes first; when it is answered, the others follow."""

    def refuse(model: str, before: int) -> tuple[int, Mapping[str, str]] | None:
        return (503, {}) if before < 31 else None

    server, run = Hostile(refuse), stored(sqlite, ["a"], 100)
    outcome, progress = execute(sqlite, run, 100, server, concurrency=8)
    assert (outcome.status, outcome.counts.ok) == ("finished", 100)
    assert "keeps failing and is paused until" in progress.notices[0]
    assert progress.notices[-1].startswith("test/a answers again; ")


@pytest.mark.slow
def test_a_wait_that_a_provider_may_ask_for_is_kept_and_one_request_goes_first(
    sqlite: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With waits of more than a second left to the circuit: two seconds of silence, one request, then all."""
    monkeypatch.setattr("assay.calls.circuit.MOST_ASKED", 1.0)
    times: list[float] = []

    def refuse(model: str, before: int) -> tuple[int, Mapping[str, str]] | None:
        times.append(time.monotonic())
        return (429, {"Retry-After": "2"}) if before == 0 else None

    server, run = Hostile(refuse), stored(sqlite, ["a"], 40)
    outcome, progress = execute(sqlite, run, 40, server, concurrency=4)
    assert (outcome.status, outcome.counts.ok) == ("finished", 40)
    gaps = [later - sooner for sooner, later in pairwise(times)]
    assert max(gaps) >= 1.9
    first = gaps.index(max(gaps)) + 1
    assert server.beside[first] == 1
    assert "asked to wait until" in progress.notices[0]
