"""`assay judge pairs`, `assay board --pairwise` and `pairs:RUN`: every form, statuses, private suites."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command_line import Assay, served, write_workspace
from schemas import valid

NONCES = {
    "prompt": "zq-prompt-7f3a91",
    "answer": "zq-answer-b81c20",
    "ideal": "zq-ideal-90aa17",
    "rationale": "zq-rationale-3c6f88",
}
MANIFEST = """\
name: essays
version: 1.0.0
title: Essays
visibility: private
parameters: {temperature: 0}
panel: {judges: [mine/one]}
use_cases: [writing.yaml]
"""
WRITING = """\
name: writing
title: Writing
grading: judge
samples: {base: 1, full: 1}
rubric: 5 good, 1 bad.
cases:
"""
CASE = """\
  - id: case-{number}
    prompt: "Write {prompt} number {number}."
    graders:
      - rubric: {{ideal: "{ideal}"}}
    exemplars:
      - {{score: 1.0, marks: 5, answer: "An essay {number}"}}
"""
SHOWN = re.compile(r"<<<ANSWER ([AB]) \w+>>>\n(.*?)\n<<<END ANSWER", re.DOTALL)


def said(prompt: str, before: int) -> Any:
    """Answer as the subject; as a judge prefer the lower number, except on the first prompt."""
    token = re.findall(r'"token": "(\w+)"', prompt)
    if not token:
        return f"{NONCES['answer']} {before} to {prompt[-3:]}"
    shown = dict(SHOWN.findall(prompt))
    first, second = (int(shown[side].split()[1]) for side in "AB")
    winner = "A" if (first < second) != ("number 0" in prompt) else "B"
    return json.dumps({"rationale": NONCES["rationale"], "winner": winner, "token": token[-1]})


@pytest.fixture
def essays(folder: Path, assay: Assay) -> Iterator[Path]:
    """Runs 1 to 3 of a private suite by a model each, not yet judged."""
    suite = folder / "essays"
    suite.mkdir()
    (suite / "suite.yaml").write_text(MANIFEST)
    cases = "".join(CASE.format(number=number, **NONCES) for number in range(3))
    (suite / "writing.yaml").write_text(WRITING + cases)
    with served(said) as upstream:
        write_workspace(folder, upstream)
        for model in "abc":
            assert assay("run", "./essays", "-m", f"mine/{model}", "--judge", "none").status in (0, 3)
        yield folder


def compare(assay: Assay, *options: str) -> Any:
    """Compare the three runs."""
    return assay("judge", "pairs", "1", "2", "3", "--judge", "mine/one", *options)


def test_from_verdicts_to_a_board(essays: Path, assay: Assay) -> None:
    """The documents fit their schemas, and the board, the table and the source agree."""
    study = valid("judge-pairs", compare(assay, "--json"))
    assert (study["status"], study["planned"], study["stored"]) == ("finished", 18, 18)
    assert [(row["model"], row["against"], row["wins"], row["losses"]) for row in study["pairs"]] == [
        ("mine/a", "mine/b", 2, 1),
        ("mine/a", "mine/c", 2, 1),
        ("mine/b", "mine/c", 2, 1),
    ]
    board = valid("board-pairwise", assay("board", "essays", "--pairwise", "--json"))
    assert [row["model"] for row in board["ranking"]] == ["mine/a", "mine/b", "mine/c"]
    rows = list(csv.DictReader(io.StringIO(assay("board", "essays", "--pairwise", "--csv").out)))
    assert [float(row["rating"]) for row in rows] == [row["rating"] for row in board["ranking"]]
    ranking = valid("rank-comparisons", assay("rank", "bradley-terry", "pairs:4", "--json"))
    assert [row["rating"] for row in ranking["ranking"]] == [row["rating"] for row in board["ranking"]]
    assert "NaN" not in json.dumps(board)
    text = assay("board", "essays", "--pairwise", "--out", "board.html")
    assert text.status == 0
    assert "Judges: the same pairs in both orders" in text.out
    assert "A model wins a pair if both orders agree" in text.err
    assert "Every two models" in (essays / "board.html").read_text()


def test_a_comparison_is_listed_shown_and_resumed(essays: Path, assay: Assay) -> None:
    """Nothing is asked for twice, by either way of resuming."""
    assert compare(assay).status == 0
    listed = valid("runs", assay("runs", "--kind", "pairs", "--json"))["runs"]
    assert [run["kind"] for run in listed] == ["pairs"]
    assert assay("show", "4").status == 0
    calls = valid("show-run", assay("show", "4", "--json"))["calls"]
    assert calls == 18
    for resumed in (("judge", "pairs", "--resume", "4"), ("resume", "4")):
        ended = assay(*resumed)
        assert ended.status == 0, ended.err
        assert "18 of 18 verdicts" in ended.err
    assert assay("show", "4", "--json").json["calls"] == calls


def test_the_single_verdicts_are_a_table_of_comparisons(essays: Path, assay: Assay) -> None:
    """It gives the ranking of the stored verdicts, position included; a page is refused."""
    assert compare(assay, "--out", "verdicts.csv").status == 0
    rows = list(csv.DictReader(io.StringIO((essays / "verdicts.csv").read_text())))
    assert len(rows) == 18
    assert {row["order"] for row in rows} == {"AB", "BA"}
    stored = assay("rank", "bradley-terry", "pairs:4", "--covariate", "position", "--json").json["ranking"]
    read = assay("rank", "bradley-terry", "verdicts.csv", "--covariate", "position", "--json").json["ranking"]
    assert [row["rating"] for row in read] == pytest.approx([row["rating"] for row in stored])
    assert compare(assay, "--out", "verdicts.html").status == 2


def test_a_dry_run_sends_nothing(essays: Path, assay: Assay) -> None:
    """It prints the calls, and no run is stored."""
    ended = compare(assay, "--dry-run")
    assert ended.status == 0
    assert "18 calls; nothing is sent" in ended.out
    assert valid("runs", assay("runs", "--json"))["runs"][0]["run"] == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("1", "2"), "no judge: name one with --judge"),
        (("--judge", "mine/one"), "no run to compare"),
        (("1", "2", "--judge", "mine/one", "--all", "--baseline", "mine/a"), "exclude each other"),
        (("--resume", "1"), "not 'pairs'"),
        (("1", "--resume", "4"), "--resume keeps what is compared"),
        (("1", "2", "--judge", "simulated/nobody"), "unknown simulated model"),
    ],
)
def test_bad_input_is_named(essays: Path, assay: Assay, options: tuple[str, ...], message: str) -> None:
    """On one line, with status 2."""
    ended = assay("judge", "pairs", *options)
    assert ended.status == 2
    assert message in ended.err


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (("board", "essays", "--pairwise"), "were compared yet"),
        (("board", "essays", "--covariate", "length"), "add --pairwise"),
        (("board", "essays", "--pairwise", "--pairs"), "--pairwise excludes"),
        (("rank", "bradley-terry", "pairs:1"), "not 'pairs'"),
        (("rank", "bradley-terry", "pairs:x"), "write pairs:RUN"),
        (("rank", "bradley-terry", "pairs:1", "--where", "a=b"), "--where is for tables"),
    ],
)
def test_a_board_without_verdicts_says_what_to_do(
    essays: Path, assay: Assay, command: tuple[str, ...], message: str
) -> None:
    """And so do options that do not fit."""
    ended = assay(*command)
    assert ended.status == 2
    assert message in ended.err


def test_nothing_of_a_private_suite_is_shown(essays: Path, assay: Assay) -> None:
    """No prompt, answer or rationale is in any output or page; in the database they are."""
    printed = [compare(assay, *form) for form in ((), ("--json",), ("--csv",), ("--dry-run",))]
    printed += [
        assay("board", "essays", "--pairwise", *form)
        for form in ((), ("--json",), ("--out", "board.html"), ("--out", "board.json"))
    ]
    printed += [assay("show", "4"), assay("show", "4", "--json"), assay("rank", "elo", "pairs:4")]
    shown = "".join(ended.out + ended.err for ended in printed)
    shown += (essays / "board.html").read_text() + (essays / "board.json").read_text()
    assert [name for name, nonce in NONCES.items() if nonce in shown] == []
    stored = b"".join(path.read_bytes() for path in essays.glob("assay.db*"))
    assert NONCES["rationale"].encode() in stored


def test_a_sealed_suite_is_compared_sealed(
    essays: Path, assay: Assay, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Verdicts and rationales are encrypted; without the key there is no board."""
    monkeypatch.setenv("ASSAY_SUITE_KEY", assay("suite", "seal", "--new-key").out.strip())
    assert assay("suite", "seal", "essays").status == 0
    (essays / "assay.db").unlink()
    for model in "ab":
        assert assay("run", "essays.sealed", "-m", f"mine/{model}", "--judge", "none").status in (0, 3)
    assert assay("judge", "pairs", "1", "2", "--judge", "mine/one").status == 0
    assert assay("board", "essays", "--pairwise").status == 0
    stored = b"".join(path.read_bytes() for path in essays.glob("assay.db*"))
    assert [name for name, nonce in NONCES.items() if nonce.encode() in stored] == []
    monkeypatch.delenv("ASSAY_SUITE_KEY")
    ended = assay("board", "essays", "--pairwise")
    assert ended.status == 2
    assert "ASSAY_SUITE_KEY" in ended.err


def test_simulated_judges_need_no_key(folder: Path, assay: Assay) -> None:
    """The whole way with simulated models and judges, and it is said that they are simulated."""
    models = ("-m", "simulated/steady", "-m", "simulated/collapsing")
    assert assay("run", "./small", *models).status == 0
    ended = assay("judge", "pairs", "1", "--judge", "simulated/judge", "--judge", "simulated/judge-leaning")
    assert ended.status == 0, ended.err
    assert "simulated: these figures say nothing about real models" in ended.err
    seven = assay("judge", "pairs", "1", "--judge", "simulated/judge-seven")
    assert seven.status in (0, 3)
