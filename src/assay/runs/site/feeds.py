"""What feeds and scrapers read: changes of verdicts, and the numbers of runs with their spending."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date

import numpy as np

from assay.core.verdict import ModelState
from assay.core.verdict import UseCaseState as State
from assay.results.runs import RunStatus
from assay.runs.site.watched import Watched
from assay.store.overview import Spending

SIMULATED = "simulated"


@dataclass(frozen=True, slots=True)
class VerdictChange:
    """A model of a watched suite, by its position, whose verdict differs from its verdict before.

    `before` is None for the first verdict. `cooked` and `suspicious` are titles of use cases.
    """

    watched: Watched
    place: int
    day: date
    before: ModelState | None
    after: ModelState
    cooked: tuple[str, ...]
    suspicious: tuple[str, ...]
    simulated: bool

    @property
    def row(self) -> int:
        """The model's row, which addresses name."""
        return self.watched.verdicts.stored.models[self.place]


@dataclass(frozen=True, slots=True)
class RunMeasures:
    """The numbers of all runs; those of simulated runs (True) stand apart from those of real ones.

    `finished` is when the last run ended, in UTC seconds since 1970. `spending` is that since `month` began.
    """

    month: date
    counts: Mapping[tuple[RunStatus, bool], int]
    finished: Mapping[bool, float]
    spending: Mapping[bool, Spending]


def verdict_changes(suites: Iterable[Watched], most: int) -> tuple[VerdictChange, ...]:
    """Return the last changes of verdicts, the newest first.

    Days without a verdict (GAP, CALIBRATING) are passed over. A first verdict of OK is no change, as for
    notifications.
    """
    changes = [change for watched in suites for change in _changes(watched)]
    changes.sort(key=lambda change: (change[0], change[3], -change[2]), reverse=True)
    return tuple(_change(*change) for change in changes[:most])


Change = tuple[date, Watched, int, int, int | None]
"""A day's date, the suite, the model's position, the day's state, and the state before it."""


def _changes(watched: Watched) -> Iterator[Change]:
    judged = watched.verdicts.judgement
    for place, states in enumerate(judged.states):
        days = np.flatnonzero(states >= State.OK)
        after = states[days].tolist()
        for number, (day, state) in enumerate(zip(days.tolist(), after, strict=True)):
            before = after[number - 1] if number else None
            if state != (State.OK if before is None else before):
                yield judged.history.date_of(day), watched, place, state, before


def _change(day: date, watched: Watched, place: int, state: int, before: int | None) -> VerdictChange:
    verdicts = watched.verdicts
    of_day = verdicts.judgement.evidence.state[place, :, verdicts.stored.history.day_of(day)]
    titles = [use_case.title for use_case in verdicts.stored.suite.use_cases]

    def named(wanted: State) -> tuple[str, ...]:
        return tuple(title for title, own in zip(titles, of_day.tolist(), strict=True) if own == wanted)

    return VerdictChange(
        watched,
        place,
        day,
        None if before is None else ModelState[State(before).name],
        ModelState[State(state).name],
        named(State.COOKED),
        named(State.SUSPICIOUS),
        is_simulated(watched, place),
    )


def is_simulated(watched: Watched, place: int) -> bool:
    """Return whether a model, by its position, is not real.

    If a suite has simulated runs but no model is named so, all of its models count as simulated.
    """
    if not watched.verdicts.stored.simulated:
        return False
    providers = [subject.provider for subject in watched.verdicts.stored.history.subjects]
    return SIMULATED not in providers or providers[place] == SIMULATED
