"""Testing an answer: the tests run in one room of a sandbox, the answer in another, with the host between.

A room is an isolated interpreter: a WebAssembly instance, a process or a container. The room of the tests
runs only trusted code, so it is used for one answer after another; each answer has a new room. The room of
the tests decides which tests pass, unless the answer's room ended in the meantime.
"""

from __future__ import annotations

import json
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Protocol

from assay.core.ask import MOST_EXHAUSTED, CodeAsk, CodeReply, CodeStatus, UnitResult, UnitTests

MOST_KEPT = 8
MOST_USES = 500
LONGEST_MESSAGE = 40 << 20
MOST_BYTES = 512 << 20


class RoomEnded(Exception):
    """A room ended before it answered."""

    def __init__(self, status: CodeStatus, text: str) -> None:
        super().__init__(text)
        self.status = status
        self.text = text

    def line(self) -> str:
        """Return a line about how it ended."""
        last = self.text.rpartition("\n")[2]
        if self.status in (CodeStatus.TIMEOUT, CodeStatus.MEMORY):
            return f"{self.status}: {last}" if last else str(self.status)
        return f"the code ended the program: {last}" if last else "the code ended the program"


Exchange = Callable[[str], str]


class TestsRoom(Protocol):
    """A room that runs tests; `exchange` carries its messages to the answer's room while a command runs."""

    def command(self, text: str, exchange: Exchange, deadline: float) -> str:
        """Run a command and return its result. Raises RoomEnded."""
        ...

    def close(self) -> None: ...


class AnswerRoom(Protocol):
    """A room that holds an answer."""

    def send(self, message: str, deadline: float) -> str:
        """Send a message and return the room's next one. Raises RoomEnded."""
        ...

    def close(self) -> None: ...


class Rooms(Protocol):
    """A kind of sandbox with rooms. Opening one raises RoomEnded if it does not start."""

    name: str

    def tests_room(self, ask: CodeAsk) -> TestsRoom: ...

    def answer_room(self, ask: CodeAsk, beside: TestsRoom) -> AnswerRoom: ...


class KeptRooms:
    """A pool of rooms with loaded tests, for further answers to the same cases."""

    def __init__(self) -> None:
        self._rooms: OrderedDict[object, list[tuple[TestsRoom, int]]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, key: object) -> tuple[TestsRoom, int] | None:
        """Return a room with these tests and its number of uses, or None."""
        with self._lock:
            idle = self._rooms.get(key)
            return idle.pop() if idle else None

    def put(self, key: object, room: TestsRoom, uses: int) -> None:
        """Add a room to the pool; if there are too many, close the least recently used one."""
        surplus = []
        with self._lock:
            self._rooms.setdefault(key, []).append((room, uses))
            self._rooms.move_to_end(key)
            if sum(map(len, self._rooms.values())) > MOST_KEPT:
                oldest = next(found for found, idle in self._rooms.items() if idle)
                surplus.append(self._rooms[oldest].pop(0)[0])
            for empty in [found for found, idle in self._rooms.items() if not idle]:
                del self._rooms[empty]
        for room in surplus:
            room.close()

    def close(self) -> None:
        """Close every room."""
        with self._lock:
            rooms = [room for idle in self._rooms.values() for room, _ in idle]
            self._rooms.clear()
        for room in rooms:
            room.close()


def examine(rooms: Rooms, kept: KeptRooms, ask: CodeAsk, tests: UnitTests) -> CodeReply:
    """Run the tests against the program and return a reply with their results."""
    start = time.monotonic()
    examination = Examination(rooms, kept, ask, tests)
    try:
        status, error = examination.run()
    except RoomEnded as ended:
        status, error = CodeStatus.UNAVAILABLE, f"the sandbox did not start: {ended.text}"
    finally:
        examination.close()
    took = time.monotonic() - start
    return CodeReply(status, "", error, took, rooms.name, tuple(examination.results))


class Examination:
    """One answer's tests."""

    def __init__(self, rooms: Rooms, kept: KeptRooms, ask: CodeAsk, tests: UnitTests) -> None:
        self._rooms = rooms
        self._kept = kept
        self._ask = ask
        self._tests = tests
        self._key = (tests.source, tests.names, tests.own_equality, ask.megabytes, ask.packages)
        self._room: TestsRoom | None = None
        self._uses = 0
        self._answer: AnswerRoom | None = None
        self._ended: RoomEnded | None = None
        self.results: list[UnitResult] = []

    def run(self) -> tuple[CodeStatus, str]:
        """Run the tests in order; return the status, and the reason if there are no results."""
        status, exhausted = CodeStatus.PASSED, 0
        for test in self._tests.tests:
            if self._room is None and (problem := self._open()):
                return CodeStatus.FAILED, problem
            error, spent = self._run_test(test)
            self.results.append(UnitResult(test, error))
            if spent is not None:
                status, exhausted = spent, exhausted + 1
                if exhausted == MOST_EXHAUSTED:
                    break
        return status, ""

    def close(self) -> None:
        """Close the answer's room; keep the other."""
        self._close_answer()
        if self._room is not None:
            if self._uses < MOST_USES:
                self._kept.put(self._key, self._room, self._uses)
            else:
                self._room.close()
            self._room = None

    def _open(self) -> str:
        """Open a room with the tests, or take one from the pool; return the problem of the tests, or ""."""
        found = self._kept.take(self._key)
        if found is not None:
            self._room, self._uses = found
            return ""
        tests = self._tests
        self._room, self._uses = self._rooms.tests_room(self._ask), 0
        given = (tests.source, tests.names, tests.modules, tests.own_equality)
        deadline = time.monotonic() + self._ask.seconds
        try:
            problem = self._room.command(f"!tests {json.dumps(given)}", refuse, deadline)
        except RoomEnded as ended:
            problem = ended.line()
        if problem:
            self._discard()
        return problem

    def _run_test(self, test: str) -> tuple[str, CodeStatus | None]:
        """Run one test; return its error line, and the limit that it exceeded, if any."""
        assert self._room is not None
        self._ended = None
        relay = Relay(self._pass_on, self._ask.seconds)
        try:
            error, same = json.loads(self._room.command(f"!test {test}", relay.exchange, relay.deadline))
        except RoomEnded as ended:
            self._ended = self._ended or ended
            error, same = "", False
        self._uses += 1
        if not same:
            self._discard()
            self._close_answer()
        end = self._ended or relay.ended
        if end is None:
            return error, None
        self._close_answer()
        return end.line(), end.status if end.status in (CodeStatus.TIMEOUT, CodeStatus.MEMORY) else None

    def _pass_on(self, message: str, deadline: float) -> str:
        """Send a message to the answer's room, opening it if necessary; return the next one."""
        if self._ended is not None:
            raise self._ended
        assert self._room is not None
        try:
            if self._answer is None:
                self._answer = self._rooms.answer_room(self._ask, self._room)
                message = f"!answer {json.dumps(self._ask.program)}\n{message}"
            return self._answer.send(message, deadline)
        except RoomEnded as ended:
            self._ended = ended
            raise

    def _discard(self) -> None:
        if self._room is not None:
            self._room.close()
            self._room = None

    def _close_answer(self) -> None:
        if self._answer is not None:
            self._answer.close()
            self._answer = None


class Relay:
    """Carries the messages of one test between the rooms, within its limits."""

    def __init__(self, pass_on: Callable[[str, float], str], seconds: float) -> None:
        self._pass_on = pass_on
        self._seconds = seconds
        self.deadline = time.monotonic() + seconds
        self.ended: RoomEnded | None = None
        self._bytes = 0

    def exchange(self, message: str) -> str:
        """Send a message and return the next one, or `!` and how the answer's room ended."""
        try:
            if self.ended is not None:
                raise self.ended
            if time.monotonic() > self.deadline:
                raise RoomEnded(CodeStatus.TIMEOUT, f"no end within {self._seconds:g} s")
            reply = self._pass_on(message, self.deadline)
            self._bytes += len(reply)
            if self._bytes > MOST_BYTES or len(reply) > LONGEST_MESSAGE:
                raise RoomEnded(CodeStatus.MEMORY, "too much was handed over")
        except RoomEnded as ended:
            self.ended = ended
            return f"!{ended.line()}"
        return reply


def refuse(_: str) -> str:
    """Reply to tests that use the answer while they are loaded, when it does not exist yet."""
    return "!the tests use the answer while they are loaded"
