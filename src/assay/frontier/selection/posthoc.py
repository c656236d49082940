"""Selection among many answers after they were made, by a judge that errs and costs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.frontier.per_prompt import estimates
from assay.frontier.posterior import Posterior
from assay.frontier.selection.asked import Asked, asked
from assay.frontier.selection.attempts import AnswerChances, CountedChances, counted
from assay.frontier.selection.judged import ErringJudge, MeasuredJudge, met
from assay.frontier.selection.selecting import (
    beyond_counts,
    by_worth,
    endless,
    pooled_limit,
    selected_alone,
    selected_first,
    selected_uniformly,
)
from assay.frontier.tensor import Tensor
from assay.results.frontier import Estimate
from assay.results.frontier_selection import Posthoc, PosthocPoint, Scope, SelectionRule

FloatArray = npt.NDArray[np.float64]
DRAWS = 50
"""At most so many draws of a posterior are used: the uniform rule integrates within each."""


def posthoc(
    tensor: Tensor,
    judge: ErringJudge | MeasuredJudge,
    *,
    posterior: Posterior | None = None,
    models: Sequence[str] | None = None,
    scope: Scope = "all_models",
    rule: SelectionRule = "uniform",
    most: int | None = None,
    level: float = 0.95,
    resamples: int = 500,
    seed: int = 0,
) -> Posthoc:
    """Return what a judge's selection reaches with k = 1 to `most` answers a model (by default, all given).

    All answers are made, shown and paid for, in the order of the models' mean quality, then of generations;
    the judge accepts or rejects each by itself. Of the accepted one is taken uniformly, or the first; where
    none is, the best single's first answer stands, rejected as it is. `scope` says whose answers: every
    model's; those of the model that is best for the prompt, by an oracle (k of its answers); or the best
    single's. A perfect free judge gives `all_models_k`, `per_prompt_best_k` and `fixed_best_k`.

    Closed form. From counts (no posterior) it is unbiased for all_models and fixed_best, answers being drawn
    without replacement; per_prompt_best takes a maximum, which only a posterior debiases. A MeasuredJudge's
    uncertainty goes into `these_prompts` by Beta draws of its rates.
    """
    source = asked(tensor, posterior, models=models, most=DRAWS)
    point, judges = met(judge, len(source.cells), DRAWS, seed)
    most = tensor.generations if most is None else most
    if most < 1:
        raise InvalidInput(Problem(f"k goes to {most!r}: give 1 or more"))
    ks = np.arange(1, most + 1)
    found = [_per_prompt(source, cells, each, ks, scope, rule) for cells, each in _pairs(source, judges)]

    by_prompt = np.mean(found, axis=0).T
    best = int(np.argmax(np.round(by_prompt[:, :most].mean(axis=0), 12)))
    every = estimates(
        by_prompt,
        np.array([each.mean(axis=1) for each in found]),
        level=level,
        resamples=resamples,
        seed=seed,
        of=lambda means: _of(means, scope, best, most),
    )
    notes = (*_notes(source, most, posterior, scope), *_beyond(source, tensor, point, most, scope))
    return _result(source, every, best, most, scope, rule, notes)


def _of(means: FloatArray, scope: Scope, best: int, most: int) -> FloatArray:
    """Return means over all prompts, and, of what only the best single does, over those where it answered.

    Before the last stands what the last k has less than the best.
    """
    there = means[..., -1:]
    value = means[..., :-1].copy()
    for own in (slice(None),) if scope == "fixed_best" else (slice(3 * most, 4 * most), slice(-3, -1)):
        unknown = np.full_like(value[..., own], np.nan)
        value[..., own] = np.divide(value[..., own], there, out=unknown, where=there > 0)
    fall = np.round(value[..., best : best + 1] - value[..., most - 1 : most], 12)
    return np.concatenate([value[..., :-1], fall, value[..., -1:]], axis=-1)


def _result(
    source: Asked,
    every: tuple[Estimate, ...],
    best: int,
    most: int,
    scope: Scope,
    rule: SelectionRule,
    notes: tuple[str, ...],
) -> Posthoc:
    """Put the estimates in the order of `_of` into words."""
    quality, cost, answers, gain = (every[part * most : (part + 1) * most] for part in range(4))
    curve = [each.value or 0.0 for each in quality]
    worse = next((k for k in range(best + 1, most) if curve[k] < curve[best] - 1e-9), None)
    return Posthoc(
        scope=scope,
        rule=rule,
        points=tuple(PosthocPoint(k + 1, quality[k], gain[k], cost[k], answers[k]) for k in range(most)),
        single=source.models[source.best],
        single_quality=every[-4],
        single_cost=every[-3],
        limit=every[-1],
        best_k=best + 1,
        worse_after=None if worse is None else worse + 1,
        fall=every[-2],
        unit=source.unit,
        notes=notes,
    )


def _pairs(source: Asked, judges: tuple[ErringJudge, ...]) -> list[tuple[AnswerChances, ErringJudge]]:
    number = max(len(source.cells), len(judges))
    return [(source.cells[draw % len(source.cells)], judges[draw % len(judges)]) for draw in range(number)]


def _per_prompt(
    source: Asked,
    cells: AnswerChances,
    judge: ErringJudge,
    ks: npt.NDArray[np.int64],
    scope: Scope,
    rule: SelectionRule,
) -> FloatArray:
    """Return rows of N prompts: quality, cost, answers, gain by k; the single's quality, cost; limit; there.

    What only the best single does, and the gain over it, is 0 where it has no answer.
    """
    best = source.best
    there = np.where(cells.there, 1.0, 0.0)
    made = np.stack([cells.made(int(k)) for k in ks])
    paid = made * (source.cost + judge.price)
    if scope == "all_models":
        order = by_worth(cells, best)
        select = selected_first if rule == "first" else selected_uniformly
        quality, limit = select(cells, judge, ks, order), pooled_limit(cells, judge, order, rule == "first")
        cost, answers = paid.sum(axis=2), made.sum(axis=2)
    else:
        own = selected_alone(cells, judge, ks)
        forever = endless(cells, judge)
        if scope == "fixed_best":
            quality, limit, cost, answers = own[..., best], forever[:, best], paid[..., best], made[..., best]
        else:
            worth = np.where(cells.there, own, -np.inf)
            quality, limit = worth.max(axis=2), np.where(cells.there, forever, -np.inf).max(axis=1)
            price = np.where(worth >= quality[..., np.newaxis] - 1e-12, paid, np.inf)
            chosen = price.argmin(axis=2)[..., np.newaxis]
            cost = np.take_along_axis(paid, chosen, axis=2)[..., 0]
            answers = np.take_along_axis(made, chosen, axis=2)[..., 0]
    single = [cells.success[:, best] * there[:, best], source.cost[:, best] * there[:, best]]
    gain = quality * there[:, best] - single[0]
    return np.concatenate([quality, cost, answers, gain, np.stack([*single, limit, there[:, best]])])


def _beyond(source: Asked, tensor: Tensor, judge: ErringJudge, most: int, scope: Scope) -> tuple[str, ...]:
    if scope != "all_models":
        return ()
    part = tensor.take(source.rows, [tensor.models.index(name) for name in source.models])
    return beyond_counts(source, counted(part.correct, part.given), judge, min(most, tensor.generations))


def _notes(source: Asked, most: int, posterior: Posterior | None, scope: Scope) -> tuple[str, ...]:
    """Say what a reader should know of these figures."""
    told = [*source.notes, "a judge's errors are taken to be independent of each other, even on one prompt"]
    first = source.cells[0]
    short = (
        int(np.count_nonzero(first.there & (first.given < most))) if isinstance(first, CountedChances) else 0
    )
    if short:
        told.append(f"{short} cells have fewer than {most} answers: all of theirs are taken, no more")
    if posterior is None and scope == "per_prompt_best":
        told.append("per_prompt_best from counts is a maximum of noisy values: biased upwards below k = G")
    if posterior is None:
        told.append("the limit of endless answers is made of the observed shares")
    return tuple(told)
