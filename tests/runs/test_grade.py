"""Grading one answer: what graders ask, what they get wrong, and what never stops a run."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from typing import Any, ClassVar

import pytest
from small_suite import make_suite
from sqlalchemy import Engine, select

from assay.core.ask import (
    Ask,
    CallStatus,
    CodeAsk,
    CodeReply,
    CodeStatus,
    ErrorKind,
    Message,
    ModelAsk,
    ModelReply,
    Reply,
)
from assay.core.case import Case, GraderSpec, Grading
from assay.core.grade import Grade
from assay.core.suite import UseCase
from assay.grading.registry import grader
from assay.runs.execute import grade_rows
from assay.runs.grade import MOST_ASKS, grade_answer
from assay.store.rows import Batch
from assay.store.schema import grades as table
from assay.store.writer import LedgerWriter

ANSWER = ModelReply(CallStatus.OK, "an answer")
CODE = CodeAsk("pass")


class Scripted:
    """A grader that does what a test says."""

    name: ClassVar[str] = "scripted"
    version: ClassVar[str] = "1"

    def __init__(
        self,
        read: Callable[[tuple[Reply, ...]], Any],
        asks: Callable[[], tuple[Ask, ...]] = lambda: (),
    ) -> None:
        self.seen: list[tuple[Reply, ...]] = []
        self._read = read
        self._asks = asks

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Find nothing wrong."""
        return ()

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]:
        """Ask what the test says."""
        return self._asks()

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade | Ask:
        """Read as the test says."""
        self.seen.append(replies)
        found: Grade | Ask = self._read(replies)
        return found


class Sandbox:
    """Numbers the programs that it is given."""

    def __init__(self) -> None:
        self.ran = 0

    async def run_code(self, ask: CodeAsk) -> CodeReply:
        """Pretend to run a program."""
        self.ran += 1
        return CodeReply(CodeStatus.PASSED, stdout=str(self.ran))


def graded(*graders: Scripted, reply: ModelReply = ANSWER) -> tuple[tuple[Grade, ...], float | None, Sandbox]:
    """Grade an answer by these graders."""
    specs = tuple(GraderSpec("scripted") for _ in graders)
    case = Case("c", "u", (Message("user", "?"),), specs)
    use_case = UseCase("u", "U", Grading.DETERMINISTIC, 1, 1, (case,))
    sandbox = Sandbox()
    grades, score = asyncio.run(
        grade_answer(sandbox, use_case, case, tuple(zip(specs, graders, strict=True)), reply)
    )
    return grades, score, sandbox


def fixed(value: Any) -> Scripted:
    """Return a grader that always gives this mark."""
    return Scripted(lambda replies: Grade(value))


def test_marks_are_averaged_to_a_score() -> None:
    """A half and a whole are three quarters of a hundred."""
    grades, score, _ = graded(fixed(0.5), fixed(1.0))
    assert ([grade.value for grade in grades], score) == ([0.5, 1.0], 75.0)


def test_a_grader_that_raises_is_ungraded_and_the_others_go_on() -> None:
    """The fault is recorded with its place; the sample has no score, and nothing is raised."""

    def broken(replies: tuple[Reply, ...]) -> Grade:
        raise ZeroDivisionError("by nothing")

    grades, score, _ = graded(Scripted(broken), fixed(1.0))
    assert [grade.value for grade in grades] == [None, 1.0]
    assert "ZeroDivisionError: by nothing" in str(grades[0].reason)
    assert "broken" in str(grades[0].reason)
    assert score is None


def test_a_grader_that_raises_when_it_asks_is_ungraded() -> None:
    """The same holds for its first half."""

    def broken() -> tuple[Ask, ...]:
        raise KeyError("missing")

    grades, score, _ = graded(Scripted(lambda replies: Grade(1.0), broken))
    assert (grades[0].value, score) == (None, None)
    assert "KeyError" in str(grades[0].reason)


@pytest.mark.parametrize("value", [-0.01, 1.01, math.nan, math.inf, "1", [1]])
def test_a_mark_outside_the_range_is_ungraded(value: Any) -> None:
    """Neither clamped nor believed: what is not a number within 0-1 is no mark."""
    grades, score, _ = graded(fixed(value))
    assert (grades[0].value, score) == (None, None)
    assert grades[0].reason


def test_what_is_no_grade_at_all_is_ungraded() -> None:
    """A grader that returns nothing has not graded."""
    grades, score, _ = graded(Scripted(lambda replies: None))
    assert (grades[0].value, score) == (None, None)


def test_replies_come_in_the_order_of_the_asks_and_more_asks_follow() -> None:
    """Two asks, then one more on reading: the third reply is appended to the first two."""

    def read(replies: tuple[Reply, ...]) -> Grade | Ask:
        return CODE if len(replies) < 3 else Grade(1.0)

    grader = Scripted(read, lambda: (CODE, CODE))
    _, score, sandbox = graded(grader)
    outputs = [[reply.stdout for reply in seen if isinstance(reply, CodeReply)] for seen in grader.seen]
    assert outputs == [["1", "2"], ["1", "2", "3"]]
    assert (score, sandbox.ran) == (100.0, 3)


def test_a_first_ask_on_reading_is_carried_out() -> None:
    """A grader that asks nothing beforehand may still ask when it reads."""
    grader = Scripted(lambda replies: Grade(1.0) if replies else CODE)
    assert graded(grader)[1] == 100.0


def test_endless_asks_are_bounded() -> None:
    """A grader that never has enough is ungraded after a few rounds."""
    grades, score, sandbox = graded(Scripted(lambda replies: CODE))
    assert (grades[0].value, score) == (None, None)
    assert f"more than {MOST_ASKS} times" in str(grades[0].reason)
    assert sandbox.ran <= MOST_ASKS + 1


def test_without_a_judge_what_asks_for_one_is_ungraded() -> None:
    """A judged grader gives no grade, and a mechanical one that asks a model is told what it lacks."""
    spec = GraderSpec("rubric", {"rubric": "x"}, judged=True)
    case = Case("c", "u", (Message("user", "?"),), (spec,))
    use_case = UseCase("u", "U", Grading.JUDGE, 1, 1, (case,))
    grades, score = asyncio.run(grade_answer(Sandbox(), use_case, case, ((spec, grader("rubric")),), ANSWER))
    assert (grades[0].value, score) == (None, None)
    assert "no judge" in str(grades[0].reason)
    ask = ModelAsk("judge", "m", (Message("user", "mark this"),))
    lacking, _, _ = graded(Scripted(lambda replies: Grade(1.0), lambda: (ask,)))
    assert "must be a judged grader" in str(lacking[0].reason)


def test_errors_and_invalid_answers_are_not_shown_to_graders() -> None:
    """A failed call has no score, an empty answer scores 0; no grader sees either."""
    grader = fixed(1.0)
    error = ModelReply(CallStatus.ERROR, error=ErrorKind.SERVER)
    empty = ModelReply(CallStatus.INVALID, error=ErrorKind.EMPTY)
    assert graded(grader, reply=error)[:2] == ((), None)
    assert graded(grader, reply=empty)[:2] == ((), 0.0)
    assert grader.seen == []


def test_a_fault_that_quotes_anything_can_be_stored(engine: Engine) -> None:
    """A reason with NUL and half a surrogate pair in it enters both databases."""

    def broken(replies: tuple[Reply, ...]) -> Grade:
        raise ValueError("found \x00 and \ud800")

    grader = Scripted(broken)
    grades, _, _ = graded(grader)
    batch = Batch()
    batch.grades += grade_rows(1, 0, [(GraderSpec("scripted"), grader)], grades)
    writer = LedgerWriter(engine)
    writer.commit(batch)
    writer.close()
    with engine.connect() as connection:
        kept = connection.execute(select(table.c.reason)).scalar_one()
    assert "found \ufffd and \\ud800" in kept


def test_a_run_goes_on_when_a_grader_raises_on_one_answer(watching_sqlite: Any) -> None:
    """With one pattern that cannot be read, its samples are ungraded and the others have their scores."""
    from dataclasses import replace

    from assay.core.canonical import digest

    suite = make_suite(use_cases=1)
    first, *others = suite.use_cases[0].cases
    broken = replace(first, graders=(GraderSpec("contains", {"all": ["("]}),))
    use_case = replace(suite.use_cases[0], cases=(broken, *others))
    watching_sqlite.suite = replace(suite, use_cases=(use_case,), version="9", digest=digest("broken"))
    ended, _ = watching_sqlite.on(0)
    assert (ended.outcome.counts.ok, ended.outcome.counts.ungraded) == (4, 1)
