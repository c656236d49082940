"""Having judges compare the stored answers of models, in both orders, and resuming a stopped comparison."""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from sqlalchemy import Engine

from assay.calls.asking import (
    MAX_TOKENS,
    Asking,
    AskingContext,
    AskingEnd,
    Replies,
    carry_on_asking,
    recorded_replies,
)
from assay.calls.control import RunControl
from assay.calls.progress import add_reason
from assay.calls.stand_ins import RECORDED, stands_in
from assay.calls.subjects import check_keys
from assay.core.judging import Mark
from assay.core.model import Model
from assay.core.wording import counted
from assay.grading.model_family import excluded
from assay.grading.pairs import FAILED, PAIRS, ShownPair, ask_pair, pair_essence, read_pair
from assay.ranking.pair_verdicts import judge_orders, list_verdicts, tally_pairs
from assay.results.pairs import PairStudy
from assay.runs.judging.bench import storable
from assay.runs.judging.recall import Recall
from assay.runs.pairs.plan import PairEntry, PairJob, PairPlan, read_answers, stored_plan
from assay.runs.pairs.verdicts import BY_RULE, read_verdicts, verdict_rows
from assay.store.ledger import last_call
from assay.store.marks import marks_by_key
from assay.store.rows import MarkRow
from assay.store.runs import StoredRun, keep_models, new_run, read_run

KEPT_ENTRIES = 128
"""The most entries whose answers are kept in memory."""


def begin_pairs(context: AskingContext, plan: PairPlan, judges: Sequence[Model]) -> StoredRun:
    """Store a new comparison. Nothing is sent yet.

    Raises InvalidInput for a judge whose provider is unknown or has no key.
    """
    check_keys(judges, context.providers, context.environment)
    rows = keep_models(context.engine, judges)
    compared = [read_run(context.engine, number) for number in {entry.run for entry in plan.contestants}]
    return new_run(
        context.engine,
        kind=PAIRS,
        suite=plan.suite.digest,
        subjects=judges,
        plan={**plan.described(), "judges": [row for row, _ in rows]},
        day=None,
        simulated=any(stands_in(judge, context.providers) for judge in judges)
        or any(run.simulated for run in compared),
        clock=context.clock,
    )


async def carry_on_pairs(
    context: AskingContext,
    run: StoredRun,
    *,
    max_cost: float | None = None,
    control: RunControl | None = None,
) -> PairStudy:
    """Ask for the missing verdicts of a comparison and return its result.

    A verdict that is stored, readable or not, is not asked for again unless its call failed. An error that
    stops the comparison is in `error` of the result.
    """
    control = control or RunControl()
    plan = await asyncio.to_thread(stored_plan, context.engine, run)
    context = replace(context, cases=plan.suite.cases)

    async def ask(asking: Asking) -> None:
        rows = await asyncio.to_thread(verdict_rows, context.engine, run)
        done = {job for job, row in rows.items() if row.mode != FAILED}
        jobs = list(plan.jobs())
        control.progress.begin("verdicts", len(jobs), len(done))
        missing = [job for job in jobs if job not in done]
        paid = await asyncio.to_thread(_paid_replies, context, run, plan, missing)
        await asking.each(missing, _Work(context, run, plan, asking, control, paid).settle)

    end = await carry_on_asking(context, run, ask, max_cost=max_cost, control=control)
    return await asyncio.to_thread(_summary, context.engine, run, plan, end)


def _paid_replies(
    context: AskingContext, run: StoredRun, plan: PairPlan, missing: Sequence[PairJob]
) -> dict[int, Replies]:
    """Return the replies whose verdicts were not stored before the process died, by position."""
    if not last_call(context.engine, run.id):
        return {}
    return recorded_replies(context, run.id, [plan.position(job) for job in missing])


class _Work:
    """The verdicts of one comparison while they are asked for."""

    def __init__(
        self,
        context: AskingContext,
        run: StoredRun,
        plan: PairPlan,
        asking: Asking,
        control: RunControl,
        paid: Mapping[int, Replies],
    ) -> None:
        self._context, self._run, self._plan = context, run, plan
        self._asking, self._control, self._paid = asking, control, paid
        recorded = any(stands_in(model, context.providers, RECORDED) for _, model in run.models)
        self._recall = None if recorded else Recall(partial(_earlier, context.engine))
        self._entries: OrderedDict[int, asyncio.Task[tuple[Mapping[int, str], str]]] = OrderedDict()

    async def settle(self, job: PairJob) -> None:
        """Store one verdict: by rule, from an earlier run on the same answers, or from the judge."""
        plan = self._plan
        entry, one, other = plan.locate(job.pair)
        answers, essence = await self._answers(job.pair // len(plan.pairs))
        texts = (answers[one], answers[other])
        ruled = plan.by_rule(job.pair)
        if ruled is None and texts[0] == texts[1]:
            ruled = 0.5
        if ruled is not None:
            await self._record(job, Mark(ruled if job.order == 0 else 1.0 - ruled, mode=BY_RULE), None)
            return
        shown = ShownPair(*(texts if job.order == 0 else texts[::-1]), plan.fence(job))
        judge = self._run.models[job.judge][1]
        if self._recall is None:
            await self._record(job, await self._verdict(job, shown, entry, judge), None)
            return
        key = _key(essence, shown, judge)
        recalled = await self._recall.mark(key, lambda: self._verdict(job, shown, entry, judge))
        await self._record(job, recalled.mark, key, reused=recalled.reused)

    async def _verdict(self, job: PairJob, shown: ShownPair, entry: PairEntry, judge: Model) -> Mark:
        """Return the judge's verdict; a reply that was paid for before is read first."""
        case, position = self._plan.suite.cases[entry.case], self._plan.position(job)
        ask = ask_pair(case, shown)
        outcome, replies = await self._asking.judge(
            judge.name,
            ask,
            partial(read_pair, case, shown),
            position,
            replies=() if ask.sealed else self._paid.get(position, ()),
            first=shown.first,
            second=shown.second,
        )
        if outcome.mode == FAILED:
            self._control.progress.count(replies[-1])
        return outcome

    async def _record(self, job: PairJob, mark: Mark, key: bytes | None, *, reused: bool = False) -> None:
        row, judge = self._run.models[job.judge]
        if mark.mode != FAILED:
            self._control.progress.done += 1
        if mark.value is None and mark.mode != FAILED:
            add_reason(self._control.progress.unread, f"{judge.name}: {mark.reason}")
        await self._asking.mark(
            MarkRow(
                self._run.id,
                job.pair,
                job.order,
                row,
                PAIRS,
                mark.value,
                None if mark.reason is None else storable(mark.reason),
                storable(mark.rationale),
                mark.mode,
                key,
                int(reused),
                self._context.clock(),
            )
        )

    async def _answers(self, number: int) -> tuple[Mapping[int, str], str]:
        """Return an entry's answers by contestant and its essence; they are read once while they are used."""
        task = self._entries.get(number)
        if task is None:
            task = asyncio.create_task(asyncio.to_thread(self._read, number))
            self._entries[number] = task
            if len(self._entries) > KEPT_ENTRIES:
                self._entries.popitem(last=False)
        return await asyncio.shield(task)

    def _read(self, number: int) -> tuple[Mapping[int, str], str]:
        entry = self._plan.entries[number]
        (texts,) = read_answers(self._context.engine, self._plan, [entry])
        return texts, pair_essence(self._plan.suite.cases[entry.case])


def _earlier(engine: Engine, keys: list[bytes]) -> dict[bytes, Mark]:
    """Return the stored verdicts on the same questions by the same judges."""
    rows = marks_by_key(engine, keys)
    return {key: Mark(row.value, row.rationale, row.reason, row.mode) for key, row in rows.items()}


def _key(essence: str, shown: ShownPair, judge: Model) -> bytes:
    """Return the key of a verdict: equal exactly if the same judge would be asked the same question."""
    whole = hashlib.blake2b(digest_size=16)
    for part in (PAIRS, essence, shown.first, shown.second, judge.fingerprint, str(MAX_TOKENS)):
        coded = part.encode("utf-8", "surrogatepass")
        whole.update(len(coded).to_bytes(8, "big") + coded)
    return whole.digest()


def _summary(
    engine: Engine,
    run: StoredRun,
    plan: PairPlan,
    end: AskingEnd,
) -> PairStudy:
    rows = verdict_rows(engine, run)
    verdicts = read_verdicts(engine, [run]).verdicts if rows else ()
    failed = sum(row.mode == FAILED for row in rows.values())
    return PairStudy(
        run=run.id,
        status=end.status,
        reason=end.reason,
        error=end.error,
        suite=plan.suite.name,
        version=plan.suite.version,
        compared=plan.names,
        prompts=plan.prompts,
        planned=sum(1 for _ in plan.jobs()),
        stored=len(rows) - failed,
        reused=sum(row.reused for row in rows.values()),
        tallies=tally_pairs(verdicts),
        orders=judge_orders(verdicts),
        verdicts=list_verdicts(verdicts),
        spend=end.spend,
        simulated=run.simulated,
        remarks=tuple(_remarks(run, plan, failed)),
    )


def _remarks(run: StoredRun, plan: PairPlan, failed: int) -> Iterator[str]:
    if failed:
        yield f"{counted(failed, 'verdict')} missing because the call failed: they are asked for when resumed"
    names = plan.names
    for judge, (_, model) in enumerate(run.models):
        own = [names[number] for place, number in sorted(plan.left_out) if place == judge]
        if own:
            yield f"{model.name} does not judge answers of {', '.join(own)}"
        if len(run.models) == 1:
            conflicts = [
                name
                for name, subject in zip(names, plan.models, strict=True)
                if excluded(model, subject, "family") is not None
            ]
            if conflicts:
                yield (
                    f"{model.name} judges answers of its own model or family ({', '.join(conflicts)}): "
                    "add judges of other families"
                )
