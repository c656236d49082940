"""Four things to ask whose answers are the options, and numbers that do not tell one answer from another."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.causal.draft import OPTIONS
from assay.causal.draws import Undrawable
from assay.causal.numbers.formula import parsed
from assay.causal.numbers.recipe import Display
from assay.causal.numbers.rough import Numbers, Truths
from assay.causal.numbers.world import TaskState, World, Worlds
from assay.causal.solvers import naive

PLACES = 2
"""Options are whole percents or points: decimals would tell one sort of figure from another."""
BOUNDS = {Display.PERCENT: (0.01, 0.99), Display.POINTS: (-0.99, 0.99), Display.NUMBER: (-math.inf, math.inf)}
"""Between which values all answers lie, so that none can be ruled out, or known, by being extreme."""
MODELS = (400, 1_600, 6_400)
"""How many models are drawn, and how many anew where too few fit."""
LEAST = 60
"""How many models must fit four questions, if more can be drawn."""
COMPARED = 24
"""How many sets of four things to ask are compared at most."""
UNFAIR, MOST_UNFAIR = 0.1, 0.3
"""How far places and naive reasoners may be from chance: before another set is compared, and at all."""
AVERSE = 8.0
"""A model in which naive reasoners are right too often by 1/8 is drawn e times as rarely."""
SWEEPS, STEADY = 30, 0.01
"""How often weights are fitted at most, and how much of a mean weight they may still move at the end."""
SETTLED = 9
"""Decimals to which values in floating point are compared, so that errors of rounding decide nothing."""


def drawn_options(
    case: TaskState, group: Sequence[str], level: int, rng: random.Random
) -> tuple[World, tuple[str, ...]]:
    """Draw four things to ask out of a group, and a model with what is told of it.

    Of some sets of four, that one is taken for which two things can best be had at once: naive reasoners are
    not right too often over all four, and over many draws each answer is as likely to be at one place among
    the four as at another. Undrawable where no numbers fit, or no set is fair.
    """
    every = list(itertools.combinations(range(len(group)), OPTIONS))
    sets = rng.sample(every, len(every))
    for count in MODELS:
        worlds = Worlds(case, rng, count)
        answers = _answers(worlds, group)
        least = LEAST if count < MODELS[-1] else 1
        fitting = ((four, answers.fitting(four)) for four in sets)
        enough = ((four, at) for four, at in fitting if at.size >= least)
        best: _Weighed | None = None
        for four, at in itertools.islice(enough, COMPARED):
            weighed = answers.weighed(four, at)
            if best is None or weighed.unfair < best.unfair:
                best = weighed
            if best.unfair <= UNFAIR:
                break
        if best is not None and best.unfair > MOST_UNFAIR:
            break
        if best is not None and (world := best.telling(worlds, level, rng)) is not None:
            return world, tuple(group[place] for place in best.four)
    raise Undrawable(
        f"no numbers make four of {', '.join(group)} hard to tell apart: widen what is drawn, or ask for more"
    )


@dataclass(frozen=True, slots=True)
class _Weighed:
    """Models for four questions, the weights with which one is drawn, and how unfair these are."""

    four: tuple[int, ...]
    models: Sequence[int]
    weights: Sequence[float]
    unfair: float

    def telling(self, worlds: Worlds, level: int, rng: random.Random) -> World | None:
        """Draw a model whose numbers can be told."""
        models, weights = list(self.models), list(self.weights)
        while models and sum(weights) > 0:
            at = rng.choices(range(len(models)), weights)[0]
            if (world := worlds.world(models.pop(at)).telling(level)) is not None:
                return world
            del weights[at]
        return None


@dataclass(frozen=True, slots=True)
class _Answers:
    """What is answered to questions in many models, rightly and by naive reasoners.

    Of all, the last axes are questions and models; `apart` is how far four answers must be from each other.
    """

    right: Numbers
    fits: Truths
    heard: Numbers
    apart: float

    def fitting(self, four: Sequence[int]) -> npt.NDArray[np.intp]:
        """Return the models in which four questions have answers that are apart."""
        asked = list(four)
        gaps = np.diff(np.sort(self.right[asked], axis=0), axis=0).min(axis=0)
        return np.flatnonzero(self.fits[asked].all(axis=0) & (gaps >= self.apart - 10**-SETTLED))

    def weighed(self, four: tuple[int, ...], at: npt.NDArray[np.intp]) -> _Weighed:
        """Return the weights with which a fair draw takes each of some models."""
        right = self.right[list(four)][:, at]
        excess = _excess(np.round(right, PLACES), np.round(self.heard[:, list(four)][:, :, at], PLACES))
        weights, uneven = balanced(right.T, np.exp(-AVERSE * excess))
        return _Weighed(four, at.tolist(), weights.tolist(), float(excess @ weights) + uneven)


def _answers(worlds: Worlds, group: Sequence[str]) -> _Answers:
    """Return what is answered to the questions of a group."""
    case = worlds.case
    low, high = BOUNDS[case.ask(group[0]).display]
    right = np.round([worlds.values(ask, case.formula(ask)) for ask in group], SETTLED)
    fits = np.array([worlds.holding(ask) for ask in group]) & (low < right) & (right < high)
    targets = [parsed(case.ask(ask).target) for ask in group]
    heard = [
        [worlds.heard(ask, target, read) for ask, target in zip(group, targets, strict=True)]
        for read in (naive.marginal, naive.adjusting)
    ]
    return _Answers(right, fits, np.round(heard, SETTLED), float(case.task.apart))


def _excess(right: Numbers, heard: Numbers) -> Numbers:
    """Return for each model by how much naive reasoners are right too often, over all four questions.

    `right` are the answers as they are written (4 x models), `heard` those of each reasoner.
    """
    listed = (heard[:, :, None] == right).any(axis=2)
    odds = np.where(listed, heard == right, 1 / OPTIONS).mean(axis=1)
    found: Numbers = np.maximum(odds - 1 / OPTIONS, 0).sum(axis=0)
    return found.round(SETTLED)


def balanced(sets: npt.ArrayLike, readily: npt.ArrayLike) -> tuple[Numbers, float]:
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
    weights = np.asarray(readily, dtype=float) / np.sum(readily)
    for _ in range(SWEEPS):
        before = weights
        for column in places.T:
            shares = np.bincount(column, weights, minlength=count)
            weights = weights / (count * shares[column])
            weights /= weights.sum()
        if np.abs(weights - before).max() * len(weights) < STEADY:
            break
    shares = np.array([np.bincount(column, weights, minlength=count) for column in places.T])
    return weights, float(np.abs(shares - 1 / count).sum(axis=1).mean() / 2)
