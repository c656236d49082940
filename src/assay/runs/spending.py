"""What a day of the watch has spent, by part: all rows of the ledger of its runs and their calibrations."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date

from sqlalchemy import Engine

from assay.core.money import Spend
from assay.core.suite import Suite
from assay.grading.calibration import MOST_EXEMPLARS
from assay.runs.estimate import calls_for_marks
from assay.runs.judged.calibrate import KIND
from assay.store.ledger import paid_calls
from assay.store.runs import StoredRun, list_runs

PARTS = ("samples", "judges", "calibration", "top-ups", "re-asks")


@dataclass(frozen=True, slots=True)
class SpentPart:
    """What one part of a day has spent."""

    name: str
    spend: Spend


@dataclass(frozen=True, slots=True)
class DaySpending:
    """What a day has spent: the parts that were paid for, in the order of `PARTS`. Their sum is `total`."""

    parts: tuple[SpentPart, ...] = ()

    @property
    def total(self) -> Spend:
        """The sum of all rows of the ledger that belong to the day's runs."""
        spends = [part.spend for part in self.parts]
        return Spend(
            sum(spend.known for spend in spends),
            sum(spend.calls for spend in spends),
            sum(spend.unknown for spend in spends),
        )


def runs_of_day(engine: Engine, suite: Suite, day: date) -> dict[int, StoredRun]:
    """Return the watch's runs and calibrations of a suite on a day, by number."""
    return {
        run.id: run
        for kind in ("watch", KIND)
        for run in list_runs(engine, kind=kind, suite=suite.digest, day=day.isoformat())
    }


def day_spending(engine: Engine, suite: Suite, day: date) -> DaySpending:
    """Return what the watch's runs and calibrations of a suite have spent on a day.

    Samples beyond the base count of their case, with their marks, are top-ups. A call that asked anew what an
    earlier one of the same run had asked is a re-ask.
    """
    runs = runs_of_day(engine, suite, day)
    spent: dict[str, Spend] = {}
    asked: Counter[tuple[int, int, str, int]] = Counter()
    for call in paid_calls(engine, list(runs)):
        place = (call.run, call.position, call.purpose, call.model)
        asked[place] += 1
        name = _part(runs[call.run], suite, call.purpose, call.position, asked[place])
        spent[name] = spent.get(name, Spend()).add(call.cost)
    return DaySpending(tuple(SpentPart(name, spent[name]) for name in PARTS if name in spent))


def _part(run: StoredRun, suite: Suite, purpose: str, position: int, times: int) -> str:
    """Return the part of a call, which is the `times`th of its run, position, purpose and model."""
    if run.kind == KIND:
        case = suite.cases[position // MOST_EXEMPLARS]
        return "calibration" if times <= calls_for_marks(case) else "re-asks"
    epoch, rest = divmod(position, len(suite.cases) * len(run.models))
    case = suite.cases[rest // len(run.models)]
    if times > (1 if purpose == "subject" else calls_for_marks(case)):
        return "re-asks"
    if epoch >= suite.use_case(case.use_case).base:
        return "top-ups"
    return "samples" if purpose == "subject" else "judges"
