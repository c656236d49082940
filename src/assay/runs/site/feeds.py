"""What feeds and scrapers read: changes of verdicts, and the numbers of runs with their spending."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import partial

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
    changes = [
        change
        for watched in suites
        for change in watched.once(("changes", most), partial(_last_changes, watched, most))
    ]
    changes.sort(key=lambda change: change.day, reverse=True)
    return tuple(changes[:most])


def _last_changes(watched: Watched, most: int) -> list[VerdictChange]:
    """Return the last changes of a suite; of one day, the most severe first."""
    found: list[tuple[int, int, int, int | None]] = []
    for place, states in enumerate(watched.verdicts.judgement.states):
        days = np.flatnonzero(states >= State.OK)
        after = states[days]
        before = np.concatenate(([State.OK], after[:-1]))
        for number in np.flatnonzero(after != before)[-most:].tolist():
            earlier = int(before[number]) if number else None
            found.append((int(days[number]), int(after[number]), -place, earlier))
    found.sort(key=lambda change: change[:3], reverse=True)
    return [_change(watched, -place, day, state, before) for day, state, place, before in found[:most]]


def _change(watched: Watched, place: int, day: int, state: int, before: int | None) -> VerdictChange:
    verdicts = watched.verdicts
    of_day = verdicts.judgement.evidence.state[place, :, day]
    titles = [use_case.title for use_case in verdicts.stored.suite.use_cases]

    def named(wanted: State) -> tuple[str, ...]:
        return tuple(title for title, own in zip(titles, of_day.tolist(), strict=True) if own == wanted)

    return VerdictChange(
        watched,
        place,
        verdicts.stored.history.date_of(day),
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
