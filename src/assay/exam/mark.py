"""Marking a session: each answer is put to each judge once, and each mark is stored at once."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial

from assay.calls.asking import Asking, AskingContext, begin_asking, carry_on_asking
from assay.calls.control import RunControl
from assay.calls.lease import hold
from assay.calls.progress import add_reason
from assay.calls.subjects import check_keys
from assay.core.ask import CallStatus, ModelReply
from assay.core.errors import Denied, InvalidInput, Upstream
from assay.core.judging import Mark, ShownToJudge
from assay.core.model import Model
from assay.core.sealed import Sealer, mark_about, open_key
from assay.exam.judging import MarkingJob, Remarking, case_of, jobs_for, spec_of, wording
from assay.grading.marks import Stars
from assay.results.exam_marking import Marking
from assay.results.runs import Spend
from assay.store.exam.answers import DrawnQuestion
from assay.store.exam.marks import ExamMark, keep_mark
from assay.store.runs import StoredRun, read_run

KIND = "mark"
MOST_FAILURES = 8
NO_STARS = "the mark had no stars"


async def mark(
    context: AskingContext,
    session: str,
    judges: Sequence[Model],
    sealer: Sealer,
    *,
    by: str,
    again: Remarking | None = None,
    max_cost: float | None = None,
    control: RunControl | None = None,
) -> Marking:
    """Put every answer of an ended session without stars to each judge; with `again` all answers.

    Late, timed-out and empty answers have 0 stars by rule, and excluded ones do not count; no judge is asked
    about them. If a judge fails, the mark has a reason but no stars, and the next marking asks it again. A
    stopped marking is resumed by the same call.
    Raises NotFound for an unknown session, Conflict for an open one or while another process marks it,
    InvalidInput for a missing provider's key, Denied without the bank's key.
    """
    control = control or RunControl()
    check_keys(judges, context.providers, context.environment)
    async with hold(context.engine, f"marking of session {session}", control.stop):
        work = _Work(context, session, sealer, by, again, control)
        jobs, drawn = await asyncio.to_thread(
            jobs_for, context.engine, session, judges, again, now=context.clock()
        )
        for first in list(drawn.values())[:1]:
            open_key(sealer, first.sealed, first.question.uuid, first.version)
        control.progress.total = len(jobs)
        names = tuple(judge.name for judge in judges)
        if not jobs:
            return Marking(session, names, None, 0, {}, 0, Spend(), simulated=False)
        run = await asyncio.to_thread(work.run, judges)
        return await work.ask_judges(run, jobs, drawn, names, max_cost)


class _Work:
    """One marking of one session."""

    def __init__(
        self,
        context: AskingContext,
        session: str,
        sealer: Sealer,
        by: str,
        again: Remarking | None,
        control: RunControl,
    ) -> None:
        self._context, self._session, self._sealer = context, session, sealer
        self._by, self._again, self._control = by, again, control
        self._grader = Stars()
        self._wording = wording()
        self._marked = 0
        self._unparsed: Counter[str] = Counter()
        self._failures: Counter[str] = Counter()

    def run(self, judges: Sequence[Model]) -> StoredRun:
        """Return the run of the calls: a new one, or the stopped one to resume."""
        if self._again is not None and self._again.run is not None:
            run = read_run(self._context.engine, self._again.run)
            if run.kind != KIND or run.plan.get("session") != self._session:
                raise InvalidInput(
                    f"run {run.id} is not a marking of session {self._session!r}: leave --run out"
                )
            return run
        reason = None if self._again is None else self._again.reason
        plan = {"session": self._session, "again": reason}
        return begin_asking(self._context, KIND, judges, plan)

    async def ask_judges(
        self,
        run: StoredRun,
        jobs: Sequence[MarkingJob],
        drawn: Mapping[int, DrawnQuestion],
        names: tuple[str, ...],
        max_cost: float | None,
    ) -> Marking:
        """Carry out the jobs and return the outcome, even if an error ends them early."""
        end = await carry_on_asking(
            self._context,
            run,
            lambda asking: asking.each(
                jobs, lambda job: self._mark(asking, run.id, job, drawn[job.answer.question])
            ),
            max_cost=max_cost,
            control=self._control,
        )
        return Marking(
            self._session,
            names,
            run.id,
            self._marked,
            dict(self._unparsed),
            len(jobs) - self._marked - self._unparsed.total(),
            end.spend,
            run.simulated,
            end.reason,
        )

    async def _mark(self, asking: Asking, run: int, job: MarkingJob, drawn: DrawnQuestion) -> None:
        """Put one answer to one judge and store its mark."""
        verdict, replies = await self._ask(asking, job, drawn)
        name, position = job.judge.name, job.answer.position
        about = mark_about(self._session, position, name)
        raw = "\n\n".join(reply.text or "" for reply in replies)
        mark = ExamMark(
            self._session,
            position,
            name,
            None if verdict.value is None else int(verdict.value),
            verdict.reason,
            self._sealer.seal(verdict.rationale, about),
            self._sealer.seal(raw, about),
            self._wording,
            run,
            self._context.clock(),
        )
        reason = NO_STARS if self._again is None else self._again.reason
        await asking.store(lambda: keep_mark(self._context.engine, mark, reason=reason, by=self._by))
        if verdict.value is None:
            add_reason(self._unparsed, f"{name}: {verdict.reason}")
        else:
            self._marked += 1
        self._control.progress.done += 1
        self._check_failures(name, replies[-1])

    async def _ask(
        self, asking: Asking, job: MarkingJob, drawn: DrawnQuestion
    ) -> tuple[Mark, tuple[ModelReply, ...]]:
        """Return a judge's mark with its replies; an unparsable reply is asked for again."""
        try:
            key = open_key(self._sealer, drawn.sealed, drawn.question.uuid, drawn.version)
        except Denied as error:
            raise Denied(
                f"question {drawn.question.uuid!r} at position {job.answer.position}: {error}"
            ) from None
        case, spec = case_of(drawn.question), spec_of(drawn.question, key)
        answer = job.answer.text or ""
        shown = ShownToJudge(answer, fence=secrets.token_hex(8))
        return await asking.judge(
            job.judge.name,
            self._grader.ask(case, spec, "stars", shown),
            partial(self._grader.read, case, spec, "stars", shown),
            job.answer.position,
            answer=answer,
        )

    def _check_failures(self, name: str, reply: ModelReply) -> None:
        """End the marking after repeated failures of a judge, to save hours of retries."""
        self._failures[name] = self._failures[name] + 1 if reply.status is CallStatus.ERROR else 0
        if self._failures[name] >= MOST_FAILURES:
            raise Upstream(
                f"judge {name!r} failed {MOST_FAILURES} times in a row ({reply.error}): try again later"
            )
