"""Post-hoc selection: a judge that errs and has a price selects among many answers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.frontier.per_prompt import estimates
from assay.frontier.posterior import Posterior
from assay.frontier.selection.answer_pool import AnswerPool, answer_pool
from assay.frontier.selection.attempts import AnswerChances, CountedChances, counted
from assay.frontier.selection.judged import ErringJudge, MeasuredJudge, judge_draws
from assay.frontier.selection.selecting import (
    INDEPENDENT,
    by_worth,
    compare_with_counts,
    over_answered,
    pooled_limit,
    quality_limit,
    selected_alone,
    selected_first,
    selected_uniformly,
)
from assay.frontier.tensor import Tensor
from assay.results.frontier import Estimate
from assay.results.frontier_selection import Posthoc, PosthocPoint, Scope, SelectionRule

FloatArray = npt.NDArray[np.float64]
DRAWS = 50
"""The largest number of draws of a posterior that are used; the uniform rule integrates in each."""


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
    """Return quality and cost of selection among k = 1 to `most` answers per model (default: all recorded).

    All answers are made and paid for, and the judge accepts or rejects each by itself. Of the accepted
    answers one is returned at random, or the first, in the order of the models' mean quality, then of
    generations. If none is accepted, the first answer of the best single model is returned. `scope` selects
    the answers: those of every model; k answers of the model that is best for the prompt (known to an
    oracle); or those of the best single model. A perfect free judge gives equations 22 and 23 (see `kshot`).

    The results are closed forms. From counts (no posterior) they are unbiased for all_models and fixed_best,
    because answers are drawn without replacement; per_prompt_best takes a maximum, which only a posterior
    debiases. The uncertainty of a MeasuredJudge goes into `these_prompts` by Beta draws of its rates.
    """
    source = answer_pool(tensor, posterior, models=models, most=DRAWS)
    point, judges = judge_draws(judge, len(source.cells), DRAWS, seed)
    most = tensor.generations if most is None else most
    if most < 1:
        raise InvalidInput(Problem(f"invalid largest k {most!r}: give 1 or more"))
    ks = np.arange(1, most + 1)
    tables = [_per_prompt(source, cells, drawn, ks, scope, rule) for cells, drawn in _pairs(source, judges)]
    by_prompt = np.mean(tables, axis=0).T
    best = int(np.argmax(np.round(by_prompt[:, :most].mean(axis=0), 12)))
    every = estimates(
        by_prompt,
        np.array([table.mean(axis=1) for table in tables]),
        level=level,
        resamples=resamples,
        seed=seed,
        of=lambda means: _of(means, scope, best, most),
    )
    notes = (*_notes(source, most, posterior, scope), *_comparison_notes(source, tensor, point, most, scope))
    return _result(source, every, best, most, scope, rule, notes)


def _of(means: FloatArray, scope: Scope, best: int, most: int) -> FloatArray:
    """Return means over all prompts; for figures of the best single model, over the prompts it answered.

    The last but one is the fall in quality from the best k to the last.
    """
    value, answered = means[..., :-1].copy(), over_answered(means)
    for columns in (slice(None),) if scope == "fixed_best" else (slice(3 * most, 4 * most), slice(-3, -1)):
        value[..., columns] = answered[..., columns]
    fall = np.round(value[..., best : best + 1] - value[..., most - 1 : most], 12)
    return np.concatenate([value[..., :-1], fall, value[..., -1:]], axis=-1)


def _result(
    source: AnswerPool,
    every: tuple[Estimate, ...],
    best: int,
    most: int,
    scope: Scope,
    rule: SelectionRule,
    notes: tuple[str, ...],
) -> Posthoc:
    """Return the published result from the estimates in the order of `_of`."""
    quality, cost, answers, gain = (every[part * most : (part + 1) * most] for part in range(4))
    curve = [estimate.value or 0.0 for estimate in quality]
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


def _pairs(source: AnswerPool, judges: tuple[ErringJudge, ...]) -> list[tuple[AnswerChances, ErringJudge]]:
    number = max(len(source.cells), len(judges))
    return [(source.cells[draw % len(source.cells)], judges[draw % len(judges)]) for draw in range(number)]


def _per_prompt(
    source: AnswerPool,
    cells: AnswerChances,
    judge: ErringJudge,
    ks: npt.NDArray[np.int64],
    scope: Scope,
    rule: SelectionRule,
) -> FloatArray:
    """Return rows of N prompts: quality, cost, answers and gain by k; single quality, cost; limit; there.

    The single figures and the gain are 0 where the best single model has no answer (`observed` is 0).
    """
    best = source.best
    observed = np.where(cells.observed, 1.0, 0.0)
    made = np.stack([cells.made(int(k)) for k in ks])
    paid = made * (source.cost + judge.price)
    if scope == "all_models":
        order = by_worth(cells, best)
        select = selected_first if rule == "first" else selected_uniformly
        quality, limit = select(cells, judge, ks, order), pooled_limit(cells, judge, order, rule == "first")
        cost, answers = paid.sum(axis=2), made.sum(axis=2)
    else:
        own = selected_alone(cells, judge, ks)
        limits = quality_limit(cells, judge)
        if scope == "fixed_best":
            quality, limit, cost, answers = own[..., best], limits[:, best], paid[..., best], made[..., best]
        else:
            worth = np.where(cells.observed, own, -np.inf)
            quality, limit = worth.max(axis=2), np.where(cells.observed, limits, -np.inf).max(axis=1)
            price = np.where(worth >= quality[..., np.newaxis] - 1e-12, paid, np.inf)
            chosen = price.argmin(axis=2)[..., np.newaxis]
            cost = np.take_along_axis(paid, chosen, axis=2)[..., 0]
            answers = np.take_along_axis(made, chosen, axis=2)[..., 0]
    single = [cells.success[:, best] * observed[:, best], source.cost[:, best] * observed[:, best]]
    gain = quality * observed[:, best] - single[0]
    return np.concatenate([quality, cost, answers, gain, np.stack([*single, limit, observed[:, best]])])


def _comparison_notes(
    source: AnswerPool, tensor: Tensor, judge: ErringJudge, most: int, scope: Scope
) -> tuple[str, ...]:
    if scope != "all_models":
        return ()
    part = tensor.take(source.rows, [tensor.models.index(name) for name in source.models])
    return compare_with_counts(
        source, counted(part.correct, part.answers), judge, min(most, tensor.generations)
    )


def _notes(source: AnswerPool, most: int, posterior: Posterior | None, scope: Scope) -> tuple[str, ...]:
    """Return the notes on these figures."""
    notes = [*source.notes, INDEPENDENT]
    first = source.cells[0]
    short = (
        int(np.count_nonzero(first.observed & (first.recorded < most)))
        if isinstance(first, CountedChances)
        else 0
    )
    if short:
        notes.append(f"{short} cells have fewer than {most} answers: all of their answers are used")
    if posterior is None and scope == "per_prompt_best":
        notes.append(
            "per_prompt_best from counts is a maximum of noisy values, so it is biased upwards below k = G"
        )
    if posterior is None:
        notes.append("the limit for infinitely many answers uses the observed shares")
    return tuple(notes)
