"""The simulated models, with their quality by day and their faults. All of it is made up."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from enum import Enum


class AnswerQuality(Enum):
    """The quality of a simulated answer: the best exemplar, the second best, or one of the others."""

    GOOD = "good"
    SLIP = "slip"
    FAILURE = "failure"


CYCLE = 42
ANCHOR = date(2026, 1, 1)
HOME, ELSEWHERE = "Simulated Home", "Simulated Elsewhere"


@dataclass(frozen=True, slots=True)
class SimulatedModel:
    """One simulated model. `drop(day)` is the share of its quality that is lost on a day, counted from 0.

    `unsteady` is the share of cases whose answers change from day to day. `reroutes_on` is the first day on
    which another provider serves the model. `faults` are probabilities per request, by kind. On the day
    `slow_on` some requests are not answered in time, and on the day `outage_on` nearly all fail.
    """

    name: str
    about: str
    drop: Callable[[int], float] = lambda day: 0.0
    degrades_on: int | None = None
    unsteady: float = 0.1
    reroutes_on: int | None = None
    faults: tuple[tuple[str, float], ...] = ()
    slow_on: int | None = None
    outage_on: int | None = None

    def served_by(self, day: int) -> str:
        """Return the name of the provider that serves the model on a day."""
        return ELSEWHERE if self.reroutes_on is not None and day >= self.reroutes_on else HOME

    def fault(self, day: int, draw: float) -> str | None:
        """Return the fault that a draw from 0 to 1 gives on a day, or None."""
        if day == self.outage_on and draw < 0.97:
            return "500"
        if day == self.slow_on and draw > 0.98:
            return "slow"
        for kind, chance in self.faults:
            if draw < chance:
                return kind
            draw -= chance
        return None

    def answers(self, seed: int, case: str, day: int, asked: int) -> AnswerQuality:
        """Return how well the model answers a case. `asked` is the number of earlier requests that day.

        Most cases have a fixed outcome; on unsteady cases the model slips every fifth day. A drop in quality
        shows as failures. Within a day, answers mostly repeat, because the suite uses temperature 0.
        """
        if asked and draw(seed, self.name, case, day, asked, "repeat") < 0.85:
            asked = 0
        if draw(seed, self.name, case, day, asked, "lost") < self.drop(day):
            return AnswerQuality.FAILURE
        if draw(seed, self.name, case) < 0.08:
            return AnswerQuality.FAILURE
        unsteady = draw(seed, self.name, case, "unsteady") < self.unsteady
        return (
            AnswerQuality.SLIP
            if unsteady and draw(seed, self.name, case, day, asked) < 0.2
            else AnswerQuality.GOOD
        )


def draw(*parts: object) -> float:
    """Return a number from 0 to 1 that depends only on the parts."""
    text = "\x1f".join(str(part) for part in parts)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=7).digest()) / 2**56


def day_index(day: date, start: date | None) -> int:
    """Return the number of days since `start`; without one, the place in an endless cycle of 42 days."""
    if start is not None:
        return (day - start).days
    return (day - ANCHOR).days % CYCLE


def _slow_decline(day: int) -> float:
    return min(0.6, max(0.0, 0.06 * (day - 19)))


def _collapse(day: int) -> float:
    return 0.6 if day >= 24 else 0.0


def _rerouted(day: int) -> float:
    return 0.3 if day >= 22 else 0.0


MODELS = {
    model.name: model
    for model in (
        SimulatedModel("steady", "does not change", unsteady=0.05),
        SimulatedModel("noisy", "does not change, but its answers vary more", unsteady=0.25),
        SimulatedModel(
            "degrading", "loses quality from day 21 on, a little more every day", _slow_decline, 20
        ),
        SimulatedModel("collapsing", "loses 60 % of its quality on day 25", _collapse, 24),
        SimulatedModel(
            "rerouted",
            "is served by another, worse provider from day 23 on",
            _rerouted,
            None,
            reroutes_on=22,
        ),
        SimulatedModel(
            "flaky",
            "does not change; its endpoint fails sometimes, and nearly always on day 18",
            faults=(
                ("429", 0.04),
                ("500", 0.03),
                ("200-error", 0.02),
                ("empty", 0.01),
                ("no-choices", 0.01),
            ),
            slow_on=9,
            outage_on=17,
        ),
    )
}
