"""Plans that are made on one half of the prompts and evaluated on the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.frontier.per_prompt import best_single
from assay.frontier.selection.answer_pool import AnswerPool
from assay.frontier.selection.attempts import AnswerChances, CountedChances
from assay.frontier.selection.judged import ErringJudge
from assay.frontier.selection.plan import Walk, greedy_steps, walk
from assay.frontier.singles import levels

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
FEWEST = 20
"""The smallest number of training prompts for a plan of a category's own."""


@dataclass(frozen=True, slots=True)
class PlanMaker:
    """A maker of plans from the counts of some prompts; a `fixed` plan is returned as it is."""

    source: AnswerPool
    cells: CountedChances
    judge: ErringJudge
    attempts: int
    steps: int
    fixed: tuple[int, ...] | None

    def plan(self, rows: IntArray) -> tuple[int, ...]:
        """Return the greedy plan for these prompts, or the fixed one."""
        if self.fixed is not None:
            return self.fixed[: self.steps]
        return greedy_steps(
            self.cells.take(rows),
            self.judge,
            cost=self.source.cost[rows],
            attempts=self.attempts,
            steps=self.steps,
        )

    def fallback(self, rows: IntArray) -> int:
        """Return the best single model on these prompts."""
        cells = self.cells.take(rows)
        quality = levels(np.where(cells.observed, cells.success, np.nan))
        return best_single(quality, self.source.cost[rows].mean(axis=0), self.source.models)


@dataclass(frozen=True, slots=True)
class Fold:
    """A plan, the prompts to evaluate it on, and its weight in their value."""

    rows: IntArray
    plan: tuple[int, ...]
    fallback: int
    weight: float


def folds_of(maker: PlanMaker, labels: tuple[str, ...] | None, splits: int, seed: int) -> Iterator[Fold]:
    """Yield folds of random halves, `splits` times both ways, by category if there are `labels` (N,).

    With a fixed plan, one prompt or no splits there is one fold of all prompts.
    """
    number = len(maker.source.rows)
    every = np.arange(number)
    if maker.fixed is not None or number < 2 or splits < 1:
        yield Fold(every, maker.plan(every), maker.fallback(every), 1.0)
        return
    names = np.zeros(number, dtype=np.int64)
    if labels is not None:
        names = np.unique(np.array(labels), return_inverse=True)[1]
    rng = np.random.default_rng(seed)
    for _ in range(splits):
        shuffled = rng.permutation(number)
        halves = shuffled[: number // 2], shuffled[number // 2 :]
        for train, test in (halves, halves[::-1]):
            for name in np.unique(names[test]):
                own = train[names[train] == name]
                seen = own if len(own) >= FEWEST else train
                rows = test[names[test] == name]
                yield Fold(rows, maker.plan(seen), maker.fallback(seen), 1.0 / splits)


def crossed(
    source: AnswerPool, cells: AnswerChances, judge: ErringJudge, folds: Sequence[Fold]
) -> FloatArray:
    """Return quality, cost, answers and seconds (4, T, N) of each prompt under the plans of its folds."""
    steps = len(folds[0].plan)
    totals = np.zeros((4, steps, len(source.rows)))
    for fold in folds:
        walked: Walk = walk(
            cells.take(fold.rows),
            judge,
            fold.plan,
            cost=source.cost[fold.rows],
            latency=None if source.latency is None else source.latency[fold.rows],
            fallback=fold.fallback,
        )
        waited = np.zeros_like(walked.cost) if walked.latency is None else walked.latency
        parts = np.stack([walked.quality, walked.cost, walked.answers, waited])
        totals[:, :, fold.rows] += fold.weight * parts
    return totals
