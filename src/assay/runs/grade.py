"""Grading one answer: carrying out the graders' asks, reading the replies, computing the score."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from typing import Protocol, cast

from assay.core.ask import Ask, CallStatus, CodeAsk, CodeReply, ModelAsk, ModelReply, Reply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade, Grader
from assay.core.judging import JudgedGrader, is_judged
from assay.core.suite import UseCase
from assay.grading.composite import sample_score
from assay.runs.judging.bench import NO_JUDGE, AnswerToJudge, Judging, gather_all

MOST_ASKS = 8


class Asker(Protocol):
    """A runner of the programs that graders ask for."""

    async def run_code(self, ask: CodeAsk) -> CodeReply: ...


Graders = Sequence[tuple[GraderSpec, Grader | JudgedGrader]]


async def grade_answer(
    asker: Asker,
    use_case: UseCase,
    case: Case,
    graders: Graders,
    reply: ModelReply,
    judging: Judging | None = None,
) -> tuple[tuple[Grade, ...], float | None]:
    """Return one grade for each grader and the sample's score, 0-100.

    An error has no score, an invalid answer scores 0; neither is shown to a grader. Judges come last, since
    they are shown what the mechanical graders flagged. Without `judging`, judged grades are ungraded.
    """
    if reply.status is CallStatus.ERROR:
        return (), None
    if reply.text is None:
        return (), 0.0
    grades: list[Grade] = []
    judged: list[tuple[int, GraderSpec, JudgedGrader]] = []
    for ordinal, (spec, grader) in enumerate(graders):
        if is_judged(grader):
            judged.append((ordinal, spec, grader))
            grades.append(Grade.ungraded(NO_JUDGE))
            continue
        mechanical = cast(Grader, grader)
        try:
            asks = mechanical.asks(case, spec, reply.text)
            grade = None if asks else mechanical.read(case, spec, reply.text, ())
            if not isinstance(grade, Grade):
                opening = asks if grade is None else (grade,)
                grade = await _converse(asker, case, spec, mechanical, reply.text, opening)
            grades.append(_within_scale(grade, spec))
        except Exception as error:  # noqa: BLE001 - a grader's fault is recorded; the run goes on
            grades.append(_failed_grade(spec, error))
    if judged and judging is not None:
        flags = flagged(grades)
        marking = [
            judging(AnswerToJudge(ordinal, case, spec, grader, reply.text, flags))
            for ordinal, spec, grader in judged
        ]
        for (ordinal, spec, _), grade in zip(judged, await gather_all(marking), strict=True):
            grades[ordinal] = _within_scale(grade, spec)
    return tuple(grades), sample_score(use_case, case, grades)


def flagged(grades: Sequence[Grade]) -> tuple[str, ...]:
    """Return the auto-checks' flags as sentences, from the grades' evidence."""
    return tuple(
        f"{flag['code']}: {flag['says']}" for grade in grades for flag in grade.evidence.get("flags", ())
    )


async def _converse(
    asker: Asker, case: Case, spec: GraderSpec, grader: Grader, answer: str, asks: Sequence[Ask]
) -> Grade:
    """Carry out a grader's asks, and further asks after it has read the replies, until it gives a grade."""
    replies: tuple[Reply, ...] = ()
    for ask in asks:
        replies = (*replies, await _carry_out(asker, ask))
    for _ in range(MOST_ASKS):
        grade = grader.read(case, spec, answer, replies)
        if isinstance(grade, Grade):
            return grade
        replies = (*replies, await _carry_out(asker, grade))
    return Grade.ungraded(f"grader {spec.name!r} asked more than {MOST_ASKS} times")


def _failed_grade(spec: GraderSpec, error: Exception) -> Grade:
    where = traceback.extract_tb(error.__traceback__)[-1]
    return Grade.ungraded(
        f"grader {spec.name!r} failed in {where.name}, line {where.lineno}: {type(error).__name__}: {error}"
    )


async def _carry_out(asker: Asker, ask: ModelAsk | CodeAsk) -> Reply:
    if isinstance(ask, CodeAsk):
        return await asker.run_code(ask)
    raise TypeError("a grader that asks a model must be a judged grader, with a `bench`")


def _within_scale(grade: Grade, spec: GraderSpec) -> Grade:
    if grade.value is not None and not 0.0 <= grade.value <= 1.0:
        return Grade.ungraded(f"grader {spec.name!r} gave {grade.value!r}: it must be within 0-1")
    return grade
