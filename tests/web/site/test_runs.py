"""The pages of runs, and the events of a run that goes on."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from in_thread import in_thread
from site_server import Site, served
from small_suite import make_suite
from sqlalchemy import delete, update
from upstream import Upstream, serving
from watched_database import MODELS, add_day, watched_work

from assay.core.model import Model
from assay.runs.site.source import SiteSource
from assay.runs.work import Work, open_work
from assay.store.engine import writing
from assay.store.locks import run_lock
from assay.store.schema import calls, locks, runs, samples, suites
from assay.store.suites import find_digest, read_suite
from assay.web.site.access import SiteAccess
from assay.web.site.runs import MOST_STREAMS, RunStreams

SCRIPT = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Work:
    """Forty-five days of two models."""
    return watched_work(tmp_path_factory.mktemp("runs"), days=45)


@pytest.fixture(scope="module")
def site(work: Work) -> Iterator[Site]:
    """The pages of these runs."""
    with served(work) as running:
        yield running


def set_status(work: Work, run: int, status: str, *, held: bool = False, **values: object) -> None:
    """Give a run a status; with `held` a process executes it."""
    with writing(work.engine) as connection:
        change = update(runs).where(runs.c.id == run)
        connection.execute(change.values(status=status, finished_at=None, **values))
        if held:
            lock = {"name": run_lock(run), "holder": "host:1", "taken_at": 0.0, "expires_at": 4e9}
            connection.execute(locks.insert(), lock)


class Events:
    """A stream of events that a test reads."""

    def __init__(self, site: Site, run: int, **headers: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=30)
        self._connection.request("GET", f"/events/runs/{run}", headers=headers)
        self.reply = self._connection.getresponse()

    def next(self) -> dict[str, Any] | None:
        """Return the next message; None at the end."""
        event = b""
        while line := self.reply.readline():
            if line.startswith(b"event: "):
                event = line
            elif line.startswith(b"data: "):
                message: dict[str, Any] = json.loads(line.removeprefix(b"data: "))
                return None if b"end" in event else message
        raise AssertionError("the stream broke off")

    def __enter__(self) -> Events:
        return self

    def __exit__(self, *_: object) -> None:
        """Leave."""
        self.reply.close()
        self._connection.close()


def listed(page: str) -> list[int]:
    """Return the numbers of the runs on a page."""
    return [int(number) for number in re.findall(r'<th scope="row"><a href="/runs/(\d+)"', page)]


def test_runs_are_listed_page_by_page(site: Site) -> None:
    """Twenty on a page, newest first, with a mark of simulated ones, and back."""
    first, second, third = (site.get(f"/runs{query}").text for query in ("", "?before=26", "?before=6"))
    assert [listed(page) for page in (first, second, third)] == [
        list(range(45, 25, -1)),
        list(range(25, 5, -1)),
        [5, 4, 3, 2, 1],
    ]
    assert 'rel="next" href="/runs?before=26"' in first
    assert 'rel="prev"' not in first
    assert 'rel="prev" href="/runs?before=46"' in second
    assert 'rel="prev" href="/runs?before=26"' in third
    assert 'rel="next"' not in third
    assert 'rel="prev"' not in site.get("/runs?before=46").text
    assert "All runs on this page are simulated" in first


def test_a_run_has_its_plan_scores_and_samples(site: Site) -> None:
    """Scores with denominators by model and use case, cost, and links to the samples by status."""
    text = site.get("/runs/45").text
    assert "2 models × 10 cases × 1 epoch = 20 samples" in text
    assert 'href="/samples?run=45"' in text
    assert 'href="/samples?run=45&amp;status=ok"' in text
    assert "use-0" in text
    assert "20</span> of <span" in text
    assert "$0.0200" in text
    assert "no limit set" in text
    assert "Everything here is simulated" in text
    assert 'id="data">{}<' in text


@pytest.mark.parametrize(
    "path",
    ["/runs/99", "/runs/x", "/runs/-1", "/runs?before=x", "/events/runs/99", "/events/runs/x"]
    + [f"/{kind}/{10**30}" for kind in ("runs", "events/runs")],
)
def test_unknown_runs_are_not_found(site: Site, path: str) -> None:
    """Pages of their own, and plain text for events."""
    page = site.get(path)
    assert page.status == 404
    assert "Traceback" not in page.text


def test_a_dead_run_names_the_command_that_continues_it(tmp_path: Path) -> None:
    """It is recorded as running, but no process executes it; nobody waits for its events."""
    work = watched_work(tmp_path, days=6)
    set_status(work, 6, "running")
    with served(work) as running:
        text = running.get("/runs/6").text
        assert "ended unexpectedly" in text
        assert "assay resume 6" in text
        assert 'id="data">{}<' in text
        assert "<b>dead</b>" in running.get("/runs").text
        with Events(running, 6) as events:
            message = events.next()
            assert message is not None
            assert message["status"] == "dead"
            assert events.next() is None


def test_a_stopped_run_says_why_and_how_to_go_on(tmp_path: Path) -> None:
    """The reason may hold anything."""
    work = watched_work(tmp_path, days=6)
    set_status(work, 6, "stopped", reason=f"spent {SCRIPT}")
    with writing(work.engine) as connection:
        failed = {"status": "error", "error": SCRIPT, "cost": None, "http_status": None}
        connection.execute(update(calls).where(calls.c.run == 6, calls.c.position < 3).values(**failed))
        connection.execute(delete(samples).where(samples.c.run == 6, samples.c.position < 5))
    with served(work) as running:
        text = running.get("/runs/6").text
        assert SCRIPT not in text
        assert "The run was stopped: spent &lt;script&gt;" in text
        assert "assay resume 6" in text
        assert "&lt;/script&gt;: 3" in text
        assert '<progress max="20" value="15"' in text
        assert "$0.0170 + 3 calls of unknown cost" in text


@pytest.mark.parametrize("kind", ["run", "import", "calibrate", "sit", "expand", "pairs"])
def test_runs_of_every_kind_have_a_page(tmp_path: Path, kind: str) -> None:
    """Also those without cases and those without a plan."""
    work = watched_work(tmp_path, days=1)
    set_status(work, 1, "stopped", kind=kind, plan="{}" if kind != "run" else runs.c.plan)
    with served(work) as running:
        assert running.get("/runs/1").status == 200
        assert kind in running.get("/runs").text


def test_a_run_that_goes_on_sends_its_progress(tmp_path: Path) -> None:
    """An event when something changes, with counts, errors and cost; an end when the run ends."""
    work = watched_work(tmp_path, days=6)
    with writing(work.engine) as connection:
        connection.execute(delete(samples).where(samples.c.run == 6, samples.c.position >= 5))
    set_status(work, 6, "running", held=True)
    with served(work) as running:
        text = running.get("/runs/6").text
        assert '{"events":"/events/runs/6"}' in text
        assert "executed by host" in text
        assert "press Ctrl-C" in text
        with Events(running, 6) as events:
            assert events.reply.headers["content-type"].startswith("text/event-stream")
            assert events.reply.headers["cache-control"] == "no-store"
            first = events.next()
            assert first is not None
            assert (first["status"], first["done"], first["planned"]) == ("running", 5, 20)
            shown = set(re.findall(r'data-live="(\w+)"', text))
            assert shown == set(first["texts"])
            with writing(work.engine) as connection:
                connection.execute(
                    update(calls).where(calls.c.run == 6, calls.c.position == 9).values(error="gone")
                )
                connection.execute(delete(samples).where(samples.c.run == 6, samples.c.position == 4))
            second = events.next()
            assert second is not None
            assert (second["texts"]["done"], second["texts"]["errors"]) == ("4", "gone: 1")
            set_status(work, 6, "finished")
            last = events.next()
            assert last is not None
            assert last["status"] == "finished"
            assert events.next() is None


def test_the_number_of_streams_is_limited_and_readers_may_leave(tmp_path: Path) -> None:
    """One more gets status 503; a place is free again soon after somebody has left."""
    work = watched_work(tmp_path, days=1)
    set_status(work, 1, "running", held=True)
    with served(work) as running, ExitStack() as stack:
        first, *others = [stack.enter_context(Events(running, 1)) for _ in range(MOST_STREAMS)]
        assert {reader.reply.status for reader in (first, *others)} == {200}
        assert running.get("/events/runs/1").status == 503
        assert running.send("HEAD", "/events/runs/1", None, {}).status == 200
        first.__exit__()
        for _ in range(200):
            with Events(running, 1) as reader:
                status = reader.reply.status
            if status == 200:
                break
            time.sleep(0.02)
        assert status == 200


def test_readers_of_a_run_share_one_look(tmp_path: Path) -> None:
    """However many follow it, the database is read once a period; silence is broken by a comment."""
    work = watched_work(tmp_path, days=1)
    set_status(work, 1, "running", held=True)
    source = SiteSource(work)
    looks: list[str] = []
    suite_of = source.suite
    source.suite = lambda digest: (looks.append(digest), suite_of(digest))[1]  # type: ignore[method-assign]

    async def read(stream: AsyncIterator[bytes]) -> list[bytes]:
        return [await anext(stream), await anext(stream)]

    async def follow() -> list[list[bytes]]:
        streams = RunStreams(source, seconds=0.2, heartbeat=0.1)
        for _ in range(20):
            assert streams.join(1)
        return await asyncio.gather(*(read(streams.events(1)) for _ in range(20)))

    received = asyncio.run(follow())
    assert {events[1] for events in received} == {b":\n\n"}
    assert all(events[0].startswith(b"data: ") for events in received)
    assert len(looks) <= 3


def test_events_need_the_same_sign_in_and_host(work: Work) -> None:
    """Without a session there are none, and none for another host name."""
    with served(work, SiteAccess("reader-secret-of-16")) as running:
        assert running.get("/events/runs/45").status == 401
    with served(work) as running:
        assert running.get("/events/runs/45", Host="evil.example").status == 421


def test_private_and_sealed_suites_show_counts_only(tmp_path: Path) -> None:
    """No case, prompt or answer; without the key of a sealed suite neither plan nor scores."""
    suite = replace(make_suite(full=1), visibility="private")
    work = watched_work(tmp_path, days=6, suite=suite, answer=lambda *_: "planted")
    with served(work) as running:
        for path in ("/runs", "/runs/6"):
            for secret in ("planted", "case-0-0", "Question"):
                assert secret not in running.get(path).text
    with writing(work.engine) as connection:
        connection.execute(update(suites).values(sealed_with="key", content=b"x"))
        connection.execute(update(samples).values(sealed=b"x", score=None))
    with served(work) as running:
        text = running.get("/runs/6").text
        assert "This suite is sealed" in text
        assert ">20</a>" in text
        with Events(running, 6) as events:
            assert events.next() is not None


def test_names_are_escaped_and_real_runs_have_no_banner(tmp_path: Path) -> None:
    """A model may be called anything."""
    work = watched_work(tmp_path, days=1, models=(Model("openrouter", SCRIPT),))
    with served(work) as running:
        for path in ("/runs", "/runs/1"):
            text = running.get(path).text
            assert SCRIPT not in text
            assert "imulated" not in text


def test_a_database_without_runs_says_what_to_type(tmp_path: Path) -> None:
    """The list is empty."""
    with served(watched_work(tmp_path, days=0)) as running:
        assert "assay run SUITE --model PROVIDER/MODEL" in running.get("/runs").text


def test_pages_are_read_while_runs_are_written(tmp_path: Path) -> None:
    """Every page is whole while another thread writes days into the same file."""
    work = watched_work(tmp_path, days=6)
    suite = read_suite(work.engine, find_digest(work.engine, "small"))

    def write_days() -> None:
        for day in range(6, 30):
            add_day(work.engine, suite, MODELS, day, {})

    writer = threading.Thread(target=write_days)
    with served(work) as running:
        writer.start()
        statuses = set()
        while writer.is_alive():
            for path in ("/runs", "/runs/6", "/samples", "/samples?view=read", "/samples?text=right"):
                statuses.add(running.get(path).status)
        writer.join()
        assert statuses == {200}
        assert listed(running.get("/runs").text)[0] == 30


@pytest.fixture
def running_assay(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts `assay run` of ten cases in a process of its own; its upstream takes 0.4 s for an answer."""
    suite = tmp_path / "tiny"
    suite.mkdir()
    (suite / "suite.yaml").write_text(
        "name: tiny\nversion: 1.0.0\ntitle: Tiny\nvisibility: public\nuse_cases: [one.yaml]\n"
        "canary: assay-canary-1c9ae0a8-5a3e-4d8b-8a43-3a8b2f6a1d10\ndescription: A suite for one test.\n"
    )
    cases = "".join(
        f"  - id: case-{number}\n    prompt: Question {number} of one?\n    max_tokens: 16\n"
        "    graders:\n      - exact: {expect: right}\n    derivation: It is right by definition.\n"
        '    exemplars:\n      - {score: 1.0, answer: "right"}\n      - {score: 0.0, answer: "wrong"}\n'
        '      - {score: 0.0, answer: "bad"}\n'
        for number in range(10)
    )
    (suite / "one.yaml").write_text(
        f"name: one\ntitle: One\ngrading: deterministic\nsamples: {{base: 1, full: 3}}\ncases:\n{cases}"
    )
    clean = {name: value for name, value in os.environ.items() if not name.startswith("ASSAY_")}
    started: list[subprocess.Popen[str]] = []
    with ExitStack() as stack:
        answers = Upstream(lambda prompt, before: 400 if "Question 3" in prompt else "right", delay=0.4)
        upstream = stack.enter_context(in_thread(serving(answers)))
        (tmp_path / "assay.yaml").write_text(
            "budget: {max_cost: 2.5}\n"
            f'providers:\n  local: {{base_url: "{upstream.address}", concurrency: 1}}\n'
        )

        def start(*words: str) -> subprocess.Popen[str]:
            command = [sys.executable, "-c", "from assay.cli.main import main; main()", *words]
            process = subprocess.Popen(
                command, cwd=tmp_path, env=clean, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
            )
            started.append(process)
            return process

        yield start
        for process in started:
            if process.poll() is None:
                process.kill()
            process.communicate()


@pytest.mark.slow
def test_a_run_in_another_process_is_followed_stopped_and_resumed(
    tmp_path: Path, running_assay: Callable[..., subprocess.Popen[str]]
) -> None:
    """Its page names the process, events show it grow, Ctrl-C stops it, and the page's command resumes it."""
    process = running_assay("run", "./tiny", "-m", "local/x")
    while not (tmp_path / "assay.db").exists() or not _runs(tmp_path):
        assert process.poll() is None, process.communicate()[1]
        time.sleep(0.05)
    with served(open_work(tmp_path, environment={})) as running:
        page = running.get("/runs/1").text
        assert f"executed by process {process.pid} on" in page
        assert "limit of a run $2.50" in page
        with Events(running, 1) as events:
            done: list[int] = []
            while len(done) < 3 and (message := events.next()):
                assert (message["status"], message["planned"]) == ("running", 10)
                done.append(message["done"])
            assert done == sorted(set(done))
            process.send_signal(signal.SIGINT)
            while (message := events.next()) is not None:
                last = message
        assert last["status"] == "stopped"
        assert process.wait(30) == 130
        page = running.get("/runs/1").text
        assert "The run was stopped" in page
        command = re.search(r"Continue with <code>assay ([^<]+)</code>", page)
        assert command
        resumed = running_assay(*command[1].split())
        errors = resumed.communicate(timeout=60)[1]
        assert resumed.returncode == 0, errors
        page = running.get("/runs/1").text
        assert '<dd data-live="status">finished</dd>' in page
        assert 'href="/samples?run=1&amp;status=error">1</a>' in page


def _runs(folder: Path) -> int:
    """Return the number of runs in a folder's database, 0 while it is being made."""
    try:
        with open_work(folder, environment={}).engine.connect() as connection:
            return len(connection.execute(runs.select()).all())
    except Exception:  # noqa: BLE001 - the other process is making it
        return 0
