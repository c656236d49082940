"""What a router is, and how one is trained on every fold with its setting chosen inside the training set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from assay.frontier.routing.choosing import cautious, choose, reached
from assay.frontier.routing.features import Features, Kind
from assay.frontier.routing.folds import INNER, Split
from assay.stats.two_way import rater_effects

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


class Router(Protocol):
    """Predicts each model's quality on prompts it has not seen.

    `settings` are told apart by their names, from the most cautious to the boldest.
    """

    @property
    def name(self) -> str:
        """What the router is called."""

    @property
    def kind(self) -> Kind:
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
    kind: Kind
    quality: FloatArray
    inner: tuple[FloatArray, ...]
    setting: tuple[str, ...]


def train(
    router: Router,
    quality: FloatArray,
    cost: FloatArray,
    features: Features,
    splits: Sequence[Split],
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
