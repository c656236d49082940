"""The models that a run of the day has measured before, so that a watch need not ask them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from sqlalchemy import Engine

from assay.core.errors import Conflict
from assay.results.plans import MeasuredModel
from assay.results.runs import RunOutcome
from assay.results.watch import WatchDay
from assay.runs.plan import Plan
from assay.runs.watch.history import stored_history
from assay.runs.watch.spending import day_spending
from assay.store.runs import count_runs, list_runs, read_run
from assay.watch.judgement import judge
from assay.watch.wording import verdicts_on


def without_measured(engine: Engine | None, plan: Plan, day: date) -> tuple[Plan, tuple[MeasuredModel, ...]]:
    """Return a day's plan without the models that a finished run of the day measured, and those models.

    A model with another pin or other parameters is another model. Raises Conflict if an unfinished run of the
    day has samples of a model that is still to be measured. Without a database nothing was measured.
    """
    if engine is None:
        return plan, ()
    wanted = {model.fingerprint for model in plan.models}
    runs = list_runs(engine, kind="watch", suite=plan.suite.digest, day=day.isoformat())
    finished: dict[str, int] = {}
    for run in runs:
        if run.status == "finished":
            for _, model in run.models:
                finished.setdefault(model.fingerprint, run.id)
    for run in runs:
        started = {model.fingerprint for _, model in run.models}
        if run.status != "finished" and started & (wanted - set(finished)):
            raise Conflict(
                f"run {run.id} of {day} is unfinished: use `assay resume {run.id}` (recorded calls are "
                "not repeated), or pass --again to start another run"
            )
    measured = tuple(
        MeasuredModel(model.name, finished[model.fingerprint])
        for model in plan.models
        if model.fingerprint in finished
    )
    missing = tuple(model for model in plan.models if model.fingerprint not in finished)
    return replace(plan, models=missing), measured


def explain_measured(measured: tuple[MeasuredModel, ...], day: date) -> str:
    """Return a sentence with the runs that measured these models."""
    by_run: dict[int, list[str]] = {}
    for model in measured:
        by_run.setdefault(model.run, []).append(model.model)
    parts = [f"run {run} has measured {', '.join(names)}" for run, names in sorted(by_run.items())]
    return f"{', and '.join(parts)} on {day} already"


def measured_day(engine: Engine, measured: Sequence[MeasuredModel], day: date) -> WatchDay:
    """Return the stored verdicts of a day on which all models were measured before; store nothing."""
    last = read_run(engine, max(model.run for model in measured))
    counts = count_runs(engine, [last.id])[last.id]
    stored = stored_history(engine, last.suite, until=day)
    names = {model.model for model in measured}
    verdicts = verdicts_on(judge(stored.history, stored.suite.thresholds), day)
    return WatchDay(
        RunOutcome(last.id, last.status, None, None, counts.samples, counts.spend),
        day,
        (),
        tuple(verdict for verdict in verdicts if verdict.model in names),
        (),
        stored.simulated,
        measured=tuple(measured),
        spent=day_spending(engine, stored.suite, day),
    )
