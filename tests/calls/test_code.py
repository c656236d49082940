"""The cache of program results."""

from __future__ import annotations

from assay.calls.code import MOST, CachedRunner
from assay.core.ask import CodeAsk, CodeReply, CodeStatus


class Runner:
    """Counts its runs and ends them all in one way."""

    def __init__(self, status: CodeStatus) -> None:
        self.runs = 0
        self._status = status

    def run(self, ask: CodeAsk) -> CodeReply:
        """Run."""
        self.runs += 1
        return CodeReply(self._status, stdout=ask.program)


def test_the_same_program_runs_once() -> None:
    """A second ask with the same program and limits is answered from the cache; other limits are not."""
    runner = Runner(CodeStatus.FAILED)
    cached = CachedRunner(runner)
    replies = [cached.run(CodeAsk("print(1)")) for _ in range(3)]
    cached.run(CodeAsk("print(1)", seconds=1.0))
    assert runner.runs == 2
    assert len(set(replies)) == 1


def test_a_program_that_timed_out_is_run_again() -> None:
    """Time-outs depend on the machine's load and are not cached."""
    runner = Runner(CodeStatus.TIMEOUT)
    cached = CachedRunner(runner)
    for _ in range(3):
        cached.run(CodeAsk("print(1)"))
    assert runner.runs == 3


def test_the_cache_is_bounded() -> None:
    """The least recently used program is dropped first."""
    runner = Runner(CodeStatus.PASSED)
    cached = CachedRunner(runner)
    for number in range(MOST + 1):
        cached.run(CodeAsk(str(number)))
    cached.run(CodeAsk(str(MOST)))
    assert runner.runs == MOST + 1
    cached.run(CodeAsk("0"))
    assert runner.runs == MOST + 2
