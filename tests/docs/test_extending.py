"""The pages that say how to extend Assay: their steps are carried out in a copy of the repository."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import SCRIPT

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs" / "extend").glob("*.md"))
COPIED = ("src", "tests", "benchmarks", "docs", "pyproject.toml")
STEP = re.compile(
    r"^Make `(?P<file>[^`]+)`:\n\n```\w+\n(?P<text>.*?)^```$"
    r"|^```diff\n--- (?P<edited>\S+)\n(?P<diff>.*?)^```$"
    r"|^```console\n(?P<calls>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)

pytestmark = pytest.mark.slow


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a copy of the repository that a page may change."""
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def edit(path: Path, diff: str) -> None:
    """Put a diff's new lines in the place of its old ones, which must stand in the file exactly once."""
    lines = diff.splitlines()
    old = "\n".join(line[1:] for line in lines if not line.startswith("+"))
    new = "\n".join(line[1:] for line in lines if not line.startswith("-"))
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{path.name} has {text.count(old)} of the lines:\n{old}"
    path.write_text(text.replace(old, new), encoding="utf-8")


def call(command: str, folder: Path) -> str:
    """Run a command of a page in the copy, and return what it printed."""
    clean = {name: text for name, text in os.environ.items() if not name.startswith("ASSAY_")}
    paths = f"{Path(SCRIPT).parent}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=folder,
        env={**clean, "PATH": paths, "PYTHONPATH": str(folder / "src"), "COLUMNS": "120"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_its_steps_work_in_their_order(page: Path, copy: Path) -> None:
    """Files are made, lines are changed, commands end well and print what is shown."""
    steps = list(STEP.finditer(page.read_text(encoding="utf-8")))
    assert any(step["calls"] for step in steps)
    for step in steps:
        if step["file"]:
            (copy / step["file"]).write_text(step["text"], encoding="utf-8")
        elif step["edited"]:
            edit(copy / step["edited"], step["diff"])
        else:
            for shown in re.split(r"^\$ ", step["calls"], flags=re.MULTILINE)[1:]:
                command, _, printed = shown.partition("\n")
                if printed:
                    assert call(command, copy).strip() == printed.strip()
                else:
                    call(command, copy)
    made = [copy / step["file"] for step in steps if step["file"] and step["file"].endswith(".py")]
    checked = [sys.executable, "-m", "ruff", "check", "--no-cache", *map(str, made)]
    assert subprocess.run(checked, cwd=copy, capture_output=True).returncode == 0, f"ruff on {page.stem}"
