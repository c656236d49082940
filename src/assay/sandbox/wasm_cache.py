"""The compiled form of `python.wasm`, kept in the user's cache folder."""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import platform
import sys
import tempfile
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path

import wasmtime
from wasmtime import component

KEPT = 3

log = logging.getLogger(__name__)


def cache_folder(environment: Mapping[str, str], home: Path) -> Path:
    """Return the folder for compiled artifacts.

    That is `$ASSAY_CACHE`, or `assay` in `$XDG_CACHE_HOME`, or the platform's cache folder in the home
    folder.
    """
    if given := environment.get("ASSAY_CACHE"):
        return Path(given)
    if given := environment.get("XDG_CACHE_HOME"):
        return Path(given) / "assay"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "assay"
    if sys.platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local") / "assay" / "cache"
    return home / ".cache" / "assay"


def load(engine: wasmtime.Engine, source: Path, folder: Path) -> component.Component:
    """Return the component from the cache, or else compile it, which takes seconds.

    Several processes may do this at the same time: each writes a file of its own and renames it into place.
    If the folder cannot be written, the component is compiled each time, which is logged.
    """
    data = source.read_bytes()
    path = folder / f"python-{key(data)}.cwasm"
    if path.is_file() and is_ours(path):
        with contextlib.suppress(wasmtime.WasmtimeError):
            return component.Component.deserialize_file(engine, str(path))
    made = component.Component(engine, data)
    try:
        write(path, bytes(made.serialize()))
    except OSError as error:
        log.warning(
            "the compiled sandbox cannot be kept in %s (%s): it is compiled anew each time", folder, error
        )
    return made


def key(data: bytes) -> str:
    """Return the key of a build on this machine: a hash of the wasm, the wasmtime version and the CPU."""
    parts = (hashlib.sha256(data).hexdigest(), version("wasmtime"), platform.system(), cpu())
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


def cpu() -> str:
    """Return a description of this machine's instruction set."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith(("flags", "Features")):
                return f"{platform.machine()} {line.partition(':')[2].strip()}"
    return f"{platform.machine()} {platform.processor()}"


def is_ours(path: Path) -> bool:
    """Return whether only this user could have written the file, which runs as native code."""
    if sys.platform == "win32":
        return True
    found = path.stat()
    return found.st_uid == os.getuid() and not found.st_mode & 0o022


def write(path: Path, data: bytes) -> None:
    """Write the artifact in one step, and remove all but the newest few."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".python-", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    kept = sorted(path.parent.glob("python-*.cwasm"), key=lambda file: file.stat().st_mtime, reverse=True)
    for old in kept[KEPT:]:
        with contextlib.suppress(OSError):
            old.unlink()
