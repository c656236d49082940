"""Calibrating a judge: it marks the suite's frozen exemplars again, and its marks are held against its first.

A calibration is a run of kind `calibrate`: its calls stand in the ledger, its marks beside all others.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import date
from functools import partial

from sqlalchemy import Engine

from assay.calls.ask import Caller, Lane
from assay.calls.budget import Budget
from assay.calls.lease import hold_run
from assay.calls.progress import Progress, missing_marks
from assay.calls.record import Recorder
from assay.calls.stop import Stop
from assay.calls.subjects import check_keys
from assay.calls.workers import carry_out
from assay.core.ask import CallStatus, ModelReply
from assay.core.errors import Conflict, InvalidInput
from assay.core.judging import Panel
from assay.core.model import Model
from assay.core.suite import Suite
from assay.grading.calibration import (
    LEAST_SHARE,
    MOST_EXEMPLARS,
    Exemplars,
    calibration_set,
    judge_shifts,
)
from assay.grading.registry import grader
from assay.providers.network import open_session, uses_tls
from assay.runs.conduct import Setting
from assay.runs.grade import grade_answer
from assay.runs.judged.bench import Bench
from assay.runs.judged.calibration import Calibration
from assay.runs.judged.judges import ready_judges
from assay.store.marks import marks_of_run
from assay.store.runs import StoredRun, end_run, keep_plan, list_runs, new_run
from assay.store.suites import keep_suite
from assay.store.writer import LedgerWriter

KIND = "calibrate"
PHASE = "calibrating"
EXEMPLAR = Model("exemplar", "exemplar")


async def calibrate(
    setting: Setting,
    suite: Suite,
    judge: tuple[int, Model],
    day: date,
    *,
    panel: Panel,
    freeze: bool = False,
    budget: Budget | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Calibration:
    """Let a judge mark a suite's calibration set, every time anew, and compare with its frozen marks.

    The first calibration that marked four fifths of the set is frozen; with `freeze` this one takes its
    place. One that was stopped or killed is never frozen. Raises InvalidInput for a suite without exemplars
    to mark or a judge that cannot be asked, BudgetSpent when the `budget` does not pay for the rest.
    """
    chosen = calibration_set(suite)
    if not chosen.positions:
        raise InvalidInput(f"suite {suite.name!r} has no exemplars with `marks` in judged use cases")
    engine = setting.engine
    row, model = judge
    try:
        check_keys([model], setting.providers, setting.environment)
    except InvalidInput as error:
        raise InvalidInput(f"judge {model.name!r} cannot judge: {error}") from error
    provider = setting.providers.get(model.provider)
    simulated = provider is not None and provider.dialect == "simulated"
    alone = replace(panel, judges=(model.name,), geval=None, substitute=None)
    await asyncio.to_thread(keep_suite, engine, suite, clock=setting.clock)
    plan = {"judges": [row], "frozen": False, "max_tokens": alone.max_tokens}
    run = await asyncio.to_thread(
        new_run,
        engine,
        kind=KIND,
        suite=suite.digest,
        subjects=[model],
        plan=plan,
        day=day.isoformat(),
        simulated=simulated,
        clock=setting.clock,
    )
    stop = stop or Stop()
    budget = budget or Budget(None)
    before = budget.spent
    progress = progress or Progress(0)
    progress.begin(PHASE, len(chosen.positions))
    async with hold_run(engine, run.id, stop) as lease:
        held = replace(setting, lease=lease)
        end = partial(end_run, engine, run.id, clock=setting.clock, lease=lease)
        try:
            bench = await _mark_all(held, suite, judge, run, chosen, alone, budget, stop, progress)
        except BaseException as error:
            await asyncio.to_thread(end, status="stopped", reason=str(error) or type(error).__name__)
            raise
        status, reason = ("finished", None) if stop.reason is None else ("stopped", stop.reason)
        await asyncio.to_thread(end, status=status, reason=reason)
    today = await asyncio.to_thread(marks_of_run, engine, run.id)
    reference = await asyncio.to_thread(_reference, engine, suite, row, alone, run.id)
    complete = status == "finished" and len(today) >= LEAST_SHARE * len(chosen.positions)
    if reference is None or freeze:
        if complete:
            reference = run.id
        elif freeze:
            raise Conflict(
                f"run {run.id} marked {len(today)} of {len(chosen.positions)} exemplars: too few to freeze"
            )
    frozen = await asyncio.to_thread(marks_of_run, engine, reference) if reference is not None else {}
    shifts = judge_shifts(chosen, frozen, today, limit=suite.thresholds.judge_shift)
    kept = {
        **plan,
        "frozen": reference == run.id,
        "reference": reference,
        "shifts": {shift.use_case: shift.shift for shift in shifts},
    }
    await asyncio.to_thread(keep_plan, engine, run.id, kept)
    return Calibration(
        run.id,
        model.name,
        suite.name,
        day,
        reference,
        shifts,
        len(chosen.positions) - len(today),
        missing_marks(bench.unread),
        budget.spent.known - before.known,
        budget.spent.unknown - before.unknown,
        simulated,
    )


async def _mark_all(
    setting: Setting,
    suite: Suite,
    judge: tuple[int, Model],
    run: StoredRun,
    chosen: Exemplars,
    panel: Panel,
    budget: Budget,
    stop: Stop,
    progress: Progress,
) -> Bench:
    _, model = judge
    provider = setting.providers.get(model.provider)
    if provider is None:
        raise InvalidInput(f"judge {model.name!r} has no provider {model.provider!r}")
    limit = setting.concurrency or provider.concurrency
    tls = uses_tls(provider.base_url, setting.environment)
    async with open_session(limit, setting.environment, tls=tls) as session:
        lanes: dict[str, Lane] = {}
        judges = ready_judges(
            [judge],
            setting.providers,
            session,
            setting.environment,
            clock=setting.monotonic,
            concurrency=setting.concurrency,
            lanes=lanes,
        )
        absent = judges[model.name].absent
        if absent is not None:
            raise InvalidInput(f"judge {model.name!r} {absent}")
        recorder = Recorder(LedgerWriter(setting.engine, setting.lease), stop=stop)
        caller = Caller(
            run.id,
            recorder,
            budget,
            clock=setting.clock,
            rng=setting.rng,
            sandbox=setting.sandbox,
            note_retry=progress.retried,
            note_reply=progress.called,
        )
        bench = Bench(run.id, caller, recorder, panel, judges, None, setting.clock, purpose="calibration")
        try:
            await _answers(suite, chosen, caller, bench, limit, stop, progress)
        finally:
            await recorder.close()
    return bench


async def _answers(
    suite: Suite,
    chosen: Exemplars,
    caller: Caller,
    bench: Bench,
    limit: int,
    stop: Stop,
    progress: Progress,
) -> None:
    cases = suite.cases
    graders = {
        ordinal: tuple((spec, grader(spec.name)) for spec in cases[ordinal].graders)
        for ordinal in {position // MOST_EXEMPLARS for position in chosen.positions}
    }

    async def mark(position: int) -> None:
        ordinal, place = divmod(position, MOST_EXEMPLARS)
        case = cases[ordinal]
        reply = ModelReply(CallStatus.OK, case.exemplars[place].answer)
        judging = bench.on(position, EXEMPLAR)
        await grade_answer(caller, suite.use_case(case.use_case), case, graders[ordinal], reply, judging)
        await bench.recorder.room()
        progress.done += 1

    workers = min(limit, len(chosen.positions))
    await carry_out(chosen.positions, mark, workers=workers, caller=caller, stop=stop)


def _reference(engine: Engine, suite: Suite, judge: int, panel: Panel, but: int) -> int | None:
    """Return the run that froze this judge's marks last, under the same output budget; None without one."""
    for run in list_runs(engine, kind=KIND):
        if (
            run.id != but
            and run.suite == suite.digest
            and run.status == "finished"
            and run.plan.get("frozen")
            and run.plan.get("judges") == [judge]
            and run.plan.get("max_tokens") == panel.max_tokens
        ):
            return run.id
    return None
