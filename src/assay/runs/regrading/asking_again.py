"""Asking judges again, at the end of a run, for missing marks, and reporting those that stay missing."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace

from assay.calls.control import RunControl
from assay.core.wording import counted
from assay.results.runs import RunOutcome
from assay.runs.conduct import RunContext
from assay.runs.plan import Plan
from assay.runs.regrading.missing import MissingMarks, missing_marks
from assay.runs.regrading.regrade import graders_changed, regrade
from assay.store.runs import StoredRun, read_run

ROUNDS = 2
MOST_NAMED = 5
STALE = ("marks missing (", "ungraded (")
"""The beginnings of remarks that each round of asking replaces."""


async def ask_again(
    context: RunContext,
    stored: StoredRun,
    plan: Plan,
    outcome: RunOutcome,
    *,
    max_cost: float | None,
    control: RunControl,
) -> RunOutcome:
    """Ask for missing marks in at most `ROUNDS` rounds; stop after a round that brought none.

    A judge that has marked nothing at all is not asked again. No judge is asked if judges are recorded or the
    run was stopped. `max_cost` bounds the whole run. The outcome's remarks name the marks that stay missing.
    """
    engine, run = context.engine, stored.id
    if not plan.judges or outcome.status != "finished":
        return outcome
    missing = await asyncio.to_thread(missing_marks, engine, run, plan)
    rounds = 0 if _recorded(context, plan) or graders_changed(plan) else ROUNDS
    for _ in range(rounds):
        left = None if max_cost is None else max_cost - outcome.spend.known
        asked = missing.askable
        if not asked or control.stop.reason is not None or (left is not None and left <= 0):
            break
        again = await regrade(
            context,
            await asyncio.to_thread(read_run, engine, run),
            plan,
            only="ungraded",
            among=asked,
            max_cost=left,
            control=RunControl(stop=control.stop),
        )
        current = tuple(remark for remark in outcome.remarks if not remark.startswith(STALE))
        outcome = replace(
            outcome,
            counts=again.counts,
            spend=again.spend,
            remarks=tuple(dict.fromkeys((*current, *again.remarks))),
        )
        before, missing = missing, await asyncio.to_thread(missing_marks, engine, run, plan)
        if len(missing.askable) >= len(before.askable):
            break
    return replace(
        outcome,
        remarks=(*outcome.remarks, *_still_missing(stored, plan, missing)),
        unmarked=len(missing.unmarked),
    )


def _recorded(context: RunContext, plan: Plan) -> bool:
    providers = (context.providers.get(model.provider) for _, model in plan.judges)
    return any(provider is not None and provider.dialect == "recorded" for provider in providers)


def _still_missing(stored: StoredRun, plan: Plan, missing: MissingMarks) -> Iterator[str]:
    """Yield a remark for each judge whose marks are missing; a private suite's cases are not named."""
    cases = plan.suite.cases
    for row, judge in plan.judges:
        lacking = missing.of_judge(row)
        if not lacking:
            continue
        names = list(dict.fromkeys(cases[plan.locate(position).case].id for position in lacking))
        more = ", ..." if len(names) > MOST_NAMED else ""
        shown = f" ({', '.join(names[:MOST_NAMED])}{more})" if plan.suite.visibility == "public" else ""
        count = counted(len(lacking), "answer")
        yield (
            f"{judge.name} has not marked {count}{shown}; "
            f"ask again with: assay grade {stored.id} --only ungraded"
        )
