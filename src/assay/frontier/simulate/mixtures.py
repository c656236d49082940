"""Mixtures of topics: their entropy, the lines between them, and the oracle's uplift in each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
DIGITS = 12
"""Uplifts and entropies that agree to this number of decimals are tied."""


def topic_entropy(shares: npt.ArrayLike) -> FloatArray:
    """Return H = -sum share * log(share) over the last axis, in nats (eq. 27); a share of 0 adds 0."""
    values = np.asarray(shares, dtype=np.float64)
    logs = np.log(values, out=np.zeros_like(values), where=values > 0.0)
    return np.asarray(0.0 - (values * logs).sum(axis=-1))


def mixtures_between(base: npt.ArrayLike, single: int, weights: npt.ArrayLike) -> FloatArray:
    """Return shares (weights, topics) on the line from `base` (weight 0) to one topic alone (weight 1)."""
    start = np.asarray(base, dtype=np.float64)
    weight = np.asarray(weights, dtype=np.float64)[:, None]
    return np.asarray((1.0 - weight) * start + weight * np.eye(len(start))[single])


def rank_correlations(entropy: npt.ArrayLike, uplifts: npt.ArrayLike) -> FloatArray:
    """Return Spearman's rank correlation of each row (R, P) with the entropies (P).

    NaN for fewer than three points and if either is constant.
    """
    rows = np.atleast_2d(np.asarray(uplifts, dtype=np.float64))
    if rows.shape[1] < 3:
        return np.full(len(rows), np.nan)
    x = scipy.stats.rankdata(np.round(np.asarray(entropy, dtype=np.float64), DIGITS))
    y = scipy.stats.rankdata(np.round(rows, DIGITS), axis=1)
    x, y = x - x.mean(), y - y.mean(axis=1, keepdims=True)
    scale = np.sqrt((x @ x) * (y * y).sum(axis=1))
    correlations = np.full(len(rows), np.nan)
    correlations[scale > 0.0] = (y @ x)[scale > 0.0] / scale[scale > 0.0]
    return correlations


@dataclass(frozen=True, slots=True)
class MixturePaths:
    """Paths of mixtures (P, C) from `shares` (weight 0) to each category alone (weight 1)."""

    shares: FloatArray
    weights: FloatArray

    @property
    def mixtures(self) -> FloatArray:
        """All mixtures: shape (C * weights, C)."""
        lines = [mixtures_between(self.shares, single, self.weights) for single in range(len(self.shares))]
        return np.asarray(np.concatenate(lines))

    @property
    def distinct(self) -> IntArray:
        """The positions of distinct mixtures: each path begins with the same one, which is counted once."""
        places = np.arange(len(self.shares) * len(self.weights))
        return np.asarray(places[(places == 0) | (places % len(self.weights) > 0)], dtype=np.int64)

    def averaged(self, figures: FloatArray) -> FloatArray:
        """Return the means over categories, weighted by their shares, at each weight: (.., P) to (.., W)."""
        by_category = figures.reshape(*figures.shape[:-1], len(self.shares), len(self.weights))
        return np.asarray(np.einsum("...cw,c->...w", by_category, self.shares))

    def rise(self, figures: FloatArray) -> FloatArray:
        """Return the whole mixture's figure minus the mean of the single categories': (.., P) to (..)."""
        path = self.averaged(figures)
        return np.asarray(path[..., 0] - path[..., -1])


@dataclass(frozen=True, slots=True)
class TopicCells:
    """Quality in S draws of the truth: `quality` (S, N, L), NaN if unknown, and the `best` (S, N)."""

    quality: FloatArray
    best: FloatArray

    def uplift(self, draw: int, category: IntArray, times: FloatArray, mixtures: FloatArray) -> FloatArray:
        """Return each mixture's uplift (P) in one draw, with each prompt counted a number of `times` (N,).

        A model without a value in a category of a mixture cannot be its best single model.
        """
        weight = np.zeros((mixtures.shape[1], len(times)))
        weight[category, np.arange(len(times))] = times
        weight /= weight.sum(axis=1, keepdims=True)
        known = ~np.isnan(self.quality[draw])
        share = weight @ known
        total = weight @ np.where(known, self.quality[draw], 0.0)
        means = np.divide(total, share, out=np.zeros_like(share), where=share > 0.0)
        single = mixtures @ means
        single[mixtures @ (share <= 0.0) > 0.0] = -np.inf
        return np.asarray(mixtures @ (weight @ self.best[draw]) - single.max(axis=1))

    def redrawn(self, category: IntArray, mixtures: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Return the uplifts (P) of the first draw with the prompts of each category drawn again."""
        times = np.zeros(len(category))
        for place in range(mixtures.shape[1]):
            prompts = np.flatnonzero(category == place)
            times[prompts] = rng.multinomial(len(prompts), np.full(len(prompts), 1.0 / len(prompts)))
        return self.uplift(0, category, times, mixtures)

    def averaged(self) -> TopicCells:
        """Return cells with one draw: the means over all draws."""
        return TopicCells(self.quality.mean(axis=0)[None], self.best.mean(axis=0)[None])

    def shuffled(self, category: IntArray, mixtures: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Return the uplifts (P) in a random draw with the prompts' categories permuted at random."""
        draw = int(rng.integers(len(self.quality)))
        return self.uplift(draw, rng.permutation(category), np.ones(len(category)), mixtures)
