"""What an attack is: a way to pick options without causal reasoning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from assay.causal.lint.reading import Reading

IntArray = npt.NDArray[np.int64]
Score = Callable[[Reading], Sequence[float] | None]
ABSTAINS = -1


class Attack(Protocol):
    """A fixed way to guess, in need of no training."""

    @property
    def name(self) -> str: ...

    @property
    def description(self) -> str: ...

    def guess(self, questions: Sequence[Reading], rng: np.random.Generator) -> IntArray:
        """Return the position picked for each question; ABSTAINS where the attack has nothing to say."""
        ...


@dataclass(frozen=True, slots=True)
class Rule:
    """Picks the option with the highest score; ties are broken at random.

    `score` returns a number for each option, or None where the rule does not apply. Where all options
    score the same the rule abstains too: it says nothing there.
    """

    name: str
    description: str
    score: Score
    about_stem: bool = False
    """Whether the score looks at the stem, which option-only attacks must not see."""

    def guess(self, questions: Sequence[Reading], rng: np.random.Generator) -> IntArray:
        """Return the position with the highest score for each question, or ABSTAINS."""
        return np.array([self._pick(question, rng) for question in questions], dtype=np.int64)

    def _pick(self, question: Reading, rng: np.random.Generator) -> int:
        scores = self.score(question)
        if scores is None:
            return ABSTAINS
        best = max(scores)
        tied = [position for position, score in enumerate(scores) if score == best]
        if len(tied) == len(scores):
            return ABSTAINS
        return tied[0] if len(tied) == 1 else tied[int(rng.integers(len(tied)))]


def opposite(score: Score) -> Score:
    """Return the score that is highest where the given one is lowest."""

    def turned(question: Reading) -> Sequence[float] | None:
        scores = score(question)
        return None if scores is None else [-value for value in scores]

    return turned
