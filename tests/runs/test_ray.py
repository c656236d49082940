"""Runs on a real Ray cluster of two processors, with a real PostgreSQL and a real HTTP server."""

from __future__ import annotations

import asyncio
import json
import os
import re
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import orjson
import pytest
from aiohttp import web
from judged import Court, JudgedRun, always, held, judged_suite
from small_suite import make_suite
from sqlalchemy import Engine, select, text
from upstream import Upstream, serving

from assay.calls.control import RunControl, Stop
from assay.calls.progress import Progress
from assay.core.judging import Panel
from assay.core.model import Model, Provider
from assay.results.runs import RunOutcome
from assay.runs.cluster.ray_cluster import Cluster
from assay.runs.cluster.ray_executor import RayExecutor
from assay.runs.conduct import RunContext, conduct
from assay.runs.plan import plan_run
from assay.runs.work import open_work
from assay.store.engine import open_database
from assay.store.marks import read_marks
from assay.store.runs import StoredRun, new_run
from assay.store.schema import calls, samples
from assay.store.suites import keep_suite

pytestmark = [pytest.mark.ray, pytest.mark.slow, pytest.mark.postgres]
DRIVER = Path(__file__).with_name("ray_driver.py")
HEAD = Path(__file__).with_name("ray_head.py")
PATIENCE = 240.0


@dataclass(frozen=True)
class Head:
    """A cluster of this machine alone, in a process of its own; its files are in `folder`."""

    process: int
    folder: Path
    cluster: Cluster


@pytest.fixture(scope="module")
def head() -> Iterator[Head]:
    """A Ray cluster that this process is connected to; skips where Ray is missing."""
    if find_spec("ray") is None:
        if os.environ.get("CI"):
            pytest.fail("ray is not installed: CI needs it")
        pytest.skip("ray is not installed: pip install 'assay[ray]'")
    with pytest.MonkeyPatch.context() as patched, tempfile.TemporaryDirectory(prefix="ray-") as folder:
        patched.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patched.setenv("RAY_AUTH_MODE", "token")
        patched.setenv("RAY_AUTH_TOKEN", secrets.token_hex(16))
        ray = import_module("ray")
        with subprocess.Popen(
            [sys.executable, str(HEAD), folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            patched.setenv("RAY_ADDRESS", process.stdout.readline().strip())
            ray.init(log_to_driver=False, logging_level="ERROR")
            yield Head(process.pid, Path(folder), Cluster(ray, 2, 1))
            ray.shutdown()


@pytest.fixture
def cluster(head: Head) -> Cluster:
    """The cluster as a run sees it."""
    return head.cluster


@pytest.fixture(scope="module")
def shared(postgres_server: str) -> Iterator[Engine]:
    """A database that every worker reaches; each test has a run of its own in it."""
    opened = open_database(postgres_server)
    yield opened
    with opened.begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    opened.dispose()


class Bench:
    """A stored run to be executed on a cluster against a scripted upstream that is served meanwhile."""

    def __init__(
        self,
        cluster: Cluster,
        engine: Engine,
        upstream: Upstream,
        *,
        cases: int = 100,
        models: tuple[Model, ...] = (Model("test", "a"),),
        **provider: Any,
    ) -> None:
        self.cluster, self.engine, self.upstream = cluster, engine, upstream
        self.plan = plan_run(make_suite(use_cases=1, cases=cases, version=str(cases)), models)
        self.provider = {"attempts": 2, "timeout": 10.0, "concurrency": 4, **provider}
        self.own: dict[str, dict[str, Any]] = {}
        keep_suite(engine, self.plan.suite, clock=time.time)
        self.run: StoredRun = new_run(
            engine,
            kind="run",
            suite=self.plan.suite.digest,
            subjects=models,
            plan=self.plan.described(),
            day=None,
            simulated=False,
            clock=time.time,
        )

    async def conduct(self, *, environment: dict[str, str] | None = None, **options: Any) -> RunOutcome:
        """Execute what the run lacks."""
        names = {model.provider for model in self.plan.models}
        providers = {
            name: Provider(name, self.upstream.address, **{**self.provider, **self.own.get(name, {})})
            for name in names
        }
        setting = RunContext(self.engine, providers, environment or {}, executor=RayExecutor(self.cluster))
        return await conduct(setting, self.run, self.plan, **options)

    def execute(self, during: Callable[[Upstream], Any] | None = None, **options: Any) -> RunOutcome:
        """Serve the upstream and execute what the run lacks; `during` runs beside it."""

        async def main() -> RunOutcome:
            async with serving(self.upstream):
                beside = None if during is None else asyncio.create_task(during(self.upstream))
                outcome = await self.conduct(**options)
                if beside is not None:
                    await beside
                return outcome

        return asyncio.run(main())

    def recorded(self) -> Counter[str]:
        """Return how often each prompt is in the ledger."""
        query = select(calls.c.position).where(calls.c.run == self.run.id)
        with self.engine.connect() as connection:
            positions = list(connection.execute(query).scalars())
        cases = self.plan.suite.cases
        return Counter(cases[self.plan.locate(at).case].messages[0].content for at in positions)

    def complete(self) -> bool:
        """Whether every sample of the plan is there once, with full marks."""
        query = select(samples.c.position, samples.c.score).where(samples.c.run == self.run.id)
        with self.engine.connect() as connection:
            found = connection.execute(query).all()
        return sorted(row.position for row in found) == sorted(self.plan.positions()) and {
            row.score for row in found
        } == {100.0}


def right(prompt: str, before: int) -> Any:
    """Answer rightly."""
    return "right"


async def asked(upstream: Upstream, least: int) -> None:
    """Wait until the upstream was asked so often."""
    async with asyncio.timeout(PATIENCE):
        while upstream.calls < least:
            await asyncio.sleep(0.005)


async def ended(head: Head) -> None:
    """Wait until no worker executes a shard any more."""
    async with asyncio.timeout(PATIENCE):
        while shard_workers(head):
            await asyncio.sleep(0.05)


def shard_workers(head: Head) -> list[int]:
    """Return the processes that execute a shard, among those that this test's cluster started."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            if not (folder / "cmdline").read_bytes().startswith(b"ray::assay run"):
                continue
            raylet = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
            parent = int(Path(f"/proc/{raylet}/stat").read_text().rsplit(")", 1)[1].split()[1])
        except (OSError, IndexError, ValueError):
            continue
        if parent == head.process:
            found.append(int(folder.name))
    return found


def test_every_sample_of_two_providers_is_asked_graded_and_stored_once(
    cluster: Cluster, shared: Engine
) -> None:
    """Two models of two providers, a hundred cases: each is asked once, by several workers, and counted."""
    models = (Model("test", "a"), Model("other", "b"))
    bench, progress = Bench(cluster, shared, Upstream(right), models=models), Progress(0)
    outcome = bench.execute(control=RunControl(progress))
    assert (outcome.status, outcome.counts.ok, outcome.spend.calls) == ("finished", 200, 200)
    assert bench.complete()
    assert set(bench.upstream.asked.values()) == {2}
    assert (progress.done, progress.durable, progress.total) == (200, 200, 200)
    assert progress.known_cost == pytest.approx(0.2)


def test_all_workers_together_stay_within_a_providers_limit(cluster: Cluster, shared: Engine) -> None:
    """Five may be in flight: two workers share them as three and two, and the server never sees a sixth."""
    bench = Bench(cluster, shared, Upstream(right, delay=0.03), concurrency=5)
    bench.execute()
    assert 3 < bench.upstream.most_in_flight <= 5


def test_a_killed_workers_shard_is_done_again_without_repeating_a_recorded_call(
    head: Head, cluster: Cluster, shared: Engine
) -> None:
    """Killed in the middle: another worker finishes the shard, and what is in the ledger is asked once."""
    bench = Bench(cluster, shared, Upstream(right, delay=0.05), cases=200)
    known: list[Counter[str]] = []
    before: list[Counter[str]] = []

    async def kill_one(upstream: Upstream) -> None:
        await asked(upstream, 60)
        os.kill(shard_workers(head)[0], signal.SIGKILL)
        known.append(await asyncio.to_thread(bench.recorded))
        before.append(Counter(upstream.asked))

    outcome = bench.execute(kill_one)
    assert (outcome.status, outcome.counts.ok) == ("finished", 200)
    assert bench.complete()
    assert len(known[0]) >= 30
    assert {bench.upstream.asked[prompt] for prompt in known[0]} == {1}
    assert set(bench.recorded().values()) == {1}
    lost = bench.upstream.calls - 200
    assert 0 <= lost <= 2 * 4


def test_a_run_whose_driver_was_killed_is_resumed(head: Head, cluster: Cluster, shared: Engine) -> None:
    """The workers end with their driver; resuming asks for nothing that is in the ledger."""
    bench = Bench(cluster, shared, Upstream(right, delay=0.05), cases=200)
    told = {"database": shared.url.render_as_string(hide_password=False), "run": bench.run.id}

    async def main() -> tuple[RunOutcome, Counter[str]]:
        async with serving(bench.upstream):
            line = json.dumps({**told, "address": bench.upstream.address, "concurrency": 4})
            driver = await asyncio.create_subprocess_exec(sys.executable, str(DRIVER), line)
            try:
                await asked(bench.upstream, 40)
            finally:
                driver.kill()
                await driver.wait()
            await ended(head)
            known = await asyncio.to_thread(bench.recorded)
            return await bench.conduct(), known

    outcome, known = asyncio.run(main())
    assert (outcome.status, outcome.counts.ok) == ("finished", 200)
    assert bench.complete()
    assert len(known) >= 20
    assert {bench.upstream.asked[prompt] for prompt in known} == {1}
    # Four calls in flight, and the rows of the batch being committed and of the one being gathered.
    assert bench.upstream.calls - 200 <= 3 * 4


def test_a_stop_waits_for_what_is_in_flight_and_keeps_it(cluster: Cluster, shared: Engine) -> None:
    """Interrupted in the middle, every call that was sent has its sample; resuming sends the rest only."""
    bench, stop = Bench(cluster, shared, Upstream(right, delay=0.05)), Stop()

    async def interrupt(upstream: Upstream) -> None:
        await asked(upstream, 30)
        stop.request("interrupted")

    outcome = bench.execute(interrupt, control=RunControl(stop=stop))
    assert (outcome.status, outcome.reason) == ("stopped", "interrupted")
    assert outcome.counts.ok == bench.upstream.calls < 100
    assert bench.execute().counts.ok == bench.upstream.calls == 100


def test_what_was_committed_stays_when_the_driver_gives_up_at_once(
    head: Head, cluster: Cluster, shared: Engine
) -> None:
    """Cancelled (a second Ctrl-C), workers are ended; what they had committed is not asked for again."""
    bench = Bench(cluster, shared, Upstream(right, delay=0.05))

    async def main() -> Counter[str]:
        async with serving(bench.upstream):
            run = asyncio.create_task(bench.conduct())
            await asked(bench.upstream, 30)
            run.cancel()
            with pytest.raises(asyncio.CancelledError):
                await run
            await ended(head)
            known = await asyncio.to_thread(bench.recorded)
            await bench.conduct()
            return known

    known = asyncio.run(main())
    assert len(known) >= 15
    assert {bench.upstream.asked[prompt] for prompt in known} == {1}
    assert bench.complete()


def test_workers_share_one_budget(cluster: Cluster, shared: Engine) -> None:
    """At a tenth of a cent a call, four cents buy about forty samples, whoever asks; the rest comes later."""
    bench = Bench(cluster, shared, Upstream(right), concurrency=2)
    outcome = bench.execute(max_cost=0.04)
    assert (outcome.status, "budget" in str(outcome.reason)) == ("stopped", True)
    assert 38 <= outcome.counts.ok <= 40
    assert bench.execute(max_cost=1.0).counts.ok == bench.upstream.calls == 100


class Guarded(Upstream):
    """Answers those who bring the key, and 401 to everybody else."""

    key = ""

    async def handle(self, request: web.Request) -> web.Response:
        """Answer one request."""
        if request.headers.get("Authorization") != f"Bearer {self.key}":
            self.asked["refused"] += 1
            return web.json_response({"error": {"message": "who are you?"}}, status=401)
        return await super().handle(request)


def test_workers_get_the_keys_that_providers_name_and_ray_logs_none(
    head: Head, cluster: Cluster, shared: Engine
) -> None:
    """The driver's key reaches the upstream through a worker; no file of the Ray session holds it."""
    upstream = Guarded(right)
    upstream.key = f"sesame-{secrets.token_hex(8)}"
    bench = Bench(cluster, shared, upstream, cases=20, api_key_env="TEST_RAY_KEY")
    outcome = bench.execute(environment={"TEST_RAY_KEY": upstream.key, "OTHER": "x"})
    assert (outcome.status, outcome.counts.ok) == ("finished", 20)
    files = [path for path in head.folder.rglob("*") if path.is_file() and not path.is_symlink()]
    assert len(files) > 5
    assert not [path for path in files if upstream.key.encode() in path.read_bytes()]


def test_a_key_that_is_refused_stops_all_workers(cluster: Cluster, shared: Engine) -> None:
    """A 401 ends the run with the variable's name and without the key; nobody asks a hundred times."""
    upstream = Guarded(right)
    upstream.key = "another"
    bench = Bench(cluster, shared, upstream, api_key_env="TEST_RAY_KEY")
    outcome = bench.execute(environment={"TEST_RAY_KEY": "sesame"})
    assert outcome.status == "stopped"
    assert "TEST_RAY_KEY" in str(outcome.reason)
    assert "sesame" not in str(outcome.reason)
    assert upstream.calls <= 8


def test_a_key_that_one_provider_refuses_stops_that_provider_only(cluster: Cluster, shared: Engine) -> None:
    """The other provider's samples are all there when the run ends, and its end names the variable."""
    upstream = Guarded(right, delay=0.01)
    upstream.key = f"sesame-{secrets.token_hex(8)}"
    models = (Model("test", "a"), Model("other", "b"))
    bench = Bench(cluster, shared, upstream, models=models)
    bench.own = {"test": {"api_key_env": "TEST_RAY_KEY"}, "other": {"api_key_env": "OTHER_RAY_KEY"}}
    outcome = bench.execute(environment={"TEST_RAY_KEY": "wrong", "OTHER_RAY_KEY": upstream.key})
    assert outcome.status == "stopped"
    assert "TEST_RAY_KEY" in str(outcome.reason)
    assert outcome.counts.ok == 100
    assert upstream.asked["refused"] <= 8


def test_a_simulated_run_finishes_on_ray(cluster: Cluster, shared: Engine, tmp_path: Path) -> None:
    """The driver serves the simulated provider, and workers on its machine ask it."""
    database = shared.url.render_as_string(hide_password=False).replace("+psycopg", "")
    environment = {**os.environ, "ASSAY_DATABASE": database}
    work = open_work(tmp_path, environment=environment, on="ray")
    plan = work.plan(work.suite("daily"), work.models(["simulated/steady"]), limit=4)
    outcome = asyncio.run(work.run(plan))
    work.engine.dispose()
    assert (outcome.status, outcome.counts.n) == ("finished", 4)


class Jury(Court):
    """A court that wants a key from whoever asks its judges, and knows how many it had in flight at once."""

    def __init__(self, key: str) -> None:
        super().__init__(
            {"kind": always(5), "stern": always(2)},
            lambda body: f"subject on {body['messages'][-1]['content']} {key}",
        )
        self.key = key
        self.in_flight = self.most_in_flight = 0
        self.pairs: Counter[tuple[str, str]] = Counter()

    def noted(self, body: dict[str, Any]) -> None:
        """Count what each judge is asked about each answer."""
        if body["model"] in self.judges:
            (answer,) = set(re.findall(r"subject on (Write \d+)\.", body["messages"][-1]["content"]))
            self.pairs[body["model"], answer] += 1

    async def handle(self, request: web.Request) -> web.Response:
        """Answer one request."""
        judging = orjson.loads(await request.read())["model"] in self.judges
        if judging and request.headers.get("Authorization") != f"Bearer {self.key}":
            return web.json_response({"error": {"message": "who are you?"}}, status=401)
        self.in_flight += judging
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            return await super().handle(request)
        finally:
            self.in_flight -= judging


class JuryRun(JudgedRun):
    """A judged run on a cluster: one judge more, whose provider has no key, and few judges at a time."""

    def __init__(self, cluster: Cluster, engine: Engine, court: Jury, *, cases: int) -> None:
        judges = [Model("jury", "kind"), Model("jury", "stern"), Model("keyless", "absent")]
        panel = Panel(tuple(judge.name for judge in judges))
        suite = judged_suite(cases=cases, version=f"ray-{court.key}")
        super().__init__(engine, court, panel=panel, suite=suite, judges=judges)
        self.cluster = cluster

    async def conduct(self) -> RunOutcome:
        """Execute what the run lacks."""
        providers = {
            "test": Provider("test", self.court.address, attempts=2, timeout=10.0, concurrency=8),
            "jury": Provider("jury", self.court.address, attempts=2, concurrency=2, api_key_env="JURY_KEY"),
            "keyless": Provider("keyless", self.court.address, api_key_env="ABSENT_KEY"),
        }
        assert isinstance(self.court, Jury)
        environment = {"JURY_KEY": self.court.key}
        setting = RunContext(self.engine, providers, environment, executor=RayExecutor(self.cluster))
        return await conduct(setting, self.run, self.plan)


def test_workers_ask_the_judges_with_their_key_and_within_their_limit(
    cluster: Cluster, shared: Engine
) -> None:
    """Two judges mark all answers, two at a time; the one without a key is told once, with the total."""
    run = JuryRun(cluster, shared, Jury(secrets.token_hex(8)), cases=60)
    run.court.delay = 0.005

    async def main() -> RunOutcome:
        async with held(run.court):
            return await run.conduct()

    outcome = asyncio.run(main())
    assert (outcome.status, outcome.counts.ok, outcome.counts.ungraded) == ("finished", 60, 0)
    found = Counter((each.judge, each.row.value) for each in read_marks(shared, [run.run.id]))
    assert found == {("jury/kind", 5.0): 60, ("jury/stern", 2.0): 60, ("keyless/absent", None): 60}
    assert isinstance(run.court, Jury)
    assert run.court.most_in_flight <= 2
    (told,) = outcome.remarks
    assert told.startswith("marks missing (60): keyless/absent")
    assert "ABSENT_KEY" in told


def test_a_killed_workers_marks_are_not_asked_for_again(head: Head, cluster: Cluster, shared: Engine) -> None:
    """Killed among its judges: what they had marked is used by whoever does the shard again."""
    run = JuryRun(cluster, shared, Jury(secrets.token_hex(8)), cases=120)
    run.court.delay = 0.02
    jury, known = run.court, Counter[tuple[str, str]]()
    assert isinstance(jury, Jury)

    async def main() -> RunOutcome:
        async with held(jury):
            running = asyncio.create_task(run.conduct())
            async with asyncio.timeout(PATIENCE):
                while jury.pairs.total() < 60:
                    await asyncio.sleep(0.005)
            os.kill(shard_workers(head)[0], signal.SIGKILL)
            for each in await asyncio.to_thread(read_marks, shared, [run.run.id]):
                if each.row.value is not None:
                    known[each.judge.removeprefix("jury/"), f"Write {each.row.position}"] += 1
            return await running

    outcome = asyncio.run(main())
    assert (outcome.status, outcome.counts.ok) == ("finished", 120)
    assert known.total() >= 20
    assert {jury.pairs[pair] for pair in known} == {1}
    assert 0 <= jury.pairs.total() - 240 <= 2 * 4
    found = Counter(each.judge for each in read_marks(shared, [run.run.id]) if each.row.value is not None)
    assert found == {"jury/kind": 120, "jury/stern": 120}
