"""A private suite: commands, pages and exports show scores, and never a prompt, an answer or a rationale."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from command_line import Assay, served, write_workspace

NONCES = {
    "prompt": "zq-prompt-7f3a91",
    "answer": "zq-answer-b81c20",
    "rubric": "zq-rubric-55e0d4",
    "ideal": "zq-ideal-90aa17",
    "rationale": "zq-rationale-3c6f88",
    "exemplar": "zq-exemplar-e2d471",
}
MANIFEST = """\
name: secret
version: 1.0.0
title: A private suite
visibility: private
parameters: {temperature: 0}
panel: {judges: [mine/one, mine/two]}
use_cases: [writing.yaml]
"""
WRITING = """\
name: writing
title: Writing
grading: judge
samples: {{base: 1, full: 1}}
rubric: |
  5 good, 1 bad. {rubric}
cases:
"""
CASE = """\
  - id: case-{number}
    prompt: "Write {prompt} number {number}."
    difficulty: easy
    graders:
      - rubric: {{ideal: "{ideal}", criteria: "short"}}
    exemplars:
      - {{score: 1.0, marks: 5, answer: "{exemplar} {number}"}}
"""


def said(prompt: str, before: int) -> Any:
    """Answer as the subject, or as a judge where the prompt holds a token."""
    token = re.findall(r'"token": "(\w+)"', prompt)
    if token:
        return json.dumps({"rationale": NONCES["rationale"], "mark": 4, "token": token[-1]})
    return f"{NONCES['answer']} to {prompt[-12:]}"


@pytest.fixture
def measured(folder: Path, assay: Assay) -> Any:
    """Two runs of a private suite, judged by two judges."""
    suite = folder / "secret"
    suite.mkdir()
    (suite / "suite.yaml").write_text(MANIFEST)
    cases = "".join(CASE.format(number=number, **NONCES) for number in range(4))
    (suite / "writing.yaml").write_text(WRITING.format(**NONCES) + cases)
    with served(said) as upstream:
        write_workspace(folder, upstream)
        for _ in range(2):
            assert assay("run", "./secret", "-m", "mine/a").status == 0
        yield folder


COMMANDS = [
    ["board", "secret"],
    ["board", "secret", "--json"],
    ["board", "secret", "--csv"],
    ["board", "secret", "--by", "difficulty"],
    ["board", "secret", "--out", "board.html"],
    ["compare", "1", "2"],
    ["compare", "1", "2", "--json"],
    ["judge", "agreement", "1"],
    ["judge", "agreement", "1", "--json"],
    ["judge", "list", "--suite", "./secret", "--json"],
    ["judge", "calibrate", "--suite", "./secret", "--judge", "mine/one", "--json"],
    ["grade", "1", "--json"],
    ["runs", "--json"],
    ["show", "1", "--json"],
    ["show", "1"],
    ["show", "1.0"],
    ["show", "1.0", "--json"],
    ["suite", "show", "./secret", "--json"],
    ["run", "./secret", "-m", "mine/a", "--json"],
]


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS, ids=[" ".join(command) for command in COMMANDS])
def test_nothing_of_a_private_suite_is_shown(measured: Path, assay: Assay, command: list[str]) -> None:
    """None of the planted texts is in the output or the files of a command."""
    ended = assay(*command)
    assert ended.status == 0, ended.err
    pages = "".join(path.read_text() for path in measured.glob("*.html"))
    shown = ended.out + ended.err + pages
    assert [name for name, nonce in NONCES.items() if nonce in shown] == []


def test_the_planted_texts_can_be_found(measured: Path, assay: Assay) -> None:
    """With --reveal they are there, so that the test above can fail."""
    shown = assay("show", "1.0", "--reveal", "--json").out
    found = {name for name, nonce in NONCES.items() if nonce in shown}
    assert found >= {"prompt", "answer", "rationale"}
