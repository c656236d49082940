"""The documents of the command line, of its JSON and of the Python interface say what is so."""

from __future__ import annotations

import io
import re
import shlex
from contextlib import redirect_stdout
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from command_line import commands, commands_of
from every_row import every_row
from typer.main import get_command

from assay.cli.main import app
from assay.runs.open_workspace import OpenWorkspace

REFERENCE = Path(__file__).resolve().parents[2] / "docs" / "reference"
DOCS = REFERENCE.parent
SHOWN_DAY = date(2026, 11, 28)
"""The day of which python.md shows the output: simulated models answer anew each day."""


def read(document: str) -> str:
    """Return a document's text."""
    return (REFERENCE / document).read_text(encoding="utf-8")


def shown_calls() -> list[str]:
    """Return every call of `assay` in the documents, without those that add commands of their own."""
    found = []
    for path in sorted(set(DOCS.rglob("*.md")) - set((DOCS / "extend").glob("*.md"))):
        for block in re.findall(r"^```console\n(.*?)^```", path.read_text("utf-8"), re.DOTALL | re.MULTILINE):
            found += re.findall(r"^\$ (assay [^|#\n]*)", block, re.MULTILINE)
    return sorted(set(found))


def test_every_command_stands_in_the_reference() -> None:
    """Each command is shown in a call, or in the heading of its group."""
    text = read("cli.md")
    headings = " ".join(re.findall(r"^##.*$", text, re.MULTILINE))
    missing = [
        name
        for name in commands()
        if f"assay {name}" not in text
        and not (f"assay {name.split()[0]} " in headings and f"`{name.split()[-1]}`" in headings)
    ]
    assert missing == []


@every_row("call", shown_calls())
def test_every_documented_call_exists(call: str) -> None:
    """Its command and all its options are there."""
    words = shlex.split(call)[1:]
    root = {option for parameter in get_command(app).params for option in parameter.opts}
    while words and words[0] in root:
        words = words[2:] if words[0] not in ("--help", "--version") else words[1:]
    if not words:
        return
    command = commands()[words[0]]
    for word in words[1:]:
        below = commands_of(command)
        if not below or word.startswith("-"):
            break
        assert word in below
        command = below[word]
    options = {option for parameter in command.params for option in parameter.opts} | {"--help"}
    assert {word.partition("=")[0] for word in words if word.startswith("-")} <= options


def test_every_schema_is_listed() -> None:
    """Each file of schemas/ is named beside its command, and nothing else is."""
    listed = set(re.findall(r"\(schemas/([a-z-]+\.json)\)", read("json.md")))
    assert listed == {path.name for path in (REFERENCE / "schemas").glob("*.json")}


@pytest.mark.slow
def test_the_python_examples_print_what_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run in order in an empty folder; each block's output is the block of text below it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(OpenWorkspace, "today", lambda _: SHOWN_DAY)
    blocks = re.findall(r"^```(python|text)\n(.*?)^```", read("python.md"), re.DOTALL | re.MULTILINE)
    names: dict[str, Any] = {}
    printed = ""
    for kind, text in blocks:
        if kind == "text":
            assert printed == text
            continue
        with redirect_stdout(io.StringIO()) as out:
            exec(text, names)
        printed = out.getvalue()
