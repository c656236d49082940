"""Confined child processes with bounded output and a deadline."""

from __future__ import annotations

import contextlib
import math
import os
import selectors
import struct
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import IO

from assay.core.ask import CodeAsk, CodeReply, CodeStatus
from assay.sandbox.limits import Output, ended, last_lines
from assay.sandbox.rooms import LONGEST_MESSAGE, Exchange, RoomEnded

CHUNK = 65_536
# Starting the interpreter may take CPU time of its own; the deadline on the wall is the real one.
SPARE_CPU = 2
# A room that is kept has no limit of its own on processor time: each of its turns has a deadline.
ROOM_CPU = 24 * 3600
PATIENCE = 0.5
LENGTH = struct.Struct(">I")


def run(command: Sequence[str], ask: CodeAsk, name: str, stop: Callable[[], None] | None = None) -> CodeReply:
    """Run the command with an empty environment and the program on its standard input.

    `seconds` counts from the start of the process. At the deadline the process is killed, and then `stop` is
    called to end what killing the process does not end.
    """
    output, errors = Output(ask.output_bytes), Output(ask.output_bytes)
    start = time.monotonic()
    with tempfile.TemporaryFile() as program:
        program.write(ask.program.encode("utf-8", "surrogatepass"))
        program.seek(0)
        with subprocess.Popen(
            command, stdin=program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={}, close_fds=True
        ) as process:
            assert process.stdout is not None and process.stderr is not None
            streams = ((process.stdout, output), (process.stderr, errors))
            in_time = follow(process, streams, start + ask.seconds)
            if not in_time:
                process.kill()
                if stop is not None:
                    stop()
            process.wait()
            for stream, kept in streams:
                drain(stream, kept)
    took = time.monotonic() - start
    if not in_time:
        reason = f"no end within {ask.seconds:g} s"
        return CodeReply(CodeStatus.TIMEOUT, output.text(), reason, took, name)
    error = last_lines(errors.text()) or f"exit status {process.returncode}" if process.returncode else ""
    return CodeReply(ended(error), output.text(), error, took, name)


def limits(ask: CodeAsk, *, room: bool) -> list[str]:
    """Return the arguments of `native` after the user: megabytes, CPU seconds, and `room` for a room."""
    cpu = ROOM_CPU if room else math.ceil(ask.seconds) + SPARE_CPU
    return [str(ask.megabytes), str(cpu), *(["room"] if room else [])]


class ProcessRoom:
    """A confined child process that is a room: frames of a length and a text, in turn, on its two pipes."""

    def __init__(
        self, command: Sequence[str], ask: CodeAsk, name: str, stop: Callable[[], None] | None = None
    ) -> None:
        self._seconds = ask.seconds
        self._name = name
        self._stop = stop
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the room
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env={},
            close_fds=True,
            bufsize=0,
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._stdin, self._stdout = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._stdin, False)
        os.set_blocking(self._stdout, False)

    def command(self, text: str, exchange: Exchange, deadline: float) -> str:
        """Carry out a command; `exchange` carries the messages that it leads to."""
        reply = self._turn(text, deadline)
        while not reply.startswith("="):
            reply = self._turn(exchange(reply[1:]), deadline)
        return reply[1:]

    def send(self, message: str, deadline: float) -> str:
        """Hand over a message and return the next one."""
        return self._turn(message, deadline)[1:]

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        if self._stop is not None:
            self._stop()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        self._errors.close()

    def _turn(self, message: str, deadline: float) -> str:
        data = message.encode("utf-8", "surrogatepass")
        self._write(LENGTH.pack(len(data)) + data, deadline)
        (length,) = LENGTH.unpack(self._read(LENGTH.size, deadline))
        if not 0 < length <= LONGEST_MESSAGE:
            raise RoomEnded(CodeStatus.FAILED, "it sent an invalid message")
        return self._read(length, deadline).decode("utf-8", "replace")

    def _write(self, data: bytes, deadline: float) -> None:
        left = memoryview(data)
        while left:
            self._wait(self._stdin, selectors.EVENT_WRITE, deadline)
            try:
                left = left[os.write(self._stdin, left[:CHUNK]) :]
            except BrokenPipeError:
                raise self._ended() from None

    def _read(self, size: int, deadline: float) -> bytes:
        found = bytearray()
        while len(found) < size:
            self._wait(self._stdout, selectors.EVENT_READ, deadline)
            data = os.read(self._stdout, min(size - len(found), 1 << 20))
            if not data:
                raise self._ended()
            found += data
        return bytes(found)

    def _wait(self, descriptor: int, event: int, deadline: float) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(descriptor, event)
            if not selector.select(max(deadline - time.monotonic(), 0)):
                raise RoomEnded(CodeStatus.TIMEOUT, f"no end within {self._seconds:g} s")

    def _ended(self) -> RoomEnded:
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:  # it closed its pipes and goes on
            return RoomEnded(CodeStatus.FAILED, "it closed its pipes")
        self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(self._errors.tell() - CHUNK, 0))
        text = last_lines(self._errors.read().decode("utf-8", "replace"))
        text = text or f"exit status {self._process.returncode}"
        status = ended(text)
        return RoomEnded(CodeStatus.FAILED if status is CodeStatus.PASSED else status, text)


def follow(
    process: subprocess.Popen[bytes], streams: Sequence[tuple[IO[bytes], Output]], deadline: float
) -> bool:
    """Read the process's output until it ends; return False if the deadline passes first."""
    with selectors.DefaultSelector() as selector:
        for stream, kept in streams:
            os.set_blocking(stream.fileno(), False)
            selector.register(stream, selectors.EVENT_READ, kept)
        while selector.get_map():
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            for key, _ in selector.select(left):
                data = os.read(key.fd, CHUNK)
                if data:
                    key.data.add(data)
                else:
                    selector.unregister(key.fileobj)
    try:
        process.wait(max(deadline - time.monotonic(), 0))
    except subprocess.TimeoutExpired:
        return False
    return True


def drain(stream: IO[bytes], kept: Output) -> None:
    """Read the rest of the pipe without waiting for more, at most a pipe's capacity."""
    for _ in range(16):
        try:
            data = os.read(stream.fileno(), CHUNK)
        except BlockingIOError:
            return
        if not data:
            return
        kept.add(data)
