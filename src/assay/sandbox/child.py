"""A confined child process: a program on its standard input, bounded output, a deadline."""

from __future__ import annotations

import os
import selectors
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import IO

from assay.core.ask import CodeAsk, CodeReply, CodeStatus
from assay.sandbox.limits import Output, ended, last_lines

CHUNK = 65_536
# Starting the interpreter may take CPU time of its own; the deadline on the wall is the real one.
SPARE_CPU = 2


def run(command: Sequence[str], ask: CodeAsk, name: str, stop: Callable[[], None] | None = None) -> CodeReply:
    """Run the command with an empty environment and the program on its standard input.

    `seconds` counts from the start of the process, which is then killed; `stop` is called after that, for
    what killing the process does not end.
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


def follow(
    process: subprocess.Popen[bytes], streams: Sequence[tuple[IO[bytes], Output]], deadline: float
) -> bool:
    """Read what the process writes until it ends; return False when the deadline came first."""
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
    """Take what is left in the pipe without waiting for more: at most what a pipe holds."""
    for _ in range(16):
        try:
            data = os.read(stream.fileno(), CHUNK)
        except BlockingIOError:
            return
        if not data:
            return
        kept.add(data)
