"""The table on the page about the board is what the commands print."""

from __future__ import annotations

import asyncio
import re
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from assay.cli.main import main
from assay.files.workspace import open_workspace
from assay.runs.work import Work

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "read-the-board.md"
DAY = datetime(2026, 11, 20, 12, tzinfo=UTC).timestamp()
"""When the page's board was run: simulated answers change from day to day."""
CUT = "[...]"

pytestmark = pytest.mark.slow


def sample(command: str) -> list[str]:
    """Return the page's output below a line of a console block that ends with this command."""
    text = PAGE.read_text("utf-8")
    (block,) = re.findall(rf"(?m)^\$ [^\n]*{re.escape(command)}\n((?:[^$`][^\n]*\n|\n)*)", text)
    lines = [line for line in block.splitlines() if line and line != CUT]
    assert lines, f"the page shows nothing below {command!r}"
    return lines


def printed(arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """Return what a command prints on a wide terminal."""
    monkeypatch.setenv("COLUMNS", "240")
    monkeypatch.setattr(sys, "argv", ["assay", *arguments])
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code
    captured = capsys.readouterr()
    return captured.out + captured.err


def missing(lines: list[str], output: str) -> list[str]:
    """Return the lines with which no line of the output begins; a date stands for any date."""
    shown = [mask(line) for line in output.splitlines()]
    return [line for line in lines if not any(text.startswith(mask(line)) for text in shown)]


def mask(line: str) -> str:
    return re.sub(r"\d{4}-\d\d-\d\d", "DATE", line.rstrip())


def test_the_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The board of four simulated models on a fixed day is the one that the page shows."""
    monkeypatch.chdir(tmp_path)
    workspace, environment = open_workspace(tmp_path, {}, None)
    work = Work(workspace, environment, clock=lambda: DAY)
    (run,) = re.findall(r"(?m)^\$ assay run generalist (.*)$", PAGE.read_text("utf-8"))[:1]
    names = re.findall(r"--model (\S+)", run)
    asyncio.run(work.run(work.plan(work.suite("generalist"), work.models(names))))
    work.engine.dispose()
    output = printed(["board"], monkeypatch, capsys)
    assert missing(sample("assay board"), output) == [], output
