"""What whoever marks is shown of a question of an exam: the text that was asked, and the key in words."""

from __future__ import annotations

from assay.core.case import Case, GraderSpec
from assay.core.exam import Prompting
from assay.core.question import Question
from assay.core.sealed import AnswerKey
from assay.grading.judging.prompt import prompt
from assay.grading.stars import Stars
from assay.questions.prompting import messages, prompting_version


def case_of(question: Question) -> Case:
    """Return a question as a case: the text that every candidate was asked, without exemplars or hints.

    Few-shot exemplars are answers to other questions, and the step-by-step line tells how to work: a
    judge needs neither.
    """
    return Case(question.uuid, question.discipline, messages(question, Prompting.ZERO_SHOT), ())


def spec_of(question: Question, key: AnswerKey) -> GraderSpec:
    """Return the grader's parameters for a question: the correct answer, which is binding."""
    return GraderSpec(Stars.name, {"reference": reference(question, key)}, judged=True)


def reference(question: Question, key: AnswerKey) -> str:
    """Return a key in words: a choice's letters with their texts, several blanks numbered, and why."""
    options = {chr(ord("A") + place): text for place, text in enumerate(question.options)}
    answers = [f"{one}. {options[one]}" if one in options else one for one in key.answers]
    if len(answers) > 1 and not options:
        answers = [f"({number}) {one}" for number, one in enumerate(answers, 1)]
    told = "\n".join(answers)
    return f"{told}\n\nExplanation: {key.explanation}" if key.explanation.strip() else told


def wording() -> str:
    """Return the versions of all that judges are told: grader, its prompt, and the question's wording."""
    return f"stars {Stars.version}, prompt {prompt('stars').version}, questions {prompting_version()}"
