"""A model's seat at one session: it takes the questions that are left, one by one, and hands answers in."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import astuple, replace
from typing import Final

from assay.calls.ask import recorded_reply
from assay.calls.asking import Asking, Place, open_asking
from assay.calls.budget import budget_of
from assay.calls.lease import hold_run
from assay.calls.record import PATIENCE
from assay.calls.steering import Steering
from assay.core.ask import CallStatus, ModelAsk, ModelReply
from assay.core.errors import AssayError, Conflict, Denied, InvalidInput, Upstream
from assay.exams.examiner_client import ExaminerClient, Posed, Standing
from assay.exams.sitting import Sitting, Tally, answer_body, read_receipts
from assay.exams.stopping import Stopped, unless_given_up
from assay.store.ledger import subject_calls
from assay.store.runs import StoredRun, count_runs, end_run, keep_plan, read_run

DURABLE_SECONDS: Final = PATIENCE + 60.0
ABOUT: Final = {"instrument": "exam"}


class Seat:
    """One call of `sit`, after the session was found and the run begun."""

    def __init__(
        self,
        place: Place,
        run: StoredRun,
        client: ExaminerClient,
        steering: Steering,
        standing: Standing,
        max_cost: float | None,
        again: str,
    ) -> None:
        self._place = place
        self._run = run
        self._client = client
        self._steering = steering
        self._standing = standing
        self._max_cost = max_cost
        self._again = again
        self._tally = Tally(receipts=read_receipts(run.plan))

    async def sit(self) -> Sitting:
        """Sit until nothing is left or something stops it, and keep how it ended."""
        async with hold_run(self._place.engine, self._run.id, self._steering.stop) as lease:
            self._place = replace(self._place, lease=lease)
            return await self._sit()

    async def _sit(self) -> Sitting:
        progress = self._steering.progress
        progress.total, progress.done = self._standing.quota, self._standing.completed
        if self._steering.started is not None:
            self._steering.started(self._run)
        await asyncio.to_thread(self._end, "running", None)
        error = await self._sat()
        stopped = self._steering.stop.reason
        done = self._standing.completed >= self._standing.quota
        if error is None and stopped is None and not done:
            error = Conflict(f"the session is {self._standing.state}: it takes no more answers")
        status = "finished" if error is None and done else "stopped"
        reason = None if status == "finished" else str(error) if error else stopped
        await asyncio.to_thread(self._end, status, reason)
        counts = await asyncio.to_thread(count_runs, self._place.engine, [self._run.id])
        return Sitting(
            self._run.id,
            self._run.plan["session"],
            self._run.models[0][1].name,
            status,
            reason,
            error,
            self._standing,
            counts[self._run.id],
            self._tally,
            self._run.simulated,
            self._again,
        )

    async def _sat(self) -> AssayError | None:
        """Answer what is left; return what made that impossible."""
        try:
            budget = await asyncio.to_thread(budget_of, self._place.engine, self._max_cost, [self._run.id])
            await self._fetch_receipts()
            async with open_asking(self._place, self._run, budget=budget, steering=self._steering) as asking:
                while self._standing.open and self._steering.stop.reason is None:
                    await self._question(asking)
        except Stopped:
            return None
        except AssayError as error:
            return error
        return None

    async def _question(self, asking: Asking) -> None:
        """Take a question, answer it, hand the answer in."""
        try:
            posed = await self._client.question()
        except Conflict:
            before, self._standing = self._standing, await self._client.standing()
            if self._standing == before:
                raise
            return
        reply = await self._reply(asking, posed)
        body = answer_body(reply, posed.most_characters)
        self._tally.invalid += reply.status is CallStatus.INVALID
        self._tally.cut += len(reply.text or "") > posed.most_characters
        try:
            self._tally.receipts[posed.position] = await self._client.answer(posed.position, body)
        except Conflict:
            self._standing = await self._client.standing()
            if self._standing.completed < posed.position:
                raise
            self._tally.refused += 1
        self._steering.progress.count(reply)
        self._standing = replace(self._standing, completed=max(self._standing.completed, posed.position))
        if self._standing.completed >= self._standing.quota:
            self._standing = await self._client.standing()

    async def _reply(self, asking: Asking, posed: Posed) -> ModelReply:
        """Return the model's reply: the one that was paid for earlier, or a new one."""
        (_, model) = self._run.models[0]
        reply = (await self._paid([posed.position])).get(posed.position)
        if reply is not None:
            self._tally.reused += 1
            return reply
        ask = ModelAsk("subject", model.name, posed.messages, about=ABOUT)
        reply = await unless_given_up(asking.ask(ask, posed.position), self._steering.stop)
        if reply.status is CallStatus.ERROR:
            raise Upstream(
                f"{model.name} gave no answer to question {posed.position} after {reply.attempts} attempts "
                f"({reply.error}{': ' + reply.detail if reply.detail else ''}): nothing was handed in for it"
            )
        self._tally.asked += 1
        return await self._durable(posed.position)

    async def _durable(self, position: int) -> ModelReply:
        """Return an answer as the ledger holds it: nothing is handed in that could be lost here."""
        until = self._place.monotonic() + DURABLE_SECONDS
        while True:
            reply = (await self._paid([position])).get(position)
            if reply is not None:
                return reply
            if self._place.monotonic() > until:
                raise Upstream(f"the answer to question {position} does not get into the database")
            await asyncio.sleep(0.01)

    async def _fetch_receipts(self) -> None:
        """Hand in again what was delivered by a process that died before it could keep the receipts."""
        lacking = [
            place for place in range(1, self._standing.completed + 1) if place not in self._tally.receipts
        ]
        for position, reply in (await self._paid(lacking)).items():
            try:
                given = await self._client.answer(position, answer_body(reply, None))
            except (Conflict, Denied, InvalidInput):
                continue
            self._tally.receipts[position] = given

    async def _paid(self, positions: list[int]) -> Mapping[int, ModelReply]:
        rows = await asyncio.to_thread(subject_calls, self._place.engine, self._run.id, positions)
        return {position: recorded_reply(row) for position, row in sorted(rows.items())}

    def _end(self, status: str, reason: str | None) -> None:
        engine = self._place.engine
        plan = read_run(engine, self._run.id).plan
        self._tally.receipts = {**read_receipts(plan), **self._tally.receipts}
        receipts = [astuple(each) for _, each in sorted(self._tally.receipts.items())]
        kept = {**plan, "receipts": receipts, "quota": self._standing.quota}
        keep_plan(engine, self._run.id, kept)
        end_run(
            engine,
            self._run.id,
            status=status,
            reason=reason,
            clock=self._place.clock,
            lease=self._place.lease,
        )
