"""Which wrong figures to show beside a key, so that its place among the four tells nothing."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

OTHERS = 3
ALIKE = 0.006
"""Figures are shown to 0.01, so that two whose sum is nearer than this to 0 or 1 look like a pair."""


@dataclass(frozen=True, slots=True)
class KeyPlace:
    """Where a key is to stand among the four figures.

    It is larger than `rank` of the others and farther from 0 than `size` of them; `central` says that it is
    nearer to the mean of all four than the figure of the opposite rank. Where only the rank is given, nothing
    else matters.
    """

    rank: int
    central: bool | None = None
    size: int | None = None


def drawn_places(rng: random.Random, *, signed: bool) -> tuple[KeyPlace, ...]:
    """Draw a place: rank, nearness to the mean and distance from 0, each as likely as another.

    Figures mostly share a sign, so the distance's rank is that of the key itself or, if keys may be negative
    (`signed`), the opposite one. The place is followed by those to be tried where nothing fits it: that of a
    key of the other sign, and the rank alone.
    """
    rank, central = rng.randrange(OTHERS + 1), rng.random() < 0.5
    sizes = rng.sample((rank, OTHERS - rank), 2) if signed else (rank,)
    return (*(KeyPlace(rank, central, size) for size in sizes), KeyPlace(rank))


def beside(
    key: float,
    others: Sequence[float],
    weights: Sequence[float],
    place: KeyPlace,
    *,
    least: float,
    rng: random.Random,
) -> tuple[int, ...] | None:
    """Draw three of the other figures, all `least` apart, beside which the key stands at its place.

    Unless only its rank is given, no figure is another one's opposite or complement, which would tell which
    pair the key is in. Three are as likely as the product of their weights. They are given by their
    positions; None where no three will do.
    """
    fitting = [
        three
        for three in itertools.combinations(range(len(others)), OTHERS)
        if _fits(key, [others[at] for at in three], place, least)
    ]
    if not fitting:
        return None
    return rng.choices(fitting, [math.prod(weights[at] for at in three) for three in fitting])[0]


def _fits(key: float, three: Sequence[float], place: KeyPlace, least: float) -> bool:
    four = sorted((key, *three))
    if four.index(key) != place.rank or any(high - low < least for low, high in itertools.pairwise(four)):
        return False
    if place.size is None:
        return True
    if sum(abs(other) < abs(key) for other in three) != place.size:
        return False
    if any(
        abs(one + other - whole) < ALIKE for one, other in itertools.combinations(four, 2) for whole in (0, 1)
    ):
        return False
    mean = sum(four) / 4
    nearer = abs(key - mean) < abs(four[OTHERS - place.rank] - mean)
    return nearer is place.central
