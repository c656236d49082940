"""A population by covariate, step and outcome, and which part of it is in the file."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass
from fractions import Fraction

from assay.causal.scm import Scm, binary

RATES = tuple(Fraction(share, 10) for share in (1, 2, 3, 4, 5, 6, 8, 9))
Rows = dict[tuple[int, ...] | int, Fraction]


@dataclass(frozen=True, slots=True)
class Population:
    """How many units there are by covariate, step and outcome; and the rates of entry by step and outcome."""

    size: dict[tuple[int, int, int], int]
    rates: dict[tuple[int, int], Fraction]

    def filed(self, c: int, x: int, y: int) -> int:
        """Return how many units of a kind are in the file."""
        return int(self.size[c, x, y] * self.rates[x, y])


def draw(rng: random.Random) -> Population:
    """Draw a population and rates that make all counts whole."""
    kinds = itertools.product((0, 1), repeat=3)
    size = {(c, x, y): 10 * rng.randint(2, 40) for c, x, y in kinds}
    rates = dict(zip(((0, 0), (0, 1), (1, 0), (1, 1)), rng.sample(RATES, 4), strict=True))
    return Population(size, rates)


def model(drawn: Population) -> Scm:
    """Return the model that has exactly this population; S is being in the file."""
    size = {key: Fraction(count) for key, count in drawn.size.items()}
    by_cx = {(c, x): size[c, x, 0] + size[c, x, 1] for c in (0, 1) for x in (0, 1)}
    by_c = {c: by_cx[c, 0] + by_cx[c, 1] for c in (0, 1)}
    taken: Rows = {c: by_cx[c, 1] / by_c[c] for c in (0, 1)}
    risk: Rows = {(x, c): size[c, x, 1] / by_cx[c, x] for c in (0, 1) for x in (0, 1)}
    entered: Rows = {(x, y): rate for (x, y), rate in drawn.rates.items()}
    return Scm(
        (
            binary("C", "", by_c[1] / (by_c[0] + by_c[1])),
            binary("X", "C", taken),
            binary("Y", "X C", risk),
            binary("S", "X Y", entered, hidden=True),
        )
    )
