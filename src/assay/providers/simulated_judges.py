"""The simulated judges, with their marks and their faults. All of it is made up."""

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
    PAIRS,
    SimulatedVerdict,
    geval_beyond,
    geval_verdict,
    pair_verdict,
    scale,
    written,
)

LOWEST, HIGHEST = 1.0, 5.0
BEYOND_GEVAL = 12
DRIFT_DAY = 19
"""The twentieth day of the simulation, counted from 0."""


class Manner(Enum):
    """The kind of reply that a judge sends: a verdict, prose, a mark beyond the scale, or a refusal."""

    VERDICT = "verdict"
    PROSE = "prose"
    SEVEN = "seven"
    REFUSAL = "refusal"


@dataclass(frozen=True, slots=True)
class SimulatedJudge:
    """One simulated judge.

    `shift` is added to the mark that an answer deserves, 1-5, from the day `shifts_on` on if there is one. A
    `slow` judge never answers in time. A judge with `vanishes_after` fails after that many requests. `leans`
    is added to the mark of the answer that is shown first when two answers are compared.
    """

    name: str
    about: str
    shift: float = 0.0
    shifts_on: int | None = None
    manner: Manner = Manner.VERDICT
    slow: bool = False
    vanishes_after: int | None = None
    leans: float = 0.0

    def fault(self, requests: int) -> str | None:
        """Return the fault of the request with this number, counted from 1, or None."""
        if self.slow:
            return "slow"
        return "500" if self.vanishes_after is not None and requests > self.vanishes_after else None

    def verdict(self, chat: ChatRequest, deserts: Deserts, day: int) -> SimulatedVerdict:
        """Return the verdict on the answer that a request is about. `day` counts from 0."""
        if not chat.about:
            return SimulatedVerdict("This is a simulated judge: it marks answers, and knows nothing else.")
        if self.manner is Manner.PROSE:
            return SimulatedVerdict(
                "Simulated prose: there is much to be said for this answer, and much against it."
            )
        if self.manner is Manner.REFUSAL:
            return SimulatedVerdict(None, "This is a simulated judge that refuses to judge.")
        if chat.about.get("grader") == PAIRS:
            return self._compare(chat, deserts)
        deserved = deserts.of(chat.about)
        shift = self.shift if self.shifts_on is None or day >= self.shifts_on else 0.0
        source = "from an exemplar's marks" if deserved.known else "made up from a hash of the answer"
        rationale = f"Simulated: {self.name} {self.about}; this mark is {source}."
        if chat.about.get("grader") == GEVAL:
            if self.manner is Manner.SEVEN:
                return geval_beyond(BEYOND_GEVAL, rationale)
            share = (deserved.shifted(shift) - LOWEST) / (HIGHEST - LOWEST)
            return geval_verdict(share, rationale, logprobs=chat.logprobs)
        low, high = scale(chat.schema, chat.about)
        mark = low + round((deserved.whole(shift) - LOWEST) / (HIGHEST - LOWEST) * (high - low))
        sent = high + 2 if self.manner is Manner.SEVEN else mark
        return SimulatedVerdict(written(chat.schema, sent, rationale, chat.about))

    def _compare(self, chat: ChatRequest, deserts: Deserts) -> SimulatedVerdict:
        """Return the verdict on two answers: the one that deserves the higher mark wins, equal marks tie."""
        case = chat.about.get("case", "")
        first, second = (
            deserts.of({"case": case, "answer": chat.about.get(place, "")}).mark
            for place in ("first", "second")
        )
        lead = first + self.leans - second
        winner = "tie" if lead == 0 else "A" if lead > 0 else "B"
        if self.manner is Manner.SEVEN:
            winner = "C"
        rationale = f"Simulated: {self.name} compares the marks that it would give."
        return pair_verdict(winner, rationale, chat.about)


@dataclass(frozen=True, slots=True)
class Deserved:
    """The mark that an answer deserves, 1-5. `up` rounds halves up; `known` answers are exemplars."""

    mark: float
    up: bool
    known: bool

    def shifted(self, shift: float) -> float:
        """Return the mark with a shift, within the scale."""
        return min(HIGHEST, max(LOWEST, self.mark + shift))

    def whole(self, shift: float) -> int:
        """Return the whole mark that a judge with this shift gives."""
        return floor(self.shifted(shift) + (0.75 if self.up else 0.25))


class Deserts:
    """The marks that answers deserve: exemplars by an expert's marks, others by a hash of the answer.

    Of the exemplars of a use case with marks above the lowest, every other one is rounded up, so that a shift
    by half a mark moves half of them.
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
        """Return the mark that the answer of a request deserves."""
        key = about.get("case", ""), about.get("answer", "")
        known = self._known.get(key)
        if known is not None:
            return known
        mark = LOWEST + floor(5 * draw(self._seed, *key, "deserves"))
        return Deserved(mark, draw(self._seed, *key, "up") < 0.5, False)


def _expert(exemplar: Exemplar) -> float:
    """Return an exemplar's marks or, without any, its score on the same scale."""
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
        SimulatedJudge("judge-leaning", "adds a mark to the answer shown first of two", leans=1.0),
        SimulatedJudge("judge-prose", "writes prose without a mark", manner=Manner.PROSE),
        SimulatedJudge("judge-seven", "gives two marks more than there are", manner=Manner.SEVEN),
        SimulatedJudge("judge-refusing", "refuses to judge", manner=Manner.REFUSAL),
        SimulatedJudge("judge-slow", "never answers in time", slow=True),
        SimulatedJudge("judge-vanishing", "fails after its 30th request", vanishes_after=30),
    )
}
