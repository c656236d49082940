"""A run that is told to stop waits for what will be paid for, and for nothing else."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import Any

import orjson
import pytest
from aiohttp import web
from small_suite import make_suite
from sqlalchemy import Engine
from upstream import chat

from assay.calls.control import RunControl, Stop
from assay.core.errors import Upstream as Failed
from assay.core.model import Provider
from assay.results.runs import RunOutcome
from assay.runs.conduct import RunContext, conduct
from assay.runs.plan import stored_plan
from assay.sandbox.choose import open_sandbox
from assay.store.rows import Batch
from assay.store.runs import StoredRun, count_runs
from assay.store.samples import read_samples
from assay.store.writer import LedgerWriter


class Server:
    """Answers the first cases when `gate` opens, and refuses the others with a wait of a minute."""

    def __init__(self, patient: int) -> None:
        self.gate = asyncio.Event()
        self.came = self.in_flight = 0
        self._patient = patient

    async def handle(self, request: web.Request) -> web.Response:
        """Answer one request."""
        prompt = orjson.loads(await request.read())["messages"][-1]["content"]
        self.came += 1
        if int(prompt.split()[1]) >= self._patient:
            return web.json_response({"error": {}}, status=500, headers={"Retry-After": "60"})
        self.in_flight += 1
        try:
            await self.gate.wait()
        finally:
            self.in_flight -= 1
        return web.json_response(chat("right"))


async def against(
    engine: Engine, run: StoredRun, server: Server, during: Callable[[Server, Stop], Any], **provider: Any
) -> RunOutcome:
    """Execute a run against a server while `during` acts."""
    suite = make_suite(use_cases=1, cases=12)
    app = web.Application()
    app.router.add_post("/v1/chat/completions", server.handle)
    runner = web.AppRunner(app, shutdown_timeout=0.1, handler_cancellation=True)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    address = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    setting = RunContext(
        engine,
        {"test": Provider("test", address, concurrency=8, **provider)},
        {},
        rng=random.Random(0),
        sandbox=lambda: open_sandbox(()),
    )
    stop = Stop()
    acting = asyncio.ensure_future(during(server, stop))
    try:
        async with asyncio.timeout(20) as limit:
            plan = stored_plan(suite, [model for _, model in run.models], run.plan)
            return await conduct(setting, run, plan, control=RunControl(stop=stop))
    finally:
        await acting
        await runner.cleanup()
        assert not limit.expired(), "the run did not end by itself"


def test_what_is_in_flight_is_waited_for_and_what_waits_is_given_up(
    sqlite: Engine, store_run: Callable[..., StoredRun]
) -> None:
    """Four of eight are being answered, four wait a minute for another attempt: four samples, no errors."""
    run = store_run(sqlite, make_suite(use_cases=1, cases=12))

    async def during(server: Server, stop: Stop) -> None:
        while server.came < 8:
            await asyncio.sleep(0.005)
        await asyncio.sleep(0.05)
        stop.request("interrupted")
        await asyncio.sleep(0.05)
        server.gate.set()

    async def main() -> tuple[RunOutcome, Server]:
        server = Server(4)
        return await against(sqlite, run, server, during), server

    outcome, server = asyncio.run(main())
    assert (outcome.status, outcome.reason) == ("stopped", "interrupted")
    assert (outcome.counts.ok, outcome.counts.error, server.came) == (4, 0, 8)


def test_what_fails_while_a_run_stops_is_not_tried_again(
    sqlite: Engine, store_run: Callable[..., StoredRun]
) -> None:
    """An answer that comes as a 500 after the stop leaves its sample to the resumed run."""
    run = store_run(sqlite, make_suite(use_cases=1, cases=12))

    async def main() -> RunOutcome:
        server = Server(12)

        async def handle(request: web.Request) -> web.Response:
            server.came += 1
            await server.gate.wait()
            return web.json_response({}, status=500, headers={"retry-after-ms": "5"})

        server.handle = handle  # type: ignore[method-assign]

        async def during(_: Server, stop: Stop) -> None:
            while server.came < 8:
                await asyncio.sleep(0.005)
            stop.request("interrupted")
            await asyncio.sleep(0.05)
            server.gate.set()

        outcome = await against(sqlite, run, server, during)
        assert server.came == 8
        return outcome

    outcome = asyncio.run(main())
    assert (outcome.status, outcome.counts.n) == ("stopped", 0)


def test_a_database_that_fails_ends_every_task_at_once(
    sqlite: Engine, store_run: Callable[..., StoredRun], monkeypatch: pytest.MonkeyPatch
) -> None:
    """When a commit fails nobody goes on asking: the error is raised, and no request is left behind."""
    run = store_run(sqlite, make_suite(use_cases=1, cases=12))

    def full(self: LedgerWriter, batch: Batch) -> None:
        raise Failed("the disk of database 'x' is full")

    monkeypatch.setattr(LedgerWriter, "commit", full)
    left: list[asyncio.Task[Any]] = []

    async def during(server: Server, stop: Stop) -> None:
        while server.in_flight < 7:
            await asyncio.sleep(0.005)

    async def main() -> None:
        server = Server(7)
        with pytest.raises(Failed, match="full"):
            await against(sqlite, run, server, during, attempts=1)
        await asyncio.sleep(0)
        left.extend(task for task in asyncio.all_tasks() if "Execution" in repr(task))
        assert server.in_flight == 0

    asyncio.run(main())
    assert not left


def test_evidence_that_json_cannot_hold_is_no_crash(
    engine: Engine, store_run: Callable[..., StoredRun]
) -> None:
    """Half a surrogate pair in a model's JSON is graded, stored in escaped form and read back."""
    from dataclasses import replace

    from assay.core.canonical import digest
    from assay.core.case import GraderSpec

    suite = make_suite(use_cases=1, cases=12)
    graders = (GraderSpec("json_fields", {"fields": {"a": {"type": "text", "expect": "x"}}}),)
    use_case = suite.use_cases[0]
    cases = tuple(replace(case, graders=graders) for case in use_case.cases)
    suite = replace(
        suite, use_cases=(replace(use_case, cases=cases),), version="2", digest=digest("surrogates")
    )
    run = store_run(engine, suite)

    async def main() -> RunOutcome:
        async def handle(request: web.Request) -> web.Response:
            await request.read()
            return web.json_response(chat('{"a": "\\ud800\\u0000", "b": ' + "9" * 30 + "}"))

        server = Server(12)
        server.handle = handle  # type: ignore[method-assign]

        async def nothing(_: Server, stop: Stop) -> None:
            return None

        app = web.Application()
        app.router.add_post("/v1/chat/completions", handle)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        address = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        setting = RunContext(engine, {"test": Provider("test", address)}, {}, rng=random.Random(0))
        try:
            plan = stored_plan(suite, [model for _, model in run.models], run.plan)
            return await conduct(setting, run, plan)
        finally:
            await runner.cleanup()

    outcome = asyncio.run(main())
    assert (outcome.status, outcome.counts.ok) == ("finished", 12)
    grade = next(iter(read_samples(engine, run.id))).grades[0]
    assert grade.value == 0.0
    assert "not JSON" in grade.evidence
    assert count_runs(engine, [run.id])[run.id].samples.ungraded == 0
