"""How many of several independent events with unequal chances happen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def at_least(count: int, chances: Sequence[float]) -> float:
    """Return the chance that `count` or more of independent events with these chances happen."""
    spread = np.zeros(len(chances) + 1)
    spread[0] = 1.0
    for chance in chances:
        spread[1:] = spread[1:] * (1.0 - chance) + spread[:-1] * chance
        spread[0] *= 1.0 - chance
    return min(1.0, float(spread[max(count, 0) :].sum()))
