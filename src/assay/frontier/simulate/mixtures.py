"""Workloads as mixtures of topics: their entropy, lines between them, and the oracle's uplift in each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
DIGITS = 12
"""Uplifts and entropies that agree to so many decimals are ties."""


def topic_entropy(shares: npt.ArrayLike) -> FloatArray:
    """Return H = -sum share * log(share) over the last axis, in nats (eq. 27); an empty one adds 0."""
    given = np.asarray(shares, dtype=np.float64)
    logs = np.log(given, out=np.zeros_like(given), where=given > 0.0)
    return np.asarray(0.0 - (given * logs).sum(axis=-1))


def mixtures_between(base: npt.ArrayLike, single: int, weights: npt.ArrayLike) -> FloatArray:
    """Return shares (weights, topics) on the line from `base` (weight 0) to one topic alone (weight 1)."""
    start = np.asarray(base, dtype=np.float64)
    turn = np.asarray(weights, dtype=np.float64)[:, None]
    return np.asarray((1.0 - turn) * start + turn * np.eye(len(start))[single])


def rank_correlations(entropy: npt.ArrayLike, uplifts: npt.ArrayLike) -> FloatArray:
    """Return Spearman's rank correlation of each row (R, P) with the entropies (P).

    NaN for fewer than three points and where either is constant.
    """
    rows = np.atleast_2d(np.asarray(uplifts, dtype=np.float64))
    if rows.shape[1] < 3:
        return np.full(len(rows), np.nan)
    x = rankdata(np.round(np.asarray(entropy, dtype=np.float64), DIGITS))
    y = rankdata(np.round(rows, DIGITS), axis=1)
    x, y = x - x.mean(), y - y.mean(axis=1, keepdims=True)
    scale = np.sqrt((x @ x) * (y * y).sum(axis=1))
    found = np.full(len(rows), np.nan)
    found[scale > 0.0] = (y @ x)[scale > 0.0] / scale[scale > 0.0]
    return found


@dataclass(frozen=True, slots=True)
class MixturePaths:
    """The mixtures (P, C) from a whole one (weight 0) to each of its categories alone (weight 1), in turn."""

    shares: FloatArray
    weights: FloatArray

    @property
    def mixtures(self) -> FloatArray:
        """Return all of them: shape (C * weights, C)."""
        lines = [mixtures_between(self.shares, one, self.weights) for one in range(len(self.shares))]
        return np.asarray(np.concatenate(lines))

    @property
    def distinct(self) -> IntArray:
        """Places of the mixtures without the repeats of the whole one, with which each path begins."""
        places = np.arange(len(self.shares) * len(self.weights))
        return np.asarray(places[(places == 0) | (places % len(self.weights) > 0)], dtype=np.int64)

    def averaged(self, figures: FloatArray) -> FloatArray:
        """Return the means over categories, as heavy as their shares, at each weight: (.., P) to (.., W)."""
        apart = figures.reshape(*figures.shape[:-1], len(self.shares), len(self.weights))
        return np.asarray(np.einsum("...cw,c->...w", apart, self.shares))

    def rise(self, figures: FloatArray) -> FloatArray:
        """Return the whole mixture's figure less the mean of the single categories': (.., P) to (..)."""
        path = self.averaged(figures)
        return np.asarray(path[..., 0] - path[..., -1])


@dataclass(frozen=True, slots=True)
class TopicCells:
    """Qualities in S versions of the truth: `quality` (S, N, L), NaN if unknown, and `best` (S, N)."""

    quality: FloatArray
    best: FloatArray

    def uplift(self, draw: int, category: IntArray, times: FloatArray, mixtures: FloatArray) -> FloatArray:
        """Return each mixture's uplift (P) in one version, prompts (N) counted so many `times`.

        A model without a value in a category that a mixture holds cannot be its best single one.
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
        """Return the uplifts (P) of the first version where each category's prompts are drawn anew."""
        times = np.zeros(len(category))
        for each in range(mixtures.shape[1]):
            prompts = np.flatnonzero(category == each)
            times[prompts] = rng.multinomial(len(prompts), np.full(len(prompts), 1.0 / len(prompts)))
        return self.uplift(0, category, times, mixtures)

    def averaged(self) -> TopicCells:
        """Return the one version that holds the means over all versions."""
        return TopicCells(self.quality.mean(axis=0)[None], self.best.mean(axis=0)[None])

    def shuffled(self, category: IntArray, mixtures: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Return the uplifts (P) where the prompts' categories are dealt out at random."""
        draw = int(rng.integers(len(self.quality)))
        return self.uplift(draw, rng.permutation(category), np.ones(len(category)), mixtures)
