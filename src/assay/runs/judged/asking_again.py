"""Asking judges again, at the end of a run, for the marks that are missing, and saying what still is."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace

from assay.calls.progress import Progress
from assay.calls.steering import Steering
from assay.runs.conduct import Outcome, Setting
from assay.runs.judged.missing import MissingMarks, missing_marks
from assay.runs.judged.regrade import graders_changed, regrade
from assay.runs.plan import Plan
from assay.store.runs import StoredRun, read_run

ROUNDS = 2
MOST_NAMED = 5
STALE = ("marks missing (", "ungraded (")
"""How the remarks begin that the last round of asking replaces."""


async def ask_again(
    setting: Setting,
    stored: StoredRun,
    plan: Plan,
    outcome: Outcome,
    *,
    max_cost: float | None,
    steering: Steering,
) -> Outcome:
    """Ask for missing marks in at most `ROUNDS` rounds, each only while the one before brought some.

    A judge that has marked nothing at all is not asked again, and nobody where judges repeat recordings or
    the run was stopped. `max_cost` bounds the whole run. The outcome says which marks are missing then.
    """
    engine, run = setting.engine, stored.id
    if not plan.judges or outcome.status != "finished":
        return outcome
    missing = await asyncio.to_thread(missing_marks, engine, run, plan)
    rounds = 0 if _recorded(setting, plan) or graders_changed(plan) else ROUNDS
    for _ in range(rounds):
        left = None if max_cost is None else max_cost - outcome.counts.cost
        asked = missing.askable
        if not asked or steering.stop.reason is not None or (left is not None and left <= 0):
            break
        again = await regrade(
            setting,
            await asyncio.to_thread(read_run, engine, run),
            plan,
            only="ungraded",
            among=asked,
            max_cost=left,
            progress=Progress(0),
            stop=steering.stop,
        )
        kept = tuple(each for each in outcome.remarks if not each.startswith(STALE))
        outcome = replace(outcome, counts=again.counts, remarks=tuple(dict.fromkeys((*kept, *again.remarks))))
        before, missing = missing, await asyncio.to_thread(missing_marks, engine, run, plan)
        if len(missing.askable) >= len(before.askable):
            break
    return replace(
        outcome,
        remarks=(*outcome.remarks, *_still_missing(stored, plan, missing)),
        unmarked=len(missing.unmarked),
    )


def _recorded(setting: Setting, plan: Plan) -> bool:
    providers = (setting.providers.get(model.provider) for _, model in plan.judges)
    return any(each is not None and each.dialect == "recorded" for each in providers)


def _still_missing(stored: StoredRun, plan: Plan, missing: MissingMarks) -> Iterator[str]:
    """Say which judge's marks are missing on which answers; a private suite's cases are not named."""
    cases = plan.suite.cases
    for row, judge in plan.judges:
        lacking = missing.of_judge(row)
        if not lacking:
            continue
        names = list(dict.fromkeys(cases[plan.locate(position).case].id for position in lacking))
        more = ", ..." if len(names) > MOST_NAMED else ""
        told = f" ({', '.join(names[:MOST_NAMED])}{more})" if plan.suite.visibility == "public" else ""
        count = f"{len(lacking)} answer{'' if len(lacking) == 1 else 's'}"
        yield (
            f"{judge.name} has not marked {count}{told}; "
            f"ask again with: assay grade {stored.id} --only ungraded"
        )
