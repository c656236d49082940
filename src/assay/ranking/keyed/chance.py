"""Whether a model is right more often than blind guessing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.ranking.keyed.accuracy import Rights
from assay.ranking.keyed.answers import Answers
from assay.ranking.measured import Status
from assay.stats.poisson_binomial import at_least


@dataclass(frozen=True, slots=True)
class Chance:
    """What a blind guesser would reach on the same questions, and the exact p of this many rights or more.

    `tested` questions have a visible answer, `right` of them right at the first one; `expected` is the
    guesser's accuracy on them. `above` when p is at most alpha and the accuracy's interval lies above it.
    """

    expected: float
    tested: int
    right: int
    p: float
    above: bool


def chance(answers: Answers, model: int, found: Rights, *, alpha: float = 0.05) -> Chance | None:
    """Test one model against guessing; None without a visible answer.

    Each question counts once, with the first epoch that brought a visible answer: a guesser who repeats
    itself in every epoch must not pass for many. Its guesses at different questions are independent
    whatever the bundles, so the number right is a sum of draws with chances 1/options: the test is exact.
    """
    visible = answers.status[:, model] == Status.OK
    there = np.flatnonzero(visible.any(axis=0))
    if not len(there):
        return None
    first = visible.argmax(axis=0)
    right = int(np.count_nonzero(answers.right[first[there], model, there]))
    chances = [1.0 / answers.questions[place].options for place in there.tolist()]
    expected = sum(chances) / len(chances)
    p = at_least(right, chances)
    interval = found.valid.interval
    above = p <= alpha and interval is not None and interval.low > expected
    return Chance(expected, len(there), right, p, above)
