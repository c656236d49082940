"""A note when several models behind one provider fall on the same day: look at the provider first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.core.verdict import UseCaseState as State
from assay.stats.poisson_binomial import at_least
from assay.watch.history import BoolArray, History
from assay.watch.verdict import StateArray, carried

CHANCE = 0.01
"""A note is given when so many falls on one day have at most this chance if models fall independently."""

LEAST_MODELS = 2


@dataclass(frozen=True, slots=True)
class ProviderNote:
    """That models behind `provider` fell together on a day (a position).

    `fell` are the positions of the models that left OK that day, `at_risk` how many models of the
    provider could have; `elsewhere_fell` of `elsewhere_at_risk` models behind other providers fell too.
    `chance` is that of so many falls, were each model to fall independently at its own earlier rate.
    """

    provider: str
    day: int
    fell: tuple[int, ...]
    at_risk: int
    elsewhere_fell: int
    elsewhere_at_risk: int
    chance: float


def fresh_falls(states: StateArray, counted: BoolArray) -> tuple[BoolArray, BoolArray]:
    """Return which models fell, and which were at risk of it, both of shape (models, days).

    At risk is a counted day after a counted day of OK; a fall is such a day in SUSPICIOUS or COOKED.
    """
    counted = counted & (states != State.GAP)
    before = carried(states, counted, np.int8(State.GAP))
    at_risk = counted & (before == State.OK) & (states >= State.OK)
    return at_risk & (states >= State.SUSPICIOUS), at_risk


def notes(history: History, fell: BoolArray, at_risk: BoolArray) -> tuple[ProviderNote, ...]:
    """Return the notes of all days.

    A model's own rate is (falls + 1/2)/(days at risk + 1) over the days before; models without a named
    provider take no part.
    """
    rates = (_before(fell) + 0.5) / (_before(at_risk) + 1.0)
    providers = [subject.provider for subject in history.subjects]
    found = []
    for provider in sorted({name for name in providers if name is not None}):
        inside = np.array([name == provider for name in providers])
        together = (fell & inside[:, np.newaxis]).sum(axis=0)
        for day in np.nonzero(together >= LEAST_MODELS)[0]:
            exposed = at_risk[:, day] & inside
            chance = at_least(int(together[day]), rates[exposed, day].tolist())
            if chance <= CHANCE:
                found.append(_note(provider, int(day), fell, at_risk, inside, chance))
    return tuple(sorted(found, key=lambda note: note.day))


def _note(
    provider: str, day: int, fell: BoolArray, at_risk: BoolArray, inside: BoolArray, chance: float
) -> ProviderNote:
    struck: Sequence[int] = np.nonzero(fell[:, day] & inside)[0].tolist()
    return ProviderNote(
        provider=provider,
        day=day,
        fell=tuple(struck),
        at_risk=int((at_risk[:, day] & inside).sum()),
        elsewhere_fell=int((fell[:, day] & ~inside).sum()),
        elsewhere_at_risk=int((at_risk[:, day] & ~inside).sum()),
        chance=chance,
    )


def _before(happened: BoolArray) -> np.ndarray:
    counts = np.cumsum(happened, axis=-1, dtype=np.int64)
    return counts - happened
