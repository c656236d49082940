"""Which models a watch of today need not ask, because a run of the day has measured them already."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

from sqlalchemy import Engine

from assay.core.errors import Conflict
from assay.runs.plan import Plan
from assay.store.runs import list_runs


@dataclass(frozen=True, slots=True)
class Measured:
    """A model, by name, and the finished watch run that measured it on the day."""

    model: str
    run: int


def without_measured(engine: Engine | None, plan: Plan, day: date) -> tuple[Plan, tuple[Measured, ...]]:
    """Return a day's plan without the models that a finished run of the day measured, and those models.

    A model with another pin or other parameters is another model. Raises Conflict where an unfinished run
    of the day holds samples of a model that is still to be measured. Without a database nothing is measured.
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
        begun = {model.fingerprint for _, model in run.models}
        if run.status != "finished" and begun & (wanted - set(finished)):
            raise Conflict(
                f"run {run.id} of {day} is unfinished: finish it with `assay resume {run.id}` (what is "
                "recorded is not paid for again), or pass --again to begin another run"
            )
    known = tuple(
        Measured(model.name, finished[model.fingerprint])
        for model in plan.models
        if model.fingerprint in finished
    )
    left = tuple(model for model in plan.models if model.fingerprint not in finished)
    return replace(plan, models=left), known


def explain_measured(measured: tuple[Measured, ...], day: date) -> str:
    """Say which models are measured already, by which runs."""
    by_run: dict[int, list[str]] = {}
    for each in measured:
        by_run.setdefault(each.run, []).append(each.model)
    runs = "; ".join(f"run {run} measured {', '.join(names)}" for run, names in sorted(by_run.items()))
    names = ", ".join(each.model for each in measured)
    verb = "is" if len(measured) == 1 else "are"
    return f"{day}: {names} {verb} measured already ({runs})"
