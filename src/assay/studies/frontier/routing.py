"""Measuring practical routers on one tensor by cross-validation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.frontier.methods.method import ProgressCallback, SweepRequest
from assay.frontier.methods.registry import DEFAULT, method_named
from assay.frontier.posterior import Posterior
from assay.frontier.prepared import prepare, usable_posterior
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
from assay.frontier.routing.folds import FoldSplit, group_similar, split
from assay.frontier.routing.policy import Choice
from assay.frontier.routing.regret import RoutingReference, regret, regrouped, routing_reference, spots
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
from assay.studies.frontier.routing_remarks import remarks

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
ROUTERS = ("category", "neighbours", "linear", "cascade")
THRESHOLDS = 41
KINDS: tuple[FeatureKind, ...] = ("text", "embedding")


@dataclass(frozen=True, slots=True)
class ValuedRouters:
    """The valued routers. `base` is the best single model, `shuffled` the routers with permuted features.

    `shuffled` is by the router's name. `reading` has the names of routers that read answers.
    """

    base: Valued
    valued: tuple[Valued, ...]
    shuffled: dict[str, Valued]
    reading: frozenset[str]


class RoutingWork:
    """The training and the evaluation of routers on the folds of one tensor."""

    def __init__(
        self,
        tensor: Tensor,
        features: Features,
        splits: tuple[FoldSplit, ...],
        seed: int,
        progress: ProgressCallback,
    ) -> None:
        self.tensor, self.features, self.splits, self.progress = tensor, features, splits, progress
        quality, cost = tensor.mean_quality(), tensor.mean_cost()
        observed = ~np.isnan(quality)
        self.recorded = Recorded(
            quality,
            np.where(observed, 0.0, np.nan) if cost is None else np.where(observed, cost, np.nan),
            observed,
            cost is not None,
        )
        self.scale: Scale = scale_of(tensor.quality, tensor.cost)
        self.alphas = np.array([1.0]) if cost is None else default_alphas()
        self.bounded = bool(np.nanmin(tensor.quality) >= 0.0 and np.nanmax(tensor.quality) <= 1.0)
        rng, repeats = np.random.default_rng([seed, 1]), 1 + max(fold.repeat for fold in splits)
        self.orders: IntArray = np.stack([rng.permutation(len(quality)) for _ in range(repeats)])

    def routers(self, names: Sequence[str]) -> list[Router]:
        """Return the named routers for which the prompts have features, the simplest first."""
        routers: list[Router] = [ByCategory()] if "category" in names else []
        if "neighbours" in names:
            routers += [Neighbours(kind) for kind in KINDS]
        if "linear" in names:
            routers += [Linear(kind, self.bounded) for kind in KINDS]
        return [router for router in routers if self.features.has(router.kind)]

    def run(self, names: Sequence[str], judge: ErringJudge | None) -> ValuedRouters:
        """Train the routers, pick their settings and value them."""
        choice = Choice(self.scale, self.alphas)
        base = self._picked(self._trained(BestSingle()), choice)
        picked, valued = [base], [value(base, base, self.recorded, self.splits)]
        shuffled, trained = {}, []
        for router in self.routers(names):
            self.progress(f"router {router.name}")
            trained.append(self._trained(router))
            picked.append(self._picked(trained[-1], choice))
            valued.append(value(picked[-1], base, self.recorded, self.splits))
            self.progress(f"router {router.name}, with features permuted at random")
            permuted = self._picked(self._trained(router, self.orders), choice)
            shuffled[router.name] = value(permuted, base, self.recorded, self.splits)
        if len(picked) > 1:
            valued.append(nested(picked, base, self.recorded, self.splits, self.scale, self.alphas))
        reading = set()
        if "cascade" in names and self.bounded and self.recorded.costed and trained:
            valued.append(self._cascade(trained[-1], base))
        if judge is not None:
            self.progress("a cascade with a verifier of answers")
            valued.append(verified(self.tensor, judge, self.splits, budgets(base)))
            reading.add(valued[-1].name)
        return ValuedRouters(valued[0], tuple(valued), shuffled, frozenset(reading))

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
        """Return the cascade by the predictions of the most complex router."""
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
    progress: ProgressCallback = lambda text: None,
) -> Routing:
    """Train routers on some prompts, value them on the others, and compare them with the frontier.

    The best single model (chosen in training) is always included. The others are those of `routers` for which
    the prompts have features: "category"; "neighbours" and "linear", which use texts and `embeddings` (N, D),
    with a row for each prompt of `tensor`; "cascade", which needs 0-1 quality and costs. A `judge` adds a
    cascade that reads answers. `posterior` is a fit of the default method on the same tensor, if there is one
    already. All routers use the same `folds`, drawn `repeats` times. Intervals at `level` come from
    `resamples` replicates of the prompts. Raises InvalidInput for arguments that cannot be used.
    """
    unknown = [name for name in routers if name not in ROUTERS]
    if unknown:
        raise InvalidInput(
            [Problem(f"unknown router {name!r}: use one of {', '.join(ROUTERS)}") for name in unknown]
        )
    if not 0.0 < level < 1.0:
        raise InvalidInput(Problem(f"invalid level {level!r}: give a number between 0 and 1"))
    if resamples < 0:
        raise InvalidInput(Problem(f"invalid number of resamples {resamples!r}: give 0 or more"))
    prepared = prepare(tensor)
    used = prepared.tensor
    if len(used.models) < 2:
        raise InvalidInput(
            Problem(f"the only model is {used.models[0]!r}: give two or more to route between")
        )
    vectors = None if embeddings is None else _check_embeddings(embeddings, tensor)[prepared.prompts]
    learners = {"neighbours", "linear"} & set(routers)
    texts = used.texts if used.texts is not None and any(text.strip() for text in used.texts) else None
    if learners and (texts is not None or vectors is not None):
        check_installed()
    features = _features(used, texts if learners else None, vectors)
    groups = group_similar(texts, len(used.prompts))
    splits = split(
        groups, features.categories, folds=folds, repeats=repeats, rng=np.random.default_rng([seed, 0])
    )
    work = RoutingWork(used, features, splits, seed, progress)
    valued = work.run(routers, judge)
    progress("the frontier")
    reference, method = _reference(work, posterior, tensor, prepared, seed)
    weighed = regrouped(groups, resamples, level, np.random.default_rng([seed, 2]))
    rng = np.random.default_rng([seed, 3])
    measure = routing_reference(
        reference, valued.base, weighed, rng, folds=folds, costed=work.recorded.costed
    )
    notes = (*prepared.notes, *remarks(used, routers, groups, method))
    return _result(work, valued, measure, method, groups, notes)


def _check_embeddings(embeddings: FloatArray, tensor: Tensor) -> FloatArray:
    vectors = np.asarray(embeddings, dtype=np.float64)
    if vectors.ndim != 2 or len(vectors) != len(tensor.prompts) or not np.isfinite(vectors).all():
        text = (
            f"invalid embeddings of shape {vectors.shape!r}: give finite numbers of shape "
            f"({len(tensor.prompts)}, D)"
        )
        raise InvalidInput(Problem(text))
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
    """Return the frontier and its method: the default, or the biased one if no cell has two answers."""
    method = method_named(DEFAULT)
    if posterior is not None:
        draws: Posterior | None = usable_posterior(posterior, tensor, prepared)
    elif method.unmet_need(work.tensor.generations):
        method, draws = method_named("naive"), None
    else:
        draws = method.fit(work.tensor, seed=seed)
    curve = method.curve(SweepRequest(work.tensor, PhiRule(work.scale), work.alphas, seed, draws))
    return curve, method.name if draws is None else draws.method


def _result(
    work: RoutingWork,
    valued: ValuedRouters,
    measure: RoutingReference,
    method: str,
    groups: IntArray,
    notes: tuple[str, ...],
) -> Routing:
    recorded, tensor = work.recorded, work.tensor
    levels, costs = means(filled(recorded.quality)), means(recorded.cost)
    costed = recorded.costed
    cost = measure.oracle_cost
    repeats = 1 + max(fold.repeat for fold in work.splits)
    unknown = np.full(len(measure.base), np.nan)
    quality = np.where(recorded.observed, recorded.quality, np.nan)
    return Routing(
        unit=tensor.unit if costed else None,
        prompts=len(tensor.prompts),
        groups=len(np.unique(groups)),
        folds=len(work.splits) // repeats,
        repeats=repeats,
        level=measure.level,
        oracle=RoutingOracle(
            method,
            quality=measure.estimate(measure.oracle[:, -1]),
            cost=measure.estimate(unknown if cost is None else cost[:, -1]),
            gap=measure.estimate(measure.gap),
            gap_at_cost=measure.estimate(measure.gap_at_cost),
            aiq=measure.estimate(unknown if cost is None else mean_height(measure.oracle, cost)),
            curve=spots(measure),
        ),
        models=tuple(
            SingleModel(name, Spot(float(levels[column]), float(costs[column]) if costed else None))
            for column, name in enumerate(tensor.models)
        ),
        routers=tuple(
            regret(
                router,
                measure,
                tensor.models,
                shuffled=valued.shuffled.get(router.name),
                answers=router.name in valued.reading,
            )
            for router in valued.valued
        ),
        best_single=valued.base.name,
        nested=NESTED if any(router.name == NESTED for router in valued.valued) else valued.base.name,
        random=Spot(
            float(np.nanmean(quality, axis=1).mean()),
            float(np.nanmean(recorded.cost, axis=1).mean()) if costed else None,
        ),
        notes=notes,
    )
