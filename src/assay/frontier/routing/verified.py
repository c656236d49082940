"""A cascade that reads answers: a verifier that errs accepts one, or the next model is asked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assay.frontier.routing.folds import Split
from assay.frontier.routing.valued import Valued
from assay.frontier.selection.asked import asked
from assay.frontier.selection.attempts import counted
from assay.frontier.selection.judged import Judge
from assay.frontier.selection.plan import walk
from assay.frontier.selection.plan_folds import Maker
from assay.frontier.tensor import Tensor

STEPS = 6
"""A plan has at most so many models."""
VERIFIED = "cascade, verified"


def verified(tensor: Tensor, judge: Judge, splits: Sequence[Split], budgets: Sequence[float]) -> Valued:
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
