"""The spending of a day of the watch, by part: all calls of its runs and their calibrations."""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import get_args

from sqlalchemy import Engine

from assay.core.suite import Suite
from assay.grading.calibration import MOST_EXEMPLARS
from assay.results.plans import PartName
from assay.results.runs import Spend
from assay.results.watch import DaySpending, SpentPart
from assay.runs.calibrating.calibrate import KIND
from assay.runs.estimate import calls_for_marks
from assay.store.ledger import paid_calls
from assay.store.runs import StoredRun, list_runs


def runs_of_day(engine: Engine, suite: Suite, day: date) -> dict[int, StoredRun]:
    """Return the watch's runs and calibrations of a suite on a day, by number."""
    return {
        run.id: run
        for kind in ("watch", KIND)
        for run in list_runs(engine, kind=kind, suite=suite.digest, day=day.isoformat())
    }


def day_spending(engine: Engine, suite: Suite, day: date) -> DaySpending:
    """Return the spending of the watch's runs and calibrations of a suite on a day.

    Samples beyond the base count of their case, with their marks, are top-ups. A call that repeats an earlier
    one of the same run is a re-ask.
    """
    runs = runs_of_day(engine, suite, day)
    spent: dict[PartName, Spend] = {}
    counts: Counter[tuple[int, int, str, int]] = Counter()
    for call in paid_calls(engine, list(runs)):
        key = (call.run, call.position, call.purpose, call.model)
        counts[key] += 1
        name = _part(runs[call.run], suite, call.purpose, call.position, counts[key])
        spent[name] = spent.get(name, Spend()).add(call.cost)
    return DaySpending(tuple(SpentPart(name, spent[name]) for name in get_args(PartName) if name in spent))


def _part(run: StoredRun, suite: Suite, purpose: str, position: int, number: int) -> PartName:
    """Return the part of a call; `number` counts the calls of its run, position, purpose and model from 1."""
    if run.kind == KIND:
        case = suite.cases[position // MOST_EXEMPLARS]
        return "calibration" if number <= calls_for_marks(case) else "re-asks"
    epoch, rest = divmod(position, len(suite.cases) * len(run.models))
    case = suite.cases[rest // len(run.models)]
    if number > (1 if purpose == "subject" else calls_for_marks(case)):
        return "re-asks"
    if epoch >= suite.use_case(case.use_case).base:
        return "top-ups"
    return "samples" if purpose == "subject" else "judges"
