"""What an attack achieved on some questions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.causal.lint.effective import clustered, independent
from assay.stats.intervals import Interval

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Outcome:
    """An attack's credit for each question: 1 for right, 0 for wrong, a share for an average over splits.

    `spoke` is False where the attack had nothing to say and guessed. NaN credit: never tested.
    """

    name: str
    description: str
    credit: FloatArray
    spoke: BoolArray
    trained: bool

    def at(self, rows: BoolArray) -> Outcome:
        """Return the outcome on some of the questions."""
        return Outcome(self.name, self.description, self.credit[rows], self.spoke[rows], self.trained)


@dataclass(frozen=True, slots=True)
class Attacked:
    """An attack's accuracy on `n` questions, guesses included where it had nothing to say.

    `interval` is judged: for a fixed rule `simple`, which takes questions for independent draws; for a
    trained attack, whose picks hang together, whichever of `simple` and `clustered` (by concept) reaches
    higher. Two-sided 95 %, so the upper end is a 97.5 % bound. `spoke` counts the questions on
    which the attack had something to say, `spoke_right` those it then got right, and `p` is the one-sided
    chance of so many there by luck. `chance` is the mean of 1/options over the questions.
    """

    name: str
    description: str
    n: int
    right: float
    chance: float
    interval: Interval
    simple: Interval
    clustered: Interval
    spoke: int
    spoke_right: float
    p: float

    @property
    def accuracy(self) -> float:
        """The share of right picks; 0 without questions."""
        return self.right / self.n if self.n else 0.0


def attacked(outcome: Outcome, chances: FloatArray, clusters: npt.ArrayLike) -> Attacked:
    """Summarise an outcome. `chances` (questions,) are 1/options, `clusters` the questions' concepts."""
    tested = ~np.isnan(outcome.credit)
    spoke = tested & outcome.spoke
    labels = np.asarray(clusters)
    credit = outcome.credit[tested]
    simple = independent(credit)
    together = clustered(credit, labels[tested])
    ends = simple.interval(), together.interval()
    judged = max(ends, key=lambda interval: interval.high) if outcome.trained else ends[0]
    heard = outcome.credit[spoke]
    worth = clustered(heard, labels[spoke]) if outcome.trained else independent(heard)
    return Attacked(
        name=outcome.name,
        description=outcome.description,
        n=int(tested.sum()),
        right=float(credit.sum()),
        chance=float(chances[tested].mean()) if tested.any() else 0.0,
        interval=judged,
        simple=ends[0],
        clustered=ends[1],
        spoke=int(spoke.sum()),
        spoke_right=float(heard.sum()),
        p=worth.above(float(chances[spoke].mean())) if spoke.any() else 1.0,
    )
