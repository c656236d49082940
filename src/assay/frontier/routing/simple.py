"""Routers that need no fit: the best single model, and the best model of each category."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.frontier.routing.features import Features, Kind

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class BestSingle:
    """Every prompt goes to the model that was best in training."""

    name: str = "best single"
    kind: Kind = "none"
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
    kind: Kind = "category"

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
