"""Measures practical routers on one tensor by cross-validation, telling what is being done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.frontier.methods.method import SweepRequest
from assay.frontier.methods.registry import DEFAULT, method_named
from assay.frontier.posterior import Posterior
from assay.frontier.prepared import fitting, prepare
from assay.frontier.routing.evaluation import (
    NESTED,
    PickedSettings,
    Recorded,
    Valued,
    budgets,
    nested,
    pick,
    value,
    verified,
)
from assay.frontier.routing.folds import FoldSplit, alike, split
from assay.frontier.routing.policy import Choice
from assay.frontier.routing.regret import Yard, regret, regrouped, spots, yard
from assay.frontier.routing.router import (
    BestSingle,
    ByCategory,
    Features,
    Router,
    Trained,
    filled,
    means,
    train,
)
from assay.frontier.selection.judged import ErringJudge
from assay.frontier.sweep.curve import MethodCurve
from assay.frontier.sweep.decisions import PhiRule, Scale, default_alphas, scale_of
from assay.frontier.sweep.pareto import mean_height
from assay.frontier.tensor import Tensor
from assay.results.frontier_routing import FeatureKind, Routing, RoutingOracle, SingleModel, Spot
from assay.studies.frontier.routing_learned import Linear, Neighbours, check_installed, counted_words
from assay.studies.frontier.routing_remarks import RoutingRequest, remarks

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
ROUTERS = ("category", "neighbours", "linear", "cascade")
Tell = Callable[[str], None]
THRESHOLDS = 41
KINDS: tuple[FeatureKind, ...] = ("text", "embedding")


@dataclass(frozen=True, slots=True)
class Found:
    """All that was valued; `shuffled` by the router's name."""

    base: Valued
    valued: tuple[Valued, ...]
    shuffled: dict[str, Valued]
    reading: frozenset[str]


class RoutingWork:
    """One tensor's routers over its folds."""

    def __init__(
        self, tensor: Tensor, features: Features, splits: tuple[FoldSplit, ...], seed: int, tell: Tell
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

    def run(self, names: Sequence[str], judge: ErringJudge | None) -> Found:
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

    def _picked(self, trained: Trained, choice: Choice) -> PickedSettings:
        return pick(trained, choice, self.recorded, self.splits)

    def _cascade(self, trained: Trained, base: PickedSettings) -> Valued:
        """Return the cascade by the predictions of the boldest router there is."""
        choice = Choice(self.scale, self.alphas, np.linspace(0.0, 1.0, THRESHOLDS))
        picked = self._picked(trained, choice)
        named = replace(picked, name=f"cascade by {trained.router}")
        return value(named, base, self.recorded, self.splits)


def route(
    tensor: Tensor,
    *,
    routers: Sequence[str] = ROUTERS,
    embeddings: FloatArray | None = None,
    judge: ErringJudge | None = None,
    posterior: Posterior | None = None,
    folds: int = 5,
    repeats: int = 3,
    level: float = 0.95,
    resamples: int = 500,
    seed: int = 0,
    tell: Tell = lambda text: None,
) -> Routing:
    """Train routers on some prompts, value them on the others, and compare with the frontier.

    The best single model (chosen in training) is always there, with the routers of `routers` for which the
    prompts have features: "category", "neighbours" and "linear" (of texts and of `embeddings` (N, D), a row a
    prompt of `tensor`), "cascade" (0-1 quality and costs). A `judge` adds a cascade that reads answers.
    `posterior` saves the fit of the default method on this very tensor. All routers see the same `folds`,
    `repeats` times. Intervals at `level` from `resamples` replicates of the prompts. Raises InvalidInput for
    what cannot be used.
    """
    unknown = [name for name in routers if name not in ROUTERS]
    if unknown:
        raise InvalidInput(
            [Problem(f"there is no router {name!r}: give {', '.join(ROUTERS)}") for name in unknown]
        )
    if not (0.0 < level < 1.0 and resamples >= 0):
        raise InvalidInput(Problem(f"level {level!r} and {resamples!r} resamples: give 0-1, and 0 or more"))
    prepared = prepare(tensor)
    kept = prepared.tensor
    if len(kept.models) < 2:
        told = f"the only model is {kept.models[0]!r}: give two or more to route between"
        raise InvalidInput(Problem(told))
    vectors = None if embeddings is None else _checked(embeddings, tensor)[prepared.prompts]
    learners = {"neighbours", "linear"} & set(routers)
    texts = kept.texts if kept.texts is not None and any(each.strip() for each in kept.texts) else None
    if learners and (texts is not None or vectors is not None):
        check_installed()
    features = _features(kept, texts if learners else None, vectors)
    groups = alike(texts, len(kept.prompts))
    splits = split(
        groups, features.categories, folds=folds, repeats=repeats, rng=np.random.default_rng([seed, 0])
    )
    work = RoutingWork(kept, features, splits, seed, tell)
    found = work.run(routers, judge)
    tell("the frontier")
    reference, method = _reference(work, posterior, tensor, prepared, seed)
    weighed = regrouped(groups, resamples, level, np.random.default_rng([seed, 2]))
    rng = np.random.default_rng([seed, 3])
    measure = yard(reference, found.base, weighed, rng, folds=folds, costed=work.recorded.costed)
    asked = RoutingRequest(
        texts=kept.texts, embeddings=vectors is not None, routers=tuple(routers), judge=judge, groups=groups
    )
    notes = (*prepared.notes, *remarks(kept, asked, method))
    return _composed(work, found, measure, method, groups, notes)


def _checked(embeddings: FloatArray, tensor: Tensor) -> FloatArray:
    vectors = np.asarray(embeddings, dtype=np.float64)
    if vectors.ndim != 2 or len(vectors) != len(tensor.prompts) or not np.isfinite(vectors).all():
        told = f"embeddings have shape {vectors.shape!r}: give finite numbers, ({len(tensor.prompts)}, D)"
        raise InvalidInput(Problem(told))
    return vectors


def _features(tensor: Tensor, texts: Sequence[str] | None, vectors: FloatArray | None) -> Features:
    categories = None
    if tensor.categories is not None and len(set(tensor.categories)) > 1:
        categories = np.unique(np.array(tensor.categories), return_inverse=True)[1].reshape(-1)
    words: Any = None if texts is None else counted_words(texts)
    return Features(len(tensor.prompts), categories, words, vectors)


def _reference(
    work: RoutingWork, posterior: Posterior | None, tensor: Tensor, prepared: Any, seed: int
) -> tuple[MethodCurve, str]:
    """Return the frontier by draws of the default method; the biased one where no cell has two answers."""
    method = method_named(DEFAULT)
    if posterior is not None:
        draws: Posterior | None = fitting(posterior, tensor, prepared)
    elif method.unmet_need(work.tensor.generations):
        method, draws = method_named("naive"), None
    else:
        draws = method.fit(work.tensor, seed=seed)
    reached = method.curve(SweepRequest(work.tensor, PhiRule(work.scale), work.alphas, seed, draws))
    return reached, method.name if draws is None else draws.method


def _composed(
    work: RoutingWork, found: Found, measure: Yard, method: str, groups: IntArray, notes: tuple[str, ...]
) -> Routing:
    recorded, tensor = work.recorded, work.tensor
    levels, costs = means(filled(recorded.quality)), means(recorded.cost)
    costed = recorded.costed
    cost = measure.oracle_cost
    none = np.full(len(measure.base), np.nan)
    row = np.where(recorded.there, recorded.quality, np.nan)
    return Routing(
        unit=tensor.unit if costed else None,
        prompts=len(tensor.prompts),
        groups=len(np.unique(groups)),
        folds=len(work.splits) // (1 + max(each.repeat for each in work.splits)),
        repeats=1 + max(each.repeat for each in work.splits),
        level=measure.level,
        oracle=RoutingOracle(
            method,
            quality=measure.estimate(measure.oracle[:, -1]),
            cost=measure.estimate(none if cost is None else cost[:, -1]),
            gap=measure.estimate(measure.gap),
            gap_at_cost=measure.estimate(measure.gap_at_cost),
            aiq=measure.estimate(none if cost is None else mean_height(measure.oracle, cost)),
            curve=spots(measure),
        ),
        models=tuple(
            SingleModel(name, Spot(float(levels[place]), float(costs[place]) if costed else None))
            for place, name in enumerate(tensor.models)
        ),
        routers=tuple(
            regret(
                each,
                measure,
                tensor.models,
                shuffled=found.shuffled.get(each.name),
                answers=each.name in found.reading,
            )
            for each in found.valued
        ),
        best_single=found.base.name,
        nested=NESTED if any(each.name == NESTED for each in found.valued) else found.base.name,
        random=Spot(
            float(np.nanmean(row, axis=1).mean()),
            float(np.nanmean(recorded.cost, axis=1).mean()) if costed else None,
        ),
        notes=notes,
    )
