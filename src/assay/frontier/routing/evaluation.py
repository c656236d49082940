"""What a router's choices are worth on prompts that it was not trained on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.frontier.routing.folds import FoldSplit
from assay.frontier.routing.policy import ROUNDING, Choice, cautious, reached
from assay.frontier.routing.router import Trained, means
from assay.frontier.selection.asked import asked
from assay.frontier.selection.attempts import counted
from assay.frontier.selection.judged import ErringJudge
from assay.frontier.selection.plan import walk
from assay.frontier.selection.plan_folds import Maker
from assay.frontier.sweep.decisions import Scale
from assay.frontier.tensor import Tensor
from assay.results.frontier_routing import FeatureKind

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
NESTED = "chosen in training"


@dataclass(frozen=True, slots=True)
class Recorded:
    """Cell means of quality and cost (N, L), NaN where `there` is False; costs are 0 without costs."""

    quality: FloatArray
    cost: FloatArray
    there: BoolArray
    costed: bool


@dataclass(frozen=True, slots=True)
class PickedSettings:
    """A router's choices split by split: `taken` (A, m) on the held-out prompts of each.

    `quality` and `cost` (A, n) of each are what it reaches inside the training set, prompt by prompt, by
    predictions for folds that they were not learnt on.
    """

    name: str
    kind: FeatureKind
    setting: tuple[str, ...]
    taken: tuple[IntArray, ...]
    quality: tuple[FloatArray, ...]
    cost: tuple[FloatArray, ...]


@dataclass(frozen=True, slots=True)
class Valued:
    """Held-out value prompt by prompt in each of R repeats: `quality` and `cost` (R, N, A).

    The last of the A settings cares for quality alone. `matched_quality` and `matched_cost` (R, N) are under
    the setting that training promised to be best at the best single model's cost. `share` (L,) is how often
    each model was chosen at the last setting, `setting` what was chosen in each training set.
    """

    name: str
    kind: FeatureKind
    quality: FloatArray
    cost: FloatArray
    matched_quality: FloatArray
    matched_cost: FloatArray
    share: FloatArray
    setting: tuple[str, ...]


def pick(trained: Trained, choice: Choice, recorded: Recorded, splits: Sequence[FoldSplit]) -> PickedSettings:
    """Turn a trained router's predictions into choices."""
    taken, quality, cost = [], [], []
    for each, guess in zip(splits, trained.inner, strict=True):
        price = means(recorded.cost[each.train])
        held = trained.quality[each.repeat, each.test]
        taken.append(choice.choices(held, price, recorded.there[each.test]))
        inside = choice.choices(guess, price, recorded.there[each.train])
        quality.append(reached(recorded.quality[each.train], inside))
        cost.append(reached(recorded.cost[each.train], inside))
    return PickedSettings(
        trained.router, trained.kind, trained.setting, tuple(taken), tuple(quality), tuple(cost)
    )


def budgets(base: PickedSettings) -> list[float]:
    """Return what the best single model costs in each training set."""
    return [float(each[-1].mean()) for each in base.cost]


def value(
    picked: PickedSettings, base: PickedSettings, recorded: Recorded, splits: Sequence[FoldSplit]
) -> Valued:
    """Value choices on held-out prompts. The budget of the matched setting is `base`'s cost in training.

    A held-out prompt's answers took no part in any choice made for it, so the mean over prompts is an
    unbiased value of routers trained on so many prompts: no choice by luck is valued by the same luck.
    """
    places = [
        _within(quality.mean(axis=1), cost.mean(axis=1), budget)
        for quality, cost, budget in zip(picked.quality, picked.cost, budgets(base), strict=True)
    ]
    return _valued(
        picked,
        [taken[place] for taken, place in zip(picked.taken, places, strict=True)],
        recorded,
        splits,
    )


def nested(
    picked: Sequence[PickedSettings],
    base: PickedSettings,
    recorded: Recorded,
    splits: Sequence[FoldSplit],
    scale: Scale,
    alphas: FloatArray,
) -> Valued:
    """Value the router type that training recommends, at each alpha anew, the simplest of `picked` first.

    This is what one gets who picks among the routers by what training shows; the best of their held-out
    values would have won by luck in part. A type is left for a less simple one as `cautious` says.
    """
    taken, matched, named = [], [], []
    for place, budget in enumerate(budgets(base)):
        quality = np.stack([each.quality[place] for each in picked])
        cost = np.stack([each.cost[place] for each in picked])
        weight = alphas[None, :, None]
        worth = weight * scale.quality_of(quality) - (1.0 - weight) * scale.cost_of(cost)
        best = cautious(np.swapaxes(worth, 1, 2))
        named.append(picked[best[-1]].name)
        taken.append(np.stack([picked[one].taken[place][at] for at, one in enumerate(best)]))
        at = np.arange(len(alphas))
        where = _within(quality.mean(axis=2)[best, at], cost.mean(axis=2)[best, at], budget)
        matched.append(taken[-1][where])
    whole = PickedSettings(NESTED, "none", tuple(named), tuple(taken), (), ())
    return _valued(whole, matched, recorded, splits)


def _within(quality: FloatArray, cost: FloatArray, budget: float) -> int:
    """Return the place of the greatest quality at a cost within the budget; the cheapest where none is."""
    allowed = cost <= budget * (1.0 + ROUNDING)
    if not allowed.any():
        return int(cost.argmin())
    top = np.where(allowed, quality, -np.inf)
    tied = top >= top.max() - ROUNDING
    return int(np.where(tied, cost, np.inf).argmin())


def _valued(
    picked: PickedSettings, matched: Sequence[IntArray], recorded: Recorded, splits: Sequence[FoldSplit]
) -> Valued:
    settings, repeats = len(picked.taken[0]), 1 + max(each.repeat for each in splits)
    prompts, models = recorded.quality.shape
    quality, cost = (np.zeros((repeats, prompts, settings)) for _ in range(2))
    at_quality, at_cost = (np.zeros((repeats, prompts)) for _ in range(2))
    share = np.zeros(models)
    for each, taken, own in zip(splits, picked.taken, matched, strict=True):
        known, paid = recorded.quality[each.test], recorded.cost[each.test]
        quality[each.repeat, each.test] = reached(known, taken).T
        cost[each.repeat, each.test] = reached(paid, taken).T
        at_quality[each.repeat, each.test] = reached(known, own)
        at_cost[each.repeat, each.test] = reached(paid, own)
        share += np.bincount(taken[-1], minlength=models) / (prompts * repeats)
    return Valued(picked.name, picked.kind, quality, cost, at_quality, at_cost, share, picked.setting)


STEPS = 6
"""A plan has at most so many models."""
VERIFIED = "cascade, verified"


def verified(
    tensor: Tensor, judge: ErringJudge, splits: Sequence[FoldSplit], budgets: Sequence[float]
) -> Valued:
    """Value plans of one answer a model, most newly right answers for their price first, on held-out prompts.

    Plans are made on each training set; setting t cuts them after t + 1 steps. `budgets` are the best single
    model's cost in each training set: the matched setting is the longest plan that training prices within
    it. Quality must be 0 or 1; every answer made and every judgement is paid. InvalidInput otherwise.
    """
    source = asked(tensor)
    cells = counted(tensor.correct, tensor.given)
    steps = min(STEPS, len(tensor.models))
    maker = Maker(source, cells, judge, 1, steps, None)
    prompts, repeats = len(tensor.prompts), 1 + max(each.repeat for each in splits)
    quality, cost = (np.zeros((repeats, prompts, steps)) for _ in range(2))
    at_quality, at_cost = (np.zeros((repeats, prompts)) for _ in range(2))
    plans = []
    for each, budget in zip(splits, budgets, strict=True):
        plan, fallback = maker.plan(each.train), maker.fallback(each.train)
        inside, outside = (
            walk(cells.take(rows), judge, plan, cost=source.cost[rows], fallback=fallback)
            for rows in (each.train, each.test)
        )
        allowed = inside.cost.mean(axis=1) <= budget
        place = int(np.where(allowed, inside.quality.mean(axis=1), -1.0).argmax()) if allowed.any() else 0
        quality[each.repeat, each.test] = outside.quality.T
        cost[each.repeat, each.test] = outside.cost.T
        at_quality[each.repeat, each.test] = outside.quality[place]
        at_cost[each.repeat, each.test] = outside.cost[place]
        plans.append(" > ".join(tensor.models[model] for model in plan))
    return Valued(
        VERIFIED,
        "none",
        quality,
        cost,
        at_quality,
        at_cost,
        np.full(len(tensor.models), np.nan),
        tuple(plans),
    )
