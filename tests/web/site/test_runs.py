"""The pages of runs, and the events of a run that goes on."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from site_server import Site, served
from sqlalchemy import update
from watched_database import watched_work

from assay.calls.lease import run_lock
from assay.runs.work import Work
from assay.store.engine import writing
from assay.store.schema import locks, runs
from assay.web.site.access import SiteAccess


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Work:
    """Thirty-two days of two models."""
    return watched_work(tmp_path_factory.mktemp("runs"), days=32)


@pytest.fixture(scope="module")
def site(work: Work) -> Iterator[Site]:
    """The pages of these runs."""
    with served(work) as running:
        yield running


def set_status(work: Work, run: int, status: str, *, held: bool = False) -> None:
    """Give a run a status; with `held` a process executes it."""
    with writing(work.engine) as connection:
        connection.execute(update(runs).where(runs.c.id == run).values(status=status, finished_at=None))
        if held:
            lock = {"name": run_lock(run), "holder": "host:1", "taken_at": 0.0, "expires_at": 4e9}
            connection.execute(locks.insert(), lock)


def test_runs_are_listed_page_by_page(site: Site) -> None:
    """Thirty on a page, newest first, with counts, cost and the mark of simulated ones."""
    text = site.get("/runs").text
    assert text.index('href="/runs/32"') < text.index('href="/runs/31"')
    assert 'href="/runs/2"' not in text
    assert 'rel="next" href="/runs?before=3"' in text
    assert 'href="/runs/2"' in site.get("/runs?before=3").text
    assert "simulated" in text


def test_a_run_has_its_scores_and_leads_to_its_samples(site: Site) -> None:
    """Scores with denominators by model and use case."""
    text = site.get("/runs/32").text
    assert 'href="/samples?run=32"' in text
    assert "use-0" in text
    assert "20</span> of <span" in text


@pytest.mark.parametrize("path", ["/runs/99", "/runs/x", "/runs?before=x", "/events/runs/99"])
def test_unknown_runs_are_not_found(site: Site, path: str) -> None:
    """Pages of their own, and plain text for events."""
    assert site.get(path).status == 404


def test_a_dead_run_names_the_command_that_continues_it(tmp_path: Path) -> None:
    """It is recorded as running, but no process executes it."""
    work = watched_work(tmp_path, days=6)
    set_status(work, 6, "running")
    with served(work) as running:
        text = running.get("/runs/6").text
        assert "ended unexpectedly" in text
        assert "assay resume 6" in text


def test_a_run_that_goes_on_sends_its_progress(tmp_path: Path) -> None:
    """One event a second with counts and cost; an end when the run ends."""
    work = watched_work(tmp_path, days=6)
    set_status(work, 6, "running", held=True)
    with served(work) as running:
        text = running.get("/runs/6").text
        assert '{"events":"/events/runs/6"}' in text
        assert "executed by host" in text
        connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=20)
        connection.request("GET", "/events/runs/6")
        reply = connection.getresponse()
        assert reply.headers["content-type"].startswith("text/event-stream")
        first = json.loads(reply.readline().removeprefix(b"data: "))
        assert (first["status"], first["done"], first["planned"], first["ok"]) == ("running", 20, 20, 20)
        set_status(work, 6, "finished")
        rest = reply.read().decode()
        assert rest.rstrip().endswith("event: end\ndata: {}")
        connection.close()


def test_events_need_the_same_sign_in(work: Work) -> None:
    """Without a session there are none."""
    with served(work, SiteAccess("reader-secret-of-16")) as running:
        assert running.get("/events/runs/32").status == 401
