"""The daily watch from the command line."""

from __future__ import annotations

import os
import subprocess
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from command_line import SCRIPT, Assay, right, served, write_workspace
from upstream import chat

from assay.store.engine import open_database
from assay.store.locks import Holder, free_lock, take_lock

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


@pytest.mark.slow
@pytest.mark.usefixtures("fallen")
@pytest.mark.parametrize(
    "arguments",
    [("verdict",), ("verdict", "mine/a/b"), ("verdict", "--history"), ("runs",), ("show", "7")],
    ids=" ".join,
)
def test_tables_fit_80_columns(
    assay: Assay, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    """No table is wider than the terminal, and no name is broken to achieve this."""
    monkeypatch.setenv("COLUMNS", "80")
    suite = ("--suite", "small") if arguments[0] == "verdict" else ()
    lines = assay(*arguments, *suite).out.splitlines()
    rule = next(number for number, line in enumerate(lines) if line.startswith("───"))
    assert max(len(line) for line in lines[rule - 1 : rule + 2]) <= 80
    assert any("mine/a/b" in line for line in lines)


@pytest.mark.usefixtures("fallen")
def test_the_day_of_a_fall_was_measured_at_full_count(assay: Assay) -> None:
    """A suspicious use case was topped up before judging: thirty samples instead of ten."""
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
        lease = take_lock(engine, "watch", Holder(7, "somewhere", None, None, "token"))
        ended = assay("watch")
        assert (ended.status, "process 7 on somewhere" in ended.err, upstream.calls) == (2, True, 0)
        free_lock(engine, lease)
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


@pytest.mark.usefixtures("no_database")
def test_a_dry_run_sends_and_stores_nothing(folder: Path, assay: Assay) -> None:
    """The plan tells calls and what a top-up may add; no call is made, no database begun."""
    with served() as upstream:
        write_workspace(folder, upstream, "watch: {suite: small, models: [mine/a/b]}\n")
        document = assay("watch", "--dry-run", "--json").json
        assert (document["calls"], document["most_calls"], upstream.calls) == (10, 30, 0)
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


@pytest.mark.usefixtures("fallen")
def test_verdict_reads_the_suite_of_the_workspace(assay: Assay) -> None:
    """Without --suite the workspace's `watch.suite` is meant, as it is for the watch; here a folder."""
    assert assay("verdict", "--json").json["suite"] == "small"


def test_a_second_watch_of_a_finished_day_sends_nothing(folder: Path, assay: Assay) -> None:
    """It shows the day's verdict, ends with 0, and names the commands that show or measure more."""
    with served() as upstream:
        write_workspace(folder, upstream, "watch: {suite: small, models: [mine/a/b]}\n")
        assay("watch")
        second = assay("watch")
        assert (second.status, upstream.calls) == (0, 10)
        notes = " ".join(second.err.split())
        assert "run 1 has measured mine/a/b on " in notes
        assert notes.count("measured mine/a/b") == 1
        assert "assay verdict --suite small" in " ".join(second.err.split())
        assert "assay watch --again" in second.err
        assert "CALIBRATING" in second.out


def test_a_day_of_unknown_cost_does_not_say_that_it_was_spent(folder: Path, assay: Assay) -> None:
    """An endpoint without costs or prices: the calls are counted, their cost is unknown."""
    with served() as upstream:
        upstream._answer = lambda prompt, before: chat(str(right(prompt, before)), usage=None)
        write_workspace(folder, upstream, "watch: {suite: small, models: [mine/a/b]}\n")
        notes = " ".join(assay("watch").err.split())
        assert "cost unknown on 20" in notes
        assert "in 10 calls" in notes


def test_a_dry_run_of_a_finished_day_says_so(folder: Path, assay: Assay) -> None:
    """Before anything is sent: what a watch would leave out, by model and run."""
    with served() as upstream:
        write_workspace(folder, upstream, "watch: {suite: small, models: [mine/a/b]}\n")
        assay("watch")
        shown = assay("watch", "--dry-run", "--json").json
        assert shown["already_measured"] == [{"model": "mine/a/b", "run": 1}]
        assert shown["calls"] == 0
        again = assay("watch", "--dry-run", "--again", "--json").json
        assert (again["already_measured"], again["calls"]) == ([], 10)


def test_a_day_is_measured_again_on_request(folder: Path, assay: Assay) -> None:
    """With --again the samples of both runs are pooled."""
    with served() as upstream:
        write_workspace(folder, upstream, "watch: {suite: small, models: [mine/a/b]}\n")
        assay("watch")
        again = assay("watch", "--again", "--json")
        assert (again.status, upstream.calls) == (0, 20)
        assert again.json["verdicts"][0]["counts"]["n"] == 20


def test_only_the_models_that_the_day_lacks_are_asked(folder: Path, assay: Assay) -> None:
    """A model that joins later in the day is measured alone, and the others are named."""
    with served() as upstream:
        write_workspace(folder, upstream, "watch: {suite: small, models: [mine/a/b]}\n")
        assay("watch")
        ended = assay("watch", "-m", "mine/a/b", "-m", "mine/c", "--json")
        assert upstream.calls == 20
        assert {body["model"] for body in upstream.bodies[10:]} == {"c"}
        assert ended.json["already_measured"] == [{"model": "mine/a/b", "run": 1}]
        assert "run 1 has measured mine/a/b on " in " ".join(ended.err.split())


def test_an_unfinished_run_of_the_day_is_named(folder: Path, assay: Assay) -> None:
    """A second watch would pay for the same samples again: the message names the resume instead."""
    with served() as upstream:
        write_workspace(folder, upstream, "watch: {suite: small, models: [mine/a/b]}\n", concurrency=1)
        assay("watch", "--max-cost", "0.003")
        asked = upstream.calls
        refused = assay("watch")
        assert (refused.status, upstream.calls) == (2, asked)
        assert "assay resume 1" in refused.err
        assert assay("watch", "--again").status == 0
