"""Stability of rankings: how much the order of models changes when other items are drawn.

Items are drawn with replacement from the source, so that any number of items can be tried. Source: seed 003,
section 3.4, table 9 and figure 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

from assay.core.errors import InvalidInput
from assay.ranking.score_table import ScoreSource, ScoreTable
from assay.results.rank_stability import (
    ModelStability,
    OrderStability,
    RankingMethod,
    RequiredItems,
    StabilityResult,
)
from assay.stats.paired_comparisons import elo_of_sequences, fit_bradley_terry

FloatArray = npt.NDArray[np.float64]
LEVEL = 0.95
DRAWS = 4000
"""Normal draws for the number of items that an order needs."""
TIE = 1e-12


@dataclass(frozen=True, slots=True)
class StabilityPlan:
    """What is resampled: the numbers of items, how often each, and the reference of the relative score."""

    sizes: tuple[int, ...]
    resamples: int
    reference: str

    def __post_init__(self) -> None:
        if self.resamples < 2:
            raise InvalidInput(f"{self.resamples} resamples: give at least 2, or variances are unknown")
        if not self.sizes or min(self.sizes) < 1:
            raise InvalidInput(f"numbers of items {list(self.sizes)!r}: give one or more, each at least 1")


def measure_stability(
    source: ScoreSource,
    sizes: Sequence[int] = (),
    resamples: int = 100,
    reference: str | None = None,
    seed: int = 0,
) -> StabilityResult:
    """Return the stability of a source's ranking.

    `sizes` are the numbers of items to draw (default: a quarter, half, all and twice all), and `reference` is
    the reference of R (default: the best model). Raises InvalidInput for an unknown reference or fewer than
    two resamples.
    """
    table, rng = source.table, np.random.default_rng(seed)
    items = len(table.items)
    chosen = tuple(sorted(set(sizes) or {max(1, items // 4), max(1, items // 2), items, 2 * items}))
    best = reference or table.models[int(np.argmax(np.nanmean(table.scores, axis=1)))]
    orders, ratings = resample_rankings(table, StabilityPlan(chosen, resamples, best), rng)
    return StabilityResult(source.about, best, seed, required_items(table, rng), orders, ratings)


def resample_rankings(
    table: ScoreTable, plan: StabilityPlan, rng: np.random.Generator
) -> tuple[tuple[OrderStability, ...], tuple[ModelStability, ...]]:
    """Return how stable the order and the models' scores are, by method and number of items.

    The order of each resample is compared with the order of the scores on all items. Raises InvalidInput for
    an unknown reference.
    """
    if plan.reference not in table.models:
        raise InvalidInput(f"unknown reference {plan.reference!r}: give one of {', '.join(table.models)}")
    reference = table.models.index(plan.reference)
    whole = _means(table, np.ones((1, len(table.items))))[0]
    orders, models = [], []
    for size in plan.sizes:
        drawn = rng.multinomial(size, np.full(len(table.items), 1.0 / len(table.items)), size=plan.resamples)
        counts = drawn.astype(np.float64)
        scores = _means(table, counts)
        values = {
            RankingMethod.ABSOLUTE: 100.0 * scores,
            RankingMethod.RELATIVE: 100.0 * _over(scores, scores[:, [reference]]),
            RankingMethod.ELO: _elo(table, drawn, rng),
            RankingMethod.BRADLEY_TERRY: fit_bradley_terry(_wins(table, counts)),
        }
        for method, rated in values.items():
            orders.append(_order_stability(method, size, rated, whole))
            models += _model_stability(method, size, rated, table.models)
    return tuple(orders), tuple(models)


def required_items(table: ScoreTable, rng: np.random.Generator) -> RequiredItems:
    """Return the smallest number of items at which the order of all scores holds in 95 % of draws.

    The observed scores are taken as true: the mean of n items is normal around them with the observed
    covariance over n. The order of two neighbours with difference d holds if d + z/sqrt(n) > 0, so each draw
    of the z gives the least n that would do, and the answer is the 95 % quantile of these. None if two
    models have the same score.
    """
    whole = _means(table, np.ones((1, len(table.items))))[0]
    order = np.argsort(-whole, kind="stable")
    gaps = whole[order][:-1] - whole[order][1:]
    closest = int(np.argmin(gaps))
    pair = table.models[order[closest]], table.models[order[closest + 1]]
    if gaps[closest] <= TIE:
        return RequiredItems(None, *pair, 100.0 * float(gaps[closest]))
    influence = _influence(table, whole)[order]
    noise = influence[:-1] - influence[1:]
    covariance = noise @ noise.T / len(table.items)
    z = rng.multivariate_normal(np.zeros(len(gaps)), covariance, size=DRAWS, method="eigh")
    needed = np.where(z < 0.0, (z / gaps) ** 2, 0.0).max(axis=1)
    return RequiredItems(
        max(1, int(np.ceil(np.quantile(needed, LEVEL)))), *pair, 100.0 * float(gaps[closest])
    )


def _influence(table: ScoreTable, whole: FloatArray) -> FloatArray:
    """Return each item's influence on each model's mean, times the number of items, (M, N)."""
    share = table.scored.mean(axis=1, keepdims=True)
    return np.where(table.scored, (table.scores - whole[:, None]) / share, 0.0)


def _means(table: ScoreTable, counts: FloatArray) -> FloatArray:
    """Return the models' means (R, M) for items drawn `counts` (R, N) times; NaN where none is scored."""
    scored = table.scored.astype(np.float64)
    filled = np.where(table.scored, table.scores, 0.0)
    return _over(counts @ filled.T, counts @ scored.T)


def _over(part: FloatArray, whole: FloatArray) -> FloatArray:
    whole = np.broadcast_to(whole, part.shape)
    quotient: FloatArray = np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole > 0.0)
    return quotient


def _wins(table: ScoreTable, counts: FloatArray) -> FloatArray:
    """Return how often each model beats each other one, ties half and half, (R, M, M)."""
    models = len(table.models)
    wins = np.empty((len(counts), models, models))
    for first in range(models):
        lead = table.scores[first] - table.scores
        points = np.where(np.isnan(lead), 0.0, 0.5 * (np.sign(lead) + 1.0))
        wins[:, first] = counts @ points.T
        wins[:, first, first] = 0.0
    return wins


def _elo(table: ScoreTable, drawn: npt.NDArray[np.int64], rng: np.random.Generator) -> FloatArray:
    """Return sequential Elo ratings (R, M) from one random pair of models for each drawn item."""
    models, everything = len(table.models), np.arange(len(table.items))
    items = np.stack([rng.permutation(np.repeat(everything, counts)) for counts in drawn], axis=1)
    first = rng.integers(0, models, items.shape)
    second = (first + rng.integers(1, models, items.shape)) % models
    lead = table.scores[first, items] - table.scores[second, items]
    return elo_of_sequences(first, second, 0.5 * (np.sign(lead) + 1.0), models)


def _order_stability(
    method: RankingMethod, size: int, rated: FloatArray, whole: FloatArray
) -> OrderStability:
    usable = ~np.isnan(rated).any(axis=1)
    rated = rated[usable]
    if not len(rated):
        return OrderStability(method, size, 0, None, None, None, None)
    true_order = np.argsort(-whole, kind="stable")
    kept = (np.diff(rated[:, true_order], axis=1) < 0.0).all(axis=1)
    first = rated.argmax(axis=1) == true_order[0]
    correlation = _spearman(rated, whole)
    low = None if correlation is None else float(np.quantile(correlation, 0.05))
    return OrderStability(
        method,
        size,
        len(rated),
        None if correlation is None else float(correlation.mean()),
        low,
        float(kept.mean()),
        float(first.mean()),
    )


def _spearman(rated: FloatArray, whole: FloatArray) -> FloatArray | None:
    """Return Spearman's rho of each row with the scores on all items; None if these are all equal."""
    true_rank = scipy.stats.rankdata(whole) - 0.5 * (len(whole) + 1)
    ranks = scipy.stats.rankdata(rated, axis=1) - 0.5 * (len(whole) + 1)
    bottom = np.sqrt((ranks**2).sum(axis=1) * (true_rank**2).sum())
    if not bottom.any():
        return None
    rho: FloatArray = np.divide(ranks @ true_rank, bottom, out=np.zeros(len(ranks)), where=bottom > 0.0)
    return rho


def _model_stability(
    method: RankingMethod, size: int, rated: FloatArray, models: Sequence[str]
) -> list[ModelStability]:
    rows = []
    for model, values in zip(models, rated.T, strict=True):
        known = values[~np.isnan(values)]
        n = len(known)
        mean, variance = (float(known.mean()), float(known.var())) if n else (None, None)
        sample = float(known.var(ddof=1)) if n > 1 else None
        rows.append(ModelStability(model, method, size, mean, variance, sample))
    return rows
