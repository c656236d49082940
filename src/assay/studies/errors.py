"""The study of errors: a judge sorts wrong answers into five categories. Nothing is asked twice."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, Literal

import numpy as np

from assay.calls.ask import recorded_reply
from assay.calls.asking import Asking, AskingContext, begin_asking, open_asking
from assay.calls.budget import budget_of
from assay.calls.control import RunControl
from assay.calls.lease import hold_run
from assay.calls.subjects import check_keys
from assay.core.ask import Message, ModelAsk, ModelReply
from assay.core.case import Case, GraderSpec
from assay.core.errors import AssayError, Conflict
from assay.core.judging import Mark, ShownToJudge
from assay.core.model import Model
from assay.grading.error_causes import CATEGORIES, ErrorCauses
from assay.grading.judging.question import prompt
from assay.ranking.error_shares import SortedAnswer, error_shares, label_agreement
from assay.results.study_errors import ErrorCategory, ErrorStudy
from assay.store.ledger import judge_calls
from assay.store.runs import StoredRun, count_runs, end_run, read_run
from assay.studies.error_sources import WrongAnswer, WrongAnswers

KIND: Final = "errors"
GRADER: Final = ErrorCauses()
MAX_TOKENS: Final = 8192
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


def stored_errors(context: AskingContext, number: int) -> StoredRun:
    """Return a stored study. Raises Conflict if the run is of another kind."""
    run = read_run(context.engine, number)
    if run.kind != KIND:
        raise Conflict(f"run {number} is not a study of errors but a {run.kind!r}: see `assay runs`")
    return run


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
    check_keys([model for _, model in run.models], context.providers, context.environment)
    async with hold_run(context.engine, run.id, control.stop) as lease:
        return await _sort(replace(context, lease=lease), run, labels, max_cost, control)


async def _sort(
    context: AskingContext, run: StoredRun, labels: Labels, max_cost: float | None, control: RunControl
) -> ErrorStudy:
    engine = context.engine
    answers = [WrongAnswer(**description) for description in run.plan["answers"]]
    end = partial(end_run, engine, run.id, clock=context.clock, lease=context.lease)
    await asyncio.to_thread(end, status="running", reason=None)
    if control.started is not None:
        control.started(run)
    error = await _ask_all(context, run, answers, max_cost, control)
    marks = await asyncio.to_thread(_stored_marks, context, run, answers)
    stopped = error is not None or control.stop.reason is not None
    reason = (str(error) if error is not None else control.stop.reason) if stopped else None
    status: Literal["finished", "stopped"] = "stopped" if stopped else "finished"
    await asyncio.to_thread(end, status=status, reason=reason)
    counts = await asyncio.to_thread(count_runs, engine, [run.id])
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
        status=status,
        reason=reason,
        error=error,
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
        spend=counts[run.id].spend,
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


async def _ask_all(
    context: AskingContext,
    run: StoredRun,
    answers: Sequence[WrongAnswer],
    max_cost: float | None,
    control: RunControl,
) -> AssayError | None:
    """Ask about every answer without a mark. Return the error that stopped the study, if any."""
    budget = await asyncio.to_thread(budget_of, context.engine, max_cost, [run.id])
    replies = await asyncio.to_thread(_stored_replies, context, run, len(answers))
    marked = await asyncio.to_thread(_stored_marks, context, run, answers)
    progress = control.progress
    progress.total, progress.done = len(answers), len(marked)
    missing = (position for position in range(len(answers)) if position not in marked)

    async def work(asking: Asking, position: int) -> None:
        question = question_of(run, position, answers[position])
        own = replies.get(position, ())
        while True:
            outcome = _read(question, own) if own else _first(question)
            if isinstance(outcome, Mark):
                break
            reply = await asking.ask(_addressed(run, question, outcome), position)
            own = (*own, reply)
        progress.done += 1

    try:
        async with open_asking(context, run, budget=budget, control=control) as asking:
            await asking.each(missing, lambda position: work(asking, position))
    except AssayError as error:
        return error
    return None


def question_of(run: StoredRun, position: int, answer: WrongAnswer) -> SortQuestion:
    """Return an answer as the judge is asked about it. The fence follows from the run's secret."""
    fence = hashlib.sha256(f"{run.plan['secret']} {position}".encode()).hexdigest()[:16]
    case = Case(answer.item, answer.discipline, (Message("user", answer.question),), ())
    parameters = {"reference": answer.reference} if answer.reference.strip() else {}
    return SortQuestion(
        case, GraderSpec(GRADER.name, parameters, judged=True), ShownToJudge(answer.answer, (), fence)
    )


def _first(question: SortQuestion) -> ModelAsk:
    return GRADER.ask(question.case, question.spec, GRADER.name, question.shown)


def _read(question: SortQuestion, replies: tuple[ModelReply, ...]) -> Mark | ModelAsk:
    return GRADER.read(question.case, question.spec, GRADER.name, question.shown, replies)


def _addressed(run: StoredRun, question: SortQuestion, ask: ModelAsk) -> ModelAsk:
    digest = hashlib.sha256(question.shown.answer.encode("utf-8", "surrogatepass")).hexdigest()
    return replace(
        ask,
        model=run.models[0][1].name,
        parameters={**ask.parameters, "max_tokens": MAX_TOKENS},
        about={**ask.about, "answer": digest},
    )


def _stored_replies(
    context: AskingContext, run: StoredRun, answers: int
) -> dict[int, tuple[ModelReply, ...]]:
    calls = judge_calls(context.engine, run.id, range(answers))
    return {position: tuple(map(recorded_reply, rows)) for position, rows in calls.items()}


def _stored_marks(context: AskingContext, run: StoredRun, answers: Sequence[WrongAnswer]) -> dict[int, Mark]:
    """Return the marks of the replies in the ledger; answers that need one more reply have none."""
    marks = {}
    for position, replies in _stored_replies(context, run, len(answers)).items():
        outcome = _read(question_of(run, position, answers[position]), replies)
        if isinstance(outcome, Mark):
            marks[position] = outcome
    return marks


def _category(mark: Mark | None) -> ErrorCategory | None:
    return None if mark is None or mark.value is None else CATEGORIES[int(mark.value)]
