"""The study of errors: a judge sorts wrong answers into five categories. Nothing is asked twice."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from assay.calls.asking import (
    Asking,
    AskingContext,
    Replies,
    begin_asking,
    carry_on_asking,
    recorded_replies,
)
from assay.calls.control import RunControl
from assay.calls.subjects import check_keys
from assay.core.ask import Message, ModelAsk
from assay.core.case import Case, GraderSpec
from assay.core.judging import Mark, ShownToJudge
from assay.core.model import Model
from assay.grading.error_causes import CATEGORIES, ErrorCauses
from assay.grading.judging.question import prompt
from assay.ranking.error_shares import SortedAnswer, error_shares, label_agreement
from assay.results.study_errors import ErrorCategory, ErrorStudy
from assay.store.runs import StoredRun
from assay.studies.error_sources import WrongAnswer, WrongAnswers

KIND: Final = "errors"
GRADER: Final = ErrorCauses()
Labels = Mapping[tuple[str, str], ErrorCategory]


@dataclass(frozen=True, slots=True)
class SortQuestion:
    """One answer as it is put to the judge."""

    case: Case
    spec: GraderSpec
    shown: ShownToJudge


def begin_errors(context: AskingContext, judge: Model, chosen: WrongAnswers, seed: int) -> StoredRun:
    """Store a new study. Nothing is sent yet. Raises InvalidInput for a judge without a key."""
    check_keys([judge], context.providers, context.environment)
    plan = {
        "wording": f"errors {GRADER.version}, prompt {prompt(GRADER.name).version}",
        "source": chosen.source,
        "notes": list(chosen.notes),
        "simulated": chosen.simulated,
        "seed": seed,
        "secret": secrets.token_hex(16),
        "answers": [answer.described() for answer in chosen.answers],
    }
    return begin_asking(context, KIND, [judge], plan)


async def sort_errors(
    context: AskingContext,
    run: StoredRun,
    labels: Labels,
    *,
    max_cost: float | None = None,
    control: RunControl | None = None,
) -> ErrorStudy:
    """Ask the judge about the answers that have no readable reply yet, and return the result.

    An error that stops the study is in `error` of the result.
    """
    control = control or RunControl()
    answers = [WrongAnswer(**description) for description in run.plan["answers"]]

    async def ask(asking: Asking) -> None:
        replies = await asyncio.to_thread(recorded_replies, context, run.id, range(len(answers)))
        marked = _marks(run, answers, replies)
        control.progress.total, control.progress.done = len(answers), len(marked)

        async def sort(position: int) -> None:
            question = question_of(run, position, answers[position])
            await asking.judge(
                run.models[0][1].name,
                GRADER.ask(question.case, question.spec, GRADER.name, question.shown),
                partial(_read, question),
                position,
                replies=replies.get(position, ()),
                answer=question.shown.answer,
            )
            control.progress.done += 1

        await asking.each((place for place in range(len(answers)) if place not in marked), sort)

    end = await carry_on_asking(context, run, ask, max_cost=max_cost, control=control)
    replies = await asyncio.to_thread(recorded_replies, context, run.id, range(len(answers)))
    marks = _marks(run, answers, replies)
    rows = [
        SortedAnswer(
            answer.item,
            answer.model,
            answer.discipline,
            _category(marks.get(position)),
            labels.get((answer.item, answer.model)),
        )
        for position, answer in enumerate(answers)
    ]
    settled = sum(row.category is not None for row in rows)
    return ErrorStudy(
        run=run.id,
        status=end.status,
        reason=end.reason,
        error=end.error,
        source=run.plan["source"],
        judge=run.models[0][1].name,
        seed=run.plan["seed"],
        answers=len(answers),
        sorted=settled,
        unreadable=len(marks) - settled,
        missing=len(answers) - len(marks),
        shares=error_shares(rows),
        agreement=label_agreement(rows, np.random.default_rng(run.plan["seed"])),
        notes=(*run.plan["notes"], *_unused(labels, answers)),
        spend=end.spend,
        simulated=run.simulated or run.plan["simulated"],
    )


def _unused(labels: Labels, answers: Sequence[WrongAnswer]) -> list[str]:
    chosen = {(answer.item, answer.model) for answer in answers}
    unknown = labels.keys() - chosen
    notes = [f"{len(unknown)} hand labels are of answers that were not chosen"] if unknown else []
    labelled = {model for _, model in labels.keys() & chosen}
    without = sorted({answer.model for answer in answers} - labelled) if labels else []
    if without:
        notes.append(
            f"no hand label of {', '.join(without)}: corrected shares need labels of a random sample of all "
            "answers"
        )
    return notes


def question_of(run: StoredRun, position: int, answer: WrongAnswer) -> SortQuestion:
    """Return an answer as the judge is asked about it. The fence follows from the run's secret."""
    fence = hashlib.sha256(f"{run.plan['secret']} {position}".encode()).hexdigest()[:16]
    case = Case(answer.item, answer.discipline, (Message("user", answer.question),), ())
    parameters = {"reference": answer.reference} if answer.reference.strip() else {}
    return SortQuestion(
        case, GraderSpec(GRADER.name, parameters, judged=True), ShownToJudge(answer.answer, (), fence)
    )


def _read(question: SortQuestion, replies: Replies) -> Mark | ModelAsk:
    return GRADER.read(question.case, question.spec, GRADER.name, question.shown, replies)


def _marks(run: StoredRun, answers: Sequence[WrongAnswer], replies: Mapping[int, Replies]) -> dict[int, Mark]:
    """Return the marks by position; answers whose judge must be asked once more have none."""
    marks = {}
    for position, of_answer in replies.items():
        outcome = _read(question_of(run, position, answers[position]), of_answer)
        if isinstance(outcome, Mark):
            marks[position] = outcome
    return marks


def _category(mark: Mark | None) -> ErrorCategory | None:
    return None if mark is None or mark.value is None else CATEGORIES[int(mark.value)]
