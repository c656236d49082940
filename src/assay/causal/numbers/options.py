"""Four things to ask whose answers are the options, and numbers that do not tell one answer from another."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from assay.causal import queries as q
from assay.causal.draft import OPTIONS
from assay.causal.draws import until
from assay.causal.numbers.recipe import Display
from assay.causal.numbers.world import TaskState, World, drawn_world
from assay.causal.solvers import naive

PLACES = 2
"""Options are whole percents or points: decimals would tell one sort of figure from another."""
BOUNDS = {Display.PERCENT: (0.01, 0.99), Display.POINTS: (-0.99, 0.99), Display.NUMBER: (-math.inf, math.inf)}
"""Between which values all answers lie, so that none can be ruled out, or known, by being extreme."""
COMPARED, WEIGHED = 6, 3
"""How many sets of four things to ask are compared, and how many of them are weighed at most."""
WORLDS, TRIES = 24, 600
"""How many models are weighed for a set, and how many are drawn at most to find them."""
UNFAIR = 0.1
"""How far places may be from even, and naive reasoners from chance, before another set is tried."""
AVERSE = 8.0
"""A model in which naive reasoners are right too often by 1/8 is drawn e times as rarely."""
SWEEPS = 30


@dataclass(frozen=True, slots=True)
class _Answered:
    """A model with its answers to four questions, in the order of the questions.

    `excess` is by how much naive reasoners are right too often over all four.
    """

    world: World
    asks: tuple[str, ...]
    values: tuple[float, ...]
    excess: float


def drawn_options(
    case: TaskState, group: Sequence[str], level: int, rng: random.Random
) -> tuple[World, tuple[str, ...]]:
    """Draw four things to ask out of a group, and a model with what is told of it.

    Of some sets of four, that one is taken for which two things can best be had at once: naive reasoners are
    not right too often over all four, and over many draws each answer is as likely to be at one place among
    the four as at another. Undrawable where no numbers fit.
    """
    drawn = [until(partial(_answered, case, rng, group), TRIES) for _ in range(COMPARED)]
    best: tuple[float, list[_Answered], tuple[float, ...]] | None = None
    fairest = dict.fromkeys(each.asks for each in sorted(drawn, key=lambda each: each.excess))
    for asks in itertools.islice(fairest, WEIGHED):
        more = (_answered(case, rng, asks) for _ in range(TRIES))
        models = [each for each in drawn if each.asks == asks]
        models += itertools.islice(filter(None, more), WORLDS - len(models))
        readily = [math.exp(-AVERSE * each.excess) for each in models]
        weights, uneven = balanced([each.values for each in models], readily)
        unfair = sum(each.excess * weight for each, weight in zip(models, weights, strict=True)) + uneven
        if best is None or unfair < best[0]:
            best = unfair, models, weights
        if unfair <= UNFAIR:
            break
    assert best is not None
    _, models, weights = best
    asks = models[0].asks
    while models:
        at = rng.choices(range(len(models)), weights)[0]
        if (world := models[at].world.telling(level)) is not None:
            return world, asks
        models, weights = models[:at] + models[at + 1 :], weights[:at] + weights[at + 1 :]

    def one_more() -> tuple[World, tuple[str, ...]] | None:
        made = _answered(case, rng, asks)
        world = None if made is None else made.world.telling(level)
        return None if world is None else (world, asks)

    return until(one_more)


def _answered(case: TaskState, rng: random.Random, group: Sequence[str]) -> _Answered | None:
    """Draw four of a group and a model; None where the answers are not all apart and within bounds."""
    four = tuple(sorted(rng.sample(group, OPTIONS)))
    if (world := drawn_world(case, four, rng)) is None:
        return None
    values = tuple(world.rough.number(world.answer(ask)) for ask in four)
    low, high = BOUNDS[case.ask(four[0]).display]
    if not all(low < value < high for value in values):
        return None
    if any(other - one < case.task.apart for one, other in itertools.pairwise(sorted(values))):
        return None
    return _Answered(world, four, values, _excess(world, four, values))


def _excess(world: World, asks: Sequence[str], values: Sequence[float]) -> float:
    """Return by how much naive reasoners are right too often, over all four questions."""
    listed = [round(value, PLACES) for value in values]

    def odds(read: naive.Reading, ask: str, right: float) -> float:
        heard = read(world.target(ask), world.scm)
        assert isinstance(heard, q.Term)
        value = round(world.rough.number(heard), PLACES)
        return float(value == right) if value in listed else 1 / OPTIONS

    found = 0.0
    for read in (naive.marginal, naive.adjusting):
        means = sum(odds(read, ask, right) for ask, right in zip(asks, listed, strict=True)) / OPTIONS
        found += max(0.0, means - 1 / OPTIONS)
    return round(found, 9)


def balanced(sets: Sequence[Sequence[float]], readily: Sequence[float]) -> tuple[tuple[float, ...], float]:
    """Return weights for drawing one of several sets of four numbers, and how far they are from even.

    With these weights the first number of a set is as likely to be the smallest of the four as the largest,
    or any other, and as likely to be the nearest to 0 as the farthest; so are the second, the third and the
    fourth, as far as the sets allow. Of sets that are alike in this, those that are given as drawn more
    `readily` stay so: weights are found by iterative proportional fitting (Deming and Stephan 1940). The
    distance is the mean total variation from even places, from 0 to 0.75.
    """
    values = np.asarray(sets, dtype=float)
    places = np.hstack([each.argsort(axis=1).argsort(axis=1) for each in (values, np.abs(values))])
    count = values.shape[1]
    weights = np.asarray(readily, dtype=float) / sum(readily)
    for column in list(places.T) * SWEEPS:
        shares = np.bincount(column, weights, minlength=count)
        weights = weights / (count * shares[column])
        weights /= weights.sum()
    shares = np.array([np.bincount(column, weights, minlength=count) for column in places.T])
    return tuple(weights.tolist()), float(np.abs(shares - 1 / count).sum(axis=1).mean() / 2)
