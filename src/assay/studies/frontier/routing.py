"""Measures practical routers on one tensor by cross-validation, telling what is being done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.frontier.posterior import Posterior
from assay.frontier.prepared import fitting, prepare
from assay.frontier.routing.alike import alike
from assay.frontier.routing.features import Features
from assay.frontier.routing.folds import split
from assay.frontier.routing.regret import Yard, regret, regrouped, spots, yard
from assay.frontier.routing.result import Routing, Spot
from assay.frontier.routing.router import filled, means
from assay.frontier.routing.valued import NESTED
from assay.frontier.selection.judged import Judge
from assay.frontier.shrink.fit import fit_shrink
from assay.frontier.sweep.decisions import Rule
from assay.frontier.sweep.pareto import mean_height
from assay.frontier.sweep.reached import Reached, from_posterior, naive
from assay.frontier.tensor import Tensor
from assay.studies.frontier.routing_learned import check_installed, counted_words
from assay.studies.frontier.routing_remarks import Asked, remarks
from assay.studies.frontier.routing_work import Found, Tell, Work

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
ROUTERS = ("category", "neighbours", "linear", "cascade")


def route(
    tensor: Tensor,
    *,
    routers: Sequence[str] = ROUTERS,
    embeddings: FloatArray | None = None,
    judge: Judge | None = None,
    posterior: Posterior | None = None,
    folds: int = 5,
    repeats: int = 3,
    level: float = 0.9,
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
    work = Work(kept, features, splits, seed, tell)
    found = work.run(routers, judge)
    tell("the frontier")
    reference, method = _reference(work, posterior, tensor, prepared, seed)
    weighed = regrouped(groups, resamples, level, np.random.default_rng([seed, 2]))
    rng = np.random.default_rng([seed, 3])
    measure = yard(reference, found.base, weighed, rng, folds=folds, costed=work.recorded.costed)
    asked = Asked(
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
    work: Work, posterior: Posterior | None, tensor: Tensor, prepared: Any, seed: int
) -> tuple[Reached, str]:
    """Return the frontier by draws of the default method; the biased one where no cell has two answers."""
    rule = Rule(work.scale)
    if posterior is not None:
        kept = fitting(posterior, tensor, prepared)
        return from_posterior(kept, rule, work.alphas), kept.method
    if work.tensor.generations < 2:
        return naive(work.tensor, rule, work.alphas), "naive"
    fitted = fit_shrink(work.tensor, seed=seed)
    return from_posterior(fitted, rule, work.alphas), fitted.method


def _composed(
    work: Work, found: Found, measure: Yard, method: str, groups: IntArray, notes: tuple[str, ...]
) -> Routing:
    recorded, tensor = work.recorded, work.tensor
    levels, costs = means(filled(recorded.quality)), means(recorded.cost)
    costed = recorded.costed
    cost = measure.oracle_cost
    none = np.full(len(measure.base), np.nan)
    row = np.where(recorded.there, recorded.quality, np.nan)
    return Routing(
        method=method,
        unit=tensor.unit,
        prompts=len(tensor.prompts),
        groups=len(np.unique(groups)),
        folds=len(work.splits) // (1 + max(each.repeat for each in work.splits)),
        repeats=1 + max(each.repeat for each in work.splits),
        level=measure.level,
        models=tensor.models,
        oracle=measure.estimate(measure.oracle[:, -1]),
        oracle_cost=measure.estimate(none if cost is None else cost[:, -1]),
        gap=measure.estimate(measure.gap),
        gap_at_cost=measure.estimate(measure.gap_at_cost),
        frontier=spots(measure),
        frontier_aiq=measure.estimate(none if cost is None else mean_height(measure.oracle, cost)),
        singles=tuple(
            (name, Spot(float(levels[place]), float(costs[place]) if costed else None))
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
