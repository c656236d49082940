"""Drawing worlds: options are laid out first, then a world is sought in which the intended one is true.

That order is what keeps a key out of the options: their words and numbers are drawn before, or without regard
to, which of them will be right.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeVar

from assay.causal.scm import Dag
from assay.core.errors import AssayError

Found = TypeVar("Found")
TRIES = 5_000


class Undrawable(AssayError):
    """No world was found that fits: the conditions are too narrow."""


def until(make: Callable[[], Found | None], tries: int = TRIES) -> Found:
    """Return the first thing made that is not None. Undrawable when none is among so many tries."""
    for _ in range(tries):
        if (found := make()) is not None:
            return found
    raise Undrawable(f"nothing fitting in {tries} tries: widen what is drawn, or what is accepted")


def chance(rng: random.Random, low: Fraction, high: Fraction, step: Fraction) -> Fraction:
    """Draw a multiple of `step` from `low` to `high`, both included."""
    return low + step * rng.randint(0, int((high - low) / step))


def apart(values: Sequence[Fraction], least: Fraction) -> bool:
    """Return whether all values differ from each other by at least `least`."""
    return all(abs(a - b) >= least for a, b in itertools.combinations(values, 2))


def at_rank(key: Fraction, others: Sequence[Fraction], rank: int) -> bool:
    """Return whether exactly `rank` of the others are smaller than the key."""
    return sum(other < key for other in others) == rank


def graph(rng: random.Random, names: Sequence[str], density: float, *, hidden: Sequence[str] = ()) -> Dag:
    """Draw a graph over shuffled names: each of the possible arrows is there with chance `density`."""
    order = rng.sample(list(names), len(names))
    parents = {
        name: tuple(cause for cause in order[:place] if rng.random() < density)
        for place, name in enumerate(order)
    }
    return Dag(parents, frozenset(hidden))
