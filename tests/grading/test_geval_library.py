"""deepeval behind its door: silent on the network and on disk, and absent without harm."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from every_row import every_row
from judged_case import logprobs, said

from assay.grading.geval_library import NotWeighable, weighable_tokens

INSTALLED = pytest.mark.skipif(find_spec("deepeval") is None, reason="needs the extra [geval]")
STRACE = shutil.which("strace")

GRADING = """
from judged_case import CASE, SPEC, replied, said
from assay.core.judging import ShownToJudge
from assay.grading import geval_library
from assay.grading.geval import GEval

if {loud}:
    geval_library.SILENT.clear()
shown = ShownToJudge("In 1969.", fence="k3x9w7q2")
for _ in range(60):
    GEval().ask(CASE, SPEC, "correctness", shown)
    found = GEval().read(CASE, SPEC, "correctness", shown, (replied(said(8)),))
print(found.value)
"""
RECORDER = """
import socket

def recorded(name):
    def refuse(*told, **more):
        with open({log!r}, "a") as log:
            print(name, *told, file=log)
        raise OSError("no network in this test")
    return refuse

socket.getaddrinfo = recorded("getaddrinfo")
socket.socket.connect = recorded("connect")
socket.socket.connect_ex = recorded("connect_ex")
"""


def started(program: str, folder: Path, *before: str) -> subprocess.CompletedProcess[str]:
    """Run a program in `work` under a folder, with `home` as the home folder, until its process has ended."""
    for name in ("work", "home", "site"):
        (folder / name).mkdir(exist_ok=True)
    support = Path(__file__).parents[1] / "support"
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("DEEPEVAL", "CONFIDENT", "PYTEST", "GRPC"))
    }
    environment = {
        **inherited,
        "HOME": str(folder / "home"),
        "PYTHONPATH": os.pathsep.join([str(folder / "site"), str(support)]),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return subprocess.run(
        [*before, sys.executable, "-c", program],
        cwd=folder / "work",
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def recorded(folder: Path, *, loud: bool) -> tuple[str, list[str], list[str]]:
    """Grade in a process that records connections; return its output, the connections, the files it left."""
    log = folder / "connections"
    (folder / "site").mkdir()
    (folder / "site" / "sitecustomize.py").write_text(RECORDER.format(log=str(log)), encoding="utf-8")
    ended = started(GRADING.format(loud=loud), folder)
    assert ended.returncode == 0, ended.stderr
    tried = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    left = [str(path.relative_to(folder)) for name in ("work", "home") for path in (folder / name).rglob("*")]
    return ended.stdout, tried, left


@INSTALLED
@pytest.mark.slow
def test_grading_opens_no_connection_and_writes_no_file(tmp_path: Path) -> None:
    """Import, 60 asks (telemetry would be sent after 50 and at exit), 60 readings, exit."""
    assert recorded(tmp_path, loud=False) == ("0.8\n", [], [])


@INSTALLED
@pytest.mark.slow
def test_the_recorder_sees_what_an_unsilenced_library_does(tmp_path: Path) -> None:
    """Without the opt-out the same program looks its maker's server up: the test above can fail."""
    _, tried, left = recorded(tmp_path, loud=True)
    assert any("posthog" in line for line in tried)
    assert any(".deepeval" in path for path in left)


@INSTALLED
@pytest.mark.slow
@pytest.mark.skipif(STRACE is None, reason="needs strace")
def test_the_kernel_sees_no_connection(tmp_path: Path) -> None:
    """No `connect` to an internet address in any thread or child."""
    assert STRACE is not None
    trace = tmp_path / "trace"
    ended = started(
        GRADING.format(loud=False), tmp_path, STRACE, "-f", "-e", "trace=connect", "-o", str(trace)
    )
    if ended.returncode != 0 and "ptrace" in ended.stderr:
        pytest.skip("strace may not trace here")
    assert ended.stdout == "0.8\n", ended.stderr
    traced = trace.read_text(encoding="utf-8")
    assert "exited with 0" in traced
    assert re.findall(r"connect\(.*AF_INET.*", traced) == []


@INSTALLED
def test_only_named_variables_are_set(tmp_path: Path) -> None:
    """deepeval sets some of its own on import; those are taken back. Nothing is printed."""
    program = (
        "import os; before = dict(os.environ)\n"
        "from assay.grading import geval_library\n"
        "geval_library.library()\n"
        "changed = {name for name in os.environ if os.environ[name] != before.get(name)}\n"
        "assert changed == set(geval_library.SILENT), changed\n"
    )
    ended = started(program, tmp_path)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


@INSTALLED
def test_a_dotenv_file_is_not_read_into_the_environment(tmp_path: Path) -> None:
    """deepeval would take keys and switches from the working folder."""
    (tmp_path / "work" / ".deepeval").mkdir(parents=True)
    (tmp_path / "work" / ".env").write_text("FOUND_IN_DOTENV=1\n", encoding="utf-8")
    (tmp_path / "work" / ".deepeval" / ".deepeval").write_text('{"api_key": "found"}', encoding="utf-8")
    program = (
        "import os\n"
        "from assay.grading.geval_library import library\n"
        "library()\n"
        "print('FOUND_IN_DOTENV' in os.environ or 'found' in os.environ.values())\n"
    )
    assert started(program, tmp_path).stdout == "False\n"


def test_without_the_library_one_reason_names_the_cure(tmp_path: Path) -> None:
    """The grader loads, its parameters are checked, and asking says what to install."""
    program = (
        "import sys\n"
        "class Absent:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'deepeval':\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
        "sys.meta_path.insert(0, Absent())\n"
        "from judged_case import CASE, SPEC\n"
        "from assay.grading.geval_library import CannotAsk\n"
        "from assay.core.judging import ShownToJudge\n"
        "from assay.grading.registry import grader\n"
        "assert grader('geval').problems(SPEC) == ()\n"
        "try:\n"
        "    grader('geval').ask(CASE, SPEC, 'coherence', ShownToJudge('x', fence='k3x9w7q2'))\n"
        "except CannotAsk as error:\n"
        "    print(error)\n"
    )
    told = started(program, tmp_path).stdout
    assert told == ("G-Eval needs the deepeval library, which is not installed: pip install 'assay[geval]'\n")


def test_the_command_line_and_the_grader_do_not_import_it(tmp_path: Path) -> None:
    """Only the first ask or reading does."""
    program = (
        "import sys\n"
        "import assay.cli.main, assay.grading.geval\n"
        "from assay.grading.registry import grader\n"
        "grader('geval')\n"
        "print('deepeval' in sys.modules)\n"
    )
    assert started(program, tmp_path).stdout == "False\n"


def score_token(**parts: Any) -> dict[str, Any]:
    """Return logprobs of a reply `"score":8` with parts of the score's token changed."""
    token = {"token": "8", "logprob": 0.0, "top_logprobs": [{"token": "8", "logprob": -0.1}], **parts}
    return {"content": [{"token": '{"score":'}, token, {"token": "}"}]}


def test_only_the_scores_token_keeps_its_alternatives() -> None:
    """The other tokens serve to find it."""
    text = said(8, "An 8 among 9.")
    found = weighable_tokens(8, logprobs(text, {"8": 0.7, "7": 0.3}))
    assert [entry.token for token in found for entry in token.top_logprobs] == ["8", "7"]


@every_row(
    "score, tops, why",
    [
        (8, None, "the reply came without logprobs"),
        (8, {}, "the logprobs hold no tokens"),
        (8, {"content": None}, "the logprobs hold no tokens"),
        (8, {"content": ["8"]}, "the logprobs hold no tokens"),
        (8, [], "the logprobs hold no tokens"),
        (7, score_token(), "no token of the reply is '7'"),
        (8.5, score_token(token="8.5"), "the score '8.5' is not an integer"),
        (8, score_token(top_logprobs=[]), "the token of the score has no alternatives"),
        (8, score_token(top_logprobs=None), "the token of the score has no alternatives"),
        (
            8,
            score_token(top_logprobs=[{"token": "8"}]),
            "the alternatives of the score's token are malformed",
        ),
        (8, score_token(top_logprobs=["8"]), "the alternatives of the score's token are malformed"),
        (
            8,
            score_token(top_logprobs=[{"token": "8", "logprob": 2.0}]),
            "a logarithm of a probability is 2.0",
        ),
        (
            8,
            score_token(top_logprobs=[{"token": "8", "logprob": float("nan")}]),
            "a logarithm of a probability",
        ),
        (8, score_token(top_logprobs=[{"token": "x", "logprob": -0.1}]), "no alternative that is a number"),
        (8, score_token(top_logprobs=[{"token": "8", "logprob": -9.0}]), "no alternative that is a number"),
    ],
    ids=range(15),
)
def test_logprobs_that_cannot_be_weighed_say_why(score: float, tops: Any, why: str) -> None:
    """Whatever an endpoint sends, the bare score is then read and the reason told."""
    with pytest.raises(NotWeighable) as raised:
        weighable_tokens(score, tops)
    assert str(raised.value).startswith(why)


def test_a_number_in_the_reason_is_not_taken_for_the_score() -> None:
    """deepeval weighs the last token that equals the score, wherever it stands."""
    text = '{"score": 8, "reason": "6 or 8 points"}'
    with pytest.raises(NotWeighable, match="does not follow `score`"):
        weighable_tokens(8, logprobs(text, {"8": 0.5, "6": 0.5}))


@pytest.mark.parametrize(
    ("score", "shares", "why"),
    [
        (9, {"9": 0.6, "1": 0.4}, "may be the first digit of 10"),
        (6, {"6": 0.6, "1": 0.02}, "may be the first digit of 10"),
        (9, {"9": 0.9, "95": 0.1}, "an alternative is 95"),
    ],
    ids=["ten in two tokens", "just above the middle", "percent"],
)
def test_alternatives_that_are_no_scores_are_not_weighed(
    score: int, shares: Mapping[str, float], why: str
) -> None:
    """A judge whose tokens are single figures writes 10 as 1 and 0: its 1 beside a 9 means 10."""
    with pytest.raises(NotWeighable, match=why):
        weighable_tokens(score, logprobs(said(score), shares))


@pytest.mark.parametrize(
    ("score", "shares"),
    [
        (9, {"9": 0.6, "1": 0.3, "10": 0.001}),
        (2, {"2": 0.6, "1": 0.4}),
        (9, {"9": 0.9, "1": 0.009}),
        (9, {"9": 0.9, "95": 0.009}),
    ],
    ids=["ten is a token", "low score", "rare one", "rare percent"],
)
def test_alternatives_that_are_scores_are_weighed(score: int, shares: Mapping[str, float]) -> None:
    """A 1 is a 1 where 10 is a token of its own or the score is low; what is under 1 % does no harm."""
    assert weighable_tokens(score, logprobs(said(score), shares))
