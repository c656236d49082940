"""Remembering what programs did."""

from __future__ import annotations

from assay.calls.code import MOST, Remembering
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
    """A second ask with the same program and limits is answered from memory; other limits are not."""
    runner = Runner(CodeStatus.FAILED)
    remembering = Remembering(runner)
    replies = [remembering.run(CodeAsk("print(1)")) for _ in range(3)]
    remembering.run(CodeAsk("print(1)", seconds=1.0))
    assert runner.runs == 2
    assert len(set(replies)) == 1


def test_what_depends_on_load_is_run_again() -> None:
    """Time-outs are not remembered."""
    runner = Runner(CodeStatus.TIMEOUT)
    remembering = Remembering(runner)
    for _ in range(3):
        remembering.run(CodeAsk("print(1)"))
    assert runner.runs == 3


def test_memory_is_bounded() -> None:
    """The program used longest ago is forgotten first."""
    runner = Runner(CodeStatus.PASSED)
    remembering = Remembering(runner)
    for number in range(MOST + 1):
        remembering.run(CodeAsk(str(number)))
    remembering.run(CodeAsk(str(MOST)))
    assert runner.runs == MOST + 1
    remembering.run(CodeAsk("0"))
    assert runner.runs == MOST + 2
