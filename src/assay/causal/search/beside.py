"""Which wrong figures to show beside a key, so that its place among the four tells nothing."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KeyPlace:
    """Where a key is to stand among the four figures; None where it does not matter.

    It is larger than `rank` of the others and farther from 0 than `size` of them; `central` says that it is
    nearer to the mean of all four than the figure of the opposite rank.
    """

    rank: int
    central: bool | None = None
    size: int | None = None


def drawn_place(rng: random.Random, *, sized: bool = False) -> KeyPlace:
    """Draw a rank and, each as likely as another, nearness to the mean or (if `sized`) distance from 0.

    Figures mostly share a sign, so the distance's rank is that of the key itself or the opposite one.
    """
    rank, even = rng.randrange(4), rng.random() < 0.5
    return KeyPlace(rank, size=rank if even else 3 - rank) if sized else KeyPlace(rank, even)


def beside(
    key: float, others: Sequence[float], place: KeyPlace, *, least: float, rng: random.Random
) -> tuple[int, ...] | None:
    """Draw three of the other figures, all `least` apart, beside which the key stands at its place.

    They are given by their positions; None where no three will do.
    """
    fitting = [
        three
        for three in itertools.combinations(range(len(others)), 3)
        if _fits(key, [others[at] for at in three], place, least)
    ]
    return rng.choice(fitting) if fitting else None


def _fits(key: float, three: Sequence[float], place: KeyPlace, least: float) -> bool:
    four = sorted((key, *three))
    if four.index(key) != place.rank or any(high - low < least for low, high in itertools.pairwise(four)):
        return False
    if place.size is not None and sum(abs(other) < abs(key) for other in three) != place.size:
        return False
    mean = sum(four) / 4
    nearer = abs(key - mean) < abs(four[3 - place.rank] - mean)
    return place.central is None or nearer is place.central
