"""The Docker sandbox, against a stand-in for the client: no daemon is needed, and none is tested here."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from assay.core.ask import CodeAsk, CodeStatus
from assay.sandbox.docker import Docker
from assay.sandbox.sandbox import Unusable

# Answers `image inspect`, notes `kill`, and runs the runner of `run` on this machine's own Python.
CLIENT = """\
#!{python}
import json, os, sys
from pathlib import Path
words = sys.argv[1:]
if words[0] == "image":
    sys.exit(0)
if words[0] == "kill":
    Path({log!r}).write_text(json.dumps(words))
    sys.exit(0)
at = words.index("python")
script = Path({inside!r}) / "native.py"
code = script.read_text().replace("    confine(user", "    0 and confine(user")
sys.argv = [str(script), *words[at + 5 :]]
sys.path.insert(0, "")
exec(compile(code, str(script), "exec"), {{"__name__": "__main__"}})
"""


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stand-in for the Docker client, first on the path."""
    from assay.sandbox.build import INSIDE

    log = tmp_path / "killed.json"
    tool = tmp_path / "docker"
    tool.write_text(CLIENT.format(python=sys.executable, log=str(log), inside=str(INSIDE)))
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    return log


def test_a_program_is_run(client: Path) -> None:
    """The program goes in by standard input and its output comes back."""
    reply = Docker().run(CodeAsk("print(6 * 7)"))
    assert (reply.status, reply.stdout, reply.sandbox) == (CodeStatus.PASSED, "42\n", "docker")


def test_a_container_out_of_time_is_killed_by_name(client: Path) -> None:
    """Killing the client leaves the container, so that the container is killed too."""
    reply = Docker().run(CodeAsk("while True: pass", seconds=0.5))
    words = json.loads(client.read_text())
    assert (reply.status, words[0], words[1][:6]) == (CodeStatus.TIMEOUT, "kill", "assay-")


@pytest.mark.parametrize(
    "words",
    ["--network none", "--read-only", "--cap-drop ALL", "--security-opt no-new-privileges", "--pids-limit 32",
     "--user 65534:65534", "--memory 256m --memory-swap 256m", "--pull never"],
)  # fmt: skip
def test_the_container_is_confined(client: Path, words: str) -> None:
    """Every option that confines the container is given."""
    assert words in " ".join(Docker().command(CodeAsk("x = 1"), "name"))


def test_no_image_is_downloaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the image or the daemon is missing, the client's words are the reason."""
    tool = tmp_path / "docker"
    tool.write_text("#!/bin/sh\necho 'Error: No such image' >&2\nexit 1\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(Unusable, match=r"No such image \(`docker pull python:3.13-slim`\?\)"):
        Docker()


def test_without_a_client_it_is_unusable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where Docker is not installed the reason says so."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unusable, match="docker is not installed"):
        Docker()
