"""The command line in a temporary folder: in this process for speed, or as the real console script."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import MANIFEST, SCRIPT, SUMS, WORDS, Assay, Ended, Served, served, write_workspace
from fresh_database import fresh_sqlite

from assay.cli.main import main


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in with an empty database and the small suite, and no variable of Assay's set."""
    for name in list(os.environ):
        if name.startswith("ASSAY_") or name.endswith(("_API_KEY", "_BASE_URL")):
            monkeypatch.delenv(name)
    suite = tmp_path / "small"
    suite.mkdir()
    for file, text in {"suite.yaml": MANIFEST, "sums.yaml": SUMS, "words.yaml": WORDS}.items():
        (suite / file).write_text(text)
    fresh_sqlite(tmp_path / "assay.db").dispose()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def no_database(folder: Path) -> None:
    """Takes the folder's database away: commands set up one themselves."""
    (folder / "assay.db").unlink()


@pytest.fixture
def assay(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Assay:
    """Run a command in this process, through the console script's own entry."""

    def run(*arguments: str) -> Ended:
        monkeypatch.setattr(sys, "argv", ["assay", *arguments])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        captured = capsys.readouterr()
        return Ended(int(ended.value.code or 0), captured.out, captured.err)

    return run


@pytest.fixture
def script(folder: Path) -> Assay:
    """Run a command as the real console script, in a process of its own."""

    def run(*arguments: str, **environment: str) -> Ended:
        done = subprocess.run(
            [SCRIPT, *arguments],
            cwd=folder,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        return Ended(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
def upstream(folder: Path) -> Iterator[Served]:
    """A real server that answers rightly, in the workspace as the provider `mine`."""
    with served() as made:
        write_workspace(folder, made)
        yield made
