"""All routers of one tensor on the same folds: trained, turned into choices, valued."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from assay.frontier.routing.choosing import Choice
from assay.frontier.routing.features import Features, Kind
from assay.frontier.routing.folds import Split
from assay.frontier.routing.router import Router, Trained, train
from assay.frontier.routing.simple import BestSingle, ByCategory
from assay.frontier.routing.valued import Picked, Recorded, Valued, budgets, nested, pick, value
from assay.frontier.routing.verified import verified
from assay.frontier.selection.judged import Judge
from assay.frontier.sweep.decisions import Scale, default_alphas, scale_of
from assay.frontier.tensor import Tensor
from assay.studies.frontier.routing_learned import Linear, Neighbours

IntArray = npt.NDArray[np.int64]
Tell = Callable[[str], None]
THRESHOLDS = 41
KINDS: tuple[Kind, ...] = ("text", "embedding")


@dataclass(frozen=True, slots=True)
class Found:
    """All that was valued; `shuffled` by the router's name."""

    base: Valued
    valued: tuple[Valued, ...]
    shuffled: dict[str, Valued]
    reading: frozenset[str]


class Work:
    """One tensor's routers over its folds."""

    def __init__(
        self, tensor: Tensor, features: Features, splits: tuple[Split, ...], seed: int, tell: Tell
    ) -> None:
        self.tensor, self.features, self.splits, self.tell = tensor, features, splits, tell
        quality, cost = tensor.mean_quality(), tensor.mean_cost()
        there = ~np.isnan(quality)
        self.recorded = Recorded(
            quality,
            np.where(there, 0.0, np.nan) if cost is None else np.where(there, cost, np.nan),
            there,
            cost is not None,
        )
        self.scale: Scale = scale_of(tensor.quality, tensor.cost)
        self.alphas = np.array([1.0]) if cost is None else default_alphas()
        self.bounded = bool(np.nanmin(tensor.quality) >= 0.0 and np.nanmax(tensor.quality) <= 1.0)
        rng, repeats = np.random.default_rng([seed, 1]), 1 + max(each.repeat for each in splits)
        self.orders: IntArray = np.stack([rng.permutation(len(quality)) for _ in range(repeats)])

    def routers(self, names: Sequence[str]) -> list[Router]:
        """Return the routers that these prompts have features for, the simplest first."""
        found: list[Router] = [ByCategory()] if "category" in names else []
        if "neighbours" in names:
            found += [Neighbours(kind) for kind in KINDS]
        if "linear" in names:
            found += [Linear(kind, self.bounded) for kind in KINDS]
        return [router for router in found if self.features.has(router.kind)]

    def run(self, names: Sequence[str], judge: Judge | None) -> Found:
        """Train, pick and value them all."""
        choice = Choice(self.scale, self.alphas)
        base = self._picked(self._trained(BestSingle()), choice)
        picked, valued = [base], [value(base, base, self.recorded, self.splits)]
        shuffled, trained = {}, []
        for router in self.routers(names):
            self.tell(f"router {router.name}")
            trained.append(self._trained(router))
            picked.append(self._picked(trained[-1], choice))
            valued.append(value(picked[-1], base, self.recorded, self.splits))
            self.tell(f"router {router.name}, its features dealt out at random")
            luck = self._picked(self._trained(router, self.orders), choice)
            shuffled[router.name] = value(luck, base, self.recorded, self.splits)
        if len(picked) > 1:
            valued.append(nested(picked, base, self.recorded, self.splits, self.scale, self.alphas))
        reading = set()
        if "cascade" in names and self.bounded and self.recorded.costed and trained:
            valued.append(self._cascade(trained[-1], base))
        if judge is not None:
            self.tell("a cascade whose answers a verifier reads")
            valued.append(verified(self.tensor, judge, self.splits, budgets(base)))
            reading.add(valued[-1].name)
        return Found(valued[0], tuple(valued), shuffled, frozenset(reading))

    def _trained(self, router: Router, orders: IntArray | None = None) -> Trained:
        return train(
            router,
            self.recorded.quality,
            self.recorded.cost,
            self.features,
            self.splits,
            orders=orders,
        )

    def _picked(self, trained: Trained, choice: Choice) -> Picked:
        return pick(trained, choice, self.recorded, self.splits)

    def _cascade(self, trained: Trained, base: Picked) -> Valued:
        """Return the cascade by the predictions of the boldest router there is."""
        choice = Choice(self.scale, self.alphas, np.linspace(0.0, 1.0, THRESHOLDS))
        picked = self._picked(trained, choice)
        named = replace(picked, name=f"cascade by {trained.router}")
        return value(named, base, self.recorded, self.splits)
