"""What is known of a prompt before any model is asked: its category, its wording, its embedding."""

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
    """N prompts: `categories` (N,) numbers, `words` (N, V) counts of terms, sparse, `vectors` (N, D).

    None where the prompts have none. A row of `words` without any count has no wording.
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
    """Predicts each model's quality on prompts it has not seen.

    `settings` are told apart by their names, from the most cautious to the boldest.
    """

    @property
    def name(self) -> str:
        """What the router is called."""

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

        A model that was never seen is NaN throughout, in both.
        """


@dataclass(frozen=True, slots=True)
class Trained:
    """A router on every fold. `quality` (R, N, L) is predicted for prompts that it had not seen.

    `inner` has an array (n, L) for each split: what was predicted, by folds inside the training set, for
    its own prompts. `setting` names the one chosen in each split.
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
    """Train a router on each split. Its setting is `cautious` by what its choices reach inside the training.

    `quality` (N, L) are cell means, NaN where nothing was observed; `cost` (N, L), 0 without costs, breaks
    ties. A router sees nothing of the prompts that it is valued on but their features. With `orders` (R, N)
    each prompt has the features of another one: what is learnt then is luck.
    """
    repeats = 1 + max(each.repeat for each in splits)
    held = np.full((repeats, *quality.shape), np.nan)
    inner, chosen = [], []
    every = range(len(router.settings))
    for each in splits:
        shown = features if orders is None else features.take(orders[each.repeat])
        known, seen = quality[each.train], shown.take(each.train)
        guesses = np.full((len(every), *known.shape), np.nan)
        for fold in range(INNER):
            inside, outside = np.flatnonzero(each.inner != fold), np.flatnonzero(each.inner == fold)
            guesses[:, outside] = router.predict(
                filled(known[inside]), seen.take(inside), seen.take(outside), every
            )
        price = means(cost[each.train])
        there = ~np.isnan(known)
        worth = np.stack([reached(known, choose(guess, price, there)) for guess in guesses])
        best = int(cautious(worth))
        unseen = shown.take(each.test)
        held[each.repeat, each.test] = router.predict(filled(known), seen, unseen, [best])[0]
        inner.append(guesses[best])
        chosen.append(router.settings[best])
    return Trained(router.name, router.kind, held, tuple(inner), tuple(chosen))


def filled(table: FloatArray) -> FloatArray:
    """Return cell means (n, L) with empty cells at prompt + model, additive; NaN where a model has none."""
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
    """Return each column's mean (L,), NaN left out; NaN where nothing is left."""
    known = ~np.isnan(table)
    count = known.sum(axis=0)
    total = np.where(known, table, 0.0).sum(axis=0)
    return np.asarray(np.where(count > 0, total / np.maximum(count, 1), np.nan), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class BestSingle:
    """Every prompt goes to the model that was best in training."""

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
    """Every prompt goes to the model that was best in its category, as far as the category has prompts.

    A category's means are drawn to the means of all prompts with the weight of so many prompts (`weights`),
    the weight chosen inside the training; an unseen category has the means of all.
    """

    weights: tuple[float, ...] = (np.inf, 64.0, 16.0, 4.0, 1.0)
    name: str = "category"
    kind: FeatureKind = "category"

    @property
    def settings(self) -> tuple[str, ...]:
        """The weights, the greatest first."""
        return tuple("categories ignored" if np.isinf(each) else f"weight {each:g}" for each in self.weights)

    def predict(
        self, quality: FloatArray, seen: Features, unseen: Features, settings: Sequence[int]
    ) -> FloatArray:
        """Return each category's means, drawn to the means of all."""
        assert seen.categories is not None and unseen.categories is not None
        names = int(max(seen.categories.max(), unseen.categories.max(initial=0))) + 1
        total, count = np.zeros((names, quality.shape[1])), np.zeros((names, 1))
        np.add.at(total, seen.categories, quality)
        np.add.at(count, seen.categories, 1.0)
        overall = quality.mean(axis=0)
        found = []
        for place in settings:
            weight = self.weights[place]
            table = np.tile(overall, (names, 1))
            if np.isfinite(weight):
                table = (total + weight * overall) / (count + weight)
            found.append(table[unseen.categories])
        return np.stack(found)
