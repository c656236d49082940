"""Why some days of a model could not be judged, consecutive days of one reason told together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from assay.core.verdict import UseCaseState as State
from assay.report.strip import first_day
from assay.runs.verdicts import Verdicts


@dataclass(frozen=True, slots=True)
class Stretch:
    """Consecutive days with one reason. `use_cases` are those it holds for, empty for the whole model."""

    first: date
    last: date
    reason: str
    use_cases: tuple[str, ...] = ()

    @property
    def days(self) -> int:
        """How many days it lasts."""
        return (self.last - self.first).days + 1


def reasons(verdicts: Verdicts, model: int, last: int) -> dict[int, str]:
    """Return why a model's days, by position, could not be judged as a whole.

    Days that only lack a baseline all have one reason, so it is worded once.
    """
    judged = verdicts.judgement
    states = judged.states[model, : last + 1]
    moved = judged.daily.barred[model, :, : last + 1].any(axis=0)
    odd = (states == State.GAP) | moved
    found: dict[int, str] = {}
    calibrating: str | None = None
    for day in range(first_day(judged, model), last + 1):
        plain = states[day] == State.CALIBRATING and not odd[day]
        if plain and calibrating is not None:
            found[day] = calibrating
        elif plain or odd[day]:
            told = verdicts.day(model, judged.history.date_of(day)).verdict.reason
            if told is not None:
                found[day] = told
            if plain:
                calibrating = told
    return found


def stretches(verdicts: Verdicts, model: int, last: int, whole: Mapping[int, str]) -> tuple[Stretch, ...]:
    """Return what could not be judged, newest first: whole days, and use cases left as they were."""
    history = verdicts.judgement.history
    told: list[Stretch] = []
    for day, reason in sorted(whole.items()):
        when = history.date_of(day)
        before = told[-1] if told else None
        if before is not None and before.reason == reason and before.last == when - timedelta(days=1):
            told[-1] = Stretch(before.first, when, reason)
        else:
            told.append(Stretch(when, when, reason))
    told += _thin(verdicts, model, last)
    return tuple(sorted(told, key=lambda each: (each.last, each.first), reverse=True))


def _thin(verdicts: Verdicts, model: int, last: int) -> list[Stretch]:
    """Return the days on which a use case looked suspicious without the evidence to say so."""
    judged = verdicts.judgement
    found = []
    for day in np.flatnonzero(judged.readings.thin[model, :, : last + 1].any(axis=0)):
        when = judged.history.date_of(int(day))
        by_reason: dict[str, list[str]] = {}
        for each, thin in zip(
            verdicts.day(model, when).verdict.use_cases, judged.readings.thin[model, :, day], strict=True
        ):
            if thin and each.reason is not None:
                by_reason.setdefault(each.reason, []).append(each.use_case)
        found += [Stretch(when, when, reason, tuple(names)) for reason, names in by_reason.items()]
    return found
