"""Bounded output of programs, and reading how a program ended."""

from __future__ import annotations

from collections import deque

from assay.core.ask import CodeStatus

ERROR_LINES = 12
ERROR_LENGTH = 2_000
CUT = "\n[... {count} bytes cut ...]\n"


class Output:
    """The head and the tail of a stream, together at most `limit` bytes, and the number of other bytes.

    The tail is as important as the head, since results are printed last. Memory use is at most about twice
    the limit.
    """

    def __init__(self, limit: int) -> None:
        self._head = bytearray()
        self._room = limit - limit // 2
        self._tail: deque[bytes] = deque()
        self._tail_room = limit // 2
        self._tail_size = 0
        self._dropped = 0

    def add(self, data: bytes) -> None:
        """Add the next bytes of the stream."""
        if self._room:
            self._head += data[: self._room]
            taken = min(len(data), self._room)
            self._room -= taken
            data = data[taken:]
        if not data:
            return
        if len(data) > self._tail_room:
            self._dropped += len(data) - self._tail_room
            data = data[len(data) - self._tail_room :]
        self._tail.append(data)
        self._tail_size += len(data)
        while self._tail_size - len(self._tail[0]) >= self._tail_room and len(self._tail) > 1:
            self._dropped += len(self._tail[0])
            self._tail_size -= len(self._tail.popleft())

    def text(self) -> str:
        """Return the head and the tail, with a line for the number of bytes cut between them."""
        tail = b"".join(self._tail)
        over = max(len(tail) - self._tail_room, 0)
        dropped = self._dropped + over
        if not dropped:
            return (self._head + tail).decode("utf-8", "replace")
        cut = CUT.format(count=dropped)
        return self._head.decode("utf-8", "replace") + cut + tail[over:].decode("utf-8", "replace")


def last_lines(text: str) -> str:
    """Return the end of an error text: at most 12 lines and 2,000 characters."""
    return "\n".join(text.strip().splitlines()[-ERROR_LINES:])[-ERROR_LENGTH:]


def ended(error: str) -> CodeStatus:
    """Return how a program ended, by the last lines of its traceback ("" if it succeeded)."""
    if not error:
        return CodeStatus.PASSED
    last = error.rstrip().rpartition("\n")[2]
    return CodeStatus.MEMORY if last.startswith("MemoryError") else CodeStatus.FAILED
