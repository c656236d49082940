"""The component is built when it is missing or older than its sources."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from assay.core.errors import InvalidInput, Upstream
from assay.sandbox.build import INSIDE, TARGET, build, componentizer, is_current, main


def test_a_missing_component_is_not_current(tmp_path: Path) -> None:
    """Nothing there means that it must be built."""
    assert not is_current(tmp_path / "python.wasm")


def test_a_component_older_than_its_sources_is_not_current(tmp_path: Path) -> None:
    """A changed source means that it must be built again."""
    target = tmp_path / "python.wasm"
    target.write_bytes(b"x")
    newest = max(path.stat().st_mtime for path in INSIDE.glob("*.py"))
    os.utime(target, (newest - 10, newest - 10))
    assert not is_current(target)


def test_a_current_component_is_left_alone(tmp_path: Path) -> None:
    """`--if-missing` does nothing where there is nothing to do."""
    target = tmp_path / "python.wasm"
    target.write_bytes(b"x")
    assert main(["--if-missing", "--output", str(target)]) == 0
    assert target.read_bytes() == b"x"


def test_a_missing_tool_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without componentize-py the error says what to install."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sysconfig.get_path", lambda _: str(tmp_path))
    with pytest.raises(InvalidInput, match="pip install componentize-py"):
        componentizer()


# Stands for componentize-py, which takes half a minute: `make setup` builds the real component with it, and
# that is what the sandbox's tests run. It fails unless it is given what the real one needs.
TOOL = """#!/bin/sh
test "$*" = "-q -d sandbox.wit -w sandbox componentize -p . app -o python.wasm" || exit 2
grep -q "world sandbox" sandbox.wit && grep -q assay_inside app.py && test -f assay_inside/guest.py || exit 3
test -z "$VIRTUAL_ENV" || exit 4
printf '\\0asm' > python.wasm
%s
"""


def _given(folder: Path, monkeypatch: pytest.MonkeyPatch, last: str) -> Path:
    """Put a tool in place whose last act is `last`; return the folder to build into."""
    tools, built = folder / "tools", folder / "built"
    tools.mkdir()
    (tools / "componentize-py").write_text(TOOL % last)
    (tools / "componentize-py").chmod(0o700)
    monkeypatch.setattr("sysconfig.get_path", lambda _: str(tools))
    monkeypatch.setenv("VIRTUAL_ENV", str(folder))
    return built


def test_a_build_makes_a_component(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The build writes a WebAssembly component, whole, and nothing beside it."""
    built = _given(tmp_path, monkeypatch, "exit 0")
    assert build(built / "python.wasm").read_bytes() == b"\0asm"
    assert [path.name for path in built.iterdir()] == ["python.wasm"]


def test_a_build_that_fails_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tool's own words are shown."""
    built = _given(tmp_path, monkeypatch, "echo no memory >&2; exit 1")
    built.mkdir()
    (built / "python.wasm").write_bytes(b"old")
    with pytest.raises(Upstream, match="no memory"):
        build(built / "python.wasm")
    assert (built / "python.wasm").read_bytes() == b"old"


def test_the_component_in_place_is_one() -> None:
    """What `make setup` built, with the real tool, is a WebAssembly component."""
    assert TARGET.read_bytes()[:4] == b"\0asm"
