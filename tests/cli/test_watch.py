"""The daily watch from the command line."""

from __future__ import annotations

import os
import subprocess
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from command_line import SCRIPT, Assay, right, served, write_workspace

from assay.store.engine import open_database
from assay.store.locks import free_lock, take_lock

TODAY = datetime.now(UTC).date()


def wrong(prompt: str, before: int) -> str:
    """Answer nothing rightly."""
    return "I do not know."


@pytest.fixture
def fallen(folder: Path, assay: Assay) -> None:
    """Six good days, and today a model that answers nothing rightly."""
    with served() as upstream:
        write_workspace(folder, upstream, "watch: {suite: small, models: [mine/a/b]}\n")
        for ago in range(6, 0, -1):
            assert assay("watch", "--day", (TODAY - timedelta(days=ago)).isoformat()).status == 0
        upstream._answer = wrong
        assert assay("watch").status == 0


@pytest.mark.usefixtures("fallen")
def test_a_collapse_is_cooked_and_fails_on_request(assay: Assay) -> None:
    """The verdict ends with 1 only when asked to fail, from the state on that was named."""
    assert assay("verdict", "--suite", "small").status == 0
    assert assay("verdict", "--suite", "small", "--fail-on", "cooked").status == 1
    assert assay("verdict", "--suite", "small", "--fail-on", "suspicious").status == 1
    yesterday = assay("verdict", "--suite", "small", "--fail-on", "suspicious", "--day", "yesterday")
    assert yesterday.status == 0
    state = assay("verdict", "mine/a/b", "--suite", "small", "--json").json["verdicts"][0]["state"]
    assert state == "COOKED"


@pytest.mark.usefixtures("fallen")
@pytest.mark.parametrize(
    "arguments",
    [("verdict",), ("verdict", "mine/a/b"), ("verdict", "--history"), ("runs",), ("show", "7")],
    ids=" ".join,
)
def test_tables_fit_80_columns(
    assay: Assay, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    """Nothing of a table is wider than a terminal, and no name is broken to get there."""
    monkeypatch.setenv("COLUMNS", "80")
    suite = ("--suite", "small") if arguments[0] == "verdict" else ()
    lines = assay(*arguments, *suite).out.splitlines()
    rule = next(number for number, line in enumerate(lines) if line.startswith("───"))
    assert max(len(line) for line in lines[rule - 1 : rule + 2]) <= 80
    assert any("mine/a/b" in line for line in lines)


@pytest.mark.usefixtures("fallen")
def test_the_day_of_a_fall_was_measured_at_full_count(assay: Assay) -> None:
    """What looked suspicious was re-run before judging: thirty samples instead of ten."""
    page = assay("show", "7", "--json").json
    assert page["n"] == 30
    assert {pair["use_case"] for pair in page["plan"]["topped"]} == {"sums", "words"}


@pytest.mark.usefixtures("fallen")
def test_the_history_has_a_line_for_every_day(assay: Assay) -> None:
    """From the first day to today, calibrating, then fine, then cooked."""
    days = assay("verdict", "--suite", "small", "--history", "--json").json["verdicts"]
    assert [day["state"] for day in days] == ["CALIBRATING"] * 5 + ["OK", "COOKED"]
    assert "day by day" in assay("verdict", "--suite", "small", "--history").out


def test_two_watches_at_once_are_refused(folder: Path, assay: Assay) -> None:
    """The second names the holder of the lock, asks nothing, and works when the first is over."""
    engine = open_database(str(folder / "assay.db"))
    with served() as upstream:
        write_workspace(folder, upstream, "watch: {suite: small, models: [mine/a/b]}\n")
        take_lock(engine, "watch", "process 7 on somewhere", clock=time.time)
        ended = assay("watch")
        assert (ended.status, "process 7 on somewhere" in ended.err, upstream.calls) == (2, True, 0)
        free_lock(engine, "watch", "process 7 on somewhere")
        assert assay("watch").status == 0
    engine.dispose()


@pytest.mark.slow
def test_two_watches_as_processes_are_refused(folder: Path, assay: Assay) -> None:
    """While one script watches, another one ends with 2; the first finishes untouched."""
    with served(right, delay=0.3) as upstream:
        write_workspace(folder, upstream, "watch: {suite: small, models: [mine/a/b]}\n", concurrency=2)
        first = subprocess.Popen(
            [SCRIPT, "watch", "--json"], cwd=folder, env=dict(os.environ), stdout=subprocess.PIPE, text=True
        )
        while upstream.calls == 0 and first.poll() is None:
            time.sleep(0.01)
        second = assay("watch")
        out, _ = first.communicate(timeout=60)
    assert (second.status, "another watch is running" in second.err) == (2, True)
    assert first.returncode == 0
    assert '"n": 10' in out


def test_a_dry_run_sends_and_stores_nothing(folder: Path, assay: Assay) -> None:
    """The plan tells calls and what a top-up may add; no call is made, no database begun."""
    with served() as upstream:
        write_workspace(folder, upstream, "watch: {suite: small, models: [mine/a/b]}\n")
        document = assay("watch", "--dry-run", "--json").json
        assert (document["calls"], document["most_topped_calls"], upstream.calls) == (10, 20, 0)
    assert not (folder / "assay.db").exists()


def test_a_stopped_watch_is_resumed_and_judged(folder: Path, assay: Assay) -> None:
    """A budget that runs out ends with 3 and no verdict; the resume finishes the day and judges it."""
    with served() as upstream:
        write_workspace(folder, upstream, "watch: {suite: small, models: [mine/a/b]}\n", concurrency=1)
        stopped = assay("watch", "--max-cost", "0.003", "--json")
        assert (stopped.status, stopped.json["verdicts"]) == (3, [])
        resumed = assay("resume", "1", "--json")
        assert (resumed.status, resumed.json["verdicts"][0]["state"]) == (0, "CALIBRATING")
        assert upstream.calls == 10
