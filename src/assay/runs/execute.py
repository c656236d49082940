"""Executing a plan: workers for each provider ask, grade and record, until done or stopped."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import orjson

from assay.calls.ask import Caller, KeyRefused, Request, Subject
from assay.calls.budget import BudgetSpent
from assay.calls.circuit import CircuitOpen, Notice, announce
from assay.calls.progress import Progress
from assay.calls.record import Recorder
from assay.calls.stop import Stop
from assay.core.ask import CallStatus, ModelAsk, ModelReply
from assay.core.case import Case
from assay.core.conditions import Conditions, sent_parameters
from assay.core.errors import AssayError
from assay.core.grade import Grade, Grader
from assay.core.judging import JudgedGrader, is_judged
from assay.core.suite import UseCase
from assay.grading.registry import grader
from assay.providers.pins import kept
from assay.runs.grade import Graders, grade_answer
from assay.runs.judged.bench import Bench, storable
from assay.runs.plan import Plan
from assay.store.ledger import ConditionsRow, GradeRow, SampleRow

MOST_REQUESTS = 4096
LONGEST_REQUEST = 4096
LONGEST_EVIDENCE = 20_000
SAMPLING_PARAMETERS = frozenset(
    {"temperature", "top_p", "top_k", "min_p", "presence_penalty", "frequency_penalty", "seed"}
)


class _Prepared:
    """What never changes about a case while a run goes on."""

    __slots__ = ("ask", "case", "graders", "judged", "use_case")

    def __init__(self, use_case: UseCase, case: Case, parameters: Mapping[str, object]) -> None:
        self.use_case = use_case
        self.case = case
        self.ask = ModelAsk("subject", "", case.messages, {**parameters, "max_tokens": case.max_tokens})
        self.graders: Graders = tuple((spec, grader(spec.name)) for spec in case.graders)
        self.judged = any(is_judged(made) for _, made in self.graders)


class Execution:
    """Executes the positions of one run's plan.

    `replies` are answers that the ledger already holds for positions without a sample: they are graded,
    not asked for again.
    """

    def __init__(
        self,
        run: int,
        plan: Plan,
        subjects: Sequence[Subject],
        caller: Caller,
        recorder: Recorder,
        progress: Progress,
        stop: Stop,
        *,
        clock: Callable[[], float],
        replies: Mapping[int, ModelReply] | None = None,
        bench: Bench | None = None,
    ) -> None:
        self._run = run
        self._plan = plan
        self._subjects = subjects
        self._caller = caller
        self._recorder = recorder
        self._progress = progress
        self._stop = stop
        self._clock = clock
        self._replies = replies or {}
        self._bench = bench
        self._unpaid: BudgetSpent | None = None
        self._unmarked: BudgetSpent | None = None
        self._left_alone: CircuitOpen | None = None
        self._positions: Callable[[set[int]], Iterator[int]] = lambda models: iter(())
        self._finished: Counter[int] = Counter()
        self._requests: dict[tuple[int, int], Request] = {}
        self._known: dict[tuple[object, ...], tuple[int, object]] = {}
        self._written: set[int] = set()
        sent = {
            name: value
            for name, value in plan.suite.parameters.items()
            if plan.sampling == "suite" or name not in SAMPLING_PARAMETERS
        }
        self._prepared = tuple(
            _Prepared(use_case, case, sent) for use_case in plan.suite.use_cases for case in use_case.cases
        )

    async def execute(self, positions: Callable[[set[int]], Iterator[int]]) -> None:
        """Finish every position that `positions(models)` yields, each model's by workers of its own.

        Returns when all are done, or after a stop when all that was in flight has come back: it will be paid
        for. Raises the error of a failed commit.
        """
        tasks, refusals = [], {id(subject.lane): Stop() for subject in self._subjects}
        self._positions = positions
        self._listen()
        for ordinal, subject in enumerate(self._subjects):
            queue = positions({ordinal})
            workers = min(subject.gate.pace.limit, max(1, self._progress.total))
            refused = refusals[id(subject.lane)]
            tasks += [asyncio.create_task(self._work(queue, refused)) for _ in range(workers)]
        await self._finish(tasks)
        for refused in refusals.values():
            if refused.reason is not None:
                self._stop.ask(refused.reason, refused.error)
        if self._left_alone is not None:
            self._stop.ask(str(self._left_alone), self._left_alone)
        if self._unpaid is not None:
            self._stop.ask(str(self._unpaid), self._unpaid)

    def _listen(self) -> None:
        """Let the models' circuits say when they open and close, and how many samples wait for them."""
        judges = () if self._bench is None else self._bench.judges.values()
        for subject in (judge.subject for judge in judges):
            if subject is not None:
                subject.gate.circuit.notify = lambda notice: self._announce(notice, None)
        for ordinal, subject in enumerate(self._subjects):
            subject.gate.circuit.notify = partial(self._announce, ordinal=ordinal)

    def _announce(self, notice: Notice, ordinal: int | None) -> None:
        waiting = None
        if ordinal is not None:
            waiting = sum(1 for _ in self._positions({ordinal})) - self._finished[ordinal]
        self._progress.notices.append(announce(notice, self._clock(), waiting=waiting))

    async def _finish(self, tasks: list[asyncio.Task[None]]) -> None:
        everyone: asyncio.Future[Any] = asyncio.gather(*tasks)
        stopped: asyncio.Future[Any] = asyncio.create_task(self._stop.event.wait())
        failed: asyncio.Future[Any] = asyncio.create_task(self._recorder.failed.wait())
        left: asyncio.Future[Any] = asyncio.create_task(self._stop.given_up.wait())
        try:
            await asyncio.wait({everyone, stopped, failed}, return_when=asyncio.FIRST_COMPLETED)
            if stopped.done():
                self._caller.wind_down()
                await asyncio.wait({everyone, failed, left}, return_when=asyncio.FIRST_COMPLETED)
            if everyone.done():
                everyone.result()
            await self._recorder.room()
        finally:
            ours = (stopped, failed, left, *tasks)
            for each in ours:
                each.cancel()
            await asyncio.gather(*ours, everyone, return_exceptions=True)

    async def _work(self, queue: Iterator[int], refused: Stop) -> None:
        """Finish positions of a model until there are none, all shall stop, or its provider refuses the key.

        A position whose calls the budget does not allow is left for a resumed run; others may cost less.
        A model that is to be left alone for too long is asked nothing more: its positions are left too.
        Once a judge cannot be paid, no more answers are asked for that judges would have to mark.
        """
        stop = self._stop
        for position in queue:
            if stop.reason is not None or refused.reason is not None:
                return
            try:
                await self._sample(position)
            except KeyRefused as error:
                refused.ask(str(error), error)
                return
            except BudgetSpent as error:
                self._unpaid = self._unpaid if self._unpaid and self._unpaid.amount < error.amount else error
                await asyncio.sleep(0)
            except CircuitOpen as error:
                self._left_alone = self._left_alone or error
                return
            except AssayError as error:
                stop.ask(str(error), error)
                raise
            except asyncio.CancelledError:
                if not stop.event.is_set():
                    raise
                return

    async def _sample(self, position: int) -> None:
        plan = self._plan
        rest, model = divmod(position, len(plan.models))
        epoch, ordinal = divmod(rest, len(self._prepared))
        prepared, subject = self._prepared[ordinal], self._subjects[model]
        reply = self._replies.get(position)
        if reply is None:
            if prepared.judged and self._unmarked is not None:
                raise self._unmarked
            request = self._request(ordinal, model)
            reply = await self._caller.model(subject, prepared.ask, position, request)
        bench = self._bench if prepared.judged else None
        judging = None if bench is None else bench.on(position, subject.model)
        try:
            grades, score = await grade_answer(
                self._caller, prepared.use_case, prepared.case, prepared.graders, reply, judging
            )
        except BudgetSpent as error:
            self._unmarked = error
            raise
        pin = subject.model.pin
        changed = pin is not None and reply.status is not CallStatus.ERROR
        row = SampleRow(
            self._run,
            position,
            subject.id,
            ordinal,
            epoch,
            reply.status,
            score,
            int(changed and pin is not None and not kept(pin, reply.served.provider)),
            self._clock(),
            self._conditions(prepared, subject, reply, asked=position not in self._replies),
        )
        self._recorder.sample(row, grade_rows(self._run, position, prepared.graders, grades))
        self._finished[model] += 1
        self._progress.count(reply)
        if score is None and reply.status is not CallStatus.ERROR:
            self._progress.left_ungraded(grades)
        await self._recorder.room()

    def _conditions(
        self, prepared: _Prepared, subject: Subject, reply: ModelReply, *, asked: bool
    ) -> int | None:
        """Return the number of what a sample was produced under; None for an error.

        What an earlier process was told before it ended is not known of a reply that was `asked` for then.
        """
        if reply.status is CallStatus.ERROR:
            return None
        sent = subject.sent(prepared.ask) if asked else None
        served = reply.served
        key = (id(sent), subject.id, served.provider, served.model, served.fingerprint, prepared.judged)
        known = self._known.get(key)
        if known is None:
            judges = self._plan.panel.judges if prepared.judged else ()
            conditions = Conditions(
                None if sent is None else sent_parameters(sent),
                served.provider,
                served.model,
                served.fingerprint,
                ", ".join(judges) or None,
                self._plan.suite.digest,
            )
            known = conditions.id, sent
            if known[0] not in self._written:
                self._written.add(known[0])
                self._recorder.conditions(ConditionsRow(known[0], conditions.digest.hex(), conditions.body))
            if len(self._known) < MOST_REQUESTS:
                self._known[key] = known
        return known[0]

    def _request(self, ordinal: int, model: int) -> Request:
        """Return the request of a case to a model; short ones are kept for the next epoch."""
        request = self._requests.get((ordinal, model))
        if request is None:
            request = self._subjects[model].request(self._prepared[ordinal].ask)
            if len(self._requests) < MOST_REQUESTS and len(request.body) <= LONGEST_REQUEST:
                self._requests[ordinal, model] = request
        return request


def grade_rows(
    run: int, position: int, graders: Sequence[tuple[object, Grader | JudgedGrader]], grades: Sequence[Grade]
) -> list[GradeRow]:
    """Return the rows that hold a sample's grades."""
    return [
        GradeRow(
            run,
            position,
            ordinal,
            maker.name,
            grade.value,
            None if grade.reason is None else storable(grade.reason),
            _evidence(grade.evidence),
        )
        for ordinal, ((_, maker), grade) in enumerate(zip(graders, grades, strict=False))
    ]


def _evidence(evidence: Mapping[str, object]) -> str:
    """Return evidence as JSON; what JSON cannot hold (half a surrogate pair, endless numbers) is escaped."""
    try:
        return orjson.dumps(evidence, default=str, option=orjson.OPT_NON_STR_KEYS).decode()
    except TypeError as error:
        told = ascii(evidence)
        return orjson.dumps({"not JSON": str(error), "evidence": told[:LONGEST_EVIDENCE]}).decode()
