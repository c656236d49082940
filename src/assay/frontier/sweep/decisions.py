"""Decisions along the sweep of alpha: which model each prompt goes to, and what that reaches and costs."""

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
    divided by the dearest single generation, and costs are heavy-tailed: most steps cost a hundredth or a
    thousandth of it, so most of the frontier lies at small alpha (half of the gain below 0.03 on recorded
    agent runs), and even steps of alpha would pass over it. Towards 1 what is left are dear, small gains.
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
        raise InvalidInput(Problem(f"alpha is {float(wrong[0])!r}: give numbers from 0 to 1"))
    return np.unique(np.concatenate([[0.0], given, [1.0]]))


@dataclass(frozen=True, slots=True)
class Scale:
    """Least and greatest quality and cost of the whole tensor's single generations (eq. 20-21)."""

    quality: tuple[float, float]
    cost: tuple[float, float] | None

    def quality_of(self, values: FloatArray) -> FloatArray:
        """Return quality on 0-1; 0 where all are the same."""
        return _normalised(values, self.quality)

    def cost_of(self, values: FloatArray) -> FloatArray:
        """Return cost on 0-1; 0 where all are the same, and without costs."""
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
    """What decides and what is counted: S views (draws, folds) of N prompts by L models.

    `by_quality` and `by_cost`, normalised (eq. 20-21), decide where `may_choose`; `quality` and `cost` of
    the chosen are counted, `cost` None without costs. All have shape (S, N, L).
    """

    by_quality: FloatArray
    by_cost: FloatArray
    may_choose: BoolArray
    quality: FloatArray
    cost: FloatArray | None


@dataclass(frozen=True, slots=True)
class Rule:
    """How phi is made: the scale, and what a cell's delay weighs beside its cost.

    `delay` (N, L) is normalised latency; phi then charges (1 - weight) C* + weight delay in the place of C*.
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
        """Return views that decide by quality and cost (S, N, L) in their own units, and count others."""
        charged = np.zeros_like(by_quality) if by_cost is None else self.scale.cost_of(by_cost)
        if self.delay is not None:
            charged = (1.0 - self.weight) * charged + self.weight * self.delay
        return Views(self.scale.quality_of(by_quality), charged, may_choose, quality, cost)


@dataclass(frozen=True, slots=True)
class Swept:
    """What the decisions reach at A alphas.

    `quality` and `cost` (N, A) are each prompt's mean over the views, `quality_of_view` and `cost_of_view`
    (S, A) each view's mean over the prompts, `within_quality` and `within_cost` (A,) the mean over the
    prompts of the variance over the views. `share` (A, L) is how often each model is chosen, `chosen`
    (A, N, L) the share of the views in which a prompt goes to a model, None unless asked for. The costs are
    None without costs.
    """

    alphas: FloatArray
    quality: FloatArray
    cost: FloatArray | None
    quality_of_view: FloatArray
    cost_of_view: FloatArray | None
    within_quality: FloatArray
    within_cost: FloatArray | None
    share: FloatArray
    chosen: FloatArray | None


def sweep(views: Views, alphas: FloatArray, *, by_prompt: bool = False) -> Swept:
    """Decide by the greatest phi(alpha) = alpha Q* - (1 - alpha) C* (eq. 19) at every alpha, sorted.

    Equal phi goes to the lower cost, then to the higher quality, then to the first model; so alpha = 1 takes
    the cheapest of the best, which is also the limit from below. Normalised values that agree to 13 decimals
    are equal: means of the same answers in another order are. Nothing is computed alpha by alpha: the
    choices of a prompt are the corners of its upper hull, and alpha takes each edge steeper than
    (1 - alpha)/alpha. `by_prompt` asks for `chosen`.
    """
    tally = _Tally(views, alphas, by_prompt)
    draws, prompts, models = views.by_quality.shape
    shut = ~views.may_choose.reshape(-1, models)
    by_quality = np.where(shut, -np.inf, views.by_quality.reshape(-1, models).round(DIGITS))
    by_cost = np.where(shut, np.inf, views.by_cost.reshape(-1, models).round(DIGITS))
    for first in range(0, draws * prompts, BLOCK):
        block = slice(first, min(first + BLOCK, draws * prompts))
        with np.errstate(invalid="ignore"):
            start = cheapest(by_quality[block], by_cost[block])
            tally.begin(np.arange(block.start, block.stop), start)
            for edge in edges(by_quality[block], by_cost[block], start):
                tally.move(edge.rows + first, edge.start, edge.end, edge.slope)
    return tally.swept()


class _Tally:
    """Adds up what each choice adds from its alpha on; sums along alpha give the sweep."""

    def __init__(self, views: Views, alphas: FloatArray, by_prompt: bool) -> None:
        self.views, self.alphas = views, alphas
        self.draws, self.prompts, self.models = views.by_quality.shape
        with np.errstate(divide="ignore"):
            self.rates = ((1.0 - alphas) / alphas)[::-1]
        self.wide = len(alphas) + 1
        kinds = [views.quality] if views.cost is None else [views.quality, views.cost]
        self.values = [np.ascontiguousarray(kind).reshape(-1) for kind in kinds]
        self.by_prompt = [np.zeros(self.prompts * self.wide) for _ in kinds]
        self.by_view = [np.zeros(self.draws * self.wide) for _ in kinds]
        self.squares = [np.zeros(self.wide) for _ in kinds]
        self.sets = self.prompts if by_prompt else 1
        self.chosen = np.zeros(self.sets * self.models * self.wide)

    def begin(self, rows: IntArray, start: IntArray) -> None:
        first = np.zeros(rows.size, dtype=np.int64)
        at = rows * self.models + start
        self._add(rows, first, [(0.0, values[at]) for values in self.values])
        self._choose(rows, start, first, 1.0)

    def move(self, rows: IntArray, start: IntArray, end: IntArray, slope: FloatArray) -> None:
        taken = self.wide - 1 - np.searchsorted(self.rates, slope, side="left")
        at = rows * self.models
        self._add(rows, taken, [(values[at + start], values[at + end]) for values in self.values])
        self._choose(rows, end, taken, 1.0)
        self._choose(rows, start, taken, -1.0)

    def _add(
        self, rows: IntArray, taken: IntArray, kinds: list[tuple[FloatArray | float, FloatArray]]
    ) -> None:
        prompt = (rows % self.prompts) * self.wide + taken
        view = (rows // self.prompts) * self.wide + taken
        for place, (before, after) in enumerate(kinds):
            np.add.at(self.by_prompt[place], prompt, after - before)
            np.add.at(self.by_view[place], view, after - before)
            np.add.at(self.squares[place], taken, after**2 - before**2)

    def _choose(self, rows: IntArray, model: IntArray, taken: IntArray, sign: float) -> None:
        place = ((rows % self.sets) * self.models + model) * self.wide + taken
        np.add.at(self.chosen, place, sign)

    def swept(self) -> Swept:
        prompt = [self._summed(sums, self.prompts) / self.draws for sums in self.by_prompt]
        view = [self._summed(sums, self.draws) / self.prompts for sums in self.by_view]
        within = [
            np.maximum(self._summed(sums, 1)[0] / (self.draws * self.prompts) - (means**2).mean(axis=0), 0.0)
            for sums, means in zip(self.squares, prompt, strict=True)
        ]
        summed = self._summed(self.chosen, self.sets * self.models).reshape(self.sets, self.models, -1)
        chosen = np.moveaxis(summed, 2, 0) * (self.sets / (self.draws * self.prompts))
        return Swept(
            self.alphas,
            prompt[0],
            prompt[1] if len(prompt) > 1 else None,
            view[0],
            view[1] if len(view) > 1 else None,
            within[0],
            within[1] if len(within) > 1 else None,
            chosen.mean(axis=1),
            chosen if self.sets == self.prompts else None,
        )

    def _summed(self, sums: FloatArray, rows: int) -> FloatArray:
        return np.asarray(sums.reshape(rows, self.wide)[:, :-1].cumsum(axis=1), dtype=np.float64)
