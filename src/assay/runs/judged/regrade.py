"""Grading stored answers again: the subjects are not asked, judges only for what nobody marked yet."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Literal

from sqlalchemy import Engine

from assay.calls.ask import recorded_reply
from assay.calls.budget import Budget
from assay.calls.lease import hold_run
from assay.calls.progress import Progress
from assay.calls.stop import Stop
from assay.core.ask import ModelReply
from assay.core.errors import Conflict
from assay.core.money import Spend
from assay.files.suite_digest import suite_digest
from assay.grading.registry import grader
from assay.runs.conduct import Outcome, Portion, Setting, execute_here, limit_remarks
from assay.runs.judged.missing import missing_marks
from assay.runs.plan import Plan
from assay.store.ledger import stored_answers, subject_calls
from assay.store.runs import StoredRun, count_runs, keep_plan

Which = Literal["all", "ungraded"]
AT_ONCE = 2_000


async def regrade(
    setting: Setting,
    stored: StoredRun,
    plan: Plan,
    *,
    only: Which = "all",
    among: Collection[int] | None = None,
    max_cost: float | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Outcome:
    """Grade the answers of a run again by its suite's graders and the plan's judges.

    `only` "ungraded" keeps answers without a score or without a readable mark of each judge, `among` these
    answers. Marks of judges that are not in the plan stay. `max_cost` (US dollars) bounds what this grading
    may cost. Raises Conflict when graders were mended since the run, as its grades would then be of two
    kinds, and while another process executes or grades the run.
    """
    stop = stop or Stop()
    async with hold_run(setting.engine, stored.id, stop) as lease:
        held = replace(setting, lease=lease)
        return await _regrade(held, stored, plan, only, among, max_cost, progress or Progress(0), stop)


async def _regrade(
    setting: Setting,
    stored: StoredRun,
    plan: Plan,
    only: Which,
    among: Collection[int] | None,
    max_cost: float | None,
    progress: Progress,
    stop: Stop,
) -> Outcome:
    check_graders(plan)
    engine, run = setting.engine, stored.id
    found = await asyncio.to_thread(_answers, engine, run, plan, only)
    if among is not None:
        found &= set(among)
    progress.total = len(found)
    before = count_runs(engine, [run])[run]
    keep_plan(engine, run, plan.described())
    budget = Budget(max_cost)
    positions, models = sorted(found), len(plan.models)
    remarks: dict[str, None] = {}
    for start in range(0, len(positions), AT_ONCE):
        if stop.reason is not None:
            break
        chunk = positions[start : start + AT_ONCE]
        replies = await asyncio.to_thread(_replies, engine, run, chunk)

        def lacking(wanted: Collection[int], chunk: list[int] = chunk) -> Iterator[int]:
            return (position for position in chunk if position % models in wanted)

        portion = Portion(stored, plan, lacking, budget, replies=replies)
        executed = await execute_here(setting, portion, progress, stop)
        remarks.update(dict.fromkeys(executed.refusals))
    counts = count_runs(engine, [run])[run]
    spent = Spend(
        counts.cost - before.cost, counts.calls - before.calls, counts.unknown_costs - before.unknown_costs
    )
    told = (*progress.complaints, *remarks, *limit_remarks(max_cost, spent))
    status = stored.status if stop.reason is None else "stopped"
    unmarked = len((await asyncio.to_thread(missing_marks, engine, run, plan)).unmarked) if plan.judges else 0
    return Outcome(run, status, stop.reason, stop.error, counts, told, unmarked)


def check_graders(plan: Plan) -> None:
    """Raise Conflict when the suite's digest is no longer that of its content with today's graders."""
    suite = plan.suite
    if graders_changed(plan):
        raise Conflict(
            f"suite {suite.name!r} {suite.version} was run with other versions of its graders: "
            "raise the suite's version and run it again, so that grades of two kinds are never mixed"
        )


def graders_changed(plan: Plan) -> bool:
    """Return whether the suite's digest is no longer that of its content with today's graders."""
    suite = plan.suite
    versions = {spec.name: grader(spec.name).version for case in suite.cases for spec in case.graders}
    today = suite_digest(
        suite.use_cases,
        name=suite.name,
        version=suite.version,
        parameters=suite.parameters,
        judge=suite.judge,
        versions=versions,
    )
    return today != suite.digest


def _answers(engine: Engine, run: int, plan: Plan, only: Which) -> set[int]:
    if only == "all":
        return stored_answers(engine, run)
    return stored_answers(engine, run, ungraded=True) | set(missing_marks(engine, run, plan).by_position)


def _replies(engine: Engine, run: int, positions: list[int]) -> Mapping[int, ModelReply]:
    return {place: recorded_reply(row) for place, row in subject_calls(engine, run, positions).items()}
