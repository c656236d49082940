"""CPython in WebAssembly: no files, network, environment or processes to reach, on any platform."""

from __future__ import annotations

import contextlib
import math
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import wasmtime
from wasmtime import component

from assay.core.ask import CodeAsk, CodeReply, CodeStatus
from assay.sandbox.build import COMMAND, TARGET
from assay.sandbox.compiled import cache_folder, load
from assay.sandbox.limits import Output, ended
from assay.sandbox.sandbox import Unusable

TICK = 0.01
NANOSECONDS = 1_000_000_000
LONGEST = 100 * 365 * 24 * 3600 * NANOSECONDS
MEGABYTE = 1 << 20
MONOTONIC = "wasi:clocks/monotonic-clock@"
WALL = "wasi:clocks/wall-clock@"


class Wasm:
    """Runs each program in a fresh instance of `python.wasm`, which nothing survives.

    The host waits for nobody: sleeping moves the program's clock, and the one thing that could make
    the host wait (a timer to poll) ends the program. So the deadline, which stops code at its next
    jump or call, always holds. Raises Unusable when `python.wasm` was not built.
    """

    name = "wasm"

    def __init__(self, source: Path = TARGET, folder: Path | None = None) -> None:
        if not source.is_file():
            raise Unusable(f"{source.name} is not there: build it with `{COMMAND}`")
        config = wasmtime.Config()
        config.epoch_interruption = True
        self._engine = wasmtime.Engine(config)
        try:
            self._component = load(self._engine, source, folder or cache_folder(os.environ, Path.home()))
        except wasmtime.WasmtimeError as error:
            raise Unusable(
                f"{source.name} cannot be used ({error}): build it again with `{COMMAND}`"
            ) from error
        self._clock = Clock()
        self._linker = self._link()
        self._ticker = Ticker(self._engine.increment_epoch)
        # More at once than there are processors would only eat into each other's seconds.
        self._slots = threading.BoundedSemaphore(os.cpu_count() or 1)

    def unfit(self, ask: CodeAsk) -> str | None:
        """Return why this sandbox cannot run the program: it has the standard library only."""
        return f"wasm has no package {', '.join(ask.packages)}" if ask.packages else None

    def run(self, ask: CodeAsk) -> CodeReply:
        """Run one program and reply; `seconds` counts from the moment the instance starts."""
        with self._slots, self._ticker:
            return self._run(ask)

    def _run(self, ask: CodeAsk) -> CodeReply:
        output = Output(ask.output_bytes)
        start = time.monotonic()
        with contextlib.closing(wasmtime.Store(self._engine)) as store:
            self._clock.reset()
            store.set_limits(memory_size=ask.megabytes * MEGABYTE)
            store.set_epoch_deadline(math.ceil(ask.seconds / TICK) + 1)
            wasi = wasmtime.WasiConfig()
            wasi.stdout_custom = output.add
            store.set_wasi(wasi)
            status, error = self._call(store, ask)
        took = time.monotonic() - start
        return CodeReply(status, output.text(), error, took, self.name)

    def close(self) -> None:
        """Stop the thread that keeps the deadlines."""
        self._ticker.close()

    def _call(self, store: wasmtime.Store, ask: CodeAsk) -> tuple[CodeStatus, str]:
        try:
            instance = self._linker.instantiate(store, self._component)
        except wasmtime.WasmtimeError as error:
            if "memory" in str(error):
                return CodeStatus.MEMORY, f"{ask.megabytes} MB do not hold the interpreter"
            return CodeStatus.UNAVAILABLE, f"the sandbox did not start: {str(error)[-500:]}"
        function = instance.get_func(store, "run")
        assert function is not None
        try:
            ending = str(function(store, ask.program))
        except wasmtime.ExitTrap as trap:
            return (CodeStatus.FAILED, f"exit status {trap.code}") if trap.code else (CodeStatus.PASSED, "")
        except wasmtime.WasmtimeError as trap:
            return self._trapped(str(trap), ask)
        return ended(ending), ending

    def _trapped(self, text: str, ask: CodeAsk) -> tuple[CodeStatus, str]:
        cause = text.rpartition("Caused by:")[2].strip()
        if cause == "wasm trap: interrupt":
            return CodeStatus.TIMEOUT, f"no end within {ask.seconds:g} s"
        return CodeStatus.FAILED, f"the interpreter stopped: {cause[-300:]}"

    def _link(self) -> component.Linker:
        linker = component.Linker(self._engine)
        linker.add_wasip2()
        linker.allow_shadowing = True
        imports = list(self._component.type.imports(self._engine))
        with linker.root() as root:
            root.add_func("advance", self._clock.advance)
            with root.add_instance(named(imports, MONOTONIC)) as clock:
                clock.add_func("now", self._clock.monotonic)
                clock.add_func("resolution", resolution)
                clock.add_func("subscribe-duration", refuse)
                clock.add_func("subscribe-instant", refuse)
            with root.add_instance(named(imports, WALL)) as clock:
                clock.add_func("now", self._clock.wall)
                clock.add_func("resolution", wall_resolution)
        return linker


class Clock:
    """The clocks a program reads: the host's, moved on by what it has slept. One per running thread."""

    def __init__(self) -> None:
        self._slept = threading.local()

    def reset(self) -> None:
        """Start a program: nothing slept yet."""
        self._slept.total = 0

    def advance(self, _store: Any, nanoseconds: int) -> None:
        """Move the clocks on; they stop moving after a hundred years."""
        self._slept.total = min(self._slept.total + nanoseconds, LONGEST)

    def monotonic(self, _store: Any) -> int:
        """Return nanoseconds since some moment."""
        return time.monotonic_ns() + int(self._slept.total)

    def wall(self, _store: Any) -> component.Record:
        """Return the time since 1970."""
        return moment(*divmod(time.time_ns() + self._slept.total, NANOSECONDS))


def moment(seconds: int, nanoseconds: int) -> component.Record:
    """Return a wall clock's reading as the component's record."""
    record = component.Record()
    vars(record).update(seconds=seconds, nanoseconds=nanoseconds)
    return record


def resolution(_store: Any) -> int:
    """Return the monotonic clock's step in nanoseconds."""
    return 1


def wall_resolution(_store: Any) -> component.Record:
    """Return the wall clock's step."""
    return moment(0, 1)


def refuse(_store: Any, _when: int) -> Any:
    """End a program that asks the host to wait for a timer, which no deadline could interrupt."""
    # Another kind of exception would be raised on whichever thread comes out of wasmtime next.
    raise wasmtime.WasmtimeError("waiting is not possible here")


def named(imports: list[str], prefix: str) -> str:
    """Return the import of that interface with the version the component was built for."""
    for name in imports:
        if name.startswith(prefix):
            return name
    raise Unusable(f"the component imports no {prefix}...: build it again with `{COMMAND}`")


class Ticker:
    """Moves the engine's epoch on while programs run; used as a context by each of them."""

    def __init__(self, tick: Callable[[], None]) -> None:
        self._tick = tick
        self._running = 0
        self._closed = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._keep_time, name="assay-sandbox-clock", daemon=True)
        self._thread.start()

    def __enter__(self) -> None:
        with self._changed:
            self._running += 1
            if self._running == 1:
                self._changed.notify()

    def __exit__(self, *_: object) -> None:
        with self._changed:
            self._running -= 1

    def close(self) -> None:
        """End the thread."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join()

    def _keep_time(self) -> None:
        while True:
            with self._changed:
                while not self._running and not self._closed:
                    self._changed.wait()
                if self._closed:
                    return
            due = time.monotonic()
            while self._running and not self._closed:
                time.sleep(TICK)
                while due + TICK <= time.monotonic():
                    self._tick()
                    due += TICK
