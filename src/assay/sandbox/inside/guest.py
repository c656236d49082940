"""The program that becomes `python.wasm`: prepares CPython at build time, then runs one program.

`prepare` runs once, while the component is built, and what it imports is all that exists later:
there is no file system to import from.
"""

from __future__ import annotations

import gc
import importlib
import io
import json
import pkgutil
import random
import sys
import time
import traceback
import types
import warnings
from collections.abc import Callable
from typing import Any

from .room import Room

SKIPPED = {
    "antigravity", "ensurepip", "idlelib", "lib2to3", "pydoc_data.topics", "site", "sitecustomize", "test",
    "this", "tkinter", "turtle", "turtledemo", "usercustomize", "venv", "webbrowser", "__phello__",
}  # fmt: skip
SEED = 2026
WARM_RUNS = 30
SAMPLE_ANSWER = """
def merge(spans):
    merged = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
"""
SAMPLE_TESTS = """
def test_one():
    assert __assay_compare__(("==",), merge([(5, 6), (1, 2)]), [(1, 2), (5, 6)]), __assay_explain__("merge")
def test_two():
    assert __assay_compare__(("==",), merge([(1, 4), (3, 6)]), [(1, 5)]), __assay_explain__("merge")
"""
LARGEST_GAP = 1 << 20
LARGEST_SMALL = 512  # what CPython's own allocator hands out, in classes of 8 bytes
BYTES_HEAD = bytes.__basicsize__
GAPS: list[Any] = []
NANOSECONDS = 1_000_000_000
ERROR_LINES = 12
ERROR_LENGTH = 2_000


def prepare(advance: Callable[[int], None]) -> io.TextIOWrapper:
    """Make the interpreter ready: a clock that sleeping moves, every module imported, memory settled.

    Returns the standard output. `advance(nanoseconds)` moves the host's clocks for this program.
    `time.sleep` is replaced before the other imports, since some of them keep a reference to it.
    """
    replace_sleep(advance)
    warnings.simplefilter("ignore")
    import_everything()
    replace_waiting(advance)
    warnings.resetwarnings()
    warnings.simplefilter("ignore")
    forget_builders()
    warm_up()
    # Buffered, since each write is a call to the host.
    stdout = io.TextIOWrapper(
        io.BufferedWriter(io.FileIO(1, "w", closefd=False)), "utf-8", "backslashreplace"
    )
    sys.stdout = stdout
    gc.collect()
    fill_gaps()
    gc.freeze()
    return stdout


def run(program: str, stdout: io.TextIOWrapper) -> str:
    """Run a program as `__main__`; return "" when it ends well, else the last lines of its traceback."""
    random.seed(SEED)  # a mark must not change from day to day by the luck of an unseeded generator
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    try:
        exec(compile(program, "<program>", "exec"), module.__dict__)
    except SystemExit as ended:
        return "" if ended.code in (None, 0) else f"SystemExit: {ended.code}"
    except BaseException as error:  # noqa: BLE001 - whatever ended the program is the answer
        return last_lines(error)
    finally:
        stdout.flush()
    return ""


def last_lines(error: BaseException) -> str:
    """Return the end of the traceback, at most `ERROR_LENGTH` characters."""
    try:
        lines = "".join(traceback.format_exception(error)).splitlines()
    except BaseException:  # noqa: BLE001 - the program may have replaced anything
        return type(error).__name__
    return "\n".join(lines[-ERROR_LINES:])[-ERROR_LENGTH:]


def import_everything() -> None:
    """Import the standard library with its submodules, leaving out what cannot be imported here."""
    for name in sorted(sys.stdlib_module_names):
        if name not in SKIPPED:
            import_deeply(name)


def import_deeply(name: str) -> None:
    """Import a module and, for a package, every module in it."""
    try:
        module = importlib.import_module(name)
    except BaseException:  # noqa: BLE001 - modules for other platforms fail in many ways
        return
    for found in pkgutil.iter_modules(getattr(module, "__path__", ())):
        inner = f"{name}.{found.name}"
        if found.name not in ("__main__", "test", "tests") and inner not in SKIPPED:
            import_deeply(inner)


def replace_sleep(advance: Callable[[int], None]) -> None:
    """Make sleeping instant: it moves the program's clock by as much as it would have waited."""

    def sleep(seconds: float, /) -> None:
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")
        advance(int(seconds * NANOSECONDS))

    vars(time)["sleep"] = sleep


def replace_waiting(advance: Callable[[int], None]) -> None:
    """Make waiting for files and for the event loop's next deadline as instant as sleeping."""
    import asyncio.selector_events as loops
    import select

    def wait(reading: Any, writing: Any, special: Any, timeout: float | None = None, /) -> Any:
        if timeout is None:
            raise RuntimeError("this would wait for ever: nothing outside can wake the program")
        advance(int(max(timeout, 0) * NANOSECONDS))
        return [], [], []

    select.select = wait
    for name in ("poll", "epoll", "kqueue"):
        vars(select).pop(name, None)
    selectors = sys.modules["selectors"]
    for name in ("PollSelector", "EpollSelector", "KqueueSelector"):
        vars(selectors).pop(name, None)
    vars(selectors)["DefaultSelector"] = vars(selectors)["SelectSelector"]
    vars(selectors)["SelectSelector"]._select = staticmethod(wait)
    # An event loop wakes itself through a socket pair; here nothing else runs that could wake it.
    loop = vars(loops)["BaseSelectorEventLoop"]
    loop._make_self_pipe = loop._close_self_pipe = loop._write_to_self = lambda self: None


def forget_builders() -> None:
    """Keep programs from making fresh copies of the modules that were replaced above."""
    vars(sys.modules["_imp"])["create_builtin"] = None


def fill_gaps() -> None:
    """Take the free memory between what was imported.

    What a program makes then lies side by side in memory that no import has used, so that a new instance
    has to copy fewer pages.
    """
    top = id(bytes(LARGEST_GAP))
    size = LARGEST_GAP
    while size > LARGEST_SMALL:
        while id(block := bytes(size)) < top:
            GAPS.append(block)
        size = size * 7 // 8
    for size in range(LARGEST_SMALL, 0, -8):
        while id(block := bytes(max(size - BYTES_HEAD, 2))) < top:
            GAPS.append(block)
    while id(number := float(len(GAPS))) < top:
        GAPS.append(number)


def warm_up() -> None:
    """Run some tests at build time: what the interpreter learns from them is there from the start."""
    kept = sys.stdout, sys.stderr, dict(sys.modules)
    for _ in range(WARM_RUNS):
        answer = Room(str)
        tests = Room(lambda message, answer=answer: answer.handle(message))  # type: ignore[misc]
        answer.handle(f'!answer {json.dumps(SAMPLE_ANSWER)}\n[["load",["t","merge"]],[],[],""]')
        tests.handle(f"!tests {json.dumps([SAMPLE_TESTS, ['merge'], ['math'], False])}")
        results = [tests.handle(f"!test {name}") for name in ("test_one", "test_two")]
        if not results[0].startswith('["",') or "does not hold" not in results[1]:
            raise RuntimeError(f"the sample tests do not run: {results}")
    sys.stdout, sys.stderr = kept[:2]
    for name in sys.modules.keys() - kept[2].keys():
        del sys.modules[name]
    sys.modules.update(kept[2])
