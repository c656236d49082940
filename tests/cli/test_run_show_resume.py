"""Running, showing and resuming from the command line, against a real server."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from command_line import SCRIPT, Assay, Served, right, served, write_workspace
from upstream import chat

from assay.store.engine import open_database
from assay.store.locks import Holder, take_lock


def test_a_run_prints_its_scores_and_where_to_look(upstream: Served, assay: Assay) -> None:
    """Ten cases are asked once each; scores with denominators go to stdout, the rest to stderr."""
    ended = assay("run", "small", "-m", "mine/a/b")
    assert ended.status == 0
    assert upstream.calls == 10
    assert "sums" in ended.out and "100.0" in ended.out
    assert "10 samples (10 ok, 0 invalid, 0 error, 0 ungraded), $0.0100" in ended.err
    assert "assay show 1" in ended.err


@pytest.mark.slow
def test_the_real_console_script_runs_and_shows(upstream: Served, script: Assay) -> None:
    """The installed script runs a suite, lists the run and shows a sample with its raw answer."""
    assert script("run", "small", "-m", "mine/a/b", "--epochs", "2").status == 0
    assert script("runs", "--json").json["runs"][0]["n"] == 20
    shown = script("show", "1.0")
    assert shown.status == 0
    assert "What is 11 plus 11?" in shown.out
    assert "\n  22\n" in shown.out
    assert "contains  1.00" in shown.out


def test_a_run_page_counts_every_status_apart(upstream: Served, assay: Assay) -> None:
    """Wrong, empty and failed answers are counted apart; the score's denominator is reported."""

    def answer(prompt: str, before: int) -> Any:
        return {"What is 11 plus 11?": "", "What is 12 plus 12?": 400, "What is 13 plus 13?": "no"}.get(
            prompt, right(prompt, before)
        )

    upstream._answer = answer
    assert assay("run", "small", "-m", "mine/a/b").status == 0
    page = assay("show", "1", "--json").json
    sums = page["scores"][0]
    assert (sums["n"], sums["ok"], sums["invalid"], sums["error"], sums["ungraded"]) == (5, 3, 1, 1, 0)
    assert (sums["cases"], sums["score"]) == (4, 50.0)
    assert [
        sample["status"] for sample in assay("show", "1", "--only", "error", "--json").json["samples"]
    ] == ["error"]


def test_show_lists_at_most_what_is_asked_for(upstream: Served, assay: Assay) -> None:
    """`--limit` bounds the list and says of how many; 0 lists all."""
    assay("run", "small", "-m", "mine/a/b")
    assert "3 of 10 samples" in assay("show", "1", "--limit", "3").out
    assert len(assay("show", "1", "--limit", "0", "--json").json["samples"]) == 10


def test_unknown_runs_and_samples_end_with_a_message(upstream: Served, assay: Assay) -> None:
    """A number that is not there, and what is no number, end with 2 and say what to write."""
    assay("run", "small", "-m", "mine/a/b", "--limit", "1")
    for what, message in (("7", "no run 7"), ("1.99", "no sample 99"), ("latest", "12.345")):
        ended = assay("show", what)
        assert (ended.status, message in ended.err, ended.out) == (2, True, "")


def test_a_page_says_what_was_wrong_with_a_reply_that_counted(upstream: Served, assay: Assay) -> None:
    """A usage that cannot be right is quoted, although the answer is ok; who served it is in plain words."""
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "cost": -3}
    upstream._answer = lambda prompt, before: chat("22", usage=usage, model="other")
    assay("run", "small", "-m", "mine/a/b", "--limit", "1")
    page = " ".join(assay("show", "1.0").out.split())
    assert "cost unknown: the reported cost is -3" in page
    assert "Z, served model other 10 prompt tokens" in page


def test_an_answer_cannot_steer_the_terminal(upstream: Served, assay: Assay) -> None:
    """Control characters of an answer are written out on a page, and kept as they are in JSON."""
    upstream._answer = lambda prompt, before: "\x1b[2J 22"
    assay("run", "small", "-m", "mine/a/b", "--limit", "1")
    assert "\x1b" not in assay("show", "1.0").out
    assert "\\x1b[2J" in assay("show", "1.0").out
    assert assay("show", "1.0", "--json").json["answer"] == "\x1b[2J 22"


def test_errors_are_asked_again_by_resume(upstream: Served, assay: Assay) -> None:
    """A run whose calls all failed ends with 3 and names the command that resumes; that one finishes it."""
    upstream._answer = lambda prompt, before: 400
    ended = assay("run", "small", "-m", "mine/a/b")
    assert ended.status == 3
    assert "assay resume 1" in ended.err
    upstream._answer = right
    assert assay("resume", "1", "--json").json["ok"] == 10


def test_a_spent_budget_ends_with_3_and_resumes(upstream: Served, folder: Path, assay: Assay) -> None:
    """At $0.004 and $0.001 a call, one at a time, the run stops early; with more money it goes on."""
    write_workspace(folder, upstream, concurrency=1)
    ended = assay("run", "small", "-m", "mine/a/b", "--max-cost", "0.004")
    assert ended.status == 3
    assert "budget" in ended.err and "assay resume 1" in ended.err
    asked = upstream.calls
    assert 4 <= asked < 10
    assert assay("resume", "1", "--max-cost", "1").status == 0
    assert upstream.calls == 10


def test_a_dead_run_is_shown_with_the_command_that_resumes_it(
    upstream: Served, folder: Path, assay: Assay
) -> None:
    """A run whose process was killed is dead in the list, on its page and in JSON; resuming finishes it."""
    assay("run", "small", "-m", "mine/a/b")
    with sqlite3.connect(folder / "assay.db") as database:
        database.execute("UPDATE runs SET status = 'running', finished_at = NULL")
    database.close()
    for page in (assay("runs", "--json").json["runs"][0], assay("show", "1", "--json").json):
        assert (page["status"], page["holder"], page["resume"]) == ("dead", None, "assay resume 1")
    for page in (assay("runs"), assay("show", "1")):
        assert "dead" in page.out and "assay resume 1" in page.out
    assert assay("resume", "1").status == 0
    page = assay("show", "1", "--json").json
    assert (page["status"], page["resume"]) == ("finished", None)


def test_a_run_that_is_executed_elsewhere_is_not_resumed(
    upstream: Served, folder: Path, assay: Assay
) -> None:
    """The refusal names process, machine and time; the run's page names them too; nothing is asked."""
    assay("run", "small", "-m", "mine/a/b", "--limit", "1")
    engine = open_database(str(folder / "assay.db"))
    take_lock(engine, "run 1", Holder(7, "somewhere", None, None, "token"))
    engine.dispose()
    asked = upstream.calls
    for command in (("resume", "1"), ("grade", "1")):
        ended = assay(*command)
        assert (ended.status, "run 1 is being executed (process 7 on somewhere, since" in ended.err) == (
            2,
            True,
        )
    assert upstream.calls == asked


@pytest.mark.slow
def test_ctrl_c_stops_cleanly_and_a_resume_repeats_nothing(folder: Path) -> None:
    """SIGINT ends the script with 130 and the command that resumes; no call is made twice."""
    with served(delay=0.05) as upstream:
        write_workspace(folder, upstream, concurrency=2)
        process = subprocess.Popen(
            [SCRIPT, "run", "small", "-m", "mine/a/b", "--epochs", "6"],
            cwd=folder,
            env=dict(os.environ),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        while upstream.calls < 6 and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, message = process.communicate(timeout=60)
        assert process.returncode == 130
        assert "assay resume 1" in message
        assert upstream.calls < 60
        done = subprocess.run(
            [SCRIPT, "resume", "1", "--json"], cwd=folder, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0
        assert '"ok": 60' in done.stdout
        assert upstream.calls == 60


def test_a_private_suite_hides_its_texts(upstream: Served, folder: Path, assay: Assay) -> None:
    """Scores are shown; prompt, answer and evidence only with --reveal, in text and in JSON."""
    manifest = folder / "small" / "suite.yaml"
    manifest.write_text(manifest.read_text().replace("public", "private"))
    assay("run", "small", "-m", "mine/a/b", "--limit", "1")
    hidden = assay("show", "1.0")
    assert "score 100.0" in hidden.out
    assert "What is 11" not in hidden.out and "\n  22" not in hidden.out
    document = assay("show", "1.0", "--json").json
    assert (document["hidden"], document["messages"], document["answer"]) == (True, None, None)
    assert {grade["evidence"] for grade in document["grades"]} == {None}
    shown = assay("show", "1.0", "--reveal").out
    assert "What is 11" in shown and "\n  22" in shown


def test_what_is_simulated_says_so(assay: Assay) -> None:
    """A simulated run is marked in the list, on its page, and on each of its samples."""
    assert assay("run", "small", "-m", "simulated/steady").status == 0
    assert "simulated" in assay("runs").out
    assert "SIMULATED" in assay("show", "1").out
    assert "SIMULATED" in assay("show", "1.0").out
    assert assay("show", "1.0", "--json").json["simulated"] is True


@pytest.mark.usefixtures("no_database")
def test_nothing_begins_a_database_by_reading(assay: Assay, folder: Path) -> None:
    """`runs`, `show`, `resume` and `verdict` where nothing was run say so and leave no file."""
    for command in (("runs",), ("show", "1"), ("resume", "1"), ("verdict",)):
        ended = assay(*command)
        assert (ended.status, "no database" in ended.err) == (2, True)
    assert not (folder / "assay.db").exists()
