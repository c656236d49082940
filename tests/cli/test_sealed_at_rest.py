"""No prompt, answer, grade or score of a sealed suite is unencrypted in any byte of the database."""

from __future__ import annotations

import base64
import sqlite3
from pathlib import Path

import pytest
from command_line import MANIFEST, Assay
from small_form import small_made

from assay.studies.causal.form_files import seal_form
from assay.studies.causal.texts import FormLabel

KEY = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
OTHER = base64.urlsafe_b64encode(bytes(range(1, 33))).decode()
MODELS = ("-m", "simulated/steady", "-m", "simulated/noisy")


@pytest.fixture
def sealed(assay: Assay, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A database in which a sealed causal form was run by two simulated models."""
    monkeypatch.setenv("ASSAY_SUITE_KEY", KEY)
    seal_form(small_made(), folder / "mine", FormLabel(), key=base64.urlsafe_b64decode(KEY))
    assert assay("run", "mine.sealed", *MODELS).status == 0
    return folder / "assay.db"


def everything(folder: Path) -> bytes:
    """Return every byte of the database, its log included."""
    return b"".join(path.read_bytes() for path in sorted(folder.glob("assay.db*")))


def test_no_prompt_option_or_letter_is_stored(sealed: Path) -> None:
    """The suite, the answers and the letters that were read are encrypted."""
    stored = everything(sealed.parent)
    for item in small_made().form.items:
        assert item.stem[:40].encode() not in stored
        assert not any(option.encode() in stored for option in item.options if len(option) > 12)
    assert b'"letter"' not in stored
    with sqlite3.connect(sealed) as database:
        assert database.execute("SELECT count(*) FROM calls WHERE answer IS NOT NULL").fetchone() == (0,)


def test_no_answer_is_shown_to_another_judge(sealed: Path, assay: Assay) -> None:
    """A study of errors would show questions and answers to a judge that was not part of the run."""
    ended = assay("study", "errors", "run:1", "--judge", "simulated/judge")
    assert (ended.status, ended.out) == (2, "")
    assert "run 1 is of the sealed suite 'causal'" in ended.err


def test_no_score_is_stored(sealed: Path) -> None:
    """Neither the samples nor their grades show whether an answer was right, not even by their length."""
    with sqlite3.connect(sealed) as database:
        scores = database.execute("SELECT DISTINCT score, length(sealed) FROM samples").fetchall()
        grades = database.execute("SELECT DISTINCT value, reason, evidence FROM grades").fetchall()
    assert len(scores) == 1
    assert scores[0][0] is None
    assert grades == [(None, None, "{}")]


def test_the_key_gives_the_board(sealed: Path, assay: Assay) -> None:
    """With the key the accuracies equal those of the same form unencrypted."""
    hidden = assay("board", "causal", "--json").json
    assert assay("show", "1").status == 0
    assert assay("show", "1.0", "--reveal").status == 0
    assert [row["n"] for row in hidden["models"]] == [len(small_made().form.items)] * 2


@pytest.mark.parametrize("command", [("board", "causal"), ("show", "1.0"), ("show", "1"), ("grade", "1")])
def test_without_the_key_nothing_is_shown(
    sealed: Path, assay: Assay, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    """One message names the variable to set; a wrong key gives another message than no key."""
    monkeypatch.delenv("ASSAY_SUITE_KEY")
    ended = assay(*command)
    assert (ended.status, ended.out) == (2, "")
    assert "ASSAY_SUITE_KEY is not set" in ended.err

    monkeypatch.setenv("ASSAY_SUITE_KEY", OTHER)
    ended = assay(*command)
    assert (ended.status, ended.out) == (2, "")
    assert "sealed with another key" in ended.err


def test_runs_are_listed_without_the_key(sealed: Path, assay: Assay, monkeypatch: pytest.MonkeyPatch) -> None:
    """How many answers there are, and what they cost, is no secret."""
    monkeypatch.delenv("ASSAY_SUITE_KEY")
    run = assay("runs", "--json").json["runs"][0]
    assert run["ok"] == 2 * len(small_made().form.items)
    assert run["ungraded"] == 0


def test_a_score_that_is_moved_to_another_sample_is_refused(sealed: Path, assay: Assay) -> None:
    """Whoever can write into the database cannot give one sample another's score."""
    with sqlite3.connect(sealed) as database:
        database.execute(
            "UPDATE samples SET sealed = (SELECT sealed FROM samples WHERE position = 0) WHERE position = 1"
        )
    ended = assay("show", "1")
    assert ended.status == 2
    assert "was altered" in ended.err


def test_the_watch_reads_sealed_scores(assay: Assay, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sealed suite's day has the scores that it has in the clear."""
    monkeypatch.setenv("ASSAY_SUITE_KEY", KEY)
    (folder / "small" / "suite.yaml").write_text(MANIFEST.replace("public", "private"))
    assert assay("suite", "seal", "small").status == 0
    found = []
    for suite, database in (("small", "clear.db"), ("small.sealed", "sealed.db")):
        monkeypatch.setenv("ASSAY_DATABASE", str(folder / database))
        assert assay("watch", "--suite", suite, "-m", "simulated/steady", "--json").status == 0
        verdict = assay("verdict", "simulated/steady", "--suite", "small", "--json").json["verdicts"][-1]
        found.append((verdict["state"], verdict["use_cases"]))
    with sqlite3.connect(folder / "sealed.db") as held:
        assert held.execute("SELECT count(score) FROM samples").fetchone() == (0,)
        assert held.execute("SELECT DISTINCT verdict FROM issued_verdicts").fetchall() == [("",)]
    assert found[0] == found[1]
    assert found[0][1][0]["score"] > 0


def test_sealed_answers_are_graded_again(sealed: Path, assay: Assay) -> None:
    """The stored answers are opened, graded, and sealed again."""
    before = assay("board", "causal", "--json").json
    assert assay("grade", "1").status == 0
    assert assay("board", "causal", "--json").json["models"] == before["models"]
    with sqlite3.connect(sealed) as database:
        assert database.execute("SELECT count(value) FROM grades").fetchone() == (0,)


def test_a_suite_that_was_sealed_is_never_stored_in_the_clear_again(
    assay: Assay, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Running its folder later seals what that run writes, too."""
    monkeypatch.setenv("ASSAY_SUITE_KEY", KEY)
    (folder / "small" / "suite.yaml").write_text(MANIFEST.replace("public", "private"))
    assert assay("suite", "seal", "small").status == 0
    assert assay("run", "small.sealed", "-m", "simulated/steady").status == 0
    assert assay("run", "./small", "-m", "simulated/steady").status == 0
    assert b"What is 12 plus 12" not in everything(folder)
    with sqlite3.connect(folder / "assay.db") as database:
        assert database.execute("SELECT count(score) FROM samples").fetchone() == (0,)
