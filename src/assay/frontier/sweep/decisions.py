"""Decisions along the sweep of alpha: the model chosen for each prompt, with its quality and cost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.frontier.sweep.pareto import cheapest, edges

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
ALPHAS = 41
ODDS = (1e-4, 1e3)
"""The default sweep's alpha/(1 - alpha), between 0 and 1 themselves."""

DIGITS = 13
BLOCK = 4096
"""Rows (a draw of a prompt) are decided in blocks that stay in the processor's cache."""


def default_alphas(number: int = ALPHAS) -> FloatArray:
    """Return the default sweep: 0, then odds alpha/(1 - alpha) on a log scale from 1e-4 to 1e3, then 1.

    A choice changes where alpha/(1 - alpha) is a step's normalised cost over its normalised quality. Cost is
    divided by that of the most expensive generation, and costs are heavy-tailed: most steps cost a hundredth
    or a thousandth of it, so most of the frontier lies at small alpha (half of the gain below 0.03 on
    recorded agent runs), and equal steps of alpha would miss it. Near 1 only small gains at high cost remain.
    """
    odds = np.geomspace(*ODDS, number - 2)
    return np.concatenate([[0.0], odds / (1.0 + odds), [1.0]])


def checked_alphas(alphas: npt.ArrayLike | None) -> FloatArray:
    """Return the alphas sorted, each once, with 0 and 1 among them. Raises InvalidInput outside 0-1."""
    if alphas is None:
        return default_alphas()
    given = np.asarray(alphas, dtype=np.float64).reshape(-1)
    wrong = given[~((given >= 0.0) & (given <= 1.0))]
    if wrong.size:
        raise InvalidInput(Problem(f"invalid alpha {float(wrong[0])!r}: give numbers from 0 to 1"))
    return np.unique(np.concatenate([[0.0], given, [1.0]]))


@dataclass(frozen=True, slots=True)
class Scale:
    """Least and greatest quality and cost of the whole tensor's single generations (eq. 20-21)."""

    quality: tuple[float, float]
    cost: tuple[float, float] | None

    def quality_of(self, values: FloatArray) -> FloatArray:
        """Return quality on 0-1; 0 if all are the same."""
        return _normalised(values, self.quality)

    def cost_of(self, values: FloatArray) -> FloatArray:
        """Return cost on 0-1; 0 if all are the same or there are no costs."""
        return _normalised(values, self.cost or (0.0, 0.0))


def scale_of(quality: FloatArray, cost: FloatArray | None) -> Scale:
    """Return the scale of quality and cost (N, L, G), NaN left out."""
    return Scale(_range(quality), None if cost is None else _range(cost))


def _range(values: FloatArray) -> tuple[float, float]:
    return float(np.nanmin(values)), float(np.nanmax(values))


def _normalised(values: FloatArray, between: tuple[float, float]) -> FloatArray:
    low, high = between
    if not high > low:
        return np.zeros_like(values)
    return np.asarray((values - low) / (high - low), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Views:
    """S views (draws, folds) of N prompts by L models: values that decide and values that are counted.

    `by_quality` and `by_cost`, normalised (eq. 20-21), decide among the models that `may_choose` allows;
    `quality` and `cost` of the chosen model are counted, `cost` None without costs. All have shape (S, N, L).
    """

    by_quality: FloatArray
    by_cost: FloatArray
    may_choose: BoolArray
    quality: FloatArray
    cost: FloatArray | None


@dataclass(frozen=True, slots=True)
class PhiRule:
    """The terms of phi: the scale, and the weight of a cell's delay relative to its cost.

    `delay` (N, L) is normalised latency; phi then charges (1 - weight) C* + weight delay instead of C*.
    """

    scale: Scale
    delay: FloatArray | None = None
    weight: float = 0.0

    def views(
        self,
        by_quality: FloatArray,
        by_cost: FloatArray | None,
        may_choose: BoolArray,
        quality: FloatArray,
        cost: FloatArray | None,
    ) -> Views:
        """Return views that decide by `by_quality` and `by_cost`, in their own units, and count the others.

        All arrays have shape (S, N, L).
        """
        charged = np.zeros_like(by_quality) if by_cost is None else self.scale.cost_of(by_cost)
        if self.delay is not None:
            charged = (1.0 - self.weight) * charged + self.weight * self.delay
        return Views(self.scale.quality_of(by_quality), charged, may_choose, quality, cost)


@dataclass(frozen=True, slots=True)
class SweepResult:
    """Quality, cost and choices of the decisions at A alphas.

    `quality` and `cost` (N, A) are each prompt's mean over the views, `quality_of_view` and `cost_of_view`
    (S, A) each view's mean over the prompts, `within_quality` and `within_cost` (A,) the mean over the
    prompts of the variance over the views. `share` (A, L) is how often each model is chosen, `chosen`
    (A, N, L) the share of the views in which a prompt goes to a model, None unless requested. `tied` is the
    number of prompts, on average over the views, on which several models equal in quality and cost are the
    choice at the greatest alpha. The costs are None without costs.
    """

    quality: FloatArray
    cost: FloatArray | None
    quality_of_view: FloatArray
    cost_of_view: FloatArray | None
    within_quality: FloatArray
    within_cost: FloatArray | None
    share: FloatArray
    chosen: FloatArray | None
    tied: float


def sweep(views: Views, alphas: FloatArray, *, by_prompt: bool = False) -> SweepResult:
    """Decide by the greatest phi(alpha) = alpha Q* - (1 - alpha) C* (eq. 19) at every alpha, sorted.

    Equal phi goes to the lower cost, then to the higher quality; so alpha = 1 takes the cheapest of the best,
    which is also the limit from below. Models equal in both share the choice evenly. Normalised values that
    agree to 13 decimals are equal, as means of the same answers in another order are. Nothing is computed
    alpha by alpha: the choices of a prompt are the corners of its upper hull, and alpha takes each edge
    steeper than (1 - alpha)/alpha. With `by_prompt` the result has `chosen`.
    """
    number, prompts, models = views.by_quality.shape
    closed = ~views.may_choose.reshape(-1, models)
    by_quality = np.where(closed, -np.inf, views.by_quality.reshape(-1, models).round(DIGITS))
    by_cost = np.where(closed, np.inf, views.by_cost.reshape(-1, models).round(DIGITS))
    tally = _Tally(views, alphas, by_prompt, (by_quality, by_cost))
    for first in range(0, number * prompts, BLOCK):
        block = slice(first, min(first + BLOCK, number * prompts))
        with np.errstate(invalid="ignore"):
            start = cheapest(by_quality[block], by_cost[block])
            tally.begin(np.arange(block.start, block.stop), start)
            for edge in edges(by_quality[block], by_cost[block], start):
                tally.move(edge.rows + first, edge.start, edge.end, edge.slope)
    return tally.result()


class _Tally:
    """Adds up the change that each choice makes at its alpha; cumulative sums along alpha give the sweep."""

    def __init__(
        self, views: Views, alphas: FloatArray, by_prompt: bool, decided_by: tuple[FloatArray, FloatArray]
    ) -> None:
        self.decided_by = decided_by
        self.tied = np.zeros(len(alphas) + 1)
        self.count, self.prompts, self.models = views.by_quality.shape
        with np.errstate(divide="ignore"):
            self.rates = ((1.0 - alphas) / alphas)[::-1]
        self.columns = len(alphas) + 1
        counted = [views.quality] if views.cost is None else [views.quality, views.cost]
        self.values = [np.ascontiguousarray(values).reshape(-1) for values in counted]
        self.by_prompt = [np.zeros(self.prompts * self.columns) for _ in counted]
        self.by_view = [np.zeros(self.count * self.columns) for _ in counted]
        self.squares = [np.zeros(self.columns) for _ in counted]
        self.sets = self.prompts if by_prompt else 1
        self.chosen = np.zeros(self.sets * self.models * self.columns)

    def begin(self, rows: IntArray, start: IntArray) -> None:
        """Add the choice of each row at alpha = 0."""
        first = np.zeros(rows.size, dtype=np.int64)
        at = rows * self.models + start
        self._add(rows, first, [(0.0, values[at]) for values in self.values])
        self._choose(rows, start, first, 1.0)

    def move(self, rows: IntArray, start: IntArray, end: IntArray, slope: FloatArray) -> None:
        """Add the change from choice `start` to choice `end` at the alpha that takes this slope."""
        column = self.columns - 1 - np.searchsorted(self.rates, slope, side="left")
        at = rows * self.models
        self._add(rows, column, [(values[at + start], values[at + end]) for values in self.values])
        self._choose(rows, end, column, 1.0)
        self._choose(rows, start, column, -1.0)

    def _add(
        self, rows: IntArray, column: IntArray, counted: list[tuple[FloatArray | float, FloatArray]]
    ) -> None:
        prompt = (rows % self.prompts) * self.columns + column
        view = (rows // self.prompts) * self.columns + column
        for kind, (before, after) in enumerate(counted):
            np.add.at(self.by_prompt[kind], prompt, after - before)
            np.add.at(self.by_view[kind], view, after - before)
            np.add.at(self.squares[kind], column, after**2 - before**2)

    def _choose(self, rows: IntArray, model: IntArray, column: IntArray, sign: float) -> None:
        """Add the choice of `model` on `rows`, shared evenly among the models equal to it."""
        same = np.ones((rows.size, self.models), dtype=np.bool_)
        for values in self.decided_by:
            same &= values[rows] == values[rows, model][:, None]
        number = same.sum(axis=1)
        row, equal = np.nonzero(same)
        index = ((rows[row] % self.sets) * self.models + equal) * self.columns + column[row]
        np.add.at(self.chosen, index, sign / number[row])
        np.add.at(self.tied, column, sign * (number > 1))

    def result(self) -> SweepResult:
        """Return the sweep."""
        prompt = [self._summed(sums, self.prompts) / self.count for sums in self.by_prompt]
        view = [self._summed(sums, self.count) / self.prompts for sums in self.by_view]
        within = [
            np.maximum(self._summed(sums, 1)[0] / (self.count * self.prompts) - (means**2).mean(axis=0), 0.0)
            for sums, means in zip(self.squares, prompt, strict=True)
        ]
        summed = self._summed(self.chosen, self.sets * self.models).reshape(self.sets, self.models, -1)
        chosen = np.moveaxis(summed, 2, 0) * (self.sets / (self.count * self.prompts))
        return SweepResult(
            prompt[0],
            prompt[1] if len(prompt) > 1 else None,
            view[0],
            view[1] if len(view) > 1 else None,
            within[0],
            within[1] if len(within) > 1 else None,
            chosen.mean(axis=1),
            chosen if self.sets == self.prompts else None,
            float(self.tied[:-1].sum() / self.count),
        )

    def _summed(self, sums: FloatArray, rows: int) -> FloatArray:
        return np.asarray(sums.reshape(rows, self.columns)[:, :-1].cumsum(axis=1), dtype=np.float64)
