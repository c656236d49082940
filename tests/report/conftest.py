"""Judged histories for the report's tests, made without a database."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from unittest.mock import patch

import numpy as np
import pytest
from small_suite import make_suite
from sqlalchemy import create_engine

from assay.core.suite import Suite
from assay.runs.watch.history import StoredHistory
from assay.runs.watch.verdicts import Verdicts
from assay.store.schema import metadata
from assay.watch.history import DayRun, History, SampleRows, UseCaseSeries, WatchedModel

MakeVerdicts = Callable[..., Verdicts]


def _verdicts(
    *,
    days: int = 20,
    models: Sequence[str] = ("simulated/steady", "simulated/falling"),
    suite: Suite | None = None,
    falls: dict[int, int] | None = None,
    errors: Sequence[tuple[int, int]] = (),
    absent: Sequence[tuple[int, int]] = (),
    elsewhere: Sequence[tuple[int, int]] = (),
    ungraded: Sequence[int] = (),
    simulated: bool = False,
    full: int = 0,
    seed: int = 7,
) -> Verdicts:
    """Return verdicts on models that answer nine of ten cases rightly, with one sample per case and day.

    `falls` has the day on which a model falls, by model: from then on most of its answers are wrong.
    `errors`, `absent` and `elsewhere` are pairs (model, day) on which all samples errored, none was taken, or
    another provider answered; the use cases `ungraded` are never graded. Evidence has full power with `full`
    samples per case; 0 means any number.
    """
    suite = suite or make_suite(full=1)
    cases = [len(use_case.cases) for use_case in suite.use_cases]
    use_case_of = np.repeat(np.arange(len(cases)), cases)
    size = (len(models), sum(cases), days)
    rng = np.random.default_rng(seed)
    chance = np.full(size, 0.9)
    for model, day in (falls or {}).items():
        chance[model, :, day:] = 0.2
    right = rng.random(size) < chance
    model, case, day = (part.ravel() for part in np.indices(size))
    broken = np.isin(model * days + day, [model * days + day for model, day in errors])
    unmarked = np.isin(use_case_of[case], list(ungraded)) & ~broken
    kept = ~np.isin(model * days + day, [model * days + day for model, day in absent])
    routed = np.isin(model * days + day, [model * days + day for model, day in elsewhere])
    ok = (~broken & ~unmarked & ~routed).astype(np.int64)
    columns = {
        "run": day,
        "model": model,
        "case": case,
        "ok": ok,
        "invalid": np.zeros_like(ok),
        "error": broken.astype(np.int64),
        "ungraded": (unmarked & ~routed).astype(np.int64),
        "total": 100.0 * ok * right.ravel(),
        "elsewhere": (routed & ~broken).astype(np.int64),
    }
    rows = SampleRows(**{name: column[kept] for name, column in columns.items()})
    history = History(
        suite=suite.name,
        version=suite.version,
        subjects=tuple(WatchedModel(name, name.partition("/")[0]) for name in models),
        use_cases=tuple(
            UseCaseSeries(use_case.name, use_case.grading, tuple(case.id for case in use_case.cases), full)
            for use_case in suite.use_cases
        ),
        first=date(2026, 3, 2),
        days=days,
        runs=tuple(DayRun(number, number) for number in range(days)),
        rows=rows,
    )
    stored = StoredHistory(history, rows, suite, tuple(range(len(models))), simulated)
    # `Verdicts` reads the database only through this function.
    engine = create_engine("sqlite://")
    metadata.create_all(engine)
    with patch("assay.runs.watch.verdicts.stored_history", return_value=stored):
        return Verdicts(engine, suite.digest)


@pytest.fixture
def verdicts() -> MakeVerdicts:
    """A function that makes judged histories."""
    return _verdicts


@pytest.fixture
def private_suite() -> Suite:
    """A private suite whose case ids may not be shown."""
    made = make_suite(full=1)
    hidden = tuple(
        replace(use_case, cases=tuple(replace(case, id=f"secret-{case.id}") for case in use_case.cases))
        for use_case in made.use_cases
    )
    return replace(made, visibility="private", use_cases=hidden)
