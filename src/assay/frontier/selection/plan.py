"""Plans of single attempts, one model after the other, that stop at the first answer a judge accepts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.frontier.selection.attempts import AnswerChances
from assay.frontier.selection.judged import ErringJudge

FloatArray = npt.NDArray[np.float64]
NOTHING = 1e-7
"""A step with a smaller chance of a new right answer has worth 0; success per price then decides."""


@dataclass(frozen=True, slots=True)
class Walk:
    """Expected results of a plan stopped after 1, 2, … steps, by prompt: arrays (T, N).

    `quality` is that of the returned answer, `cost` the amount paid until then (with judgements), `answers`
    the number of answers made, `latency` in seconds, None if unknown.
    """

    quality: FloatArray
    cost: FloatArray
    answers: FloatArray
    latency: FloatArray | None


class _State:
    """The number of attempts of each model, and the chance on each prompt that all were rejected."""

    def __init__(self, cells: AnswerChances, judge: ErringJudge, most: int) -> None:
        self.rejections = np.stack([cells.rejected(judge, made) for made in range(most + 1)])
        self.rights = np.stack([cells.right_beside(judge, made) for made in range(most)])
        self.added = np.diff(np.stack([cells.made(made) for made in range(most + 1)]), axis=0)
        self.made = np.zeros(cells.observed.shape[1], dtype=np.int64)
        self.log = np.zeros(len(cells.observed))
        self.mute = np.zeros(len(cells.observed), dtype=np.int64)

    def reach(self) -> FloatArray:
        """Return the chance that no answer was accepted yet: shape (N,)."""
        return np.where(self.mute > 0, 0.0, np.exp(self.log))

    def without(self, place: int) -> FloatArray:
        """Return the chance that no answer of another model was accepted: shape (N,)."""
        own = self.rejections[self.made[place], :, place]
        zero = own == 0.0
        rest = self.log - np.log(np.where(zero, 1.0, own))
        return np.where(self.mute - zero > 0, 0.0, np.exp(rest))

    def attempt(self, place: int) -> None:
        """Count one more attempt of a model."""
        for change in (-1, 1):
            own = self.rejections[self.made[place], :, place]
            zero = own == 0.0
            self.mute += change * zero
            self.log += change * np.log(np.where(zero, 1.0, own))
            self.made[place] += change < 0


def walk(
    cells: AnswerChances,
    judge: ErringJudge,
    steps: Sequence[int],
    *,
    cost: FloatArray,
    latency: FloatArray | None = None,
    fallback: int | None = None,
) -> Walk:
    """Return the results of a plan stopped after each of its steps; a step is one attempt of a model.

    Answers are made and judged one by one, and the first accepted one is returned. If none is accepted, the
    first answer of `fallback` is returned although it was rejected (as long as it has none, that of the first
    model asked). `cost` and `latency` (N, L) are per answer; each answer also pays for a judgement. A cell
    without answers left is skipped, and nothing is paid for it.
    """
    most = int(np.bincount(steps).max(initial=0))
    state = _State(cells, judge, most)
    shape = (len(steps), len(cells.observed))
    hit, paid, made, waited = (np.zeros(shape) for _ in range(4))
    fallback_right, returned = np.zeros(shape), np.full(len(cells.observed), -1)
    for step, place in enumerate(steps):
        turn = state.made[place]
        reached = state.reach() * state.added[turn, :, place]
        right = state.without(place) * state.added[turn, :, place] * state.rights[turn, :, place]
        hit[step] = judge.true_positive * right
        paid[step] = reached * (cost[:, place] + judge.price)
        made[step] = reached
        waited[step] = reached * (0.0 if latency is None else latency[:, place])
        state.attempt(place)
        returned[(returned < 0) & (state.added[turn, :, place] > 0)] = place
        if place == fallback:
            returned[state.added[turn, :, place] > 0] = place
        if judge.true_positive < 1.0:
            fallback_right[step] = (1.0 - judge.true_positive) * _fallback_right(state, returned)
    return Walk(
        np.cumsum(hit, axis=0) + fallback_right,
        np.cumsum(paid, axis=0),
        np.cumsum(made, axis=0),
        None if latency is None else np.cumsum(waited, axis=0),
    )


def _fallback_right(state: _State, returned: npt.NDArray[np.int64]) -> FloatArray:
    """Return the chance that the first answer of each prompt's model is right and all others are rejected."""
    chance = np.zeros(len(returned))
    for place in np.unique(returned[returned >= 0]).tolist():
        beside = state.rights[state.made[place] - 1, :, place] * state.without(place)
        chance = np.where(returned == place, beside, chance)
    return chance


def greedy_steps(
    cells: AnswerChances, judge: ErringJudge, *, cost: FloatArray, attempts: int, steps: int
) -> tuple[int, ...]:
    """Return a greedy plan of `steps` attempts, at most `attempts` per model.

    Each step takes the model with the greatest ratio, over all prompts, of the mean chance that its next
    answer is right and the first accepted one to its expected cost; of equal models, the one with the greater
    success per price. For a perfect judge and one population this is greedy min-sum set cover: the expected
    cost to the first right answer is at most 4 times the least possible (U. Feige, L. Lovász and P. Tetali,
    Algorithmica 40 (2004) 219-234; with prices K. Munagala et al., ICDT 2005).
    """
    state = _State(cells, judge, attempts)
    number = cells.observed.shape[1]
    typical = cells.success.mean(axis=0) / np.maximum(cost.mean(axis=0) + judge.price, 1e-300)
    plan: list[int] = []
    price = cost + judge.price
    for _ in range(min(steps, number * attempts)):
        reach = state.reach()
        turns, columns = np.minimum(state.made, attempts - 1), np.arange(number)
        added = state.added[turns, :, columns]
        own = state.rejections[state.made, :, columns]
        zero = own == 0.0
        rest = np.exp(state.log - np.log(np.where(zero, 1.0, own)))
        others = np.where(state.mute - zero > 0, 0.0, rest)
        hits = (others * added * state.rights[turns, :, columns]).mean(axis=1)
        spent = (reach * added * price.T).mean(axis=1)
        worth = np.divide(hits, spent, out=np.zeros_like(hits), where=spent > 0)
        worth[hits <= NOTHING] = 0.0
        open_ = state.made < attempts
        ranked = np.lexsort((-typical, -np.round(worth, 15), ~open_))
        plan.append(int(ranked[0]))
        state.attempt(plan[-1])
    return tuple(plan)


def rounds(order: Sequence[int], attempts: Sequence[int]) -> tuple[int, ...]:
    """Return the plan that makes all attempts of each model before the next, in a fixed order."""
    return tuple(place for place, times in zip(order, attempts, strict=True) for _ in range(times))
