"""Routers, the features of prompts that they use (category, words, embedding), and their training."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self

import numpy as np
import numpy.typing as npt

from assay.frontier.routing.folds import INNER, FoldSplit
from assay.frontier.routing.policy import cautious, choose, reached
from assay.results.frontier_routing import FeatureKind
from assay.stats.two_way import rater_effects

IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Features:
    """Features of N prompts: category numbers (N,), sparse term counts `words` (N, V), `vectors` (N, D).

    Features that the prompts do not have are None. A row of `words` without any count has no text.
    """

    number: int
    categories: IntArray | None = None
    words: Any = None
    vectors: npt.NDArray[np.float64] | None = None

    def take(self, rows: IntArray) -> Self:
        """Return the features of these prompts, in that order."""
        return replace(
            self,
            number=len(rows),
            categories=None if self.categories is None else self.categories[rows],
            words=None if self.words is None else self.words[rows],
            vectors=None if self.vectors is None else self.vectors[rows],
        )

    def has(self, kind: FeatureKind) -> bool:
        """Return whether prompts have features of this kind."""
        return {
            "none": True,
            "category": self.categories is not None,
            "text": self.words is not None,
            "embedding": self.vectors is not None,
        }[kind]


FloatArray = npt.NDArray[np.float64]


class Router(Protocol):
    """A predictor of each model's quality on prompts it has not seen.

    `settings` are names, from the most cautious setting to the boldest.
    """

    @property
    def name(self) -> str:
        """The name of the router."""

    @property
    def kind(self) -> FeatureKind:
        """The features it needs."""

    @property
    def settings(self) -> tuple[str, ...]:
        """Its settings, the most cautious first."""

    def predict(
        self, quality: FloatArray, seen: Features, unseen: Features, settings: Sequence[int]
    ) -> FloatArray:
        """Return the quality (S, m, L) that each setting predicts on `unseen`, learnt from `quality` (n, L).

        A model that was never seen is NaN in both.
        """


@dataclass(frozen=True, slots=True)
class Trained:
    """A router trained on every split. `quality` (R, N, L) is predicted for prompts it had not seen.

    `inner` has an array (n, L) for each split: predictions for the prompts of the training set, by folds
    within it. `setting` is the name of the setting chosen in each split.
    """

    router: str
    kind: FeatureKind
    quality: FloatArray
    inner: tuple[FloatArray, ...]
    setting: tuple[str, ...]


def train(
    router: Router,
    quality: FloatArray,
    cost: FloatArray,
    features: Features,
    splits: Sequence[FoldSplit],
    *,
    orders: IntArray | None = None,
) -> Trained:
    """Train a router on each split; `cautious` chooses its setting by the results within the training set.

    `quality` (N, L) are cell means, NaN where nothing was observed; `cost` (N, L), 0 without costs, breaks
    ties. Of the prompts that it is evaluated on, a router sees only the features. With `orders` (R, N) each
    prompt has the features of another one, so anything that is learnt is luck.
    """
    repeats = 1 + max(split.repeat for split in splits)
    held_out = np.full((repeats, *quality.shape), np.nan)
    inner, chosen = [], []
    every = range(len(router.settings))
    for split in splits:
        shown = features if orders is None else features.take(orders[split.repeat])
        known, seen = quality[split.train], shown.take(split.train)
        predictions = np.full((len(every), *known.shape), np.nan)
        for fold in range(INNER):
            inside, outside = np.flatnonzero(split.inner != fold), np.flatnonzero(split.inner == fold)
            predictions[:, outside] = router.predict(
                filled(known[inside]), seen.take(inside), seen.take(outside), every
            )
        price = means(cost[split.train])
        observed = ~np.isnan(known)
        worth = np.stack([reached(known, choose(prediction, price, observed)) for prediction in predictions])
        best = int(cautious(worth))
        unseen = shown.take(split.test)
        held_out[split.repeat, split.test] = router.predict(filled(known), seen, unseen, [best])[0]
        inner.append(predictions[best])
        chosen.append(router.settings[best])
    return Trained(router.name, router.kind, held_out, tuple(inner), tuple(chosen))


def filled(table: FloatArray) -> FloatArray:
    """Return cell means (n, L) with empty cells from an additive fit; NaN for models without any."""
    empty = np.isnan(table)
    if not empty.any():
        return table
    seen = ~empty.all(axis=0)
    effects = rater_effects(table)
    effects = np.where(np.isnan(effects) & seen, means(table) - np.nanmean(table), effects)
    rest = table - effects
    known = ~np.isnan(rest)
    level = np.where(known, rest, 0.0).sum(axis=1) / np.maximum(known.sum(axis=1), 1)
    return np.where(empty, level[:, None] + effects, table)


def means(table: FloatArray) -> FloatArray:
    """Return each column's mean (L,) without NaN values; NaN if there are no others."""
    known = ~np.isnan(table)
    count = known.sum(axis=0)
    total = np.where(known, table, 0.0).sum(axis=0)
    return np.asarray(np.where(count > 0, total / np.maximum(count, 1), np.nan), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class BestSingle:
    """The router that sends every prompt to the model that was best in training."""

    name: str = "best single"
    kind: FeatureKind = "none"
    settings: tuple[str, ...] = ("",)

    def predict(
        self, quality: FloatArray, seen: Features, unseen: Features, settings: Sequence[int]
    ) -> FloatArray:
        """Return each model's mean in training, the same for every prompt."""
        return np.broadcast_to(quality.mean(axis=0), (len(settings), unseen.number, quality.shape[1]))


@dataclass(frozen=True, slots=True)
class ByCategory:
    """The router that sends every prompt to the model that was best in its category.

    A category's means are shrunk towards the means of all prompts, which count as much as this number of
    prompts (`weights`); the weight is chosen within the training set. An unseen category has the means of
    all prompts.
    """

    weights: tuple[float, ...] = (np.inf, 64.0, 16.0, 4.0, 1.0)
    name: str = "category"
    kind: FeatureKind = "category"

    @property
    def settings(self) -> tuple[str, ...]:
        """The weights, the greatest first."""
        return tuple(
            "categories ignored" if np.isinf(weight) else f"weight {weight:g}" for weight in self.weights
        )

    def predict(
        self, quality: FloatArray, seen: Features, unseen: Features, settings: Sequence[int]
    ) -> FloatArray:
        """Return each category's means, shrunk towards the means of all prompts."""
        assert seen.categories is not None and unseen.categories is not None
        names = int(max(seen.categories.max(), unseen.categories.max(initial=0))) + 1
        total, count = np.zeros((names, quality.shape[1])), np.zeros((names, 1))
        np.add.at(total, seen.categories, quality)
        np.add.at(count, seen.categories, 1.0)
        overall = quality.mean(axis=0)
        predictions = []
        for place in settings:
            weight = self.weights[place]
            table = np.tile(overall, (names, 1))
            if np.isfinite(weight):
                table = (total + weight * overall) / (count + weight)
            predictions.append(table[unseen.categories])
        return np.stack(predictions)
