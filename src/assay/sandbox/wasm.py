"""CPython in WebAssembly, without files, network, environment or processes, on any platform."""

from __future__ import annotations

import contextlib
import math
import os
import queue
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import wasmtime
from wasmtime import component

from assay.core.ask import CodeAsk, CodeReply, CodeStatus
from assay.sandbox.build import COMMAND, TARGET
from assay.sandbox.limits import Output, ended
from assay.sandbox.rooms import Exchange, KeptRooms, RoomEnded, TestsRoom, examine
from assay.sandbox.sandbox import Unusable
from assay.sandbox.wasm_cache import cache_folder, load
from assay.sandbox.wasm_functions import Exported, Imported

TICK = 0.01
FUNCTION = "turn"  # what a room exports; another name when the messages change
NANOSECONDS = 1_000_000_000
LONGEST = 100 * 365 * 24 * 3600 * NANOSECONDS
MEGABYTE = 1 << 20
MONOTONIC = "wasi:clocks/monotonic-clock@"
WALL = "wasi:clocks/wall-clock@"


class Wasm:
    """A sandbox that runs each program in a fresh instance of `python.wasm`.

    The host never waits for a program: sleeping moves the program's clock, and polling a timer, the only
    other way to wait, ends the program. So the deadline, which stops code at its next jump or call, is always
    kept. Raises Unusable if `python.wasm` was not built.
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
        if FUNCTION not in self._component.type.exports(self._engine):
            raise Unusable(f"{source.name} was built for an earlier version: build it again with `{COMMAND}`")
        self._here = threading.local()
        self._kept = KeptRooms()
        self._exchange = Imported(lambda message: self._here.room.exchange(message))
        self._linker = self._link()
        self._ticker = Ticker(self._engine.increment_epoch)
        # More programs than processors would only use up each other's seconds.
        self._slots = threading.BoundedSemaphore(os.cpu_count() or 1)

    def unfit(self, ask: CodeAsk) -> str | None:
        """Return the reason why the program cannot run (it needs packages), or None."""
        return f"wasm has no package {', '.join(ask.packages)}" if ask.packages else None

    def run(self, ask: CodeAsk) -> CodeReply:
        """Run one program and return its result; `seconds` counts from the start of the instance."""
        with self._slots, self._ticker:
            return examine(self, self._kept, ask, ask.unit_tests) if ask.unit_tests else self._run(ask)

    def tests_room(self, ask: CodeAsk) -> WasmRoom:
        """Return a new instance for tests."""
        return WasmRoom(self, ask, Clock())

    def answer_room(self, ask: CodeAsk, beside: TestsRoom) -> WasmRoom:
        """Return a new instance for an answer, with the same clock as the tests."""
        assert isinstance(beside, WasmRoom)
        beside.clock.slept = 0
        return WasmRoom(self, ask, beside.clock)

    def open(
        self, store: wasmtime.Store, megabytes: int, output: Callable[[bytes], object]
    ) -> component.Instance:
        """Return a new instance. Raises RoomEnded if it does not start."""
        store.set_limits(memory_size=megabytes * MEGABYTE)
        wasi = wasmtime.WasiConfig()
        wasi.stdout_custom = output
        store.set_wasi(wasi)
        try:
            return self._linker.instantiate(store, self._component)
        except wasmtime.WasmtimeError as error:
            if "memory" in str(error):
                raise RoomEnded(CodeStatus.MEMORY, f"{megabytes} MB do not hold the interpreter") from None
            raise RoomEnded(
                CodeStatus.UNAVAILABLE, f"the sandbox did not start: {str(error)[-500:]}"
            ) from error

    def call(
        self, room: WasmRoom, function: Exported, store: wasmtime.Store, text: str, seconds: float
    ) -> str:
        """Call a function of an instance and return its text. Raises RoomEnded if it does not return."""
        outside = getattr(self._here, "room", None)
        self._here.room = room
        store.set_epoch_deadline(ticks(seconds))
        try:
            return function(text)
        except wasmtime.ExitTrap as trap:
            status = CodeStatus.FAILED if trap.code else CodeStatus.PASSED
            raise RoomEnded(status, f"exit status {trap.code}") from None
        except wasmtime.WasmtimeError as trap:
            raise self._trapped(str(trap), room.seconds) from None
        finally:
            self._here.room = outside

    @property
    def engine(self) -> wasmtime.Engine:
        """The engine that all instances share."""
        return self._engine

    def _run(self, ask: CodeAsk) -> CodeReply:
        output = Output(ask.output_bytes)
        start = time.monotonic()
        try:
            with contextlib.closing(WasmRoom(self, ask, Clock(), "run", output.add)) as room:
                error = room.command(ask.program, unreachable, start + ask.seconds)
            status = ended(error)
        except RoomEnded as end:
            status, error = end.status, "" if end.status is CodeStatus.PASSED else end.text
        return CodeReply(status, output.text(), error, time.monotonic() - start, self.name)

    def close(self) -> None:
        """Close the pooled rooms, and stop the thread for the deadlines."""
        self._kept.close()
        self._ticker.close()

    def _trapped(self, text: str, seconds: float) -> RoomEnded:
        cause = text.rpartition("Caused by:")[2].strip()
        if cause == "wasm trap: interrupt":
            return RoomEnded(CodeStatus.TIMEOUT, f"no end within {seconds:g} s")
        return RoomEnded(CodeStatus.FAILED, f"the interpreter stopped: {cause[-300:]}")

    def _link(self) -> component.Linker:
        linker = component.Linker(self._engine)
        linker.add_wasip2()
        linker.allow_shadowing = True
        imports = list(self._component.type.imports(self._engine))
        with linker.root() as root:
            root.add_func("advance", lambda _, nanoseconds: self._here.room.clock.advance(nanoseconds))
            self._exchange.add_to(root, "exchange")
            with root.add_instance(named(imports, MONOTONIC)) as clock:
                clock.add_func("now", lambda _: self._here.room.clock.monotonic())
                clock.add_func("resolution", resolution)
                clock.add_func("subscribe-duration", refuse)
                clock.add_func("subscribe-instant", refuse)
            with root.add_instance(named(imports, WALL)) as clock:
                clock.add_func("now", lambda _: self._here.room.clock.wall())
                clock.add_func("resolution", wall_resolution)
        return linker


class WasmRoom:
    """One instance, for tests, an answer or a program.

    Messages of the tests without objects are passed to the answer's instance by a plain call. If the answer
    may call back, its instance runs on a thread, since an instance cannot be entered again while it waits.
    """

    def __init__(
        self,
        wasm: Wasm,
        ask: CodeAsk,
        clock: Clock,
        function: str = FUNCTION,
        output: Callable[[bytes], object] = len,
    ) -> None:
        self.clock = clock
        self.seconds = ask.seconds
        self._wasm = wasm
        self._store = wasmtime.Store(wasm.engine)
        self._exchange: Exchange = unreachable
        self._deadline = 0.0
        self._thread: Threaded | None = None
        self._store.set_epoch_deadline(ticks(ask.seconds))
        try:
            found = wasm.open(self._store, ask.megabytes, output).get_func(self._store, function)
        except RoomEnded:
            self._store.close()
            raise
        assert found is not None
        self._function = Exported(self._store, found)

    def command(self, text: str, exchange: Exchange, deadline: float) -> str:
        """Carry out a command; `exchange` carries the messages that it leads to."""
        self._exchange, self._deadline = exchange, deadline
        return self._call(text)

    def send(self, message: str, deadline: float) -> str:
        """Send a message from the tests and return this instance's next one."""
        self._deadline = deadline
        if self._thread is not None:
            return self._thread.resume(message)
        if message.startswith("!"):
            return self._call(message)
        if message.startswith("+"):
            self._thread = Threaded(self._call)
            self._exchange = self._thread.suspend
            return self._thread.resume(message[1:])
        self._exchange = unreachable
        return self._call(message)

    def exchange(self, message: str) -> str:
        """Carry a message out of the instance while it waits for the next one."""
        reply = self._exchange(message)
        self._store.set_epoch_deadline(ticks(self._deadline - time.monotonic()))
        return reply

    def close(self) -> None:
        """End the instance."""
        if self._thread is not None:
            self._thread.close()
        self._store.close()

    def _call(self, text: str) -> str:
        return self._wasm.call(self, self._function, self._store, text, self._deadline - time.monotonic())


class Threaded:
    """A thread for an instance, so that it can wait in the middle of a call while another one runs."""

    def __init__(self, call: Callable[[str], str]) -> None:
        self._inbox: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._outbox: queue.SimpleQueue[str | BaseException] = queue.SimpleQueue()
        self._call = call
        self._thread = threading.Thread(target=self._serve, name="assay-sandbox-answer", daemon=True)
        self._thread.start()

    def resume(self, message: str) -> str:
        """Send the instance a message and wait for its next one."""
        self._inbox.put(message.removeprefix("+"))
        reply = self._outbox.get()
        if isinstance(reply, BaseException):
            raise reply
        return reply

    def suspend(self, message: str) -> str:
        """Send a message from within the instance, and wait until it is resumed."""
        self._outbox.put(message)
        reply = self._inbox.get()
        if reply is None:
            raise wasmtime.WasmtimeError("the tests have ended")
        return reply

    def close(self) -> None:
        """End the thread, even if the instance is waiting."""
        self._inbox.put(None)
        self._thread.join()

    def _serve(self) -> None:
        while (message := self._inbox.get()) is not None:
            try:
                self._outbox.put(self._call(message))
            except RoomEnded as ended:
                self._outbox.put(ended)
                return


def ticks(seconds: float) -> int:
    """Return the number of epochs in this many seconds."""
    return max(math.ceil(seconds / TICK), 0) + 1


def unreachable(_: str) -> str:
    """End a program that sends a message without another room."""
    raise wasmtime.WasmtimeError("there is no other room")


class Clock:
    """The clocks for the programs of one case: the host's, advanced by the time that they have slept."""

    def __init__(self) -> None:
        self.slept = 0

    def advance(self, nanoseconds: int) -> None:
        """Advance the clocks, at most by a hundred years."""
        self.slept = min(self.slept + nanoseconds, LONGEST)

    def monotonic(self) -> int:
        """Return nanoseconds since a fixed moment."""
        return time.monotonic_ns() + self.slept

    def wall(self) -> component.Record:
        """Return the time since 1970."""
        return moment(*divmod(time.time_ns() + self.slept, NANOSECONDS))


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
    """End a program that makes the host wait for a timer, which no deadline could interrupt."""
    # Another kind of exception would be raised on whichever thread comes out of wasmtime next.
    raise wasmtime.WasmtimeError("waiting is not possible here")


def named(imports: list[str], prefix: str) -> str:
    """Return the full name of an imported interface, with the version the component was built for."""
    for name in imports:
        if name.startswith(prefix):
            return name
    raise Unusable(f"the component imports no {prefix}...: build it again with `{COMMAND}`")


class Ticker:
    """A thread that advances the engine's epoch while programs run; each program enters it as a context."""

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
