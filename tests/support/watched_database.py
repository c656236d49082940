"""A database of watched days with chosen answers, for the tests of pages."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

from fresh_database import fresh_sqlite
from small_suite import make_suite
from sqlalchemy import Engine, update

from assay.core.model import Model
from assay.core.suite import Suite
from assay.runs.plan import plan_run
from assay.runs.work import Work, open_work
from assay.store.engine import writing
from assay.store.ledger import write
from assay.store.rows import CallRow, GradeRow, SampleRow
from assay.store.runs import new_run
from assay.store.schema import calls, grades, runs, samples
from assay.store.suites import keep_suite

FIRST = date(2026, 3, 2)
"""The first watched day."""
MODELS = (Model("simulated", "steady"), Model("simulated", "falling"))
Answer = Callable[[str, str, int, bool], str]
"""Returns an answer from the model, the case, the day and whether it is right."""


def _plain(model: str, case: str, day: int, right: bool) -> str:
    return f"{'right' if right else 'wrong'} answer of {model} to {case} on day {day}"


def watched_work(
    folder: Path,
    *,
    days: int = 12,
    fell_on: Mapping[int, int] | None = None,
    models: Sequence[Model] = MODELS,
    suite: Suite | None = None,
    answer: Answer = _plain,
    environment: Mapping[str, str] | None = None,
) -> Work:
    """Return a workspace whose models answered every case once a day.

    All answers are right until the day `fell_on` of a model (by its place), and wrong from then on.
    """
    suite = suite or replace(make_suite(full=1), title="Small suite")
    engine = fresh_sqlite(folder / "assay.db")
    keep_suite(engine, suite, clock=lambda: 0.0)
    for day in range(days):
        add_day(engine, suite, models, day, fell_on or {1: days - 1}, answer)
    engine.dispose()
    variables = {**os.environ, "ASSAY_DATABASE": str(folder / "assay.db"), **(environment or {})}
    return open_work(folder, environment=variables)


def add_day(
    engine: Engine,
    suite: Suite,
    models: Sequence[Model],
    day: int,
    fell_on: Mapping[int, int],
    answer: Answer = _plain,
) -> int:
    """Store a finished run of a watched day, and return its number."""
    when = FIRST + timedelta(days=day)
    at = float((when - date(1970, 1, 1)).days * 86400 + 21600)
    plan = plan_run(suite, list(models))
    run = new_run(
        engine,
        kind="watch",
        suite=suite.digest,
        subjects=list(models),
        plan=plan.described(),
        day=when.isoformat(),
        simulated=any(model.provider == "simulated" for model in models),
        clock=lambda: at,
    )
    rows: tuple[list[SampleRow], list[GradeRow], list[CallRow]] = ([], [], [])
    for place, (row, model) in enumerate(run.models):
        right = day < fell_on.get(place, 10**9)
        for ordinal, case in enumerate(suite.cases):
            position = place * len(suite.cases) + ordinal
            text = answer(model.name, case.id, day, right)
            rows[0].append(
                SampleRow(run.id, position, row, ordinal, 1, "ok", 100.0 * right, 0, at + position)
            )
            rows[1].append(
                GradeRow(run.id, position, 0, "contains", float(right), None, '{"wanted": 1, "met": 0}')
            )
            rows[2].append(
                CallRow(
                    *(run.id, position, "subject", row, b"\0" * 32, 1, "ok", None, None, 200, 20, 30, None),
                    *(None, 0.001, "Home", model.upstream, "fp-1", "stop", "stop", at, 0.5, text),
                )
            )
    with writing(engine) as connection:
        for table, listed in zip((samples, grades, calls), rows, strict=True):
            write(connection, table, listed)
        connection.execute(
            update(runs).where(runs.c.id == run.id).values(status="finished", finished_at=at + 60)
        )
    return run.id
