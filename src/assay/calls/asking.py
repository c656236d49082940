"""Asking models outside a suite's plan: expanding questions, marking answers, sitting an exam.

Such a deed is a run too: its calls stand in the ledger, its cost is seen, and it can be taken up again.
"""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any, TypeVar

from sqlalchemy import Engine

from assay.calls.ask import Caller, Lane, Subject
from assay.calls.budget import Budget
from assay.calls.circuit import announce
from assay.calls.code import CodeRunner
from assay.calls.record import Recorder
from assay.calls.stand_ins import served, stands_in
from assay.calls.steering import Steering
from assay.calls.subjects import check_keys, ready
from assay.calls.workers import carry_out
from assay.core.ask import ModelAsk, ModelReply
from assay.core.errors import Upstream
from assay.core.model import Model, Provider
from assay.core.suite import Suite
from assay.providers.network import open_session, uses_tls
from assay.store.locks import Lease
from assay.store.runs import StoredRun, new_run
from assay.store.suites import keep_suite
from assay.store.writer import LedgerWriter

T = TypeVar("T")
ASKED = frozenset({"sit", "mark", "expand", "contamination"})
"""The kinds of runs that asked models outside a suite: they have calls, and no samples or plan of cases."""


@dataclass(frozen=True, slots=True)
class Place:
    """What asking takes from its surroundings: database, providers, environment, clocks and chance.

    `clock` gives UTC seconds since 1970, `monotonic` seconds from any start. Nothing is written once the
    `lease` on the run was lost.
    """

    engine: Engine
    providers: Mapping[str, Provider]
    environment: Mapping[str, str]
    clock: Callable[[], float] = time.time
    monotonic: Callable[[], float] = time.monotonic
    rng: random.Random = field(default_factory=random.Random)
    concurrency: int | None = None
    lease: Lease | None = None


class Asking:
    """Models ready to be asked for one run."""

    def __init__(
        self,
        subjects: Sequence[Subject],
        caller: Caller,
        recorder: Recorder,
        workers: int,
        steering: Steering,
    ) -> None:
        self.subjects = {subject.model.name: subject for subject in subjects}
        self._caller = caller
        self._recorder = recorder
        self._workers = workers
        self._steering = steering

    async def ask(self, ask: ModelAsk, position: int) -> ModelReply:
        """Put an ask to the model that it names, and record the call at a position of the run.

        Raises BudgetSpent before sending when the budget does not allow it, KeyRefused when the provider
        refuses the key, and the error of a database that takes no more rows.
        """
        reply = await self._caller.model(self.subjects[ask.model], ask, position)
        await self._recorder.room()
        return reply

    async def each(self, jobs: Iterable[T], work: Callable[[T], Awaitable[None]]) -> None:
        """Do `work` for each job, as many at a time as the providers bear (`calls.workers`)."""
        await carry_out(jobs, work, workers=self._workers, caller=self._caller, stop=self._steering.stop)


@asynccontextmanager
async def open_asking(
    place: Place, run: StoredRun, *, budget: Budget, steering: Steering
) -> AsyncIterator[Asking]:
    """Yield the models of a run ready to be asked; what was asked is durable when it ends.

    Simulated and recorded models are served meanwhile. Raises InvalidInput for an unknown provider or a
    missing key.
    """
    models = [model for _, model in run.models]
    check_keys(models, place.providers, place.environment)
    async with served(
        place.providers, models, (), today=lambda: _day(place.clock()), day=None, told=[]
    ) as providers:
        serving = [providers[name] for name in dict.fromkeys(model.provider for model in models)]
        workers = sum(place.concurrency or provider.concurrency for provider in serving)
        tls = any(uses_tls(provider.base_url, place.environment) for provider in serving)
        async with open_session(workers, place.environment, tls=tls) as session:
            lanes: dict[str, Lane] = {}
            subjects = ready(
                run.models,
                providers,
                session,
                place.environment,
                clock=place.monotonic,
                concurrency=place.concurrency,
                lanes=lanes,
            )
            recorder = Recorder(
                LedgerWriter(place.engine, place.lease), waiting=steering.progress.wait, stop=steering.stop
            )
            caller = Caller(
                run.id,
                recorder,
                budget,
                clock=place.clock,
                rng=place.rng,
                sandbox=_no_code,
                note_retry=steering.progress.retried,
                note_reply=steering.progress.called,
            )
            for subject in subjects:
                subject.gate.circuit.notify = lambda notice: steering.progress.notices.append(
                    announce(notice, place.clock())
                )
            try:
                yield Asking(subjects, caller, recorder, workers, steering)
            finally:
                await recorder.close()


def begin_asking(place: Place, kind: str, models: Sequence[Model], plan: Mapping[str, Any]) -> StoredRun:
    """Store a new run for a deed that has no suite; `kind` names the deed, one of `ASKED`.

    A suite without cases stands in the suite's place, so that the run is listed and shown like others.
    """
    suite = Suite(
        name=f"exam-{kind}",
        version="1",
        title=f"Asked outside a suite: {kind}",
        visibility="private",
        use_cases=(),
        digest=hashlib.sha256(f"asked outside a suite: {kind}".encode()).hexdigest(),
    )
    keep_suite(place.engine, suite, clock=place.clock)
    return new_run(
        place.engine,
        kind=kind,
        suite=suite.digest,
        subjects=models,
        plan=plan,
        day=None,
        simulated=any(stands_in(model, place.providers) for model in models),
        clock=place.clock,
    )


def _day(now: float) -> date:
    return datetime.fromtimestamp(now, UTC).date()


def _no_code() -> CodeRunner:
    raise Upstream("nothing is executed outside a suite's runs: this is a defect, please report it")
