"""The compiled component is kept in the user's cache, and survives crowds and broken files."""

from __future__ import annotations

import logging
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import wasmtime

from assay.sandbox.wasm_cache import cache_folder, is_ours, key, load, write

EMPTY = wasmtime.wat2wasm("(component)")


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"ASSAY_CACHE": "/a", "XDG_CACHE_HOME": "/x"}, "/a"),
        ({"XDG_CACHE_HOME": "/x"}, "/x/assay"),
    ],
)
def test_the_environment_names_the_folder(environment: dict[str, str], expected: str) -> None:
    """ASSAY_CACHE comes first, then XDG_CACHE_HOME."""
    assert cache_folder(environment, Path("/people/me")) == Path(expected)


@pytest.mark.skipif(sys.platform != "linux", reason="the folder differs by platform")
def test_the_home_folder_is_the_default() -> None:
    """Without either it is the platform's cache folder."""
    assert cache_folder({}, Path("/people/me")) == Path("/people/me/.cache/assay")


def source(folder: Path) -> Path:
    path = folder / "python.wasm"
    path.write_bytes(EMPTY)
    return path


def test_a_second_load_reads_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The component is compiled once."""
    engine = wasmtime.Engine()
    load(engine, source(tmp_path), tmp_path / "cache")
    kept = [*(tmp_path / "cache").iterdir()]
    changed = kept[0].stat().st_mtime_ns
    load(engine, source(tmp_path), tmp_path / "cache")
    assert [path.stat().st_mtime_ns for path in (tmp_path / "cache").iterdir()] == [changed]


def test_a_broken_artifact_is_replaced(tmp_path: Path) -> None:
    """A file that does not load is compiled anew."""
    cache = tmp_path / "cache"
    engine = wasmtime.Engine()
    cache.mkdir()
    path = cache / f"python-{key(EMPTY)}.cwasm"
    path.write_bytes(b"broken")
    path.chmod(0o600)
    load(engine, source(tmp_path), cache)
    assert path.read_bytes() != b"broken"


def test_many_at_once_leave_one_file(tmp_path: Path) -> None:
    """Concurrent first loads leave one whole artifact and no scraps."""
    path = source(tmp_path)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: load(wasmtime.Engine(), path, tmp_path / "cache"), range(8)))
    assert [found.suffix for found in (tmp_path / "cache").iterdir()] == [".cwasm"]


def test_a_folder_that_cannot_be_written_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Without a cache the component still loads, and the log says that it is compiled each time."""
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    with caplog.at_level(logging.WARNING):
        load(wasmtime.Engine(), source(tmp_path), blocked / "cache")
    assert "compiled anew each time" in caplog.text


def test_old_artifacts_are_removed(tmp_path: Path) -> None:
    """Only the newest few builds are kept."""
    for number in range(5):
        write(tmp_path / f"python-{number}.cwasm", b"x")
    assert len([*tmp_path.iterdir()]) == 3


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such modes")
def test_an_artifact_that_others_can_write_is_not_trusted(tmp_path: Path) -> None:
    """What others could have written is never run as native code."""
    path = tmp_path / "python-x.cwasm"
    write(path, b"x")
    assert is_ours(path)
    path.chmod(0o666)
    assert not is_ours(path)
