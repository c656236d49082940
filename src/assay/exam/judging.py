"""What judges are asked: the answers that lack marks, and each question as a case with its key in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Engine

from assay.core.case import Case, GraderSpec
from assay.core.errors import Conflict
from assay.core.exam import Prompting, SessionState
from assay.core.model import Model
from assay.core.question import Question
from assay.core.sealed import AnswerKey
from assay.exam.tally import tallied
from assay.grading.judging.question import prompt
from assay.grading.marks import Stars
from assay.questions.prompting import messages, prompting_version
from assay.results.exam_sitting import LACKING, QuestionStanding
from assay.store.exam.answers import (
    AnsweredQuestion,
    DrawnQuestion,
    answered_questions,
    questions_as_drawn,
    read_sitting,
)
from assay.store.exam.marks import marks_of


@dataclass(frozen=True, slots=True)
class Remarking:
    """The reason for marking answers again that have stars; `run` is a stopped marking to resume."""

    reason: str
    run: int | None = None


@dataclass(frozen=True, slots=True)
class MarkingJob:
    """One answer to put to one judge."""

    answer: AnsweredQuestion
    judge: Model


def jobs_for(
    engine: Engine, session: str, judges: Sequence[Model], again: Remarking | None, *, now: float
) -> tuple[list[MarkingJob], dict[int, DrawnQuestion]]:
    """Return the open jobs of a marking by position, and their questions by id.

    These are all answers without stars; with `again` also those with stars, except what the resumed run has
    marked. Late, timed-out, empty and excluded answers are put to no judge. Raises NotFound for an unknown
    session and Conflict for one that may still take answers.
    """
    sitting = read_sitting(engine, session)
    if sitting.state is SessionState.OPEN and now <= sitting.deadline:
        raise Conflict(f"session {session!r} is still open: mark it after it is finished or its deadline")
    answers = answered_questions(engine, session)
    marks = marks_of(engine, session, [judge.name for judge in judges])
    jobs = []
    for judge in judges:
        own = {mark.position: mark for mark in marks if mark.judge == judge.name}
        for row in tallied(answers, {position: mark.stars for position, mark in own.items()}):
            wanted = row.standing in LACKING
            if again is not None and row.standing is QuestionStanding.MARKED:
                wanted = again.run is None or own[row.answer.position].run != again.run
            if wanted:
                jobs.append(MarkingJob(row.answer, judge))
    jobs.sort(key=lambda job: job.answer.position)
    return jobs, questions_as_drawn(engine, {(job.answer.question, job.answer.version) for job in jobs})


def case_of(question: Question) -> Case:
    """Return a question as a case with the text that every candidate was asked.

    It contains no few-shot exemplars, which are answers to other questions, and no step-by-step instruction:
    a judge needs neither.
    """
    return Case(question.uuid, question.discipline, messages(question, Prompting.ZERO_SHOT), ())


def spec_of(question: Question, key: AnswerKey) -> GraderSpec:
    """Return the grader's parameters for a question: the correct answer, which binds the judge."""
    return GraderSpec(Stars.name, {"reference": key_in_words(question, key)}, judged=True)


def key_in_words(question: Question, key: AnswerKey) -> str:
    """Return a key as text: a choice's letters with their options, numbered blanks, and the explanation."""
    options = {chr(ord("A") + number): text for number, text in enumerate(question.options)}
    answers = [f"{answer}. {options[answer]}" if answer in options else answer for answer in key.answers]
    if len(answers) > 1 and not options:
        answers = [f"({number}) {answer}" for number, answer in enumerate(answers, 1)]
    text = "\n".join(answers)
    return f"{text}\n\nExplanation: {key.explanation}" if key.explanation.strip() else text


def wording() -> str:
    """Return the versions of the texts that judges get: the grader, its prompt, and the questions."""
    return f"stars {Stars.version}, prompt {prompt('stars').version}, questions {prompting_version()}"
