"""The component is built when it is missing or older than its sources."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from assay.core.errors import InvalidInput
from assay.sandbox.build import INSIDE, build, componentizer, is_current, main


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


@pytest.mark.slow
def test_a_build_makes_a_component(tmp_path: Path) -> None:
    """The build writes a WebAssembly component, whole."""
    try:
        componentizer()
    except InvalidInput as error:
        pytest.skip(str(error))
    made = build(tmp_path / "python.wasm")
    assert made.read_bytes()[:4] == b"\0asm"
    assert [path.name for path in tmp_path.iterdir()] == ["python.wasm"]
