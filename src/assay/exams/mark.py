"""Marking a session: each answer is put to each judge once, and what it says is stored as it comes."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from assay.calls.asking import Asking, Place, begin_asking, open_asking
from assay.calls.budget import budget_of
from assay.calls.lease import hold, hold_run
from assay.calls.progress import add_reason
from assay.calls.steering import Steering
from assay.calls.subjects import check_keys
from assay.core.ask import CallStatus, ModelReply
from assay.core.errors import AssayError, Denied, InvalidInput, Upstream
from assay.core.judging import Mark, Shown
from assay.core.model import Model
from assay.core.sealed import Sealer, key_about, mark_about, read_key
from assay.exams.due import Job, Remarking, due
from assay.exams.judging import case_of, spec_of, wording
from assay.grading.stars import Stars
from assay.store.exam.answers import DrawnQuestion
from assay.store.exam.marks import ExamMark, keep_mark
from assay.store.locks import Lease
from assay.store.runs import StoredRun, count_runs, end_run, read_run

KIND = "mark"
MAX_TOKENS = 8192
MOST_FAILURES = 8
UNREAD = "it had no stars"


@dataclass(frozen=True, slots=True)
class Marking:
    """What a marking came to. `run` is None where no answer had to be put to a judge.

    `marked` answers got stars, `unread` none, by reason; `left` were not asked about. `stopped` says why it
    ended early, None where it did not. Counts are over all judges.
    """

    session: str
    judges: tuple[str, ...]
    run: int | None
    marked: int
    unread: Mapping[str, int]
    left: int
    cost: float | None
    unknown_costs: int
    simulated: bool
    stopped: str | None = None


async def mark(
    place: Place,
    session: str,
    judges: Sequence[Model],
    sealer: Sealer,
    *,
    by: str,
    again: Remarking | None = None,
    max_cost: float | None = None,
    steering: Steering | None = None,
) -> Marking:
    """Put every answer of a closed session that lacks stars to each judge; with `again` all of them.

    Late, timed-out and empty answers get 0 by rule, and excluded ones do not count: nobody is asked about
    them. A judge that fails leaves no stars and the reason: the next marking asks it again. What is marked
    is stored at once; a stopped marking is taken up by the same call.
    Raises NotFound for an unknown session, Conflict for an open one or while another process marks it,
    InvalidInput for a missing provider's key, Denied without the bank's key.
    """
    steering = steering or Steering()
    check_keys(judges, place.providers, place.environment)
    async with hold(place.engine, f"marking of session {session}", steering.stop):
        work = _Work(place, session, sealer, by, again, steering)
        jobs, drawn = await asyncio.to_thread(due, place.engine, session, judges, again, now=place.clock())
        for one in list(drawn.values())[:1]:
            sealer.open(one.sealed, key_about(one.question.uuid, one.version))
        steering.progress.total = len(jobs)
        names = tuple(judge.name for judge in judges)
        if not jobs:
            return Marking(session, names, None, 0, {}, 0, None, 0, simulated=False)
        run = await asyncio.to_thread(work.run, judges)
        async with hold_run(place.engine, run.id, steering.stop) as lease:
            return await work.carry_out(run, jobs, drawn, names, max_cost, lease)


class _Work:
    """One marking of one session."""

    def __init__(
        self,
        place: Place,
        session: str,
        sealer: Sealer,
        by: str,
        again: Remarking | None,
        steering: Steering,
    ) -> None:
        self._place, self._session, self._sealer = place, session, sealer
        self._by, self._again, self._steering = by, again, steering
        self._grader = Stars()
        self._wording = wording()
        self._marked = 0
        self._unread: Counter[str] = Counter()
        self._failures: Counter[str] = Counter()

    def run(self, judges: Sequence[Model]) -> StoredRun:
        """Return the run that the calls stand under: a new one, or the stopped one that is taken up."""
        if self._again is not None and self._again.run is not None:
            run = read_run(self._place.engine, self._again.run)
            if run.kind != KIND or run.plan.get("session") != self._session:
                raise InvalidInput(f"run {run.id} is no marking of session {self._session!r}")
            end_run(self._place.engine, run.id, status="running", reason=None, clock=self._place.clock)
            return run
        reason = None if self._again is None else self._again.reason
        plan = {"session": self._session, "again": reason}
        return begin_asking(self._place, KIND, judges, plan)

    async def carry_out(
        self,
        run: StoredRun,
        jobs: Sequence[Job],
        drawn: Mapping[int, DrawnQuestion],
        names: tuple[str, ...],
        max_cost: float | None,
        lease: Lease,
    ) -> Marking:
        """Ask about each answer, and say what came of it; an error that ends it early is told, not raised."""
        place, steering = replace(self._place, lease=lease), self._steering
        if steering.started is not None:
            steering.started(run)
        budget = budget_of(place.engine, max_cost, [run.id])
        failure: AssayError | None = None
        try:
            async with open_asking(place, run, budget=budget, steering=steering) as asking:
                await asking.each(
                    jobs, lambda job: self._mark(asking, run.id, job, drawn[job.answer.question])
                )
        except AssayError as error:
            failure = error
        reason = str(failure) if failure is not None else steering.stop.reason
        status = "finished" if reason is None else "stopped"
        await asyncio.to_thread(
            end_run, place.engine, run.id, status=status, reason=reason, clock=place.clock, lease=lease
        )
        counts = (await asyncio.to_thread(count_runs, place.engine, [run.id]))[run.id]
        return Marking(
            self._session,
            names,
            run.id,
            self._marked,
            dict(self._unread),
            len(jobs) - self._marked - self._unread.total(),
            counts.cost if counts.calls > counts.unknown_costs else None,
            counts.unknown_costs,
            run.simulated,
            reason,
        )

    async def _mark(self, asking: Asking, run: int, job: Job, drawn: DrawnQuestion) -> None:
        """Put one answer to one judge and store what it says."""
        found, replies = await self._converse(asking, job, drawn)
        name, position = job.judge.name, job.answer.position
        about = mark_about(self._session, position, name)
        raw = "\n\n".join(reply.text or "" for reply in replies)
        mark = ExamMark(
            self._session,
            position,
            name,
            None if found.value is None else int(found.value),
            found.reason,
            self._sealer.seal(found.rationale, about),
            self._sealer.seal(raw, about),
            self._wording,
            run,
            self._place.clock(),
        )
        reason = UNREAD if self._again is None else self._again.reason
        await asyncio.to_thread(keep_mark, self._place.engine, mark, reason=reason, by=self._by)
        if found.value is None:
            add_reason(self._unread, f"{name}: {found.reason}")
        else:
            self._marked += 1
        self._steering.progress.done += 1
        self._put_aside(name, replies[-1])

    async def _converse(
        self, asking: Asking, job: Job, drawn: DrawnQuestion
    ) -> tuple[Mark, tuple[ModelReply, ...]]:
        try:
            key = read_key(self._sealer.open(drawn.sealed, key_about(drawn.question.uuid, drawn.version)))
        except Denied as error:
            raise Denied(
                f"question {drawn.question.uuid!r} at position {job.answer.position}: {error}"
            ) from None
        case, spec = case_of(drawn.question), spec_of(drawn.question, key)
        answer = job.answer.text or ""
        shown = Shown(answer, fence=secrets.token_hex(8))
        digest = hashlib.sha256(answer.encode("utf-8", "surrogatepass")).hexdigest()
        ask = self._grader.ask(case, spec, "stars", shown)
        replies: tuple[ModelReply, ...] = ()
        while True:
            addressed = replace(
                ask,
                model=job.judge.name,
                parameters={**ask.parameters, "max_tokens": MAX_TOKENS},
                about={**ask.about, "answer": digest},
            )
            replies = (*replies, await asking.ask(addressed, job.answer.position))
            read = self._grader.read(case, spec, "stars", shown, replies)
            if isinstance(read, Mark):
                return read, replies
            ask = read

    def _put_aside(self, name: str, reply: ModelReply) -> None:
        """End the marking when a judge fails again and again: the rest would cost hours of retries."""
        self._failures[name] = self._failures[name] + 1 if reply.status is CallStatus.ERROR else 0
        if self._failures[name] >= MOST_FAILURES:
            raise Upstream(
                f"judge {name!r} failed {MOST_FAILURES} times in a row, the last time: {reply.error}"
            )
