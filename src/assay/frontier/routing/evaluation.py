"""The value of a router's choices on prompts outside its training set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.frontier.routing.folds import FoldSplit
from assay.frontier.routing.policy import ROUNDING, Choice, cautious, reached
from assay.frontier.routing.router import Trained, means
from assay.frontier.selection.answer_pool import answer_pool
from assay.frontier.selection.attempts import counted
from assay.frontier.selection.judged import ErringJudge
from assay.frontier.selection.plan import walk
from assay.frontier.selection.plan_folds import PlanMaker
from assay.frontier.sweep.decisions import Scale
from assay.frontier.tensor import Tensor
from assay.results.frontier_routing import FeatureKind

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
NESTED = "chosen in training"


@dataclass(frozen=True, slots=True)
class Recorded:
    """Cell means of quality and cost (N, L), NaN where not `observed`; costs are 0 if none are recorded."""

    quality: FloatArray
    cost: FloatArray
    observed: BoolArray
    costed: bool


@dataclass(frozen=True, slots=True)
class PickedSettings:
    """A router's choices for each split: `taken` (A, m) are the models chosen on the held-out prompts.

    `quality` and `cost` (A, n) are the results on each prompt of the training set, from predictions by folds
    within the training set that leave the prompt out.
    """

    name: str
    kind: FeatureKind
    setting: tuple[str, ...]
    taken: tuple[IntArray, ...]
    quality: tuple[FloatArray, ...]
    cost: tuple[FloatArray, ...]


@dataclass(frozen=True, slots=True)
class Valued:
    """Held-out quality and cost (R, N, A) of each prompt, in R repeats and at A settings.

    The last setting considers quality alone. `matched_quality` and `matched_cost` (R, N) are at the setting
    that was best in training at the best single model's cost. `share` (L,) is how often each model was chosen
    at the last setting, `setting` the router's setting chosen in each training set.
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
    for split, predicted in zip(splits, trained.inner, strict=True):
        price = means(recorded.cost[split.train])
        held_out = trained.quality[split.repeat, split.test]
        taken.append(choice.choices(held_out, price, recorded.observed[split.test]))
        inside = choice.choices(predicted, price, recorded.observed[split.train])
        quality.append(reached(recorded.quality[split.train], inside))
        cost.append(reached(recorded.cost[split.train], inside))
    return PickedSettings(
        trained.router, trained.kind, trained.setting, tuple(taken), tuple(quality), tuple(cost)
    )


def budgets(base: PickedSettings) -> list[float]:
    """Return the cost of the best single model in each training set."""
    return [float(cost[-1].mean()) for cost in base.cost]


def value(
    picked: PickedSettings, base: PickedSettings, recorded: Recorded, splits: Sequence[FoldSplit]
) -> Valued:
    """Evaluate choices on held-out prompts. The budget of the matched setting is `base`'s cost in training.

    The answers to a held-out prompt had no influence on the choices for it, so lucky answers cannot favour a
    choice, and the mean over prompts is an unbiased value of routers trained on this number of prompts.
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
    """Evaluate the router type chosen in training, separately at each alpha; the simplest `picked` is first.

    This is the value of choosing among the routers by their training results. The best held-out value of all
    routers would partly be luck. A simpler type is given up for another by the rule of `cautious`.
    """
    taken, matched, names = [], [], []
    for place, budget in enumerate(budgets(base)):
        quality = np.stack([router.quality[place] for router in picked])
        cost = np.stack([router.cost[place] for router in picked])
        weight = alphas[None, :, None]
        worth = weight * scale.quality_of(quality) - (1.0 - weight) * scale.cost_of(cost)
        best = cautious(np.swapaxes(worth, 1, 2))
        names.append(picked[best[-1]].name)
        taken.append(np.stack([picked[index].taken[place][at] for at, index in enumerate(best)]))
        at = np.arange(len(alphas))
        where = _within(quality.mean(axis=2)[best, at], cost.mean(axis=2)[best, at], budget)
        matched.append(taken[-1][where])
    whole = PickedSettings(NESTED, "none", tuple(names), tuple(taken), (), ())
    return _valued(whole, matched, recorded, splits)


def _within(quality: FloatArray, cost: FloatArray, budget: float) -> int:
    """Return the position of the greatest quality within the budget, or of the cheapest if there is none."""
    allowed = cost <= budget * (1.0 + ROUNDING)
    if not allowed.any():
        return int(cost.argmin())
    top = np.where(allowed, quality, -np.inf)
    tied = top >= top.max() - ROUNDING
    return int(np.where(tied, cost, np.inf).argmin())


def _valued(
    picked: PickedSettings, matched: Sequence[IntArray], recorded: Recorded, splits: Sequence[FoldSplit]
) -> Valued:
    settings, repeats = len(picked.taken[0]), 1 + max(split.repeat for split in splits)
    prompts, models = recorded.quality.shape
    quality, cost = (np.zeros((repeats, prompts, settings)) for _ in range(2))
    at_quality, at_cost = (np.zeros((repeats, prompts)) for _ in range(2))
    share = np.zeros(models)
    for split, taken, matched_choice in zip(splits, picked.taken, matched, strict=True):
        known, paid = recorded.quality[split.test], recorded.cost[split.test]
        quality[split.repeat, split.test] = reached(known, taken).T
        cost[split.repeat, split.test] = reached(paid, taken).T
        at_quality[split.repeat, split.test] = reached(known, matched_choice)
        at_cost[split.repeat, split.test] = reached(paid, matched_choice)
        share += np.bincount(taken[-1], minlength=models) / (prompts * repeats)
    return Valued(picked.name, picked.kind, quality, cost, at_quality, at_cost, share, picked.setting)


STEPS = 6
"""The largest number of models in a plan."""
VERIFIED = "cascade, verified"


def verified(
    tensor: Tensor, judge: ErringJudge, splits: Sequence[FoldSplit], budgets: Sequence[float]
) -> Valued:
    """Evaluate greedy plans of one answer per model with a judge that reads the answers, on held-out prompts.

    Plans are made on each training set; setting t stops them after t + 1 steps. `budgets` are the best single
    model's cost in each training set. The matched setting has the greatest training quality within this cost.
    Every answer made and every judgement is paid for. InvalidInput if quality is not 0 or 1.
    """
    source = answer_pool(tensor)
    cells = counted(tensor.correct, tensor.answers)
    steps = min(STEPS, len(tensor.models))
    maker = PlanMaker(source, cells, judge, 1, steps, None)
    prompts, repeats = len(tensor.prompts), 1 + max(split.repeat for split in splits)
    quality, cost = (np.zeros((repeats, prompts, steps)) for _ in range(2))
    at_quality, at_cost = (np.zeros((repeats, prompts)) for _ in range(2))
    plans = []
    for split, budget in zip(splits, budgets, strict=True):
        plan, fallback = maker.plan(split.train), maker.fallback(split.train)
        inside, outside = (
            walk(cells.take(rows), judge, plan, cost=source.cost[rows], fallback=fallback)
            for rows in (split.train, split.test)
        )
        allowed = inside.cost.mean(axis=1) <= budget
        place = int(np.where(allowed, inside.quality.mean(axis=1), -1.0).argmax()) if allowed.any() else 0
        quality[split.repeat, split.test] = outside.quality.T
        cost[split.repeat, split.test] = outside.cost.T
        at_quality[split.repeat, split.test] = outside.quality[place]
        at_cost[split.repeat, split.test] = outside.cost[place]
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
