"""Executing a plan: each model's workers ask, grade and record until all is done or a stop is requested."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

import orjson

from assay.calls.ask import KeyRefused, ReadyModel, Request
from assay.calls.asking import wait_for_workers
from assay.calls.budget import BudgetSpent
from assay.calls.circuit import CircuitOpen, Notice, describe_notice
from assay.calls.control import RunControl, Stop
from assay.calls.subjects import RunCalls
from assay.core.ask import CallStatus, ModelAsk, ModelReply
from assay.core.case import Case
from assay.core.conditions import Conditions, sent_parameters
from assay.core.errors import AssayError
from assay.core.grade import Grade, Grader
from assay.core.judging import JudgedGrader, is_judged
from assay.core.suite import UseCase
from assay.grading.registry import grader
from assay.providers.body import served_as_pinned
from assay.runs.grade import Graders, grade_answer
from assay.runs.judging.bench import Bench, storable
from assay.runs.plan import Plan
from assay.store.rows import ConditionsRow, GradeRow, SampleRow

MOST_REQUESTS = 4096
LONGEST_REQUEST = 4096
LONGEST_EVIDENCE = 20_000
SAMPLING_PARAMETERS = frozenset(
    {"temperature", "top_p", "top_k", "min_p", "presence_penalty", "frequency_penalty", "seed"}
)


class _PreparedCase:
    """The parts of a case that are the same in the whole run."""

    __slots__ = ("ask", "case", "graders", "judged", "use_case")

    def __init__(self, use_case: UseCase, case: Case, parameters: Mapping[str, object]) -> None:
        self.use_case = use_case
        self.case = case
        self.ask = ModelAsk("subject", "", case.messages, parameters)
        self.graders: Graders = tuple((spec, grader(spec.name)) for spec in case.graders)
        self.judged = any(is_judged(grader) for _, grader in self.graders)


class Execution:
    """The execution of some positions of one run's plan.

    `replies` are answers that the ledger already holds for positions without a sample: they are graded
    without asking again.
    """

    def __init__(
        self,
        run: int,
        plan: Plan,
        subjects: Sequence[ReadyModel],
        calls: RunCalls,
        control: RunControl,
        *,
        replies: Mapping[int, ModelReply],
        bench: Bench | None,
    ) -> None:
        self._run = run
        self._plan = plan
        self._subjects = subjects
        self._caller, self._recorder, self._clock = calls.caller, calls.recorder, calls.context.clock
        self._progress, self._stop = control.progress, control.stop
        self._replies = replies
        self._bench = bench
        self._unpaid: BudgetSpent | None = None
        self._unmarked: BudgetSpent | None = None
        self._given_up: CircuitOpen | None = None
        self._positions: Callable[[set[int]], Iterator[int]] = lambda models: iter(())
        self._finished: Counter[int] = Counter()
        self._requests: dict[tuple[int, int], Request] = {}
        self._cached_conditions: dict[tuple[object, ...], tuple[int, object]] = {}
        self._written: set[int] = set()
        sent = {
            name: value
            for name, value in plan.suite.parameters.items()
            if plan.sampling == "suite" or name not in SAMPLING_PARAMETERS
        }
        # Cases with equal parameters share one dictionary, whose derived values are cached by identity.
        limits = {case.max_tokens for case in plan.suite.cases}
        parameters = {limit: {**sent, "max_tokens": limit} for limit in limits}
        self._cases = tuple(
            _PreparedCase(use_case, case, parameters[case.max_tokens])
            for use_case in plan.suite.use_cases
            for case in use_case.cases
        )

    async def execute(self, positions: Callable[[set[int]], Iterator[int]]) -> None:
        """Finish every position that `positions(models)` yields, each model's by its own workers.

        Returns when all are done, or after a stop when the calls in flight have returned, since these will be
        charged. Raises the error of a failed commit.
        """
        tasks, refusals = [], {id(subject.provider): Stop() for subject in self._subjects}
        self._positions = positions
        self._report_circuits()
        for ordinal, subject in enumerate(self._subjects):
            queue = positions({ordinal})
            workers = min(subject.throttle.pace.limit, max(1, self._progress.total))
            refused = refusals[id(subject.provider)]
            tasks += [asyncio.create_task(self._work(queue, refused)) for _ in range(workers)]
        await wait_for_workers(tasks, self._caller, self._stop, self._recorder.failed)
        await self._recorder.room()
        for refused in refusals.values():
            if refused.reason is not None:
                self._stop.request(refused.reason, refused.error)
        if self._given_up is not None:
            self._stop.request(str(self._given_up), self._given_up)
        if self._unpaid is not None:
            self._stop.request(str(self._unpaid), self._unpaid)

    def _report_circuits(self) -> None:
        """Make the models' circuits report when they open and close, and how many samples wait for them."""
        judges = () if self._bench is None else self._bench.judges.values()
        for subject in (judge.subject for judge in judges):
            if subject is not None:
                subject.throttle.circuit.notify = lambda notice: self._add_notice(notice, None)
        for ordinal, subject in enumerate(self._subjects):
            subject.throttle.circuit.notify = partial(self._add_notice, ordinal=ordinal)

    def _add_notice(self, notice: Notice, ordinal: int | None) -> None:
        waiting = None
        if ordinal is not None:
            waiting = sum(1 for _ in self._positions({ordinal})) - self._finished[ordinal]
        self._progress.notices.append(describe_notice(notice, self._clock(), waiting=waiting))

    async def _work(self, queue: Iterator[int], refused: Stop) -> None:
        """Finish positions of a model until none is left, a stop is requested, or the key is refused.

        A position whose calls the budget does not allow is left for a resumed run; others may cost less.
        The positions of a model that is given up are left too. Once a judge cannot be paid, no more answers
        are asked for that judges would have to mark.
        """
        stop = self._stop
        for position in queue:
            if stop.reason is not None or refused.reason is not None:
                return
            try:
                await self._sample(position)
            except KeyRefused as error:
                refused.request(str(error), error)
                return
            except BudgetSpent as error:
                self._unpaid = self._unpaid if self._unpaid and self._unpaid.amount < error.amount else error
                await asyncio.sleep(0)
            except CircuitOpen as error:
                self._given_up = self._given_up or error
                return
            except AssayError as error:
                stop.request(str(error), error)
                raise
            except asyncio.CancelledError:
                if not stop.event.is_set():
                    raise
                return

    async def _sample(self, position: int) -> None:
        plan = self._plan
        rest, model = divmod(position, len(plan.models))
        epoch, ordinal = divmod(rest, len(self._cases))
        prepared, subject = self._cases[ordinal], self._subjects[model]
        reply = self._replies.get(position)
        if reply is None:
            if prepared.judged and self._unmarked is not None:
                raise self._unmarked
            request = self._request(ordinal, model)
            reply = await self._caller.ask(subject, prepared.ask, position, request)
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
        answered = reply.status is not CallStatus.ERROR
        row = SampleRow(
            self._run,
            position,
            subject.id,
            ordinal,
            epoch,
            reply.status,
            score,
            int(answered and pin is not None and not served_as_pinned(pin, reply.served.provider)),
            self._clock(),
            self._conditions(prepared, subject, reply, asked=position not in self._replies),
        )
        self._recorder.sample(row, grade_rows(self._run, position, prepared.graders, grades))
        self._finished[model] += 1
        self._progress.count(reply)
        if score is None and answered:
            self._progress.left_ungraded(grades)
        await self._recorder.room()

    def _conditions(
        self, prepared: _PreparedCase, subject: ReadyModel, reply: ModelReply, *, asked: bool
    ) -> int | None:
        """Return the id of the conditions that a sample was produced under; None for an error.

        The parameters sent are unknown unless this process `asked` for the reply.
        """
        if reply.status is CallStatus.ERROR:
            return None
        sent = subject.sent(prepared.ask) if asked else None
        served = reply.served
        key = (id(sent), subject.id, served.provider, served.model, served.fingerprint, prepared.judged)
        cached = self._cached_conditions.get(key)
        if cached is None:
            judges = self._plan.panel.judges if prepared.judged else ()
            conditions = Conditions(
                None if sent is None else sent_parameters(sent),
                served.provider,
                served.model,
                served.fingerprint,
                ", ".join(judges) or None,
                self._plan.suite.digest,
            )
            cached = conditions.id, sent
            if conditions.id not in self._written:
                self._written.add(conditions.id)
                self._recorder.conditions(
                    ConditionsRow(conditions.id, conditions.digest.hex(), conditions.body)
                )
            if len(self._cached_conditions) < MOST_REQUESTS:
                self._cached_conditions[key] = cached
        return cached[0]

    def _request(self, ordinal: int, model: int) -> Request:
        """Return the request of a case to a model; short ones are kept for the next epoch."""
        request = self._requests.get((ordinal, model))
        if request is None:
            request = self._subjects[model].request(self._cases[ordinal].ask)
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
    """Return evidence as JSON, or escaped as text if JSON cannot hold it (half a surrogate pair)."""
    try:
        return orjson.dumps(evidence, default=str, option=orjson.OPT_NON_STR_KEYS).decode()
    except TypeError as error:
        text = ascii(evidence)[:LONGEST_EVIDENCE]
        return orjson.dumps({"not JSON": str(error), "evidence": text}).decode()
