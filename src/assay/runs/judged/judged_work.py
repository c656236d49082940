"""What the Python interface does with judges: grading again, and calibrating; both on an open workspace."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import date
from typing import Literal

from assay.calls.asking import ASKED
from assay.calls.budget import Budget
from assay.calls.steering import Steering
from assay.core.errors import Conflict, InvalidInput
from assay.core.suite import Suite
from assay.runs.conduct import Outcome
from assay.runs.judged.calibrate import KIND, calibrate
from assay.runs.judged.calibration import Calibration
from assay.runs.judged.panels import Judges, choose_panel
from assay.runs.judged.regrade import Which, regrade
from assay.runs.plan import Plan, default_panel, stored_plan
from assay.runs.surroundings import Surroundings
from assay.store.runs import StoredRun, read_run
from assay.store.suites import read_suite

Exclude = Literal["self", "family"]


async def grade_again(
    work: Surroundings,
    number: int,
    *,
    judges: Judges,
    only: Which,
    max_cost: float | None,
    steering: Steering,
) -> Outcome:
    """Grade the stored answers of a run again.

    Judges that are named join those of the run, whose marks are used again. A run that had no judge gets
    those of its suite or workspace. Raises Conflict for a run without answers of its own.
    """
    run = await asyncio.to_thread(read_run, work.engine, number)
    if run.kind in {"import", KIND, *ASKED}:
        raise Conflict(f"run {number} is of kind {run.kind!r}: there is no answer to grade again")
    suite = await asyncio.to_thread(read_suite, work.engine, run.suite)
    plan = _with_judges(work, run, suite, judges)
    day = None if run.day is None else date.fromisoformat(run.day)
    async with work.setting(plan.everyone, suite.cases, day) as setting:
        plan = await asyncio.to_thread(work.seat, plan)
        return await regrade(
            setting,
            run,
            plan,
            only=only,
            max_cost=max_cost,
            progress=steering.progress,
            stop=steering.stop,
        )


def _with_judges(work: Surroundings, run: StoredRun, suite: Suite, said: Judges) -> Plan:
    """Return a run's plan with its own judges and those that are named besides, by its own rules."""
    plan = stored_plan(suite, [model for _, model in run.models], run.plan, run.judges)
    known = {model.name: model for _, model in run.judges}
    subjects = [model.name for model in plan.models]
    chosen = plan.panel
    if not chosen.names:
        chosen = choose_panel(suite, work.workspace, said, subjects=subjects, simulated=work.simulated)
    else:
        joining = () if said.judges == ("none",) else said.judges
        geval = chosen.geval if said.geval is None else None if said.geval == "none" else said.geval
        chosen = replace(
            chosen,
            judges=tuple(dict.fromkeys((*chosen.judges, *joining))),
            geval=geval,
            exclude=said.exclude or chosen.exclude,
            substitute=said.substitute or chosen.substitute,
            flags=chosen.flags and not said.withhold_flags,
        )
    if run.kind == "watch" and run.judges and chosen != plan.panel:
        raise InvalidInput(
            f"run {run.id} is a watch, whose judge is pinned: {plan.panel.judges[0]!r} marks it as it did, "
            "with no other beside it"
        )
    models = [known.get(name) or work.models([name])[0] for name in chosen.names]
    return replace(plan, panel=chosen, judges=tuple((0, model) for model in models))


async def calibrate_judge(
    work: Surroundings,
    suite: Suite,
    judge: str | None,
    *,
    freeze: bool,
    day: date | None,
    max_cost: float | None,
    steering: Steering,
) -> Calibration:
    """Calibrate a judge on a suite's exemplars: the one named, else the suite's pinned judge.

    Raises InvalidInput where neither is there.
    """
    name = judge or next(iter(default_panel(suite).judges), None)
    if name is None:
        raise InvalidInput(f"suite {suite.name!r} names no judge: pass --judge PROVIDER/MODEL")
    model = work.models([name])[0]
    async with work.setting([model], suite.cases, day) as setting:
        plan = Plan(suite, (), {}, (), judges=((0, model),))
        seated = await asyncio.to_thread(work.seat, plan)
        return await calibrate(
            setting,
            suite,
            seated.judges[0],
            day or work.today(),
            panel=default_panel(suite),
            freeze=freeze,
            budget=Budget(max_cost),
            progress=steering.progress,
            stop=steering.stop,
        )
