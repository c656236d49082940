"""Which wrong figures to show beside a key, so that its place among the four tells nothing."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence


def beside(
    key: float, others: Sequence[float], rank: int, central: bool, *, least: float, rng: random.Random
) -> tuple[int, ...] | None:
    """Draw three of the other figures, as their places, or return None where no three will do.

    With three that do, the key is larger than `rank` of them, all four lie `least` apart, and it is nearer
    to their mean than the figure of the opposite rank, or farther, as `central` says.
    """
    fitting = []
    for places in itertools.combinations(range(len(others)), 3):
        four = sorted((key, *(others[place] for place in places)))
        if four.index(key) != rank or any(high - low < least for low, high in itertools.pairwise(four)):
            continue
        mean = sum(four) / 4
        if (abs(key - mean) < abs(four[3 - rank] - mean)) is central:
            fitting.append(places)
    return rng.choice(fitting) if fitting else None
