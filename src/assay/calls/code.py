"""Running programs in the sandbox, once for each program."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Protocol

from assay.core.ask import CodeAsk, CodeReply, CodeStatus

MOST = 2048
SETTLED = (CodeStatus.PASSED, CodeStatus.FAILED)


class CodeRunner(Protocol):
    """Runs a program in a sandbox; blocks, and is safe from several threads."""

    def run(self, ask: CodeAsk) -> CodeReply: ...


class Remembering:
    """Runs each program once and remembers the last `MOST` that passed or failed.

    At temperature 0 models give the same program again and again; the sandbox is closed off from
    everything that could make the same program end otherwise. Time-outs and exhausted memory, which
    depend on the machine's load, are run again.
    """

    def __init__(self, runner: CodeRunner) -> None:
        self._runner = runner
        self._known: OrderedDict[CodeAsk, CodeReply] = OrderedDict()
        self._lock = threading.Lock()

    def run(self, ask: CodeAsk) -> CodeReply:
        """Return what came of the program, from memory where it was run before."""
        with self._lock:
            known = self._known.get(ask)
            if known is not None:
                self._known.move_to_end(ask)
                return known
        reply = self._runner.run(ask)
        if reply.status in SETTLED:
            with self._lock:
                self._known[ask] = reply
                if len(self._known) > MOST:
                    self._known.popitem(last=False)
        return reply


@dataclass(frozen=True, slots=True)
class NoSandbox:
    """A runner that runs nothing and says why."""

    reason: str

    def run(self, ask: CodeAsk) -> CodeReply:
        """Reply that the program was never run."""
        return CodeReply(CodeStatus.UNAVAILABLE, error=self.reason)
