"""The figures behind the watch page's charts, as columns that a browser turns into rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from assay.core.verdict import UseCaseState as State
from assay.report.strip import first_day
from assay.runs.verdicts import Verdicts
from assay.watch.judgement import Judgement

LETTERS = {State.GAP: "g", State.CALIBRATING: "c", State.OK: "o", State.SUSPICIOUS: "s", State.COOKED: "k"}


def scored_use_cases(judged: Judgement, model: int, last: int) -> tuple[int, ...]:
    """Return the positions of the use cases with a score on any day of a model up to a day's position."""
    there = ~np.isnan(judged.matched.scores[model, :, : last + 1])
    return tuple(int(place) for place in np.flatnonzero(there.any(axis=1)))


def model_columns(verdicts: Verdicts, model: int, last: int) -> dict[str, Any]:
    """Return one model's days from its first to a day's position: `begin`, `useCases`, `sequential`.

    Columns have one entry a day; numbers that do not exist are null. Scores, means and spreads are
    0-100, `drop` is a fraction, `counts` are ok, invalid, error and ungraded samples.
    """
    judged = verdicts.judgement
    days = slice(first_day(judged, model), last + 1)
    return {
        "begin": days.start,
        "useCases": {
            str(place): _use_case(judged, model, place, days)
            for place in scored_use_cases(judged, model, last)
        },
        "sequential": _sequential(verdicts, model, days),
    }


def last_alarm(verdicts: Verdicts, model: int, last: int) -> int | None:
    """Return the position of the sequential test's latest alarm up to a day's position; None without one."""
    raised = np.flatnonzero(verdicts.course.alarm[model, : last + 1])
    return int(raised[-1]) if raised.size else None


def _use_case(judged: Judgement, model: int, place: int, days: slice) -> dict[str, Any]:
    daily, baseline, readings = judged.daily, judged.baseline, judged.readings
    cell = (model, place, days)
    low, high = judged.history.starts[place : place + 2]
    return {
        "states": "".join(LETTERS[State(state)] for state in readings.state[cell]),
        "fit": "".join("1" if fit else "0" for fit in readings.counted[cell]),
        "score": _numbers(judged.matched.scores[cell], 1),
        "mean": _numbers(baseline.mean[cell], 1),
        "spread": _numbers(baseline.spread[cell], 1),
        "z": _numbers(readings.z[cell], 1),
        "drop": _numbers(readings.drop[cell], 2),
        "counts": [
            column[model, low:high, days].sum(axis=0).tolist()
            for column in (daily.ok, daily.invalid, daily.error, daily.ungraded)
        ],
    }


def _sequential(verdicts: Verdicts, model: int, days: slice) -> dict[str, Any]:
    # Reading every day's report would word all its evidence: a minute for a year of 20 models.
    course = verdicts.course
    return {
        "level": [float(f"{level:.3g}") if level else None for level in course.level[model, days]],
        "alarms": (np.flatnonzero(course.alarm[model, days])).tolist(),
    }


def _numbers(values: npt.NDArray[np.float64], decimals: int) -> list[float | None]:
    return [None if np.isnan(value) else round(float(value), decimals) for value in values]
