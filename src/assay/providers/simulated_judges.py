"""The simulated judges: how each marks an answer, and how it misbehaves. All of it is made up."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from math import floor

from assay.core.case import Case, Exemplar
from assay.providers.served import ChatRequest
from assay.providers.simulated_models import draw
from assay.providers.simulated_verdicts import (
    GEVAL,
    SimulatedVerdict,
    geval_beyond,
    geval_verdict,
    scale,
    written,
)

LOWEST, HIGHEST = 1.0, 5.0
BEYOND_GEVAL = 12
DRIFT_DAY = 19
"""The twentieth day of the simulation, counted from 0."""


class Manner(Enum):
    """What a judge sends: a verdict, prose without one, a mark beyond the scale, or a refusal to judge."""

    VERDICT = "verdict"
    PROSE = "prose"
    SEVEN = "seven"
    REFUSAL = "refusal"


@dataclass(frozen=True, slots=True)
class SimulatedJudge:
    """One simulated judge.

    `shift` is added to what an answer deserves, 1-5; from the day `shifts_on` on, where one is given. A
    `slow` one never answers in time. One with `vanishes_after` fails after that many requests.
    """

    name: str
    about: str
    shift: float = 0.0
    shifts_on: int | None = None
    manner: Manner = Manner.VERDICT
    slow: bool = False
    vanishes_after: int | None = None

    def fault(self, requests: int) -> str | None:
        """Return the fault that its so-many-th request meets, or None."""
        if self.slow:
            return "slow"
        return "500" if self.vanishes_after is not None and requests > self.vanishes_after else None

    def verdict(self, asked: ChatRequest, deserts: Deserts, day: int) -> SimulatedVerdict:
        """Return its verdict on the answer that a request is about, on the day-th day from 0."""
        if not asked.about:
            return SimulatedVerdict("This is a simulated judge: it marks answers, and knows nothing else.")
        if self.manner is Manner.PROSE:
            return SimulatedVerdict(
                "Simulated prose: there is much to be said for this answer, and much against it."
            )
        if self.manner is Manner.REFUSAL:
            return SimulatedVerdict(None, "This is a simulated judge that refuses to judge.")
        deserved = deserts.of(asked.about)
        shift = self.shift if self.shifts_on is None or day >= self.shifts_on else 0.0
        source = "from an exemplar's marks" if deserved.known else "made up from a hash of the answer"
        rationale = f"Simulated: {self.name} {self.about}; this mark is {source}."
        if asked.about.get("grader") == GEVAL:
            if self.manner is Manner.SEVEN:
                return geval_beyond(BEYOND_GEVAL, rationale)
            share = (deserved.shifted(shift) - LOWEST) / (HIGHEST - LOWEST)
            return geval_verdict(share, rationale, logprobs=asked.logprobs)
        low, high = scale(asked.schema, asked.about)
        mark = low + round((deserved.whole(shift) - LOWEST) / (HIGHEST - LOWEST) * (high - low))
        given = high + 2 if self.manner is Manner.SEVEN else mark
        return SimulatedVerdict(written(asked.schema, given, rationale, asked.about))


@dataclass(frozen=True, slots=True)
class Deserved:
    """What an answer deserves, 1-5. Halves are rounded up or down by `up`; `known` ones are exemplars."""

    mark: float
    up: bool
    known: bool

    def shifted(self, shift: float) -> float:
        """Return the mark with a shift, within the scale."""
        return min(HIGHEST, max(LOWEST, self.mark + shift))

    def whole(self, shift: float) -> int:
        """Return the mark with a shift as a judge gives it: a whole one."""
        return floor(self.shifted(shift) + (0.75 if self.up else 0.25))


class Deserts:
    """What answers deserve: exemplars by an expert's marks, all others by a hash of the answer.

    Of the exemplars of one use case that have room below, every other one is rounded up: a shift by half
    a mark moves half of them.
    """

    def __init__(self, cases: Iterable[Case], seed: int) -> None:
        self._seed = seed
        self._known: dict[tuple[str, str], Deserved] = {}
        turns: Counter[str] = Counter()
        for case in cases:
            for exemplar in case.exemplars:
                mark = _expert(exemplar)
                turns[case.use_case] += mark > LOWEST
                name = hashlib.sha256(exemplar.answer.encode()).hexdigest()
                self._known.setdefault((case.id, name), Deserved(mark, turns[case.use_case] % 2 == 0, True))

    def of(self, about: Mapping[str, str]) -> Deserved:
        """Return what the answer that a request is about deserves."""
        key = about.get("case", ""), about.get("answer", "")
        known = self._known.get(key)
        if known is not None:
            return known
        mark = LOWEST + floor(5 * draw(self._seed, *key, "deserves"))
        return Deserved(mark, draw(self._seed, *key, "up") < 0.5, False)


def _expert(exemplar: Exemplar) -> float:
    """Return an exemplar's marks; without any, what its score comes to on the same scale."""
    return LOWEST + 4 * exemplar.score if exemplar.marks is None else exemplar.marks


JUDGES = {
    judge.name: judge
    for judge in (
        SimulatedJudge("judge", "marks as the exemplars deserve"),
        SimulatedJudge("judge-strict", "gives a mark less", shift=-1.0),
        SimulatedJudge("judge-lenient", "gives a mark more", shift=1.0),
        SimulatedJudge(
            "judge-drifting", "gives half a mark less from day 20 on", shift=-0.5, shifts_on=DRIFT_DAY
        ),
        SimulatedJudge("judge-prose", "writes prose without a mark", manner=Manner.PROSE),
        SimulatedJudge("judge-seven", "gives two marks more than there are", manner=Manner.SEVEN),
        SimulatedJudge("judge-refusing", "refuses to judge", manner=Manner.REFUSAL),
        SimulatedJudge("judge-slow", "never answers in time", slow=True),
        SimulatedJudge("judge-vanishing", "fails after its 30th request", vanishes_after=30),
    )
}
