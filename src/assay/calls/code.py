"""Running programs in the sandbox, each distinct program once."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Protocol

from assay.core.ask import CodeAsk, CodeReply, CodeStatus

MOST = 2048
SETTLED = (CodeStatus.PASSED, CodeStatus.FAILED)


class CodeRunner(Protocol):
    """A sandbox that runs a program; `run` blocks and may be called from several threads."""

    def run(self, ask: CodeAsk) -> CodeReply: ...


class CachedRunner:
    """A runner that keeps the results of the last `MOST` programs that passed or failed.

    At temperature 0 models often write the same program, and nothing outside the sandbox can change its
    result. Programs that timed out or ran out of memory are run again, since that depends on the load.
    """

    def __init__(self, runner: CodeRunner) -> None:
        self._runner = runner
        self._known: OrderedDict[CodeAsk, CodeReply] = OrderedDict()
        self._lock = threading.Lock()

    def run(self, ask: CodeAsk) -> CodeReply:
        """Return the result of the program, from the cache if it was run before."""
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
