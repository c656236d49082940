"""What the WebAssembly sandbox does in its own way: the clock, the event loop, a missing component."""

from __future__ import annotations

from pathlib import Path

import pytest
import wasmtime

from assay.core.ask import CodeAsk, CodeStatus
from assay.sandbox.sandbox import Sandbox, Unusable
from assay.sandbox.wasm import Wasm


def test_sleeping_moves_every_clock(wasm: Sandbox) -> None:
    """A sleep takes no time outside, and all the time it should inside."""
    program = """
import datetime, time
readings = lambda: (time.time(), time.monotonic(), time.perf_counter(), datetime.datetime.now().timestamp())
before = readings()
time.sleep(3600)
print([round(now - then) for now, then in zip(readings(), before)])
"""
    assert wasm.run(CodeAsk(program, seconds=5)).stdout == "[3600, 3600, 3600, 3600]\n"


def test_every_program_starts_with_the_true_time(wasm: Sandbox) -> None:
    """What one program slept does not move the clock of the next."""
    read = CodeAsk("import time; print(int(time.time()) // 3600)")
    before = wasm.run(read).stdout
    wasm.run(CodeAsk("import time; time.sleep(1e8)"))
    assert abs(int(wasm.run(read).stdout) - int(before)) <= 1


def test_asyncio_runs(wasm: Sandbox) -> None:
    """Coroutines run, and their sleeps end in the order of their lengths."""
    program = """
import asyncio
async def say(n): await asyncio.sleep(n); print(n)
async def main(): await asyncio.gather(say(3), say(1), say(2))
asyncio.run(main())
"""
    assert wasm.run(CodeAsk(program)).stdout == "1\n2\n3\n"


def test_chance_repeats(wasm: Sandbox) -> None:
    """An unseeded generator gives the same numbers each time, so that a mark can be repeated."""
    program = CodeAsk("import random; print(random.random())")
    assert wasm.run(program).stdout == wasm.run(program).stdout


EARLIER = wasmtime.wat2wasm("""
(component
  (core module $main (func (export "handle")))
  (core instance $main (instantiate $main))
  (alias core export $main "handle" (core func $handle))
  (func (export "handle") (canon lift (core func $handle))))
""")
MODULES = ("asyncio", "concurrent.futures", "decimal", "email.message", "json", "sqlite3", "unittest.mock")


@pytest.mark.parametrize("module", MODULES)
def test_the_standard_library_is_there(wasm: Sandbox, module: str) -> None:
    """Modules that answers use can be imported."""
    assert wasm.run(CodeAsk(f"import {module}")).status is CodeStatus.PASSED


def test_what_a_program_makes_lies_beside_what_was_imported(wasm: Sandbox) -> None:
    """Few new objects lie in pages of the snapshot, which an instance would have to copy for them.

    Some do, where what the interpreter gives up to run a program leaves a gap.
    """
    program = """
import sys
last = max(map(id, sys.modules.values()))
made = [bytes(size) for size in range(20, 3020, 20)]
print(sum(id(new) < last for new in made))
"""
    assert int(wasm.run(CodeAsk(program)).stdout) < 15


def test_too_little_memory_is_said(wasm: Sandbox) -> None:
    """A limit below what the interpreter needs is out of memory, not a crash."""
    assert wasm.run(CodeAsk("x = 1", megabytes=8)).status is CodeStatus.MEMORY


def test_a_missing_component_names_the_command(tmp_path: Path) -> None:
    """Without `python.wasm` the error says what builds it."""
    with pytest.raises(Unusable, match=r"build it with `python -m assay\.sandbox\.build`"):
        Wasm(tmp_path / "python.wasm")


def test_a_component_of_an_earlier_version_names_the_command(tmp_path: Path) -> None:
    """A component whose rooms speak another way is unusable: its answers would fail without fault."""
    source = tmp_path / "python.wasm"
    source.write_bytes(EARLIER)
    with pytest.raises(Unusable, match=r"earlier version: build it again"):
        Wasm(source, tmp_path)


def test_a_broken_component_names_the_command(tmp_path: Path) -> None:
    """A file that is no component is unusable, and the error says what builds it."""
    source = tmp_path / "python.wasm"
    source.write_bytes(b"not wasm")
    with pytest.raises(Unusable, match=r"build it again"):
        Wasm(source, tmp_path)
